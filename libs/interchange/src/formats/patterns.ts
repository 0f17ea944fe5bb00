/*
 * In Moodle and GIFT, the first answer that matches a response counts, even if a later one gives more points. Here the
 * best one counts. So a reader leaves out answers that an earlier one covers.
 */

/** The texts between the wildcards of a pattern: one for `Oslo`, two for `Os*`. An escaped asterisk is text. */
export type Pattern = readonly string[];

export const patternOf = (written: string): Pattern =>
  written.split(/(?<!\\)\*/).map((text) => text.replaceAll('\\*', '*'));

export const hasWildcard = (pattern: Pattern): boolean => pattern.length > 1;
/** Whether it matches every text. */
export const isAny = (pattern: Pattern): boolean => hasWildcard(pattern) && pattern.every((text) => text === '');

/** Whether some response matches this pattern and none before it: for each of the patterns. */
export function inForce(patterns: readonly Pattern[], caseSensitive: boolean): boolean[] {
  const seen = new Set<string>();
  const wild: Pattern[] = [];
  return patterns.map((written) => {
    const pattern = written.map((text) => (caseSensitive ? text : text.toLowerCase()).normalize('NFC'));
    const key = JSON.stringify(pattern);
    const isCovered = wild.some(
      (earlier) => isAny(earlier) || (!hasWildcard(pattern) && matches(earlier, pattern[0]!)),
    );
    if (isCovered || seen.has(key)) return false;
    seen.add(key);
    if (hasWildcard(pattern) && wild.length < MAX_WILD) wild.push(pattern);
    return true;
  });
}

/** Bounds the time for questions with very many answers. */
const MAX_WILD = 50;

/** Looks for each part once, from left to right. */
function matches(pattern: Pattern, text: string): boolean {
  const [first, last] = [pattern[0]!, pattern.at(-1)!];
  if (text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of pattern.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.startsWith(first) && text.endsWith(last) && at <= text.length - last.length;
}
