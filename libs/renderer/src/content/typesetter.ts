import { convertLatexToAsciiMath, convertLatexToMarkup, convertLatexToMathMl } from 'mathlive/ssr';
import styles from 'mathlive/static.css?inline';
import { sanitise } from './sanitise';
import { watchWidth } from './wide';

const FONTS = import.meta.glob<string>('../../../../node_modules/mathlive/fonts/KaTeX_*.woff2', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Fonts must be loaded in the document. A style sheet in a shadow root cannot define them. */
for (const [path, address] of Object.entries(FONTS)) {
  const [, family, kind] = /(KaTeX_\w+)-(\w+)\.woff2$/.exec(path)!;
  const weight = kind!.startsWith('Bold') ? '700' : '400';
  const style = kind!.endsWith('Italic') ? 'italic' : 'normal';
  document.fonts.add(new FontFace(family!, `url("${address}")`, { weight, style, display: 'swap' }));
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  `${styles.replace(/@font-face\{[^}]*\}/g, '')}
/* The baseline of a flex box is that of its content, even when it scrolls. */
.formula { display: inline-flex; max-inline-size: 100%; direction: ltr; unicode-bidi: isolate; }
.formula.wide { overflow: auto hidden; }
.formula.block { display: block; margin-block: 0.5em; text-align: center; }`,
);

/** Adds the styles of typeset mathematics to a root. */
export function adoptStyles(root: DocumentFragment): void {
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(sheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

const DELIMITERS = [
  { open: '\\(', close: '\\)', isBlock: false },
  { open: '\\[', close: '\\]', isBlock: true },
  { open: '$$', close: '$$', isBlock: true },
];

/** Typesets the LaTeX in the texts of a fragment. Leaves invalid LaTeX unchanged. */
export function typeset(fragment: DocumentFragment): void {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest('math, code, pre, script, style, textarea')) continue;
    const parts = split(text.data);
    if (parts.length > 1 || typeof parts[0] !== 'string') text.replaceWith(...parts);
  }
}

function split(text: string): (string | Node)[] {
  const parts: (string | Node)[] = [];
  let from = 0;
  for (;;) {
    const found = DELIMITERS.map((each) => ({ ...each, at: text.indexOf(each.open, from) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at)[0];
    const end = found ? text.indexOf(found.close, found.at + found.open.length) : -1;
    if (!found || end < 0) break;
    parts.push(text.slice(from, found.at), formula(text.slice(found.at + found.open.length, end), found.isBlock));
    from = end + found.close.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

/** MathLive adds this sign to each f and g. After the base of a power, index or accent it makes the MathML invalid. */
const APPLICATION = /(<m(?:sub|sup|over|under)[^>]*><mi>\w<\/mi>)<mo>&#x2061;<\/mo>/g;

/** Renders the formula visually, and as MathML for screen readers. */
export function formula(latex: string, isBlock = false): HTMLElement {
  const known = expandAbs(latex);
  const element = document.createElement('span');
  element.className = isBlock ? 'formula block' : 'formula';
  const seen = document.createElement('span');
  seen.ariaHidden = 'true';
  seen.append(sanitise(convertLatexToMarkup(known, { defaultMode: isBlock ? 'math' : 'inline-math' })));
  const heard = document.createElement('span');
  heard.className = 'visually-hidden';
  heard.append(sanitise(`<math>${convertLatexToMathMl(known).replace(APPLICATION, '$1')}</math>`));
  // Buttons and labels are named by their content. Not all screen readers include MathML in names.
  heard.firstElementChild?.setAttribute('aria-label', convertLatexToAsciiMath(known).replaceAll('"', '').trim());
  element.append(seen, heard);
  watchWidth(element);
  return element;
}

/** `\\abs{x}` is common in questions, but MathLive does not know it. */
function expandAbs(latex: string): string {
  const at = latex.indexOf('\\abs{');
  if (at < 0) return latex;
  let depth = 0;
  for (let end = at + 4; end < latex.length; end++) {
    if (latex[end] === '{') depth++;
    if (latex[end] === '}') depth--;
    if (depth === 0) {
      const inner = expandAbs(latex.slice(at + 5, end));
      return `${latex.slice(0, at)}\\left|${inner}\\right|${expandAbs(latex.slice(end + 1))}`;
    }
  }
  return latex;
}
