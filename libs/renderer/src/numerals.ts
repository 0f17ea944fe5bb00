/**
 * The numeral of a choice or blank.
 * @param kind `number`, `upper-alpha` or `lower-alpha`; any other kind has no numerals.
 * @param at from 0.
 */
export function numeral(kind: string, at: number): string {
  if (kind === 'number') return String(at + 1);
  const letters = lettersOf(at);
  return kind === 'upper-alpha' ? letters : kind === 'lower-alpha' ? letters.toLowerCase() : '';
}

/** A … Z, AA, AB … */
function lettersOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : lettersOf(Math.floor(at / 26) - 1) + letter;
}
