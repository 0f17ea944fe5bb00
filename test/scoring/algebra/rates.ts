import { matchFormula } from '../../../libs/scoring/src/formula';

/** A pair of formulas and the verdict of sympy. */
export interface Judged {
  verdict: 'equal' | 'unequal' | 'unknown';
  family: string;
  value: string;
  response: string;
}

export function isWrong({ verdict }: Judged, matches: boolean | null): boolean {
  return (verdict === 'equal' && matches === false) || (verdict === 'unequal' && matches === true);
}

/** The number of differences between the engine and sympy. */
export function ratesOf(all: readonly Judged[]) {
  const pairs = all
    .filter(({ verdict }) => verdict !== 'unknown')
    .map((judged) => ({ judged, ...matchFormula({ method: 'equivSymbolic', value: judged.value }, judged.response) }));
  const count = (verdict: Judged['verdict'], matches?: boolean | null) =>
    pairs.filter((pair) => pair.judged.verdict === verdict && (matches === undefined || pair.matches === matches))
      .length;
  const [equal, unequal] = [count('equal'), count('unequal')];
  const [falseAccepts, falseRefusals] = [count('unequal', true), count('equal', false)];
  const undecided = count('equal', null) + count('unequal', null);
  const share = (part: number, of: number) => `${part} of ${of} (${((100 * part) / Math.max(1, of)).toFixed(1)} %)`;
  const text = [
    `pairs judged: ${pairs.length}, not judged: ${all.length - pairs.length}`,
    `accepted, though unequal: ${share(falseAccepts, unequal)}`,
    `refused, though equal: ${share(falseRefusals, equal)}`,
    `undecided: ${share(undecided, pairs.length)}, of them equal: ${count('equal', null)}`,
  ].join('\n');
  return { pairs, falseAccepts, falseRefusals, undecided, text };
}
