import { nodesOf } from './markup';

/** Markup as spoken text: mathematics as letters, images by their alternative texts. */
export function plainText(html: string): string {
  const fragment = nodesOf(html, undefined);
  for (const seen of fragment.querySelectorAll('[aria-hidden="true"]')) seen.remove();
  for (const element of fragment.querySelectorAll('math[aria-label], img[alt]'))
    element.replaceWith(` ${element.getAttribute('aria-label') ?? element.getAttribute('alt')} `);
  return (fragment.textContent ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}
