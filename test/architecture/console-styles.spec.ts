import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const console = join(root, 'apps/console/src');
const styles = join(root, 'node_modules/@mantine/core/styles');

/** The components of the library that the console imports. */
function components(): string[] {
  const found = new Set<string>();
  for (const { parentPath, name } of readdirSync(console, { recursive: true, withFileTypes: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const text = readFileSync(join(parentPath, name), 'utf8');
    for (const [, names] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const each of names!.split(',')) found.add(each.trim());
  }
  return [...found].filter((each) => /^[A-Z]/.test(each)).sort();
}

describe('the style sheet of the console', () => {
  it('has the styles of each component that the console uses', () => {
    const sheet = readFileSync(join(console, 'mantine.css'), 'utf8');
    const styled = components().filter((name) => existsSync(join(styles, `${name}.layer.css`)));
    expect(styled).toContain('Button');
    expect(styled.filter((name) => !sheet.includes(`/${name}.layer.css`))).toEqual([]);
  });
});
