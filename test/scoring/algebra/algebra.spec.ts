import { matchFormula } from '../../../libs/scoring/src/formula';
import judged from './judged.json';

/** Simple pairs of formulas, each with the verdict of sympy on whether they are equal. `main.ts` makes difficult ones. */
const PAIRS = judged as [kind: string, value: string, response: string, same: boolean][];
const KINDS = [...new Set(PAIRS.map(([kind]) => kind))];

describe('formulas that an independent computer algebra system has compared', () => {
  const outcomes = (kind: string) =>
    PAIRS.filter(([each]) => each === kind).map(([, value, response, same]) => ({
      value,
      response,
      same,
      matches: matchFormula({ method: 'equivSymbolic', value }, response).matches,
    }));

  it('are more than a thousand, half of them equal', () => {
    expect(PAIRS.length).toBeGreaterThan(1000);
    const equal = PAIRS.filter(([, , , same]) => same).length;
    expect(equal / PAIRS.length).toBeGreaterThan(0.4);
    expect(equal / PAIRS.length).toBeLessThan(0.6);
  });

  it.each(KINDS)('are never accepted when they differ: %s', (kind) => {
    expect(outcomes(kind).filter(({ matches, same }) => matches === true && !same)).toEqual([]);
  });

  it.each(KINDS)('are never rejected when they are equal: %s', (kind) => {
    expect(outcomes(kind).filter(({ matches, same }) => matches === false && same)).toEqual([]);
  });
});
