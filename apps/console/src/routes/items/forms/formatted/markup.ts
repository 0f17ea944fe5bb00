import { DOMParser, type Node } from 'prosemirror-model';
import { bodyOfMarkup } from '../../../../texts/markup';
import { BARE, KEPT, normalised, schema, serializer, STYLE } from './schema';

/* Texts of authors as documents of the editor, and back. A text becomes a document only if nothing of it is lost. */

export const parser = DOMParser.fromSchema(schema);

const FORMATS = new Set(['strong', 'b', 'em', 'i', 'u', 's', 'strike', 'sup', 'sub', 'code', 'a', 'span']);
const BLOCKS = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 blockquote pre hr ul ol li table tbody tr td th div thead tfoot caption section article aside ' +
    'figure figcaption header footer main nav details summary dl dt dd address center fieldset form'
  ).split(' '),
);
export const KNOWN = new Set([
  ...FORMATS,
  ...'p h1 h2 h3 h4 h5 h6 blockquote pre hr ul ol li table tbody tr td th div img br'.split(' '),
  KEPT,
]);
/** Formats that are written in one way. */
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's' };
/** Elements whose only text needs no paragraph around it. */
const HOLDERS = new Set(['li', 'td', 'th', 'div', 'blockquote']);

/**
 * The document of a text. Elements that the schema does not know are kept whole.
 * @param isShort whether the field is for a short text, which needs no paragraph
 * @returns undefined if the document would lose something of the text
 */
export function documentOf(markup: string, isShort: boolean): Node | undefined {
  const body = bodyOfMarkup(markup);
  if (body.childNodes.length === 0) return parsed(body, isShort);
  const isBare = [...body.childNodes].some(isInline);
  keepUnknown(body);
  for (const child of [...body.children])
    if (BLOCKS.has(child.localName) && !isFaithful(child)) child.replaceWith(keptOf(child));
  const doc = parsed(body, isBare);
  const isOneBox = [...doc.children].every(({ type }) => type.name === 'kept_block');
  return !isOneBox && canonical(written(doc)) === canonical(body) ? doc : undefined;
}

/** The markup of a document. */
export function htmlOf(doc: Node): string {
  return isEmpty(doc) ? '' : markupOf(written(doc));
}

function parsed(body: Element, isBare: boolean): Node {
  const { type, content } = parser.parse(body);
  return type.create({ isBare }, content);
}

function written(doc: Node): HTMLElement {
  const { body } = document.implementation.createHTMLDocument();
  body.append(serializer.serializeFragment(doc.content, { document: body.ownerDocument }));
  const bare = [...body.querySelectorAll(`[${BARE}]`)];
  const withoutTag = bare.filter((paragraph) => {
    const { parentElement: parent, previousElementSibling: before, nextElementSibling: after } = paragraph;
    const canBeBare = parent === body ? doc.attrs['isBare'] === true : HOLDERS.has(parent!.localName);
    const isBeside = [before, after].some((sibling) => sibling?.hasAttribute(BARE));
    return canBeBare && !isBeside && paragraph.attributes.length === 1;
  });
  for (const paragraph of bare) paragraph.removeAttribute(BARE);
  for (const element of body.querySelectorAll(`[${STYLE}]`)) {
    element.setAttribute('style', element.getAttribute(STYLE)!);
    element.removeAttribute(STYLE);
  }
  for (const paragraph of withoutTag) paragraph.replaceWith(...paragraph.childNodes);
  return body;
}

/** The markup inside an element. The markup of kept elements takes their place. */
function markupOf(parent: Element): string {
  // A comment that the text does not have.
  let mark = 'kept';
  while (parent.innerHTML.includes(`<!--${mark}-->`)) mark += '-';
  const kept: string[] = [];
  for (const element of parent.querySelectorAll(KEPT)) {
    kept.push(element.getAttribute('data-html')!);
    element.replaceWith(parent.ownerDocument.createComment(mark));
  }
  return parent.innerHTML.replaceAll(`<!--${mark}-->`, () => kept.shift()!);
}

