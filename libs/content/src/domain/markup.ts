/*
 * The module has two halves. `isHarmless` proves that a text cannot run anything, and such a text is never changed. All
 * other texts go through sanitize-html, and the result must pass the same proof. So every returned text is proved,
 * the two parsers need not agree, and sanitising twice equals sanitising once.
 *
 * The proof holds for any state of a browser's parser: each `<` that could begin a tag is read as one, even within an
 * attribute or a comment, and raw-text elements are refused or must contain no markup.
 * So moving, nesting or serialising the text again cannot create a tag that was not checked.
 */
import sanitizeHtml from 'sanitize-html';
import { ALLOWED, ALLOWED_STRICTLY, DROPPED_WITH_CONTENT, KNOWN, VOID } from './markup-names';
import { isHarmfulAttribute, isHarmfulDeclaration, isHarmfulTag, isHarmless, tagAt } from './markup-proof';

/** Counts removals. */
export interface Tally {
  removed: number;
}

/** The library's parser is quadratic in the depth of nesting. No real text has nearly as many tags. */
const MAX_TAGS = 10_000;

export function cleanMarkup(written: string, tally: Tally): string {
  if (isHarmless(written)) return written;
  const text = written.replace(/[\0\ufdd0-\ufdd3]+/g, '');
  if (text.split('<').length <= MAX_TAGS) {
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
    allowVulnerableTags: true, // <style> may stay, because the proof checks its content
    nonTextTags: DROPPED_WITH_CONTENT,
    allowedAttributes: false,
    nonBooleanAttributes: [],
    allowedSchemesAppliedToAttributes: [], // all are checked below
    parseStyleAttributes: false,
    selfClosing: VOID,
    parser: { decodeEntities: false, lowerCaseAttributeNames: false },
    transformTags: {
      '*': (tagName, attribs) => {
        const kept = Object.entries(attribs).filter(([name, value]) => !isHarmfulAttribute(tagName, name, value));
        const gone = Object.keys(attribs).length - kept.length;
        const drop = tagName === 'iframe' && !kept.some(([name]) => name.toLowerCase() === 'src');
        tally.removed += drop || !allowedTags.includes(tagName) ? 1 : gone;
        // The library would parse a srcset, and change one that it cannot parse.
        const attributes = kept.map(([name, value]): [string, string] => [
          /srcset$/i.test(name) ? SHELTERED_NAME + name : name,
          value,
        ]);
        return { tagName: drop ? 'script' : tagName, attribs: Object.fromEntries(attributes) };
      },
    },
  };
}

/** Noncharacters that replace characters in text that the library would escape. The input has none of them. */
const SHELTERED: Record<string, string> = { '<': '\ufdd0', '>': '\ufdd1', '&': '\ufdd2' };
/** Prefix for a name that the library would process. */
const SHELTERED_NAME = '\ufdd3';

/**
 * Hides text that is not markup from the library, so that it comes back byte for byte: `a < b`, `&nbsp;`, `\(a<b\)`,
 * `x<y then`.
 */
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
    // The library treats `x<y then` and `<o:p>` as text. An unknown name that never ends is always text.
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

/** The end of `\(…\)`, `\[…\]` or `$$…$$`, or -1. Stops at the next opening mark, so that a text is read only once. */
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
