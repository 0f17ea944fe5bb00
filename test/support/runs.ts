/**
 * How often a property is tried: all runs in `npm run test:all`, a quarter of them in `npm test`. A failure prints its seed
 * and path.
 */
export const runsOf = (all: number): number => (process.env.TEST_ALL ? all : Math.ceil(all / 4));
