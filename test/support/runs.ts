/**
 * Returns the number of runs of a property: all in `npm run test:all`, a quarter of them in `npm test`. A failed
 * property prints its seed and path.
 */
export const runsOf = (all: number): number => (process.env.TEST_ALL ? all : Math.ceil(all / 4));
