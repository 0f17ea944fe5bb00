import type { Json, JsonObject } from '#kernel';
import sanitizeHtml from 'sanitize-html';

/**
 * Two halves. `isHarmless` proves that a text cannot run anything, and such a text is never touched. What cannot be
 * proved goes through sanitize-html, and the outcome must pass the same proof. So every text handed back is proved,
 * nothing rests on two parsers agreeing, and sanitising twice equals sanitising once.
 *
 * The proof holds for any state a browser's parser may be in: each `<` that could begin a tag is read as one, also
 * within an attribute or a comment, and elements whose content is raw text are refused or must be empty of markup.
 * Hence moving, nesting or serialising the text again cannot bring forth a tag that was not looked at.
 */
export interface Sanitised {
  /** The very object that was passed in when nothing had to go. */
  data: JsonObject;
  /** How many elements, attributes and addresses went. */
  removed: number;
}

/** Removes what could run in a reader's browser from a question's or feature's definition. Never touches answers and formulas. */
export function sanitiseWidgetData(data: JsonObject): Sanitised {
  const tally = { removed: 0 };
  return { data: cleanObject(data, false, tally), removed: tally.removed };
}

/** The same for the members of an item that may hold markup; title, note, source and the rest are plain text and stay. */
export function sanitiseItem(item: JsonObject): Sanitised {
  const tally = { removed: 0 };
  let data = item;
  for (const key of ['content', 'description', 'definition', 'metadata', 'dynamic_content_data']) {
    const before = item[key];
    if (before === undefined) continue;
    const after = clean(before, key, false, tally);
    if (after !== before) data = { ...data, [key]: after };
  }
  return { data, removed: tally.removed };
}

interface Tally {
  removed: number;
}

// The members of a definition

/** Answers are compared, never shown as markup: whole subtrees, whatever they hold. */
const ANSWERS = new Set(['validation', 'valid_response', 'valid_responses', 'alt_responses']);
/** Texts with a notation of their own. An object of this name is looked into all the same. */
const NOTATION = new Set(['value', 'formula', 'latex', 'tex']);
const ADDRESS_MEMBER =
  /(?:^|[_-])(?:src|url|uri|href|link|poster|image|img|icon|thumbnail|waveform|audio|video|media|file|sound|css|js)$|(?:Src|Url|Uri|Href)$/i;
/** Objects whose members are all addresses: `js: { question, scorer }` of custom questions. */
const ADDRESS_GROUP = new Set(['js', 'css']);

function clean(value: Json, key: string, group: boolean, tally: Tally): Json {
  if (typeof value === 'string') return cleanText(value, key, group, tally);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cleanList(value, key, group, tally) : cleanObject(value, ADDRESS_GROUP.has(key), tally);
}

function cleanObject(object: JsonObject, group: boolean, tally: Tally): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    if (ANSWERS.has(key)) continue;
    const before = object[key]!;
    const after = clean(before, key, group, tally);
    if (after !== before) (copy ??= { ...object })[key] = after;
  }
  return copy ?? object;
}

function cleanList(list: Json[], key: string, group: boolean, tally: Tally): Json[] {
  let copy: Json[] | undefined;
  for (const [index, before] of list.entries()) {
    const after = clean(before, key, group, tally);
    if (after !== before) (copy ??= [...list])[index] = after;
  }
  return copy ?? list;
}

function cleanText(text: string, key: string, group: boolean, tally: Tally): string {
  if (NOTATION.has(key)) return text;
  if (/[:&]/.test(text) && (group || ADDRESS_MEMBER.test(key))) {
    if (isHarmfulAddress(text) || isHarmfulAddress(decode(text))) {
      tally.removed++;
      return '';
    }
    if (/^data:/i.test(text)) return text; // an inline image may be written in plain SVG
  }
  return text.includes('<') ? cleanMarkup(text, tally) : text;
}

// Markup: the library, between two proofs

/** The library's parser takes time quadratic in the depth of nesting; no real text comes near this number of tags. */
const MOST_TAGS = 10_000;

