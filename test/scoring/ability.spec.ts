import fc from 'fast-check';
import { DEFAULT_EAP, estimateAbility, readEap } from '#scoring';

const answers = (difficulties: number[], right: number[]) =>
  difficulties.map((difficulty, index) => ({ difficulty, right: right[index] === 1 }));

describe('the ability estimate', () => {
  const table: [difficulties: number[], right: number[], estimate: string, error: string][] = [
    [[], [], '0.0000', '0.9996'],
    [[0], [1], '0.4131', '0.9103'],
    [[0], [0], '-0.4131', '0.9103'],
    [[0, 0.5], [1, 0], '0.0748', '0.8375'],
    [[-1, 0, 1], [1, 1, 0], '0.3154', '0.7956'],
    [[-1, -0.5, 0, 0.5, 1], [1, 1, 1, 0, 0], '0.2471', '0.7041'],
  ];
  it.each(table)(
    'has the values of behaviour 5 for the difficulties %j and the answers %j',
    (difficulties, right, estimate, error) => {
      const { abilityEstimate, standardError } = estimateAbility(answers(difficulties, right));
      expect([abilityEstimate.toFixed(4), standardError.toFixed(4)]).toEqual([estimate, error]);
    },
  );

  it('ignores items that were not answered', () => {
    const answered = answers([0, 0.5], [1, 0]);
    const unanswered = { difficulty: 3, right: null };
    expect(estimateAbility([...answered, unanswered])).toEqual(estimateAbility(answered));
  });

  it('does not change for an answer that is equally unlikely at every ability', () => {
    // Probabilities stay 1e-5 from 0, so at difficulty 30 they are equal from -4 to 4.
    expect(estimateAbility(answers([30], [1])).abilityEstimate).toBeCloseTo(0, 10);
    expect(estimateAbility(answers([-30], [0])).abilityEstimate).toBeCloseTo(0, 10);
  });

  it('equals the mean of the configuration when there are no answers, within its range', () => {
    const { abilityEstimate, standardError } = estimateAbility([], readEap({ mean: 1, theta_min: 0, theta_max: 2 }));
    expect(abilityEstimate).toBeCloseTo(1, 10);
    // Cutting a normal distribution at one standard deviation on both sides reduces its spread.
    expect(standardError).toBeLessThan(0.6);
  });

  it('converges with a thousand answers', () => {
    const { abilityEstimate, standardError } = estimateAbility(answers(Array(1000).fill(0), Array(1000).fill(1)));
    expect(abilityEstimate).toBeGreaterThan(3.9);
    expect(standardError).toBeLessThan(0.5);
  });

  it('rises with a right answer and falls with a wrong one, for all items', () => {
    const outcome = fc.record({
      difficulty: fc.double({ min: -5, max: 5, noNaN: true }),
      right: fc.constantFrom(true, false, null),
    });
    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 20 }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (list, difficulty) => {
          const before = estimateAbility(list).abilityEstimate;
          const right = estimateAbility([...list, { difficulty, right: true }]).abilityEstimate;
          const wrong = estimateAbility([...list, { difficulty, right: false }]).abilityEstimate;
          expect(right).toBeGreaterThanOrEqual(before);
          expect(wrong).toBeLessThanOrEqual(before);
          expect(Math.abs(right)).toBeLessThanOrEqual(4);
        },
      ),
    );
  });
});

describe('the configuration of the estimate', () => {
  it('is read from its members', () => {
    const eap = { mean: -0.25, standard_deviation: 0.95, theta_min: -3, theta_max: '2.25', num_points: 40 };
    expect(readEap(eap)).toEqual({ mean: -0.25, standardDeviation: 0.95, thetaMin: -3, thetaMax: 2.25, numPoints: 40 });
  });

  it.each([
    [undefined, {}],
    [null, {}],
    ['eap', {}],
    [{ mean: 'much', standard_deviation: 0, num_points: 1 }, {}],
    [{ standard_deviation: -1, num_points: 1e9 }, { numPoints: 1000 }],
    [{ theta_min: 4, theta_max: -4 }, {}],
    [{ mean: 9 }, {}],
    [{ num_points: 12.7 }, { numPoints: 12 }],
  ])('replaces invalid members of %j by their defaults', (eap, changed) => {
    expect(readEap(eap)).toEqual({ ...DEFAULT_EAP, ...changed });
  });
});
