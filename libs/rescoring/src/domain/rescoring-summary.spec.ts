import { Summing } from './rescoring-summary';

describe('the distribution of scores of a rescoring', () => {
  const distributionOf = (scores: readonly [before: number, after: number][]) => {
    const summing = new Summing();
    for (const [at, [before, after]] of scores.entries())
      summing.add(`s-${at}`, {
        before: { score: before, maxScore: 10 },
        after: { score: after, maxScore: 10 },
        numResponses: 1,
        numChanged: 1,
        subscores: [],
      });
    return summing.summary.distribution;
  };

  it('has the scores themselves, with the four decimals of shared points', () => {
    expect(
      distributionOf([
        [0.6667, 1],
        [0.1 + 0.2, -0.3333],
        [0.3, 0.6667],
      ]).scores,
    ).toEqual([
      { score: -0.3333, before: 0, after: 1 },
      { score: 0.3, before: 2, after: 0 },
      { score: 0.6667, before: 1, after: 1 },
      { score: 1, before: 0, after: 1 },
    ]);
  });

  it('has the lowest score of each step when there are more than 100 scores', () => {
    const { step, scores } = distributionOf(Array.from({ length: 300 }, (_, at) => [at / 1000, 0.1234]));
    expect(step).toBe(0.01);
    expect(scores).toHaveLength(30);
    expect(scores[0]).toEqual({ score: 0, before: 10, after: 0 });
    expect(scores[12]).toEqual({ score: 0.12, before: 10, after: 300 });
  });
});
