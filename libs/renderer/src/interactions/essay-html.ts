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

/** The plain text of stored HTML: a line for each paragraph. */
export function plainOf(value: unknown): string {
  const html = textOf(value);
  if (!/[<&]/.test(html)) return html;
  const fragment = sanitise(html.replaceAll(/<br\s*\/?>/gi, '\n'));
  const blocks = [...fragment.childNodes].map((node) => node.textContent ?? '');
  return blocks.join('\n');
}
