import fc from 'fast-check';
import { type Entry, FORMATS } from '#interchange';
import { type Json } from '#kernel';
import { compile, scoreItem, type ItemScoringType, rightAnswer } from '#scoring';
import { type Outgoing } from '../../libs/interchange/src/formats/format';
import { responseDeclarations } from '../../libs/interchange/src/formats/qti/declarations';
import { parseXml } from '../../libs/interchange/src/formats/xml';
import { type Made, MADE, PICTURE } from './support/made-questions';
import { itemScore, type Responses } from './support/qti-items';
import { reportedBy, scoreByRules } from './support/qti-responses';
import { readWith } from './support/reading';
import { BASE, PNG, writeWith } from './support/writing';

/** 10,000 in a full run. */
const SHORT_RUNS = 300;
const RUNS = Number(process.env.INTERCHANGE_ROUND_TRIPS ?? SHORT_RUNS);

const [qti, qti22] = ['qti', 'qti-2.2'].map((name) => FORMATS.find((format) => format.name === name)!);
const ASSETS = { [PICTURE.slice(BASE.length)]: PNG };

const itemOf = (questions: readonly Made[], scoringType: ItemScoringType): Outgoing => ({
  reference: 'made',
  record: {
    kind: 'item',
    title: 'Made & "tried"',
    widgets: questions.map(({ data }, at) => ({ reference: `made_${at + 1}`, type: data.type, data })),
    ...(scoringType !== 'per-question' && { metadata: { scoring_type: scoringType } }),
    tags: [{ type: 'Subject', name: 'A < B' }],
  },
});

/** The score of the service for responses to all questions of an item. */
function scoreHere(questions: readonly Made[], values: readonly Json[], scoringType: ItemScoringType): number {
  return scoreItem(
    scoringType,
    questions.map(({ data }, at) => {
      const scorer = compile(data);
      const { score, attempted } = scorer.score({ value: values[at]! });
      return { score, maxScore: scorer.maxScore, attempted };
    }),
  ).score;
}

const made = fc.constantFrom(...Object.keys(MADE)).chain((type) => MADE[type]!);
/** Only one of this many items is also read without our own parts, because that takes longest. */
const READ_AGAIN = 4;

const itemsOf = (minLength: number, maxLength: number) =>
  fc.record({
    questions: fc.array(made, { minLength, maxLength }),
    type: fc.constantFrom<ItemScoringType[]>('per-question', 'dichotomous', 'dependent'),
    isReadAgain: fc.nat(READ_AGAIN - 1).map((nth) => nth === 0),
  });
const items = fc.oneof({ weight: 4, arbitrary: itemsOf(1, 1) }, { weight: 1, arbitrary: itemsOf(2, 3) });

/** Rounds to three decimals, without -0. */
const rounded = (score: number) => Math.round(score * 1000) / 1000 + 0;

describe('items that are written as QTI', () => {
  it.each([
    ['3.0', qti!],
    ['2.2', qti22!],
  ])(
    'of version %s come back unchanged, and score the same in programs that ignore our own parts',
    async (version, format) => {
      const counts = { read: 0, lost: 0 };
      await fc.assert(
        fc.asyncProperty(items, async ({ questions, type, isReadAgain }) => {
          const outgoing = itemOf(questions, type);
          const { files } = await writeWith(format, [outgoing], ASSETS);
          const [entry] = await readWith(format, files);
          const restored = JSON.stringify(entry!.record).replaceAll('itembank-asset:', BASE);
          expect([entry!.reference, JSON.parse(restored), entry!.notes]).toEqual(['made', outgoing.record, []]);

          const xml = files['items/made.xml'] as string;
          const item = parseXml(xml, 'made.xml');
          const { 'items/made.record.xml': _, ...others } = files;
          const [foreign] = isReadAgain ? await readWith(format, others) : [];
          const isLost = foreign?.notes.some(({ code }) => code === 'scoring-lost') ?? true;
          if (isReadAgain) counts[isLost ? 'lost' : 'read']++;
          for (const at of Array.from({ length: 5 }, (__, nth) => nth)) {
            const values = questions.map(({ responses }) => responses.at(-1 - at) ?? null);
            const given = reportedBy(item, questions, values);
            const here = rounded(scoreHere(questions, values, type));
            expect([values, rounded(scoreByRules(item, given) ?? 0)]).toEqual([values, here]);
            if (!isLost) expect([values, rounded(readScore(xml, foreign!, given))]).toEqual([values, here]);
          }
        }),
        { numRuns: version === '3.0' ? RUNS : Math.ceil(RUNS / 5) },
      );
      // The rules of about one item of eight are not found again: of those with several accepted answers and floors.
      // A short run reads too few items again to compare the numbers.
      expect(counts.read).toBeGreaterThan(RUNS > SHORT_RUNS ? counts.lost : 0);
    },
    3_600_000,
  );
});

const answer = (value: Json, score: number) => ({ value, score });
const [OPTIONS, TEMPLATE] = [['a', 'b'].map((value) => ({ label: value, value })), '{{response}} {{response}}'];

/** Questions whose first accepted answer, choice or text is not the best one. */
const BEST_IS_NOT_FIRST: readonly Made['data'][] = [
  {
    type: 'mcq',
    options: OPTIONS,
    validation: { valid_response: answer(['a'], 0), alt_responses: [answer(['b'], 2)] },
  },
  {
    type: 'mcq',
    options: OPTIONS,
    multiple_responses: true,
    validation: { valid_responses: [[answer('a', 0)], [answer('b', 1)]], partial_scoring: true, penalty: 1 },
  },
  {
    type: 'clozetext',
    template: TEMPLATE,
    validation: { valid_responses: [[answer('a', 1), answer('b', 2)], [answer('c', 1)]], partial_scoring: true },
  },
];

describe('a question that is written as QTI', () => {
  it('has as its correct response one that earns the most points', async () => {
    await fc.assert(
      fc.asyncProperty(
        made.map(({ data }) => data),
        async (data) => {
          const { files } = await writeWith(qti!, [itemOf([{ data, responses: [] }], 'per-question')], ASSETS);
          const item = parseXml(files['items/made.xml'] as string, 'made.xml');
          const declared = [...responseDeclarations(item).values()].map(({ identifier, correct }) => [
            identifier,
            correct,
          ]);
          const best = compile(data).score({ value: rightAnswer(data) ?? null });
          expect(rounded(scoreByRules(item, Object.fromEntries(declared) as Responses) ?? 0)).toBe(
            rounded(best.score ?? 0),
          );
        },
      ),
      { numRuns: RUNS, examples: BEST_IS_NOT_FIRST.map((data) => [data]) },
    );
  }, 3_600_000);
});

const readScore = (xml: string, entry: Entry, given: Responses): number => itemScore(xml, entry, given) ?? 0;
