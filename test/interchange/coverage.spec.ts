import fc from 'fast-check';
import { COVERAGE, FORMATS } from '#interchange';
import { type Json } from '#kernel';
import { SCORED_TYPES } from '#scoring';
import { type Levels } from '../../libs/interchange/src/formats/levels';
import { MADE, MADE_BY_HAND, PICTURE, withUsualScoring } from './support/made-questions';
import { bestLevels } from './support/reading';
import { BASE, itemOf, PNG, writeWith } from './support/writing';

type Data = { type: string } & Record<string, Json>;

/** Several questions of each type, because a format may hold only some of them. */
const EXAMPLES: readonly Data[] = [
  ...Object.values(MADE).flatMap((made) =>
    fc.sample(made, { numRuns: 15, seed: 1 }).map((question) => withUsualScoring(question).data),
  ),
  ...MADE_BY_HAND.map(({ data }) => data),
];
const PASSAGE = { reference: 'p', type: 'sharedpassage', data: { type: 'sharedpassage', content: '<p>Read.</p>' } };

describe('the table of formats', () => {
  const written = COVERAGE.flatMap(({ format, written: levels }) => (levels ? [[format, levels] as const] : []));

  it.each<readonly [string, Levels]>([...written, ['qti-2.2', COVERAGE[0]!.written!]])(
    'names for every type how the export in %s writes it',
    async (name, levels) => {
      const format = FORMATS.find((each) => each.name === name)!;
      const records = [
        ...EXAMPLES.map((data) => itemOf(data.type, data)),
        { reference: 'sharedpassage', record: { kind: 'item' as const, widgets: [PASSAGE], features: ['p'] } },
      ];
      const found = records.map(async (outgoing) => {
        const { notes } = await writeWith(format, [outgoing], { [PICTURE.slice(BASE.length)]: PNG });
        return { kind: outgoing.reference, notes };
      });
      const best = bestLevels(await Promise.all(found));
      const types = [...new Set([...SCORED_TYPES, ...written.flatMap(([, all]) => Object.keys(all))])];
      expect(types.map((type) => [type, best[type]])).toEqual(types.map((type) => [type, levels[type] ?? 'not']));
    },
  );
});