function cleanMarkup(written: string, tally: Tally): string {
  if (isHarmless(written)) return written;
  const text = written.replace(/[\0\ufdd0-\ufdd3]+/g, '');
  if (text.split('<').length <= MOST_TAGS) {
    for (const tags of [ALLOWED, ALLOWED_STRICTLY]) {
      const found = { removed: 0 };
      const cleaned = sanitizeHtml(shelter(text), libraryOptions(tags, found));
      const result = [unshelter(cleaned), unshelter(cleaned, '&lt;', '&gt;')].find(isHarmless);
      if (result === undefined) continue;
      tally.removed += Math.max(1, found.removed);
      return result;
    }
  }
  tally.removed++;
  return text.replaceAll('<', '&lt;');
}

function libraryOptions(allowedTags: string[], tally: Tally): sanitizeHtml.IOptions {
  return {
    allowedTags,
    allowVulnerableTags: true, // <style> may stay, the proof looks into it
    nonTextTags: DROPPED_WITH_CONTENT,
    allowedAttributes: false,
    nonBooleanAttributes: [],
    allowedSchemesAppliedToAttributes: [], // all are judged below
    parseStyleAttributes: false,
    selfClosing: VOID,
    parser: { decodeEntities: false, lowerCaseAttributeNames: false },
    transformTags: {
      '*': (tagName, attribs) => {
        const kept = Object.entries(attribs).filter(([name, value]) => !isHarmfulAttribute(tagName, name, value));
        const gone = Object.keys(attribs).length - kept.length;
        const drop = tagName === 'iframe' && !kept.some(([name]) => name.toLowerCase() === 'src');
        tally.removed += drop || !allowedTags.includes(tagName) ? 1 : gone;
        // The library would parse a srcset, and print those it cannot.
        const attributes = kept.map(([name, value]) => [/srcset$/i.test(name) ? SHELTERED_NAME + name : name, value]);
        return { tagName: drop ? 'script' : tagName, attribs: Object.fromEntries(attributes) };
      },
    },
  };
}

/** Noncharacters, taken out beforehand, stand in for what the library would escape in text that is not markup. */
const SHELTERED: Record<string, string> = { '<': '\ufdd0', '>': '\ufdd1', '&': '\ufdd2' };
/** Before a name that the library would act upon. */
const SHELTERED_NAME = '\ufdd3';

/** Hides from the library what is not markup, so that it comes back byte for byte: `a < b`, `&nbsp;`, `\(a<b\)`, `x<y then`. */
function shelter(text: string): string {
  const hide = (part: string) => part.replace(/[<>&]/g, (mark) => SHELTERED[mark]!);
  const points = /<|\\[^<]|\$\$/g;
  let result = '';
  let done = 0;
  for (let point = points.exec(text); point !== null; point = points.exec(text)) {
    const at = point.index;
    if (text[at] !== '<') {
      const end = formulaEnd(text, at);
      if (end !== -1 && isHarmless(text.slice(at, end))) points.lastIndex = end;
      continue;
    }
    const tag = tagAt(text, at);
    // `x<y then` and `<o:p>` are text to the library. What is called like no element and never ends is text in any case.
    const known = tag && KNOWN.has(tag.name);
    const isMarkup = tag
      ? (known && tag.closed) || ((known || tag.closed) && isHarmfulTag(text, tag))
      : isHarmfulDeclaration(text, at, text.length);
    if (!isMarkup) continue;
    const end = tag?.end ?? at + 1;
    result += hide(text.slice(done, at)) + text.slice(at, end);
    points.lastIndex = done = end;
  }
  return result + hide(text.slice(done));
}

function unshelter(text: string, less = '<', greater = '>'): string {
  return text
    .replaceAll('\ufdd0', less)
    .replaceAll('\ufdd1', greater)
    .replaceAll('\ufdd2', '&')
    .replaceAll(SHELTERED_NAME, '');
}

/** Where `\(…\)`, `\[…\]` or `$$…$$` ends, or -1. Stops at the next opening mark, so that a whole text costs one pass. */
function formulaEnd(text: string, at: number): number {
  const open = text[at + 1]!;
  if (open === '$') {
    const end = text.indexOf('$', at + 2);
    return end > at + 2 && text[end + 1] === '$' ? end + 2 : -1;
  }
  if (open !== '(' && open !== '[') return -1;
  const close = open === '(' ? ')' : ']';
  for (let i = text.indexOf('\\', at + 2); i !== -1; i = text.indexOf('\\', i + 2)) {
    if (text[i + 1] === close) return i + 2;
    if (text[i + 1] === open) return -1;
  }
  return -1;
}

