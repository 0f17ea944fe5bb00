import { sanitise } from '../content/sanitise';
import { textOf } from '../members';

/** The stored HTML of a long text: a paragraph for each line. */
export function htmlOf(text: string): string | null {
  if (text === '') return null;
  const holder = document.createElement('div');
  for (const line of text.split('\n')) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    holder.append(paragraph);
  }
  return holder.innerHTML;
}

/** Elements whose text has a line of its own. */
const BLOCKS = 'p, div, li, td, th';

/** The plain text of stored HTML: a line for each paragraph, entry of a list or cell. */
export function plainOf(value: unknown): string {
  const html = textOf(value);
  if (!/[<&]/.test(html)) return html;
  const fragment = sanitise(html.replaceAll(/<br\s*\/?>/gi, '\n'));
  return [...fragment.childNodes].flatMap(linesOf).join('\n');
}

function linesOf(node: Node): string[] {
  const text = node.textContent ?? '';
  if (!(node instanceof Element) || !node.querySelector(BLOCKS)) return [text];
  return [...node.childNodes].flatMap((child) => (child.textContent?.trim() ? linesOf(child) : []));
}
