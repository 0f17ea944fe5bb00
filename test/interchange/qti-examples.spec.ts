import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '#interchange';
import { itemScore, type Responses } from './support/qti-items';
import { changesScores, readWith } from './support/reading';

/*
 * INTERCHANGE_EXAMPLES_DIR names a folder. Its folder qti22 has items NAME.xml, with their recorded scores in
 * NAME.cases.json.
 */

interface Case {
  name: string;
  responses?: Responses;
  expect: { score?: number; outcomes?: Record<string, unknown> };
  xfail?: unknown;
}

/** Our own items, and those of the folder in the environment. */
const FOLDERS = [join(__dirname, 'examples'), process.env.INTERCHANGE_EXAMPLES_DIR].flatMap((folder) =>
  folder === undefined ? [] : join(folder, 'qti22'),
);

const qti = FORMATS.find(({ name }) => name === 'qti')!;

describe.each(FOLDERS)('a QTI item of %s', (folder) => {
  const names = readdirSync(folder).flatMap((name) =>
    name.endsWith('.cases.json') ? name.slice(0, -'.cases.json'.length) : [],
  );

  it.each(names)('%s scores as recorded if and only if no note reports a difference', async (name) => {
    const xml = readFileSync(join(folder, `${name}.xml`), 'utf8');
    const { cases } = JSON.parse(readFileSync(join(folder, `${name}.cases.json`), 'utf8')) as { cases: Case[] };
    const [entry] = await readWith(qti, { 'item.xml': xml });
    expect(entry!.record).not.toBeNull();
    const scored = cases.flatMap(({ name: title, responses = {}, expect: { score, outcomes }, xfail }) => {
      const wanted = score ?? outcomes?.SCORE;
      return xfail === undefined && typeof wanted === 'number' ? [{ title, responses, wanted }] : [];
    });
    const differing = scored.filter(({ responses, wanted }) => {
      const isAttempted = Object.values(responses).some((given) => given !== null && given.toString() !== '');
      return (itemScore(xml, entry!, responses) ?? (isAttempted ? null : 0)) !== wanted;
    });
    // The source leaves it open whether capitals count, so the record may be as we guess.
    const notes = entry!.notes.filter(({ code }) => code !== 'case-guessed');
    if (!changesScores(notes)) expect(differing).toEqual([]);
    else if (scored.length > 0) expect(differing).not.toEqual([]);
  });
});
