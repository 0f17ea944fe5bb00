import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTES } from '../../libs/interchange/src/formats/note';

const textOf = (folder: string, isWanted: (path: string) => boolean): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && isWanted(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');

describe('the list of notes', () => {
  const makers = ['libs/interchange/src', 'apps/cli/src/pull'].map((folder) => join(__dirname, '../..', folder));
  const sources = makers.map((folder) => textOf(folder, (path) => !path.endsWith('note.ts'))).join('\n');
  const tests = [
    textOf(__dirname, (path) => path.endsWith('.spec.ts') && path !== 'notes.spec.ts'),
    readFileSync(join(__dirname, '../api/exports.spec.ts'), 'utf8'),
  ].join('\n');

  it.each(Object.keys(NOTES))('contains %s, which a reader makes and a test expects', (code) => {
    expect(sources).toContain(`'${code}'`);
    expect(tests).toContain(code);
  });

  it('says, in both languages, that something is stored beside the item only if it is kept aside', () => {
    const beside = Object.entries(NOTES).filter(([, { remedy }]) => remedy.includes('beside the item'));
    expect(beside.filter(([, { severity }]) => severity !== 'kept aside').map(([code]) => code)).toEqual([]);
    const german = readFileSync(join(__dirname, '../../apps/console/src/routes/imports/note-texts.ts'), 'utf8');
    const inGerman = [...german.matchAll(/'([\w-]+)': \[[^\]]*NOTHING_TO_DO/g)].map(([, code]) => code);
    expect(inGerman).toEqual(beside.map(([code]) => code));
  });
});