// The proof

function isHarmless(text: string): boolean {
  if (text.includes('\0')) return false; // skipped by some readers, even within a name
  // Tags may overlap (`<a <a <a`). What they share is read once, except by these few; beyond the budget there is no proof.
  let budget = 4 * text.length + 1_000;
  const shared = new Map<number, Tag>();
  let lastCommentEnd: number | undefined;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const tag = tagAt(text, at, shared);
    if (tag) {
      budget -= tag.read;
      if (budget < 0 || isHarmfulTag(text, tag)) return false;
      const next = text.indexOf('<', at + 1);
      if (next === -1) return true;
      const isJudged = !tag.isEnd && !JUDGED_APART.has(tag.name); // those of an end tag are not
      if (next < tag.end && isJudged) tag.attributes.forEach((attribute) => shared.set(attribute.at, tag));
    } else if (text[at + 1] === '!' || text[at + 1] === '?') {
      if (isHarmfulDeclaration(text, at, (lastCommentEnd ??= text.lastIndexOf('-->')))) return false;
    }
  }
  return true;
}

interface Tag {
  name: string;
  isEnd: boolean;
  attributes: { name: string; value: string; at: number }[];
  /** Index after the tag. */
  end: number;
  /** False when the text ends within the tag. */
  closed: boolean;
  /** The text ends within a quoted value: what comes after it on the page would become part of the tag. */
  openQuote: boolean;
  /** How many characters it took to read it. */
  read: number;
}