const isEmpty = ({ childCount, firstChild }: Node): boolean =>
  childCount === 1 && firstChild!.isTextblock && firstChild!.content.size === 0;

const isInline = (node: ChildNode): boolean =>
  node instanceof Element ? !BLOCKS.has(node.localName) : node.nodeType === 3 && /[^ \t\r\n\f]/.test(node.nodeValue!);

/** Replaces each element that the schema does not know by one that stands for it. */
function keepUnknown(parent: Element): void {
  for (const child of [...parent.children]) {
    const isLost = FORMATS.has(child.localName) && child.childNodes.length === 0;
    if (KNOWN.has(child.localName) && !isLost && !(child.localName === 'img' && !child.hasAttribute('src')))
      keepUnknown(child);
    else child.replaceWith(keptOf(child));
  }
}

export function keptOf(element: Element): Element {
  const holder = element.ownerDocument.createElement('div');
  holder.append(element.cloneNode(true));
  const kept = element.ownerDocument.createElement(KEPT);
  kept.setAttribute('data-html', markupOf(holder));
  if (BLOCKS.has(element.localName)) kept.setAttribute('data-block', '');
  return kept;
}

function isFaithful(element: Element): boolean {
  const { body } = document.implementation.createHTMLDocument();
  body.append(element.cloneNode(true));
  return canonical(written(parsed(body, false))) === canonical(body);
}

interface Part {
  /** Text, with its formats. */
  text?: string;
  formats?: string;
  /** The beginning or end of an element. */
  tag?: string;
  isBlock?: boolean;
}

/** A text that is equal for markup that browsers show equally: the order of formats and outer spaces do not count. */
function canonical(body: Element): string {
  const parts: Part[] = [];
  const walk = (parent: globalThis.Node, formats: readonly string[], isExact: boolean) => {
    for (const node of parent.childNodes) {
      const key = [...formats].sort().join();
      if (node.nodeType === globalThis.Node.TEXT_NODE) {
        const text = isExact ? node.nodeValue! : node.nodeValue!.replace(/[ \t\r\n\f]+/g, ' ');
        const last = parts.at(-1);
        if (last?.formats === key) last.text += text;
        else parts.push({ text, formats: key });
      } else if (!(node instanceof Element)) parts.push({ tag: `comment ${node.nodeValue}` });
      else if (FORMATS.has(node.localName) && node.childNodes.length > 0)
        walk(node, [...formats, descriptionOf(node)], isExact);
      else {
        const isBlock = BLOCKS.has(node.localName);
        parts.push({ tag: `${descriptionOf(node)} ${isBlock ? '' : key}`, isBlock });
        if (!isBlock && node.childNodes.length === 0) continue;
        walk(node, [], isExact || node.localName === 'pre');
        parts.push({ tag: '/', isBlock });
      }
    }
  };
  walk(body, [], false);
  return JSON.stringify(withoutOuterSpaces(parts));
}

function descriptionOf(element: Element): string {
  const attributes = [...element.attributes].map(({ name, value }) => JSON.stringify([name, normalised(name, value)]));
  return [SAME[element.localName] ?? element.localName, ...attributes.sort()].join(' ');
}

/** Drops the spaces that browsers do not show: at both ends of a block, after a line break, and after a space. */
function withoutOuterSpaces(parts: readonly Part[]): Part[] {
  const left: Part[] = [];
  for (const [at, part] of parts.entries()) {
    if (part.text === undefined) {
      left.push(part);
      continue;
    }
    const before = left.at(-1);
    const after = parts[at + 1];
    let { text } = part;
    const isFirst = before === undefined || before.isBlock || before.tag?.startsWith('br');
    if (isFirst || before.text?.endsWith(' ')) text = text.replace(/^ /, '');
    if (after === undefined || after.isBlock) text = text.replace(/ $/, '');
    if (text !== '') left.push({ ...part, text });
  }
  return left;
}
