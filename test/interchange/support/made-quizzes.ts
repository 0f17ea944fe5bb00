import fc from 'fast-check';
import { type Json, type JsonObject } from '#kernel';
import { htmlOfText } from '../../../libs/interchange/src/formats/xml';

/** A question of Moodle with responses to it, and the points that Moodle gives. The rules here follow its documentation. */
interface MadeQuiz {
  xml: string;
  responses: QuizResponse[];
}

interface QuizResponse {
  /** The response to the question as it was imported. */
  value: (data: JsonObject) => Json;
  points: number;
}

interface Answer {
  text: string;
  percent: number;
}

const GRADES = [1, 2, 3];
const PERCENTS = [100, 100, 50, 33.33333, 25, 0, 0, -50, -33.33333];
/** The share that a percentage stands for. Moodle writes a third as 33.33333. */
const shareOf = (percent: number): number => (Math.abs(percent) === 33.33333 ? Math.sign(percent) / 3 : percent / 100);

const question = (type: string, grade: number, text: string, more: string): string =>
  `<quiz><question type="${type}"><name><text>Q</text></name><questiontext format="html"><text>${htmlOfText(text)}</text></questiontext>` +
  `<defaultgrade>${grade}</defaultgrade>${more}</question></quiz>`;
const answerXml = ({ text, percent }: Answer, more = ''): string =>
  `<answer fraction="${percent}" format="html"><text>${htmlOfText(text)}</text>${more}</answer>`;

const grade = fc.constantFrom(...GRADES);
const percent = fc.constantFrom(...PERCENTS);
const many = <T>(each: fc.Arbitrary<T>, minLength: number, maxLength: number) =>
  fc.array(each, { minLength, maxLength });

const subsetsOf = <T>(all: readonly T[]): T[][] =>
  all.reduce<T[][]>((sets, each) => [...sets, ...sets.map((set) => [...set, each])], [[]]);
const combinationsOf = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((made, list) => made.flatMap((begun) => list.map((each) => [...begun, each])), [[]]);
const ordersOf = <T>(all: readonly T[]): T[][] =>
  all.length === 0 ? [[]] : all.flatMap((first, at) => ordersOf(all.toSpliced(at, 1)).map((rest) => [first, ...rest]));

const multichoice = fc.tuple(grade, fc.boolean(), many(percent, 2, 4)).map(([points, isSingle, percents]): MadeQuiz => {
  const sets = isSingle ? [[], ...percents.map((_, at) => [at])] : subsetsOf(percents.map((_, at) => at));
  const xml = percents.map((each, at) => answerXml({ text: `choice ${at}`, percent: each })).join('');
  return {
    xml: question('multichoice', points, 'Which?', `<single>${isSingle}</single>${xml}`),
    responses: sets.map((set) => {
      const sum = set.reduce((total, at) => total + shareOf(percents[at]!), 0);
      return {
        value: () => set.map(String),
        points: points * (isSingle ? sum : Math.min(Math.max(sum, 0), 1)),
      };
    }),
  };
});

const PATTERNS = ['Oslo', 'oslo', 'OSLO', 'Os*', '*', 'Bergen'];
const TYPED = ['Oslo', 'oslo', 'OSLO', ' Oslo ', 'Osaka', 'Bergen', 'bergen', 'other'];

/** Whether a response matches an answer. An asterisk stands for any text. */
function matches(pattern: string, response: string, isCaseSensitive: boolean): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^A-Za-z]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, isCaseSensitive ? '' : 'i').test(response.trim());
}

/** The first answer that matches counts. */
const shareOfText = (answers: readonly Answer[], response: string, isCaseSensitive: boolean): number =>
  shareOf(answers.find(({ text }) => matches(text, response, isCaseSensitive))?.percent ?? 0);

const answers = (texts: readonly string[]) => many(fc.record({ text: fc.constantFrom(...texts), percent }), 1, 3);

const shortanswer = fc
  .tuple(grade, fc.boolean(), answers(PATTERNS))
  .map(([points, isCaseSensitive, all]): MadeQuiz => ({
    xml: question(
      'shortanswer',
      points,
      'Where?',
      `<usecase>${Number(isCaseSensitive)}</usecase>${all.map((each) => answerXml(each)).join('')}`,
    ),
    responses: TYPED.map((text) => ({ value: () => text, points: points * shareOfText(all, text, isCaseSensitive) })),
  }));

const numerical = fc
  .tuple(
    grade,
    many(fc.record({ value: fc.constantFrom('4', '5', '*'), tolerance: fc.constantFrom(0, 0.5, 2), percent }), 1, 3),
  )
  .map(([points, all]): MadeQuiz => ({
    xml: question(
      'numerical',
      points,
      'How many?',
      all
        .map(({ value, tolerance, percent: each }) =>
          answerXml({ text: value, percent: each }, `<tolerance>${tolerance}</tolerance>`),
        )
        .join(''),
    ),
    responses: [
      ...['1', '2', '3', '3.5', '4', '4.5', '5', '5.5', '6', '7', '8', '4e0', '0.5E1'].map((given) => {
        const found = all.find(
          ({ value, tolerance }) => value === '*' || Math.abs(Number(given) - Number(value)) <= tolerance,
        );
        return { value: () => given, points: points * shareOf(found?.percent ?? 0) };
      }),
      // A calculation is not a number.
      ...['1+3', '10/2'].map((given) => ({ value: () => given, points: 0 })),
    ],
  }));

const WORDS = ['red', 'green', 'blue', 'red'];

