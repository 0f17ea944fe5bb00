import fc from 'fast-check';
import { mean, sampleCorrelation, sampleStandardDeviation } from 'simple-statistics';
import { type Json } from '#kernel';
import { type Answered } from '../../libs/reporting/src/domain/analysis/question-tally';
import {
  extremeRanges,
  fifthRanges,
  ScoreDistribution,
  ScoreGroups,
} from '../../libs/reporting/src/domain/analysis/score-groups';
import { analysed, answered, choices, scored } from './analysed';

const mcq = choices('mcq', {
  options: ['a', 'b', 'c'].map((value) => ({ label: value.toUpperCase(), value })),
  validation: { valid_response: { score: 1, value: ['b'] } },
});

/** A session with one choice (b is right) and the points of a second question worth nine. */
const chose = (value: Json, rest: number): Answered[] => [
  answered(0, {
    type: 'mcq',
    value: value === null ? null : [value],
    attempted: value !== null,
    score: value === null ? null : value === 'b' ? 1 : 0,
    choices: mcq,
  }),
  answered(1, { score: rest, maxScore: 9 }),
];

describe('the choices of a question', () => {
  // Totals of ten points: 10, 10, 8, 6, 4, 2, 0, 0, 3, 7 → sorted 0 0 2 3 4 6 7 8 10 10.
  const SESSIONS = [
    chose('b', 9),
    chose('b', 9),
    chose('a', 8),
    chose('b', 5),
    chose('a', 4),
    chose('c', 2),
    chose(null, 0),
    chose('z', 0),
    chose('a', 3),
    chose('c', 7),
  ];
  const { questions, test } = analysed(SESSIONS);
  const [question] = questions;
  const figures = question!.choices!;

  it('are counted, also choices that the question does not offer and sessions without an answer', () => {
    expect(figures.map(({ kind, key, isRight, count }) => [kind, key, isRight, count])).toEqual([
      ['offered', 'a', false, 3],
      ['offered', 'b', true, 3],
      ['offered', 'c', false, 2],
      ['other', null, false, 1],
      ['none', null, false, 1],
    ]);
    expect(figures.map(({ share }) => share)).toEqual([0.3, 0.3, 0.2, 0.1, 0.1]);
    expect(question).toMatchObject({ n: 10, attempted: 9, omitted: 1, unscored: 0 });
  });

  it('have the mean total, in percent, of the sessions that chose them', () => {
    // a: 80, 40, 30; b: 100, 100, 60; c: 20, 70; not offered: 0; none: 0.
    const means = [50, 260 / 3, 45, 0, 0];
    for (const [at, each] of means.entries()) expect(figures[at]!.meanTotal).toBeCloseTo(each, 10);
  });

  it('have their shares in the lower and upper 27 %, which are three sessions each', () => {
    expect(test.groupSize).toBe(3);
    // Lower: z, none and c at 2. Upper: both b at 10 and a at 8.
    expect(figures.map(({ shareLower }) => shareLower! * 3)).toEqual([0, 0, 1, 1, 1]);
    expect(figures.map(({ shareUpper }) => Math.round(shareUpper! * 3))).toEqual([1, 2, 0, 0, 0]);
  });

  it('have a trace over fifths, which are two sessions each', () => {
    // Fifths: (none, z), (c 2, a 3), (a 4, b 6), (c 7, a 8), (b, b).
    expect(figures.map(({ trace }) => trace)).toEqual([
      [0, 0.5, 0.5, 0.5, 0],
      [0, 0, 0.5, 0, 1],
      [0, 0.5, 0, 0.5, 0],
      [0.5, 0, 0, 0, 0],
      [0.5, 0, 0, 0, 0],
    ]);
  });

  it('correlate with the total like a variable that is 1 for the choice and 0 otherwise', () => {
    const totals = [100, 100, 80, 60, 40, 20, 0, 0, 30, 70];
    const taken = ['b', 'b', 'a', 'b', 'a', 'c', null, 'z', 'a', 'c'];
    for (const [at, key] of ['a', 'b', 'c'].entries())
      expect(figures[at]!.pointBiserial).toBeCloseTo(
        sampleCorrelation(
          taken.map((each) => (each === key ? 1 : 0)),
          totals,
        ),
        10,
      );
  });

  it('have the labels and the key of the latest version of the question', () => {
    const later = choices('mcq', {
      options: [
        { label: 'New', value: 'b' },
        { label: 'Added', value: 'd' },
      ],
      validation: { valid_response: { score: 1, value: ['d'] } },
    });
    const [first] = chose('b', 9);
    const { questions } = analysed([SESSIONS[0]!, [{ ...first!, choices: later }, SESSIONS[0]![1]!]]);
    expect(questions[0]!.choices!.map(({ key, label, isRight, count }) => [key, label, isRight, count])).toEqual([
      ['a', 'A', false, 0],
      ['b', 'New', false, 2],
      ['c', 'C', false, 0],
      ['d', 'Added', true, 0],
      [null, null, false, 0],
    ]);
  });
});

