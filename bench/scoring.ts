import type { Json, JsonObject } from '#kernel';
import { compile, score } from '#scoring';
import { markdownTable, median } from './measure';

/** A family of question types, with responses that are right, partly right, wrong and empty. */
interface Family {
  name: string;
  definition: JsonObject;
  values: Json[];
  /** The target rate of scored responses per second on one core. */
  goal: number;
}

const FAST = 200_000;
const FORMULAS = 500;

function question(type: string, value: Json, scoring_type: string, more: JsonObject = {}): JsonObject {
  const validation = { scoring_type, valid_response: { score: 2, value }, penalty: 0.5, rounding: 'none' };
  return { type, validation: { ...validation, ...more } };
}

const words = ['dagger', 'instrument', 'wax', 'candle'];
const alternates = [
  { score: 1, value: ['knife', 'instrument', 'wax', 'candle'] },
  { score: 1, value: ['dagger', 'tool', 'wax', 'candle'] },
];
const rule = (method: string, value: string): JsonObject[] => [{ method, value, options: {} }];
/** Different texts in each call, so that caches do not help. */
const fresh = (text: (number: number) => string): Json[] =>
  Array.from({ length: 100_000 }, (_, number) => text(number));

const FAMILIES: Family[] = [
  {
    name: 'choice: mcq, partialMatch',
    definition: question('mcq', ['0', '2', '3'], 'partialMatch'),
    values: [['0', '2', '3'], ['2', '0'], ['1'], ['0', '1', '2', '3'], []],
    goal: FAST,
  },
  {
    name: 'choice: choicematrix, partialMatchV2',
    definition: question('choicematrix', [[0], [1], [1], [0]], 'partialMatchV2'),
    values: [
      [[0], [1], [1], [0]],
      [0, 1, 0, 0],
      [[1], [], [1], [0]],
      [null, null, null, null],
    ],
    goal: FAST,
  },
  {
    name: 'cloze: clozetext, exactMatch, 2 alternates',
    definition: question('clozetext', words, 'exactMatch', { alt_responses: alternates }),
    values: [words, ['Dagger ', 'tool', 'wax', 'candle'], ['x', 'y', 'z', null], [null, null, null, null]],
    goal: FAST,
  },
  {
    name: 'cloze: clozedropdown, partialMatchV2',
    definition: question('clozedropdown', words, 'partialMatchV2'),
    values: [words, ['dagger', 'wax', 'wax', null], ['x', 'y', 'z', 'w'], []],
    goal: FAST,
  },
  {
    name: 'order: orderlist, partialMatch, 6 entries',
    definition: question('orderlist', [4, 3, 5, 1, 2, 0], 'partialMatch'),
    values: [
      [4, 3, 5, 1, 2, 0],
      [4, 5, 3, 1, 2, 0],
      [0, 1, 2, 3, 4, 5],
    ],
    goal: FAST,
  },
  {
    name: 'order: orderlist, partialMatchPairwise, 6 entries',
    definition: question('orderlist', [4, 3, 5, 1, 2, 0], 'partialMatchPairwise'),
    values: [
      [4, 3, 5, 1, 2, 0],
      [4, 5, 3, 1, 2, 0],
      [0, 1, 2, 3, 4, 5],
    ],
    goal: FAST,
  },
  {
    name: 'classification, partialMatchElementV2',
    definition: question(
      'classification',
      [
        [1, 2, 5],
        [0, 3, 4],
      ],
      'partialMatchElementV2',
    ),
    values: [
      [
        [1, 2, 5],
        [0, 3, 4],
      ],
      [
        [1, 2],
        [0, 5],
      ],
      [
        [0, 3, 4],
        [1, 2, 5],
      ],
      [[], []],
    ],
    goal: FAST,
  },
  {
    name: 'shorttext, exactMatch',
    definition: question('shorttext', 'Papillon', 'exactMatch'),
    values: ['Papillon', ' papillon', 'butterfly', ''],
    goal: FAST,
  },
  {
    name: 'formulaV2: equivLiteral',
    definition: question('formulaV2', rule('equivLiteral', '\\frac{x}{2}+1'), 'exactMatch'),
    values: fresh((number) => `\\frac{x}{2}+${number}`),
    goal: FORMULAS,
  },
  {
    name: 'formulaV2: equivSymbolic',
    definition: question('formulaV2', rule('equivSymbolic', '(x+3)(x+1)'), 'exactMatch'),
    values: fresh((number) => `x^2+4x+${number}`),
    goal: FORMULAS,
  },
];

/**
 * Measures scored responses per second on one core, for each family: with a question that is compiled once, and with
 * one that is compiled for each response.
 */
export function scoring({ quick }: { quick: boolean }): void {
  const rounds = quick ? 3 : 7;
  const milliseconds = quick ? 100 : 500;
  const rows = FAMILIES.map(({ name, definition, values, goal }) => {
    const responses = values.map((value) => ({ value, type: 'array', apiVersion: 'v2' }));
    const scorer = compile(definition);
    const compiled = rate((number) => scorer.score(responses[number % responses.length]).score, rounds, milliseconds);
    const single = rate(
      (number) => score(definition, responses[number % responses.length]).score,
      rounds,
      milliseconds,
    );
    return [name, ...[compiled, single, goal].map((figure) => Math.round(figure).toLocaleString('en-US'))];
  });
  console.log(markdownTable(['responses a second, with reasons', 'compiled', 'compiled each time', 'goal'], rows));
}

/** The counter rises across all measurements, because scoring caches formulas and each one must be new. */
let number = 0;

/** Returns the calls per second of processor time, which other load does not affect: the median after a warm-up. */
function rate(call: (number: number) => unknown, rounds: number, milliseconds: number): number {
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = process.cpuUsage();
    const spent = (): number => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    let calls = 0;
    do for (let some = 0; some < 50; some++, calls++) call(number++);
    while (spent() < milliseconds);
    if (round > 0) rates.push((calls * 1_000) / spent());
  }
  return median(rates);
}
