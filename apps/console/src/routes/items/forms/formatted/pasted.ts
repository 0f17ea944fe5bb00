import { bodyOfMarkup } from '../../../../texts/markup';
import { keptOf, KNOWN } from './markup';
import { KEPT } from './schema';

/* Markup of the clipboard, from browsers, Word and Google Docs. */

const NOT_PASTED = 'img, style, script, title, meta, link, head, svg, .Apple-interchange-newline';
const NEEDED = ['href', 'colspan', 'rowspan', 'start'];
const NOT_IN_FORMULAS = /^(?:style|class|id|src|.*href|on.*|data-.*)$/;
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** Formats that Google Docs and browsers write as styles. Word has others whose names end in the same way. */
const STYLED: readonly [tag: string, style: RegExp][] = [
  ['strong', /(?:^|[;\s])font-weight:\s*(?:bold|[6-9]00)/i],
  ['em', /(?:^|[;\s])font-style:\s*italic/i],
  ['u', /(?:^|[;\s])text-decoration(?:-line)?:[^;]*underline/i],
  ['s', /(?:^|[;\s])text-decoration(?:-line)?:[^;]*line-through/i],
  ['sup', /(?:^|[;\s])vertical-align:\s*super/i],
  ['sub', /(?:^|[;\s])vertical-align:\s*sub/i],
];
/** Google Docs puts all into an element for bold text that is not bold. */
const NOT_BOLD = /(?:^|[;\s])font-weight:\s*(?:normal|[1-4]00)/i;

/** The nodes of pasted markup. From elsewhere, only formats and formulas come in, without styles and pictures. */
export function pasted(markup: string): HTMLElement {
  const body = bodyOfMarkup(markup);
  const own = body.querySelector('[data-pm-slice]');
  own?.removeAttribute('data-pm-slice');
  if (own) return body;
  makeLists(body);
  removeDrawnFormulas(body);
  for (const element of [...body.querySelectorAll('*')]) clean(element);
  for (const formula of body.querySelectorAll('math')) formula.replaceWith(keptOf(formula));
  return body;
}

function clean(element: Element): void {
  const { localName } = element;
  const isFormula = element.closest('math') !== null;
  const isKnown = isFormula
    ? element.namespaceURI === MATHML
    : KNOWN.has(localName) && localName !== 'span' && localName !== KEPT && !(localName === 'b' && isNotBold(element));
  if (element.matches(NOT_PASTED)) element.remove();
  else if (!isKnown) element.replaceWith(...formatted(element));
  else
    for (const { name } of [...element.attributes])
      if (isFormula ? NOT_IN_FORMULAS.test(name) : !NEEDED.includes(name)) element.removeAttribute(name);
}

const styleOf = (element: Element): string => element.getAttribute('style') ?? '';
const isNotBold = (element: Element): boolean => NOT_BOLD.test(styleOf(element));

/** The content of an element, in the formats of its style. */
function formatted(element: Element): Node[] {
  return STYLED.filter(([, style]) => style.test(styleOf(element))).reduce<Node[]>(
    (content, [tag]) => {
      const format = element.ownerDocument.createElement(tag);
      format.append(...content);
      return [format];
    },
    [...element.childNodes],
  );
}

/** KaTeX and MathJax write formulas twice: as MathML, and as a drawing that only eyes see. */
function removeDrawnFormulas(body: Element): void {
  for (const drawing of body.querySelectorAll('[aria-hidden=true]'))
    if (drawing.parentElement!.querySelector(':scope > * > math') && !drawing.querySelector('math')) drawing.remove();
}

/** Word writes the entries of lists as paragraphs that begin with a marker. */
function makeLists(body: Element): void {
  /** The lists, with their names in Word. */
  const made = new Map<Element, string>();
  for (const paragraph of body.querySelectorAll('p[style*=mso-list]')) {
    const [, name = '', level] = /mso-list:\s*(l\d+)\s+level(\d)/.exec(styleOf(paragraph)) ?? [];
    const marker = paragraph.querySelector('[style*="mso-list:Ignore"]');
    if (!level || !marker) continue;
    const text = marker.textContent.trim();
    marker.remove();

    const isOrdered = /^\d|^\(?[\p{L}\d]+[.)]/u.test(text);
    const list = body.ownerDocument.createElement(isOrdered ? 'ol' : 'ul');
    const isSame = (other: Element) => other.localName === list.localName && made.get(other) === name;
    const start = parseInt(text);
    if (start > 1) list.setAttribute('start', String(start));

    const before = paragraph.previousElementSibling;
    const goesOn = before !== null && made.has(before) && (level !== '1' || isSame(before));
    let place = goesOn ? before : list;
    if (!goesOn) paragraph.before(list);
    for (let depth = 1; depth < Number(level) && place !== list; depth++) {
      const last = place.lastElementChild!;
      const inner = last.lastElementChild;
      const isThere = inner !== null && made.has(inner) && (depth + 1 < Number(level) || isSame(inner));
      if (!isThere) last.append(list);
      place = isThere ? inner : list;
    }
    if (place === list) made.set(list, name);
    const entry = body.ownerDocument.createElement('li');
    entry.append(...paragraph.childNodes);
    place.append(entry);
    paragraph.remove();
  }
}
