import Complex from 'complex.js';

const STEPS = 200;

/** The complex roots of a polynomial with simple roots, by the Durand–Kerner method; undefined if it fails. */
export function rootsOf(coefficients: readonly number[]): Complex[] | undefined {
  const lead = coefficients.at(-1) ?? 1;
  const monic = coefficients.map((coefficient) => coefficient / lead);
  const radius = 1 + Math.max(...monic.slice(0, -1).map(Math.abs));
  const spread = radius ** (1 / (monic.length - 1));
  let roots = monic
    .slice(1)
    .map((_, at) => new Complex({ abs: spread, arg: 0.4 + (2 * Math.PI * at) / (monic.length - 1) }));
  let moved = Infinity;
  for (let step = 0; step < STEPS && moved > 1e-14; step += 1) {
    moved = 0;
    roots = roots.map((root, at) => {
      let divisor = new Complex(1, 0);
      roots.forEach((other, place) => {
        if (place !== at) divisor = divisor.mul(root.sub(other));
      });
      const change = valueAt(monic, root).div(divisor);
      moved = Math.max(moved, change.abs() / Math.max(1, root.abs()));
      return root.sub(change);
    });
    if (!Number.isFinite(moved)) return undefined;
  }
  // Floating-point errors keep close roots moving slightly.
  return moved < 1e-8 ? roots : undefined;
}

function valueAt(coefficients: readonly number[], z: Complex): Complex {
  return coefficients.reduceRight<Complex>((value, coefficient) => value.mul(z).add(coefficient), new Complex(0, 0));
}
