import DOMPurify from 'dompurify';

/** The attribute that replaces `style` during parsing. A strict content security policy blocks `style` in markup. */
const CARRIED = 'data-itembank-style';

const purifier = DOMPurify();

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.localName !== 'a' || !element.hasAttribute('href')) return;
  // A link must not take the learner out of the test.
  if (!element.getAttribute('href')!.startsWith('#')) element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer');
});

/**
 * The nodes of an author's markup, without anything executable. The sanitised nodes make it safe, not the text
 * replacements here.
 */
export function sanitise(html: string): DocumentFragment {
  const carried = html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle(?==)/gi, ` ${CARRIED}`));
  const fragment = purifier.sanitize(carried, {
    RETURN_DOM_FRAGMENT: true,
    // Form controls, which would have no effect.
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea'],
  });
  for (const element of fragment.querySelectorAll<HTMLElement>(`[${CARRIED}]`)) {
    element.style.cssText = element.getAttribute(CARRIED)!;
    // Prevents content from covering the page.
    element.style.removeProperty('position');
    element.removeAttribute(CARRIED);
  }
  return fragment;
}