/** Menus and boxes. The right answer of a place is a number, so that two equal texts are two answers. */
const placed = fc
  .tuple(grade, fc.constantFrom('gapselect', 'ddwtos'), many(fc.nat(WORDS.length - 1), 1, 2))
  .map(([points, type, right]): MadeQuiz => {
    const box = type === 'ddwtos' ? 'dragbox' : 'selectoption';
    const reuse = type === 'ddwtos' ? '<infinite/>' : '';
    return {
      xml: question(
        type,
        points,
        right.map((at) => `a [[${at + 1}]]`).join(' '),
        WORDS.map((word) => `<${box}><text>${word}</text><group>1</group>${reuse}</${box}>`).join(''),
      ),
      responses: combinationsOf(right.map(() => [...WORDS.keys(), null])).map((chosen) => ({
        value: () => chosen.map((at) => (at === null ? null : WORDS[at]!)),
        points: (points * chosen.filter((at, place) => at === right[place]).length) / right.length,
      })),
    };
  });

const matching = fc.tuple(grade, many(fc.constantFrom('a', 'b'), 2, 3)).map(([points, right]): MadeQuiz => {
  const pair = (stem: string, response: string) =>
    `<subquestion format="html"><text>${stem}</text><answer><text>${response}</text></answer></subquestion>`;
  return {
    xml: question(
      'matching',
      points,
      'Match.',
      right.map((response, at) => pair(`stem ${at}`, response)).join('') + pair('', 'c'),
    ),
    responses: combinationsOf(right.map(() => ['a', 'b', 'c', null])).map((chosen) => ({
      value: () => chosen,
      points: (points * chosen.filter((each, at) => each === right[at]).length) / right.length,
    })),
  };
});

const ENTRIES = ['first', 'second', 'third'];

const ordering = fc
  .tuple(grade, fc.constantFrom('ALL_OR_NOTHING', 'ABSOLUTE_POSITION', 'RELATIVE_NEXT_EXCLUDE_LAST', '5'))
  .map(([points, grading]): MadeQuiz => {
    const share = (order: readonly string[]): number => {
      const places = order.filter((each, at) => each === ENTRIES[at]).length;
      const pairs = order.filter((each, at) => at > 0 && ENTRIES.indexOf(each) === ENTRIES.indexOf(order[at - 1]!) + 1);
      if (grading === 'ABSOLUTE_POSITION') return places / ENTRIES.length;
      if (grading === 'RELATIVE_NEXT_EXCLUDE_LAST') return pairs.length / (ENTRIES.length - 1);
      return places === ENTRIES.length ? 1 : 0;
    };
    return {
      xml: question(
        'ordering',
        points,
        'Order.',
        `<selecttype>ALL</selecttype><gradingtype>${grading}</gradingtype>${ENTRIES.map((text, at) => answerXml({ text, percent: at + 1 })).join('')}`,
      ),
      responses: ordersOf(ENTRIES).map((order) => ({
        value: ({ list }) => order.map((each) => (list as string[]).indexOf(each)),
        points: points * share(order),
      })),
    };
  });

const weight = fc.constantFrom(1, 1, 2);

/** One number of a cloze. */
const numberGap = fc.tuple(weight, fc.constantFrom(0, 0.5)).map(([points, tolerance]): MadeQuiz => ({
  xml: question('cloze', 1, `In {${points}:NUMERICAL:=4:${tolerance}}.`, ''),
  responses: [
    ...['4', '4.5', '5', '4e0'].map((given) => ({
      value: () => [given],
      points: Math.abs(Number(given) - 4) <= tolerance ? points : 0,
    })),
    { value: () => ['1+3'], points: 0 },
  ],
}));

/** Gaps of one kind in a text, each with its weight. */
const cloze = fc.constantFrom('SHORTANSWER', 'SHORTANSWER_C', 'MULTICHOICE').chain((kind) => {
  const isMenu = kind === 'MULTICHOICE';
  const texts = isMenu
    ? fc.uniqueArray(fc.record({ text: fc.constantFrom('Oslo', 'Bergen', 'Rome'), percent }), {
        minLength: 2,
        maxLength: 3,
        selector: ({ text }) => text,
      })
    : answers(['Oslo', 'oslo', 'Bergen']);
  return many(fc.record({ weight, answers: texts }), 1, 2).map((gaps): MadeQuiz => {
    const given = (all: readonly Answer[]): (string | null)[] => [
      ...(isMenu ? all.map(({ text }) => text) : TYPED),
      null,
    ];
    const points = (gap: (typeof gaps)[number], text: string | null): number =>
      text === null ? 0 : gap.weight * shareOfText(gap.answers, text, kind !== 'SHORTANSWER');
    const written = gaps.map(
      (gap) => `{${gap.weight}:${kind}:${gap.answers.map((each) => `%${each.percent}%${each.text}`).join('~')}}`,
    );
    return {
      xml: question('cloze', 1, `In ${written.join(' and ')}.`, ''),
      responses: combinationsOf(gaps.map((gap) => given(gap.answers))).map((chosen) => ({
        value: () => chosen,
        points: gaps.reduce((sum, gap, at) => sum + points(gap, chosen[at]!), 0),
      })),
    };
  });
});

export const MADE_QUIZZES: Readonly<Record<string, fc.Arbitrary<MadeQuiz>>> = {
  multichoice,
  shortanswer,
  numerical,
  'gapselect and ddwtos': placed,
  matching,
  ordering,
  cloze,
  'a number in a cloze': numberGap,
};
