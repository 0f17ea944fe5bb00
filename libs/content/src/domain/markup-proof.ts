import { ADDRESSES, ANIMATED, DENIED, NEVER, PROSE, RAW_CONTENT, words } from './markup-names';

/** Whether the markup is proven to run no script. False means only that there is no proof. */
export function isHarmless(text: string): boolean {
  if (text.includes('\0')) return false; // some readers skip U+0000, even within a name
  // Tags may overlap (`<a <a <a`). Their common part is read once, with few exceptions. The budget bounds the work for
  // the exceptions.
  let budget = 4 * text.length + 1_000;
  const shared = new Map<number, Tag>();
  let lastCommentEnd: number | undefined;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (isHarmlessBareTag(text, at)) continue;
    const tag = tagAt(text, at, shared);
    if (tag) {
      budget -= tag.read;
      if (budget < 0 || isHarmfulTag(text, tag)) return false;
      const next = text.indexOf('<', at + 1);
      if (next === -1) return true;
      const isJudged = !tag.isEnd && !JUDGED_APART.has(tag.name); // attributes of an end tag have no effect
      if (next < tag.end && isJudged) tag.attributes.forEach((attribute) => shared.set(attribute.at, tag));
    } else if (text[at + 1] === '!' || text[at + 1] === '?') {
      if (isHarmfulDeclaration(text, at, (lastCommentEnd ??= text.lastIndexOf('-->')))) return false;
    }
  }
  return true;
}

const BARE_TAG = /<\/?([a-z][a-z\d]*)>/iy;

/** Fast path: most tags have only a name, which is enough to decide. */
function isHarmlessBareTag(text: string, at: number): boolean {
  BARE_TAG.lastIndex = at;
  const name = BARE_TAG.exec(text)?.[1]!.toLowerCase();
  return name !== undefined && !DENIED.has(name) && !Object.hasOwn(RAW_CONTENT, name);
}

interface Tag {
  name: string;
  isEnd: boolean;
  attributes: { name: string; value: string; at: number }[];
  /** Index after the tag. */
  end: number;
  /** False when the text ends within the tag. */
  closed: boolean;
  /** The text ends within a quoted value, so the tag would take in the rest of the page. */
  openQuote: boolean;
  /** The number of characters read. */
  read: number;
}