describe('undefined figures', () => {
  const all = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(all) : [value];
  const numbers = (value: unknown) => all(value).filter((each) => typeof each === 'number');

  it('are null or 0 when there is no session', () => {
    const { test, questions } = analysed([]);
    expect(questions).toEqual([]);
    expect(test).toEqual({
      sessions: 0,
      questions: null,
      mean: null,
      deviation: null,
      minimum: null,
      maximum: null,
      maxScore: null,
      meanPercent: null,
      deviationPercent: null,
      groupSize: 0,
      alpha: null,
      standardError: null,
      alphaSessions: 0,
    });
  });

  it('are null for one session if a figure needs two', () => {
    const { test, questions } = analysed([chose('b', 5)]);
    expect(test).toMatchObject({ mean: 6, deviation: null, alpha: null, standardError: null, groupSize: 0 });
    expect(questions[0]).toMatchObject({
      n: 1,
      mean: 1,
      difficulty: 1,
      deviation: null,
      pointBiserial: null,
      pointBiserialCorrected: null,
      discrimination: null,
      difficultyLower: null,
      difficultyUpper: null,
      alphaWithout: null,
    });
    expect(questions[0]!.choices![0]).toMatchObject({ trace: null, shareLower: null, pointBiserial: null });
  });

  it('are null when a figure compares sessions and all have the same total', () => {
    const { test, questions } = analysed([1, 2, 3, 4, 5, 6].map(() => scored([0.1, 0.2, 0.7])));
    expect(test).toMatchObject({ deviation: 0, alpha: null, standardError: null, groupSize: 0 });
    for (const question of questions)
      expect(question).toMatchObject({ deviation: 0, pointBiserial: null, discrimination: null, alphaWithout: null });
  });

  it('include only the correlations when every session has the question right', () => {
    const { questions } = analysed([scored([1, 0, 0]), scored([1, 1, 0]), scored([1, 1, 1])]);
    expect(questions[0]).toMatchObject({ difficulty: 1, deviation: 0, pointBiserial: null, discrimination: 0 });
    expect(questions[1]!.pointBiserial).toBeCloseTo(Math.sqrt(3) / 2, 12);
  });

  it('include those that need other questions when there is only one question', () => {
    const { test, questions } = analysed([scored([1]), scored([0])]);
    expect(questions[0]).toMatchObject({ pointBiserialCorrected: null, alphaWithout: null, discrimination: 1 });
    expect(questions[0]!.pointBiserial).toBeCloseTo(1, 12);
    expect(test.alpha).toBeNull();
  });

  it('are null for questions without points', () => {
    const { test, questions } = analysed([scored([null, null], 0), scored([0, 0], 0)]);
    expect(questions[0]).toMatchObject({ difficulty: null, maxScore: 0, pointBiserial: null });
    expect(test).toMatchObject({ questions: 0, alpha: null, meanPercent: null });
  });

  it('do not include alpha when a question without points has a score', () => {
    const sessions = [scored([1, 1, 0]), scored([0, 0, 1]), scored([1, 1, 1])];
    const withExtra = sessions.map((session, index) => [...session, answered(3, { score: index * 7, maxScore: 0 })]);
    const [expected, actual] = [analysed(sessions).test, analysed(withExtra).test];
    // The squares are 2/3 for each of the three questions, and 2 for the totals 2, 1, 3.
    expect(expected.alpha).toBeCloseTo(0, 12);
    expect(actual).toMatchObject({ alpha: expected.alpha, standardError: expected.standardError, questions: 3 });
  });

  it('are never NaN or infinite, for any scores', () => {
    const score = fc.oneof(
      fc.constant(null),
      fc.constantFrom(0, 1, 0.1, -1),
      fc.double({ min: -5, max: 5, noNaN: true }),
    );
    const session = fc.array(
      fc.tuple(score, fc.constantFrom(0, 1, 2), fc.boolean(), fc.constantFrom('a', 'b', 'z', null)),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(fc.array(session, { maxLength: 12 }), (sessions) => {
        const analysis = analysed(
          sessions.map((answers) =>
            answers.map(([score, maxScore, attempted, value], place) =>
              answered(place, { score, maxScore, attempted, value, choices: mcq }),
            ),
          ),
        );
        for (const number of numbers(analysis)) expect(Number.isFinite(number)).toBe(true);
      }),
    );
  });
});