const TAG_NAME = /<(\/?)([a-z][^\t\n\f\r />]*)/iy;
const BETWEEN = /[\t\n\f\r /]*/y;
const ATTRIBUTE =
  /(=?[^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)("?)|'([^']*)('?)|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?/y;

/**
 * The tag that begins at this `<`, read as the HTML standard tells browsers to, or undefined when none begins there.
 * Where it runs into the attributes of a tag that was found harmless, they are left out and only its end is taken over.
 */
function tagAt(text: string, at: number, shared?: Map<number, Tag>): Tag | undefined {
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

/** Elements for which the same attribute is judged by other rules. */
const JUDGED_APART = new Set(['iframe', 'use', 'image', 'feimage']);

function isHarmfulDeclaration(text: string, at: number, lastCommentEnd: number): boolean {
  if (text.startsWith('<!--', at)) return at > lastCommentEnd;
  return /^<(?:!(?:doctype|entity|element|attlist|notation)|\?xml-stylesheet)/i.test(text.slice(at, at + 20));
}

/** Elements with raw text in them are harmless when nothing in that text could be read as the beginning of a tag. */
const RAW_CONTENT: Record<string, RegExp> = {
  style: /([^<&]*)<\/style\s*>/iy,
  title: /([^<]*)<\/title\s*>/iy,
  iframe: /([^<&]*)<\/iframe\s*>/iy,
};

function isHarmfulTag(text: string, tag: Tag): boolean {
  const { name, attributes, closed } = tag;
  if (DENIED.has(name) || DENIED.has(localName(name))) return true;
  if (tag.isEnd) return false;
  if (attributes.some((attribute) => isHarmfulAttribute(name, attribute.name, attribute.value))) return true;
  if (!closed && (tag.openQuote || attributes.some((a) => a.value !== '' && isTelling(a.name)))) return true;
  if (!Object.hasOwn(RAW_CONTENT, name)) return false;
  const content = RAW_CONTENT[name]!;
  content.lastIndex = tag.end;
  const found = content.exec(text);
  return !found || (name === 'style' && isHarmfulCss(found[1]!));
}

/** Whether the attribute gives an element that is cut off at the end of the text something to do. */
function isTelling(name: string): boolean {
  const local = localName(name.toLowerCase());
  return ADDRESSES.has(local) || local === 'style';
}

function isHarmfulAttribute(element: string, name: string, written: string): boolean {
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
  // eslint-disable-next-line no-control-regex
  const bare = address.replace(/^[\0- ]+|[\t\n\r]+/g, '');
  // Embedded videos: another site over TLS cannot reach the page; anything else in a frame could be the page's own site.
  if (element === 'iframe' && attribute === 'src') return !/^(?:https:)?\/\/[^/\\]/i.test(bare);
  if (element === 'use') return !bare.startsWith('#');
  if (attribute === 'href' && element !== 'image' && element !== 'feimage' && /^data:image\/svg/i.test(bare))
    return true;
  return isHarmfulAddress(address);
}

function isHarmfulAddress(address: string): boolean {
  if (/^(?:https?:|[/#.?]|data:image\/)/i.test(address)) return false;
  const type = /^data:([^;,]*)/.exec(squeeze(address))?.[1];
  return type === undefined ? isScript(address) : type !== 'image/svg+xml' && /html|xml|script|mixed/.test(type);
}

/** Whether a text runs when it is followed as an address. */
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
    bare.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, hex, char) => (hex ? character(hex, 16) : char)),
  );
  return /expression\(|(?:java|vb|live)script:|mocha:|-moz-binding|(?:^|[;{])behaviou?r:|@import|data:text/.test(plain);
}

/** Without blanks, control and invisible characters, which some readers of addresses skip; in lower case. */
function squeeze(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\0-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060\ufeff]+/g, '').toLowerCase();
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** The named references that stand for an ASCII character of use to an attack; there is none for a letter. */
const NAMED: Record<string, string> = {
  ...{ tab: '\t', newline: '\n', nbsp: ' ' },
  ...Object.fromEntries(
    words(`amp& lt< gt> quot" apos' colon: lpar( rpar) sol/ bsol\\ ast* midast* commat@ semi; num#`).map((entry) => [
      entry.slice(0, -1),
      entry.slice(-1),
    ]),
  ),
};
const REFERENCE = new RegExp(`&(?:#x([0-9a-f]+)|#([0-9]+)|(${Object.keys(NAMED).join('|')}));?`, 'gi');

/** For judging only: where it reads more than a browser would, it errs on the safe side. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) =>
    name === undefined ? character(hex ?? decimal!, hex === undefined ? 10 : 16) : NAMED[name.toLowerCase()]!,
  );
}

function character(digits: string, base: number): string {
  const code = parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

// The names

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const VOID = words('area br col hr img input param source track wbr');
const HTML = words(`
  a abbr acronym address article aside audio b bdi bdo big blink blockquote body button canvas caption center cite code
  colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5
  h6 head header hgroup html i iframe ins kbd label legend li listing main map mark marquee menu menuitem meter nav nobr ol
  optgroup option output p picture pre progress q rb rp rt rtc ruby s samp search section select slot small span strike
  strong style sub summary sup table tbody td tfoot th thead time title tr tt u ul var video`);
const SVG = words(`
  svg animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path pattern
  polygon polyline radialGradient rect set stop switch symbol text textPath tref tspan use view`);
const MATHML = words(`
  math annotation annotation-xml maction maligngroup malignmark menclose merror mfenced mfrac mglyph mi mlabeledtr
  mlongdiv mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace
  msqrt msrow mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`);
const ALLOWED = [...VOID, ...HTML, ...SVG, ...MATHML];
const ALLOWED_STRICTLY = ALLOWED.filter((name) => !Object.hasOwn(RAW_CONTENT, name));

const DROPPED_WITH_CONTENT = words(
  'script style title iframe noscript noembed noframes xmp plaintext textarea template comment',
);
/** Run, load, redirect or frame something, send a form, or make the parser read their content as raw text. */
const DENIED = new Set(
  words(`
  script noscript noembed noframes xmp plaintext textarea template comment object embed applet frame frameset base link meta
  form portal fencedframe bgsound layer ilayer isindex xml import handler listener`),
);
const KNOWN = new Set([...ALLOWED.map((name) => name.toLowerCase()), ...DENIED]);

const NEVER = new Set(words('srcdoc action formaction http-equiv'));
const ADDRESSES = new Set(
  words(`
  href src base data codebase background poster cite longdesc ping manifest profile usemap dynsrc lowsrc classid archive
  code icon`),
);
/** What an animation sets an attribute to. */
const ANIMATED = new Set(words('to from by values'));
/** Read by people, never followed. */
const PROSE = new Set(words('alt title label placeholder summary content value abbr'));
