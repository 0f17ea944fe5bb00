import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { derivedFiles } from '../../tools/derive/derived-files';
import { specified } from '../../apps/api/src/declaration/specified';
import { settings } from '#platform';

const root = resolve(__dirname, '../..');

describe('the derived documents', () => {
  it.each(derivedFiles().map(({ path, text }) => [path, text]))('include %s as derived from the code', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it('list every operation of the specification', () => {
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const [, table = ''] = /^## All operations$([^]*?)^## /m.exec(page)!;
    const rows = table
      .split('\n')
      .filter((line) => /^\| \[?`/.test(line) && !line.includes('**Beyond the specification.**'));
    expect(rows).toHaveLength(47);
    for (const [index, { path, action }] of specified.entries())
      expect(rows[index]).toMatch(new RegExp(`\`${path}\`.* \`${action}\``));
  });

  it('contain only links to existing places', () => {
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!.toLowerCase().replace(/[^a-z0-9_ -]/g, ''),
    );
    const places = headings.map((text) => text.replaceAll(' ', '-'));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, place]) => place);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((place) => !places.includes(place!))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
  });

  it('list every setting', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    for (const name of Object.keys(settings.properties)) expect(page).toContain(`| \`${name}\` |`);
  });

  describe('the check of the derived documents', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'itembank-derived-'));
      for (const { path } of derivedFiles()) cpSync(join(root, path), join(folder, path), { recursive: true });
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const run = (...options: string[]) => {
      const program = join(root, 'tools/derive/main.ts');
      const arguments_ = ['-r', join(root, 'test/support/ts.cjs'), program, ...options];
      const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, { cwd: folder, encoding: 'utf8' });
      return { status, stdout, stderr };
    };

    it('fails with a message that says what to do, and passes after that', () => {
      expect(run('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
      appendFileSync(join(folder, 'docs/openapi.json'), ' ');
      rmSync(join(folder, 'docs/configuration.md'));
      expect(run('--check')).toEqual({
        status: 1,
        stdout: '',
        stderr:
          'docs/openapi.json is out of date; run npm run derive.\n' +
          'docs/configuration.md is out of date; run npm run derive.\n',
      });
      expect(run()).toMatchObject({ status: 0 });
      expect(run('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
    });
  });
});