describe('sessions with questions that do not count', () => {
  it('are left out of alpha, and of the figures of a question that waits for its score', () => {
    const complete = [scored([1, 1]), scored([0, 0]), scored([1, 0])];
    const { test, questions } = analysed([...complete, scored([null, 1])]);
    expect(questions[0]).toMatchObject({ n: 3, attempted: 4, unscored: 1 });
    expect(questions[0]!.difficulty).toBeCloseTo(2 / 3, 12);
    expect(questions[1]).toMatchObject({ n: 4, unscored: 0, difficulty: 0.5 });
    const [essay] = analysed([[answered(0, { score: null, maxScore: 4 })]]).questions;
    expect(essay).toMatchObject({ n: 0, unscored: 1, maxScore: 4, mean: null });
    expect(test).toMatchObject({ sessions: 4, alphaSessions: 3, alpha: analysed(complete).test.alpha });
  });

  it('compare the other questions with the total of the scored ones, in percent of their maximum', () => {
    const waits = answered(2, { score: null, maxScore: 8 });
    const sessions = [scored([1, 1]), scored([0, 1]), scored([0, 0])].map((two) => [...two, waits]);
    const { test, histogram, questions } = analysed([...sessions, [...scored([1, 0]), answered(2, { maxScore: 8 })]]);
    // 2 of 2, 1 of 2, 0 of 2, and 1 of 10 points.
    expect(test).toMatchObject({ mean: 1, meanPercent: 40, maxScore: 10 });
    expect(histogram.filter(({ count }) => count > 0).map(({ from }) => from)).toEqual([0, 10, 50, 100]);
    // The scores 1, 0, 0, 1 with 100, 50, 0 and 10 percent.
    expect(questions[0]!.pointBiserial).toBeCloseTo(30 / Math.sqrt(6200), 12);
    // The rests: 1 of 1, 1 of 1, 0 of 1, and 0 of 9 points.
    expect(questions[0]!.pointBiserialCorrected).toBeCloseTo(0, 12);
  });

  it('have no total when nothing with points has a score, so they rank nowhere and change no mean', () => {
    const essay = (score: number | null) => answered(0, { score, maxScore: 4 });
    const survey = answered(1, { maxScore: 0, score: null, value: 'a', choices: mcq });
    const marked = [4, 1, 2].map((score) => [essay(score), survey]);
    const { test, histogram, questions } = analysed([...marked, [essay(null), survey], [essay(null), survey]]);
    const expected = analysed(marked);
    expect(test).toEqual({ ...expected.test, sessions: 5 });
    expect(test).toMatchObject({ minimum: 1, groupSize: 1, alphaSessions: 3 });
    expect(test.meanPercent).toBeCloseTo(175 / 3, 9);
    expect(histogram).toEqual(expected.histogram);
    expect(questions[0]).toMatchObject({ n: 3, unscored: 2, difficultyLower: 0.25, difficultyUpper: 1 });
    const taken = questions[1]!.choices!.find(({ key }) => key === 'a')!;
    expect(taken).toMatchObject({ count: 5, share: 1 });
    expect(taken.meanTotal).toBeCloseTo(175 / 3, 9);
  });

  it('count when only a question without points has no score', () => {
    const sessions = [scored([1, 1, 0]), scored([0, 0, 1]), scored([1, 1, 1]), scored([1, 0, 1])];
    const practice = answered(3, { score: null, maxScore: 0 });
    const { test } = analysed(sessions);
    expect(test.alpha).not.toBeNull();
    const [everywhere, somewhere] = [sessions.length, 2].map((n) =>
      analysed(sessions.map((session, at) => [...session, { ...practice, attempted: at < n }])),
    );
    for (const { test: with_ } of [everywhere!, somewhere!]) expect(with_).toEqual(test);
  });

  it('include the questions that wait for a score', () => {
    const essay = answered(2, { score: null, maxScore: 5 });
    const { test } = analysed([scored([1, 1]), scored([0, 0])].map((session) => [...session, essay]));
    expect(test).toMatchObject({ questions: 3, alpha: null, alphaSessions: 0 });
  });

  it('do not add a part for a question that gave points only in these sessions', () => {
    const [complete, waiting] = [[scored([1, 0]), scored([0, 0]), scored([1, 1])], scored([1, 1])];
    const withThird = (score: number | null, maxScore: number) => answered(2, { score, maxScore });
    const { test } = analysed([
      ...complete.map((session) => [...session, withThird(0, 0)]),
      [...waiting, withThird(null, 1)],
    ]);
    expect(test).toMatchObject({ questions: 3, alphaSessions: 3, alpha: analysed(complete).test.alpha });
  });

  it('with different questions have all figures except alpha', () => {
    const other = answered(7, { score: 1 });
    const { test, questions } = analysed([scored([1, 0]), [...scored([1]), other], scored([0, 0])]);
    expect(test).toMatchObject({ sessions: 3, questions: null, alpha: null, standardError: null, alphaSessions: 0 });
    expect(questions.map(({ question, n }) => [question, n])).toEqual([
      ['question-1', 3],
      ['question-2', 2],
      ['question-8', 1],
    ]);
  });

  it('with the same questions in another order form one test', () => {
    const [one, two] = [scored([1, 0]), scored([0, 1])];
    expect(analysed([one, [...two].reverse(), scored([1, 1])]).test.alphaSessions).toBe(3);
  });

  it('keep items of different organisations and repeated questions separate', () => {
    const ofTarget = true;
    const session = [
      answered(0, { score: 1, ofTarget }),
      answered(0, { organisation: 2 }),
      answered(0, { score: 0.5, ofTarget }),
    ];
    const { questions } = analysed([session, session], 'target');
    expect(questions.map(({ organisation, occurrence, mean }) => [organisation, occurrence, mean])).toEqual([
      [1, 1, 1],
      [1, 2, 0.5],
    ]);
  });
});

