import { sanitise } from '../content/sanitise';
import { textOf } from '../members';

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
