import { analysed, scored } from './analysed';

/* Published figures, with the data that were published with them. */

describe('the KR-20 example of K. L. Wuensch (East Carolina University, StatHelp/KR20.txt)', () => {
  // Ten students and ten items. The source gives the proportions p, the sum of p·q and the variance of the totals.
  const STUDENTS = [
    '1111110110', // A 8
    '1011011101', // B 7
    '1111011001', // C 7
    '0010001000', // D 2
    '0000010010', // E 2
    '1110111111', // F 9
    '1101110111', // G 8
    '1111111101', // H 9
    '0101111101', // I 7
    '1101101110', // J 7
  ];
  const { test, questions } = analysed(STUDENTS.map((digits) => scored([...digits].map(Number))));

  it('gives the published proportions', () => {
    expect(questions.map(({ difficulty }) => difficulty)).toEqual([0.7, 0.7, 0.6, 0.7, 0.6, 0.8, 0.7, 0.7, 0.5, 0.6]);
    expect(questions.map(({ mean }) => mean!.toFixed(2))).toEqual([
      '0.70',
      '0.70',
      '0.60',
      '0.70',
      '0.60',
      '0.80',
      '0.70',
      '0.70',
      '0.50',
      '0.60',
    ]);
  });

  it('gives the published totals: mean 6.6, variance 5.84 with divisor ten', () => {
    expect(test.sessions).toBe(10);
    expect(test.mean).toBeCloseTo(6.6, 12);
    // The service divides by nine: 58.4 / 9.
    expect(test.deviation! ** 2 * 0.9).toBeCloseTo(5.84, 12);
    expect([test.minimum, test.maximum, test.maxScore]).toEqual([2, 9, 10]);
  });

  it('gives the published KR-20, and the standard error that follows from it', () => {
    // 10/9 · (1 − 2.18/5.84), where 2.18 is the published sum of p·q.
    expect(test.alpha).toBeCloseTo((10 / 9) * (1 - 2.18 / 5.84), 12);
    // √(58.4/9) · √(1 − 0.696347) = 2.54733 · 0.55105
    expect(test.standardError).toBeCloseTo(1.4037, 4);
  });

  it('has upper and lower groups of three, which share the ties at their borders', () => {
    // 27 % of 10 is 2.7. Upper: F, H and half each of A and G. Lower: D, E and a quarter each of B, C, I and J.
    expect(test.groupSize).toBe(3);
    const figures = [0, 2, 8].map((at) => questions[at]!);
    const upper = [3 / 3, 2.5 / 3, 2 / 3];
    const lower = [0.75 / 3, 1.5 / 3, 1.25 / 3];
    for (const [at, figure] of figures.entries()) {
      expect(figure.difficultyUpper).toBeCloseTo(upper[at]!, 12);
      expect(figure.difficultyLower).toBeCloseTo(lower[at]!, 12);
      expect(figure.discrimination).toBeCloseTo(upper[at]! - lower[at]!, 12);
    }
  });
});

describe('LSAT section 6 (Bock and Lieberman 1970) as D. Rizopoulos describes it (J. Stat. Software 17(5), 2006)', () => {
  // The number of candidates, of 1,000, with each pattern of right answers.
  const PATTERNS: Record<string, number> = {
    '00000': 3,
    '00001': 6,
    '00010': 2,
    '00011': 11,
    '00100': 1,
    '00101': 1,
    '00110': 3,
    '00111': 4,
    '01000': 1,
    '01001': 8,
    '01011': 16,
    '01101': 3,
    '01110': 2,
    '01111': 15,
    '10000': 10,
    '10001': 29,
    '10010': 14,
    '10011': 81,
    '10100': 3,
    '10101': 28,
    '10110': 15,
    '10111': 80,
    '11000': 16,
    '11001': 56,
    '11010': 21,
    '11011': 173,
    '11100': 11,
    '11101': 61,
    '11110': 28,
    '11111': 298,
  };
  const sessions = Object.entries(PATTERNS).flatMap(([digits, count]) =>
    Array.from({ length: count }, () => scored([...digits].map(Number))),
  );
  const { test, questions, histogram } = analysed(sessions);
  const published = (pick: (question: (typeof questions)[number]) => number | null) =>
    questions.map((question) => pick(question)!.toFixed(4));

  it('gives the published proportions and frequencies of totals', () => {
    expect(sessions).toHaveLength(1000);
    expect(questions.map(({ difficulty }) => difficulty!.toFixed(3))).toEqual([
      '0.924',
      '0.709',
      '0.553',
      '0.763',
      '0.870',
    ]);
    const count = (percent: number) => histogram.find(({ from }) => from === percent)!.count;
    expect([0, 20, 40, 60, 80, 100].map(count)).toEqual([3, 20, 85, 237, 357, 298]);
  });

  it('gives the published point-biserial correlations, with the item in the total and without it', () => {
    expect(published((question) => question.pointBiserial)).toEqual(['0.3620', '0.5668', '0.6184', '0.5344', '0.4354']);
    expect(published((question) => question.pointBiserialCorrected)).toEqual([
      '0.1128',
      '0.1532',
      '0.1728',
      '0.1444',
      '0.1216',
    ]);
  });

  it("gives the published Cronbach's alpha, for all items and without each item", () => {
    expect(test.alpha!.toFixed(4)).toBe('0.2950');
    expect(published((question) => question.alphaWithout)).toEqual(['0.2754', '0.2376', '0.2168', '0.2459', '0.2663']);
  });
});
