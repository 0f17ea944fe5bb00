import fc from 'fast-check';
import {
  type ItemScore,
  itemScoringType,
  type QuestionScore,
  scoreItem,
  scoreSession,
  type SessionItem,
} from '#scoring';

const question = (score: number | null, maxScore: number, attempted = score !== null): QuestionScore => ({
  score,
  maxScore,
  attempted,
});

describe('the score of an item', () => {
  const mixed = [question(2, 2), question(null, 3), question(1, 4)];

  it('sums its questions, and counts unattempted ones in the maximum', () => {
    expect(scoreItem('per-question', mixed)).toEqual<ItemScore>({
      type: 'per-question',
      score: 3,
      maxScore: 9,
      attemptedMaxScore: 6,
      numQuestions: 3,
      numAttempted: 2,
    });
  });

  const cases: [
    what: string,
    questions: QuestionScore[],
    perQuestion: number,
    dichotomous: number,
    dependent: number,
  ][] = [
    ['no question', [], 0, 0, 0],
    ['one question', [question(2, 2)], 2, 2, 2],
    ['nothing attempted', [question(null, 2), question(null, 3)], 0, 0, 0],
    ['the second not attempted', [question(2, 2), question(null, 3)], 2, 0, 2],
    ['the first not attempted', [question(null, 2), question(3, 3)], 3, 0, 0],
    ['waiting for a person', [question(null, 5, true), question(1, 1)], 1, 0, 0],
    ['a lesser alternate', [question(1, 4), question(1, 1)], 2, 0, 1],
    ['an unscored question first', [question(null, 0, true), question(3, 3)], 3, 3, 3],
    ['an unscored question between', [question(1, 1), question(null, 0), question(2, 2)], 3, 3, 3],
    ['a negative score', [question(-1, 2), question(2, 2)], 1, 0, -1],
    ['fractions', [question(0.1, 0.1), question(0.2, 0.2)], 0.3, 0.3, 0.3],
    [
      'three questions, of which the second is partly right',
      [question(1, 1), question(0.5, 1), question(1, 1)],
      2.5,
      0,
      1.5,
    ],
    ['a manual score above the maximum', [question(3, 2), question(1, 1)], 4, 3, 4],
  ];
  it.each(cases)(
    'has the expected value by each scoring type for %s',
    (_, questions, perQuestion, dichotomous, dependent) => {
      expect(scoreItem('per-question', questions).score).toBe(perQuestion);
      expect(scoreItem('dichotomous', questions).score).toBe(dichotomous);
      expect(scoreItem('dependent', questions).score).toBe(dependent);
    },
  );

  it('follows the scoring type in the metadata, or per-question by default', () => {
    const named = ['per-question', 'dichotomous', 'dependent', 'per-dichotomous', 'Dependent', null, undefined, 7];
    expect(named.map(itemScoringType)).toEqual([
      'per-question',
      'dichotomous',
      'dependent',
      'dichotomous',
      'per-question',
      'per-question',
      'per-question',
      'per-question',
    ]);
  });

  it('stays within the integers that numbers hold exactly', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(scoreItem('per-question', [question(most, most), question(most, most)])).toMatchObject({
      score: most,
      maxScore: most,
    });
    expect(scoreItem('per-question', [question(-most, 1), question(-most, 1)]).score).toBe(-most);
  });

  it('is never above the maximum, and dependent never above per-question, without negative scores', () => {
    const any = fc
      .record({ maxScore: fc.integer({ min: 0, max: 9 }), share: fc.constantFrom(0, 0.5, 1, null) })
      .map(({ maxScore, share }) => question(share === null ? null : share * maxScore, maxScore));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (questions) => {
        const [all, whole, chain] = (['per-question', 'dichotomous', 'dependent'] as const).map(
          (type) => scoreItem(type, questions).score,
        ) as [number, number, number];
        const { maxScore } = scoreItem('per-question', questions);
        expect(all).toBeLessThanOrEqual(maxScore);
        expect(chain).toBeLessThanOrEqual(all);
        expect(whole).toBeLessThanOrEqual(chain);
        expect([0, maxScore]).toContain(whole);
      }),
    );
  });
});

describe('the score of a session', () => {
  const item = (reference: string, questions: QuestionScore[]): SessionItem => ({
    reference,
    ...scoreItem('per-question', questions),
  });
  const items = [
    item('one', [question(1, 1), question(1, 1)]),
    item('two', [question(0, 1), question(null, 1)]),
    item('three', [question(1, 1)]),
  ];

  it('is the sum of its items', () => {
    expect(scoreSession(items)).toEqual({ score: 3, maxScore: 5, numQuestions: 5, numAttempted: 4, subscores: [] });
  });

  it('has subscores with two maxima, one with unattempted questions and one without', () => {
    const all = { id: 'all', title: 'All', items: ['one', 'two', 'three'] };
    const some = { id: 'some', title: 'Some', items: ['three', 'two', 'two', 'unknown'] };
    const empty = { id: 'empty', title: 'Empty', items: [] };
    // Behaviour 4: five questions, four attempted, a maximum of 5, and of 4 for the attempted ones.
    const counts = { numQuestions: 5, numAttempted: 4, score: 3, maxScore: 5, attemptedMaxScore: 4 };
    expect(scoreSession(items, [all, some, empty]).subscores).toEqual([
      { ...all, ...counts },
      { ...some, numQuestions: 3, numAttempted: 2, score: 1, maxScore: 3, attemptedMaxScore: 2 },
      { ...empty, numQuestions: 0, numAttempted: 0, score: 0, maxScore: 0, attemptedMaxScore: 0 },
    ]);
  });

  it('equals the sum of two subscores of its halves', () => {
    const half = (id: string, score: number) => item(id, [question(score, 20)]);
    const session = scoreSession(
      [half('a', 19), half('b', 20)],
      [
        { id: 'a', title: 'A', items: ['a'] },
        { id: 'b', title: 'B', items: ['b'] },
      ],
    );
    expect(session).toMatchObject({ score: 39, maxScore: 40 });
    expect(session.subscores.map(({ score }) => score)).toEqual([19, 20]);
  });

  it('accumulates no rounding error over many fractions', () => {
    const tenth = Array.from({ length: 100 }, (_, index) => item(`i${index}`, [question(0.1, 0.1)]));
    expect(scoreSession(tenth)).toMatchObject({ score: 10, maxScore: 10 });
  });
});