describe('figures of generated sessions', () => {
  const matrix = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 30 }))
    .chain(([questions, sessions]) =>
      fc.array(fc.array(fc.constantFrom(0, 0.5, 1, 1, 2), { minLength: questions, maxLength: questions }), {
        minLength: sessions,
        maxLength: sessions,
      }),
    );
  const isSame = (numbers: number[]) => numbers.every((number) => number === numbers[0]);
  const sum = (numbers: number[]) => numbers.reduce((before, number) => before + number, 0);

  it('equal those that simple-statistics computes from all sessions at once', () => {
    fc.assert(
      fc.property(matrix, (rows) => {
        const { test, questions } = analysed(rows.map((row) => scored(row, 2)));
        const totals = rows.map(sum);
        expect(test.mean).toBeCloseTo(mean(totals), 9);
        expect(test.deviation).toBeCloseTo(sampleStandardDeviation(totals), 9);
        for (const [at, question] of questions.entries()) {
          const scores = rows.map((row) => row[at]!);
          const rest = rows.map((row) => sum(row) - row[at]!);
          expect(question.mean).toBeCloseTo(mean(scores), 9);
          for (const [figure, other] of [
            [question.pointBiserial, totals],
            [question.pointBiserialCorrected, rest],
          ] as const)
            if (isSame(scores) || isSame(other)) expect(figure).toBeNull();
            else expect(figure).toBeCloseTo(sampleCorrelation(scores, other), 9);
        }
      }),
    );
  });

  it('do not depend on the order of the sessions', () => {
    fc.assert(
      fc.property(matrix, (rows) => {
        const there = analysed(rows.map((row) => scored(row, 2)));
        const back = analysed([...rows].reverse().map((row) => scored(row, 2)));
        for (const [at, { discrimination, difficulty }] of there.questions.entries()) {
          const other = back.questions[at]!;
          expect(other.difficulty).toBeCloseTo(difficulty!, 9);
          if (discrimination === null) expect(other.discrimination).toBeNull();
          else expect(other.discrimination).toBeCloseTo(discrimination, 9);
        }
      }),
    );
  });
});