const TAG_NAME = /<(\/?)([a-z][^\t\n\f\r />]*)/iy;
const BETWEEN = /[\t\n\f\r /]*/y;
const ATTRIBUTE =
  /(=?[^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)("?)|'([^']*)('?)|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?/y;

/**
 * The tag that begins at this `<`, read by the rules of the HTML standard; undefined when none begins there.
 * @param shared harmless tags by the places of their attributes. Reading stops at such a place, and takes over the end of
 *   that tag.
 */
export function tagAt(text: string, at: number, shared?: Map<number, Tag>): Tag | undefined {
  TAG_NAME.lastIndex = at;
  const start = TAG_NAME.exec(text);
  if (!start) return undefined;
  const name = start[2]!.toLowerCase();
  const tag: Tag = { name, isEnd: start[1] !== '', attributes: [], end: 0, closed: false, openQuote: false, read: 0 };
  tag.end = TAG_NAME.lastIndex;
  for (;;) {
    BETWEEN.lastIndex = tag.end;
    BETWEEN.test(text);
    tag.end = BETWEEN.lastIndex;
    tag.read = tag.end - at;
    if (tag.end >= text.length) return tag;
    if (text[tag.end] === '>') return { ...tag, end: tag.end + 1, closed: true };
    const known = shared?.get(tag.end);
    if (known && !JUDGED_APART.has(name)) return { ...tag, end: known.end, closed: known.closed };
    ATTRIBUTE.lastIndex = tag.end;
    const [, attribute, double, doubleEnd, single, singleEnd, bare] = ATTRIBUTE.exec(text)!;
    tag.attributes.push({ name: attribute!, value: double ?? single ?? bare ?? '', at: tag.end });
    tag.openQuote = doubleEnd === '' || singleEnd === '';
    tag.end = ATTRIBUTE.lastIndex;
  }
}

/** Elements whose attributes follow special rules. */
const JUDGED_APART = new Set(['iframe', 'use', 'image', 'feimage']);

export function isHarmfulDeclaration(text: string, at: number, lastCommentEnd: number): boolean {
  if (text.startsWith('<!--', at)) return at > lastCommentEnd;
  return /^<(?:!(?:doctype|entity|element|attlist|notation)|\?xml-stylesheet)/i.test(text.slice(at, at + 20));
}

export function isHarmfulTag(text: string, tag: Tag): boolean {
  const { name, attributes, closed } = tag;
  if (DENIED.has(name) || DENIED.has(localName(name))) return true;
  if (tag.isEnd) return false;
  if (attributes.some((attribute) => isHarmfulAttribute(name, attribute.name, attribute.value))) return true;
  if (!closed && (tag.openQuote || attributes.some((a) => a.value !== '' && isHarmfulWhenCut(a.name)))) return true;
  if (!Object.hasOwn(RAW_CONTENT, name)) return false;
  const content = RAW_CONTENT[name]!;
  content.lastIndex = tag.end;
  const found = content.exec(text);
  return !found || (name === 'style' && isHarmfulCss(found[1]!));
}

/** Whether the attribute may do harm on an element that is cut off at the end of the text. */
function isHarmfulWhenCut(name: string): boolean {
  const local = localName(name.toLowerCase());
  return ADDRESSES.has(local) || local === 'style';
}

export function isHarmfulAttribute(element: string, name: string, written: string): boolean {
  if (written === '') return false;
  const plain = name.toLowerCase().replace(/^[^a-z]+/, '');
  const local = localName(plain);
  if (plain.startsWith('on') || local.startsWith('on')) return true;
  if (NEVER.has(local)) return true;
  if (PROSE.has(plain) || plain.startsWith('aria-')) return false;
  const value = decode(written);
  if (local === 'style') return isHarmfulCss(value);
  if (local === 'attributename') return /^on|href|src|style|action/.test(squeeze(value));
  if (ADDRESSES.has(local)) return isHarmfulReference(element.toLowerCase(), local, value);
  if (local === 'srcset' || local === 'imagesrcset') return /script:|mocha:|data:text/.test(squeeze(value));
  if (ANIMATED.has(local)) return value.split(';').some(isScript);
  return isScript(value);
}

function isHarmfulReference(element: string, attribute: string, address: string): boolean {
  const bare = address.replace(/^[\0- ]+|[\t\n\r]+/g, '');
  // Embedded videos: another site over TLS cannot reach the page. Other frame content could have the page's own origin.
  if (element === 'iframe' && attribute === 'src') return !/^(?:https:)?\/\/[^/\\]/i.test(bare);
  if (element === 'use') return !bare.startsWith('#');
  if (attribute === 'href' && element !== 'image' && element !== 'feimage' && /^data:image\/svg/i.test(bare))
    return true;
  return isHarmfulAddress(address);
}

export function isHarmfulAddress(address: string): boolean {
  if (/^(?:https?:|[/#.?]|data:image\/)/i.test(address)) return false;
  const type = /^data:([^;,]*)/.exec(squeeze(address))?.[1];
  return type === undefined ? isScript(address) : type !== 'image/svg+xml' && /html|xml|script|mixed/.test(type);
}

/** Whether an address runs as a script. */
function isScript(text: string): boolean {
  if (!text.includes(':')) return false;
  const wrapped = /^(?:(?:feed|jar|view-source|wyciwyg|filesystem):)*/;
  return /^(?:(?:java|vb|live|j|ecma)script:|mocha:|data:text\/html)/.test(squeeze(text).replace(wrapped, ''));
}

function isHarmfulCss(css: string): boolean {
  if (!/[\\(@]|\/\*|script|mocha|behavi|binding/i.test(css)) return false;
  const [first, ...rest] = css.split('/*');
  const bare = [first, ...rest.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''))].join('');
  const plain = squeeze(
    bare.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, hex: string | undefined, char: string) =>
      hex ? character(hex, 16) : char,
    ),
  );
  return /expression\(|(?:java|vb|live)script:|mocha:|-moz-binding|(?:^|[;{])behaviou?r:|@import|data:text/.test(plain);
}

/** In lower case, without blanks, control and invisible characters, which some readers of addresses skip. */
function squeeze(text: string): string {
  return text.replace(/[\0-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060\ufeff]+/g, '').toLowerCase();
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** Named references of ASCII characters that are useful to an attack. There are none for letters. */
const NAMED: Record<string, string> = {
  tab: '\t',
  newline: '\n',
  nbsp: ' ',
  ...Object.fromEntries(
    words(`amp& lt< gt> quot" apos' colon: lpar( rpar) sol/ bsol\\ ast* midast* commat@ semi; num#`).map((entry) => [
      entry.slice(0, -1),
      entry.slice(-1),
    ]),
  ),
};
const REFERENCE = new RegExp(`&(?:#x([0-9a-f]+)|#([0-9]+)|(${Object.keys(NAMED).join('|')}));?`, 'gi');

/** Use it only for checks. It may decode more than a browser would, which errs on the safe side. */
export function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) =>
    name === undefined ? character(hex ?? decimal!, hex === undefined ? 10 : 16) : NAMED[name.toLowerCase()]!,
  );
}

function character(digits: string, base: number): string {
  const code = parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
