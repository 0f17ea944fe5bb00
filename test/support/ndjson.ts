/** The records of newline-delimited JSON. */
export const parseLines = <Line = Record<string, unknown>>(text: Buffer | string): Line[] =>
  text
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