describe('the histogram of totals', () => {
  const bins = (...sessions: number[][]) =>
    analysed(sessions.map((scores) => scored(scores))).histogram.map(({ from, to, count }) => [from, to, count]);

  it('has one bin for each possible total when there are few', () => {
    expect(bins([1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0])).toEqual([
      [0, 33.333, 1],
      [33.333, 66.667, 2],
      [66.667, 100, 0],
      [100, 133.333, 1],
    ]);
  });

  it('has bins of five percent when there are many totals, and further bins for negative totals', () => {
    const found = bins([0.01], [0.02], [0.049], [0.05], [1], [-0.07]);
    expect(found).toHaveLength(23);
    expect(found.slice(0, 4)).toEqual([
      [-10, -5, 1],
      [-5, 0, 0],
      [0, 5, 3],
      [5, 10, 1],
    ]);
    expect(found.at(-1)).toEqual([100, 105, 1]);
  });

  it('never has more than sixty bins', () => {
    const found = bins([1], [0.99], [-1e9], [1e9]);
    expect(found).toHaveLength(60);
    expect([found[0]![2], found.at(-1)![2]]).toEqual([1, 2]);
  });
});

describe('groups by total', () => {
  const distributionOf = (scores: readonly number[]) => {
    const distribution = new ScoreDistribution();
    for (const score of scores) distribution.add(score);
    return distribution;
  };

  it.each([
    [1, 0],
    [2, 1],
    [3, 1],
    [5, 1],
    [6, 2],
    [37, 10],
    [100, 27],
    [370, 100],
  ])('of %i sessions have %i in each extreme group', (n, size) => {
    expect(extremeRanges(n)).toEqual([
      { from: 0, to: size },
      { from: n - size, to: n },
    ]);
  });

  it('have exactly their sizes, even with ties', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 6 }), { minLength: 1, maxLength: 50 }), (scores) => {
        const n = scores.length;
        const ranges = [...extremeRanges(n), ...fifthRanges(n)];
        const groups = new ScoreGroups(distributionOf(scores), ranges);
        for (const [at, { from, to }] of ranges.entries()) {
          const size = scores.reduce((total, score) => total + groups.shares(score)[at]!, 0);
          expect(size).toBeCloseTo(to - from, 9);
        }
      }),
    );
  });

  it('assign an unknown total to the nearest lower one', () => {
    const groups = new ScoreGroups(distributionOf([10, 20, 30]), extremeRanges(3));
    expect([5, 10, 15, 25, 30, 99].map((score) => groups.shares(score))).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 0],
      [0, 1],
      [0, 1],
    ]);
  });

  it('treat totals that differ only by floating-point noise as equal', () => {
    expect(distributionOf([100 * (0.1 + 0.2), 100 * 0.3]).scores()).toEqual([{ score: 30, count: 2 }]);
  });
});
