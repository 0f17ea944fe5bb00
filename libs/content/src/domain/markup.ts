/*
 * Two halves. `isHarmless` proves that a text cannot run anything, and such a text is never touched. What cannot be
 * proved goes through sanitize-html, and the outcome must pass the same proof. So every text handed back is proved,
 * nothing rests on two parsers agreeing, and sanitising twice equals sanitising once.
 *
 * The proof holds for any state a browser's parser may be in: each `<` that could begin a tag is read as one, also
 * within an attribute or a comment, and elements whose content is raw text are refused or must be empty of markup.
 * Hence moving, nesting or serialising the text again cannot bring forth a tag that was not looked at.
 */
import sanitizeHtml from 'sanitize-html';
import { ALLOWED, ALLOWED_STRICTLY, DROPPED_WITH_CONTENT, KNOWN, VOID } from './markup-names';
import { isHarmfulAttribute, isHarmfulDeclaration, isHarmfulTag, isHarmless, tagAt } from './markup-proof';

/** Counts what goes. */
export interface Tally {
  removed: number;
}

/** The library's parser takes time quadratic in the depth of nesting; no real text comes near this number of tags. */
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
        const attributes = kept.map(([name, value]): [string, string] => [
          /srcset$/i.test(name) ? SHELTERED_NAME + name : name,
          value,
        ]);
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
