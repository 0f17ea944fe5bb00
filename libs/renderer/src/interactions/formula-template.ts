import { BLANK } from '../content/blanks';

/** LaTeX with places to fill: `\frac{1}{{{response}}}`. The response is the complete LaTeX with its places filled. */

/** The number of places in a template; 0 for a formula without places. */
export const countPlaces = (template: string): number => template.split(BLANK).length - 1;

/** The template with these texts in its places; empty when all texts are empty. */
export function filled(template: string, texts: readonly string[]): string {
  const [first = '', ...others] = template.split(BLANK);
  if (texts.every((text) => text === '')) return '';
  return first + others.map((literal, at) => (texts[at] ?? '') + literal).join('');
}

/** The template for display: empty places are squares, with numbers if there are several. */
export function seen(template: string, texts: readonly string[]): string {
  const shown = Array.from({ length: countPlaces(template) }, (_, at) => {
    const square = countPlaces(template) > 1 ? `\\square_{${at + 1}}` : '\\square';
    return texts[at] ? texts[at] : square;
  });
  return filled(template, shown);
}

/** The texts in the places of a stored response; undefined if it does not match the template. */
export function textsIn(template: string, latex: string): string[] | undefined {
  const [first = '', ...others] = template.split(BLANK);
  if (latex === '') return others.map(() => '');
  if (!latex.startsWith(first)) return undefined;
  const texts: string[] = [];
  let from = first.length;
  for (const [place, literal] of others.entries()) {
    const end = place === others.length - 1 ? latex.length - literal.length : endOf(latex, literal, from);
    if (end < from || !latex.startsWith(literal, end)) return undefined;
    texts.push(latex.slice(from, end));
    from = end + literal.length;
  }
  return texts;
}

/** The end of a place: the first literal after it outside of braces that the place opens; -1 if there is none. */
function endOf(latex: string, literal: string, from: number): number {
  let depth = 0;
  for (let at = from; at < latex.length; at++) {
    if (depth === 0 && latex.startsWith(literal, at)) return at;
    if (latex[at] === '{') depth++;
    if (latex[at] === '}') depth--;
    if (depth < 0) return -1;
  }
  return -1;
}
