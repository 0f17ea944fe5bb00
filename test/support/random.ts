/** Pseudo-random integers of at least 0 and less than `below`. */
export type Random = (below: number) => number;

/** The same seed gives the same numbers in every run (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = (seed * 2654435761) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
