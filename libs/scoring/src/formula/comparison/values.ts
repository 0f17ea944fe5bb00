import { approximate, type Approximation, type Value } from '../arithmetic';

interface Precision {
  /** Decimal places, 0 to 10. */
  places: number;
  /**
   * `number`: both are rounded to these places. `function`: they may differ by one in the last place, and by up to ten
   * for large values, because the numbers inside a function are rounded. `far`: the same for values of functions far
   * from zero, in proportion to their size.
   */
  of: 'number' | 'function' | 'far';
  /** Values that are not real count as undefined. */
  real: boolean;
}

/** Whether two values agree; undefined if one is undefined or not precise enough. */
export function agree(a: Value, b: Value, precision: Precision): boolean | undefined {
  const unit = 10 ** -precision.places;
  const slack = (size: number) =>
    unit * (precision.of === 'far' ? 10 * Math.max(1, size) : Math.min(10, Math.max(1, size)));
  if (a.exact && b.exact) {
    if (a.exact.equals(b.exact)) return true;
    if (precision.of === 'number') return a.exact.round(precision.places).equals(b.exact.round(precision.places));
    return Math.abs(a.exact.sub(b.exact).valueOf()) <= slack(Math.abs(a.exact.valueOf()));
  }
  const left = approximate(a);
  const right = approximate(b);
  if (!isKnown(left, precision.real) || !isKnown(right, precision.real)) return undefined;
  const distance = left.z.sub(right.z).abs();
  const error = left.error + right.error;
  if (precision.of !== 'number') return distance <= slack(left.z.abs()) + error;
  const rounds = (x: number, y: number) => Math.round(x / unit) === Math.round(y / unit);
  return distance <= 2 * error || (rounds(left.z.re, right.z.re) && rounds(left.z.im, right.z.im));
}

export function isKnown({ z, error }: Approximation, real: boolean): boolean {
  const size = z.abs();
  if (!Number.isFinite(size) || !(error <= 1e-7 * Math.max(1, size))) return false;
  return !real || Math.abs(z.im) <= error + 1e-12 * size;
}
