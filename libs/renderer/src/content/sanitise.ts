import DOMPurify from 'dompurify';

/** The name under which styles come through the parser: a strict content policy blocks the attribute `style` in markup. */
const CARRIED = 'data-itembank-style';

const purifier = DOMPurify();

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.localName !== 'a' || !element.hasAttribute('href')) return;
  // A link must not take the learner out of the test.
  if (!element.getAttribute('href')!.startsWith('#')) element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer');
});

/** What an author wrote as nodes, without anything that could run. Safe by what becomes of the nodes, not by the texts replaced here. */
export function sanitise(html: string): DocumentFragment {
  const carried = html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle(?==)/gi, ` ${CARRIED}`));
  const fragment = purifier.sanitize(carried, {
    RETURN_DOM_FRAGMENT: true,
    // Controls that would answer nothing.
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea'],
  });
  for (const element of fragment.querySelectorAll<HTMLElement>(`[${CARRIED}]`)) {
    element.style.cssText = element.getAttribute(CARRIED)!;
    // Content stays in its place: it covers nothing of the page.
    element.style.removeProperty('position');
    element.removeAttribute(CARRIED);
  }
  return fragment;
}
