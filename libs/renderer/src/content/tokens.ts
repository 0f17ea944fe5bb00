import { directionOf } from './markup';
import { hasMathematics, typesetter } from './mathematics';
import { sanitise } from './sanitise';

export interface Tokenised {
  /** The author's markup, with an element for each token. */
  fragment: DocumentFragment;
  tokens: HTMLElement[];
  /** Each token by itself, as HTML. */
  texts: string[];
  direction: 'rtl' | '';
}

/**
 * Finds the parts of a text that can be chosen: those that the author marked, or else its words, sentences or
 * paragraphs.
 */
export function tokenised(html: string, tokenization: string, root: DocumentFragment | undefined): Tokenised {
  const fragment = sanitise(html);
  const direction = directionOf(fragment.textContent);
  const own = [...fragment.querySelectorAll<HTMLElement>('.lrn_token')];
  const tokens = own.length > 0 || tokenization === 'custom' ? own : split(fragment, tokenization);
  const texts = tokens.map((token) => token.innerHTML);
  // Responses contain positions of tokens. So a formula is one word, whether it is typeset or not.
  const setter = hasMathematics(html) ? typesetter() : undefined;
  if (setter) {
    setter.typeset(fragment);
    if (root) setter.adoptStyles(root);
  }
  return { fragment, tokens, texts, direction };
}

function split(fragment: DocumentFragment, tokenization: string): HTMLElement[] {
  const blocks = blocksOf(fragment);
  if (tokenization === 'paragraph') return blocks.flatMap((block) => wrap(block, (text) => [[0, text.length]]));
  const granularity = tokenization === 'sentence' ? 'sentence' : 'word';
  // Answers contain positions of tokens, so the language of the browser must not change the tokens.
  const segmenter = new Intl.Segmenter('en', { granularity });
  return blocks.flatMap((block) =>
    wrap(block, (text) =>
      [...segmenter.segment(masked(text))]
        // The segmenter marks blanks and punctuation between words. It has no such mark for sentences.
        .filter(({ isWordLike }) => isWordLike !== false)
        .map(({ index, segment }) => [index, index + segment.length]),
    ),
  );
}

/** Replaces LaTeX by a single word of the same length. */
const masked = (text: string): string =>
  text.replace(/\\\(.*?\\\)|\\\[.*?\\\]|\$\$.*?\$\$/gs, (formula) => 'x'.repeat(formula.length));

const BLOCK =
  'address,article,blockquote,dd,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,hr,li,ol,p,pre,section,table,td,th,tr,ul,br';

/** Runs of text nodes that belong together: a paragraph, a list entry, or the text between two breaks. */
function blocksOf(fragment: DocumentFragment): Text[][] {
  const blocks: Text[][] = [[]];
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Element) {
      if (node.matches(BLOCK)) blocks.push([]);
      continue;
    }
    const holder = node.parentElement?.closest(BLOCK) ?? null;
    if (block !== undefined && holder !== block) blocks.push([]);
    block = holder;
    if (!node.parentElement?.closest('math, svg')) blocks.at(-1)!.push(node as Text);
  }
  return blocks.filter((texts) => texts.some(({ data }) => data.trim() !== ''));
}

/**
 * Wraps each range of the text, without blanks at its ends, in an element. Splits markup that crosses the borders of a
 * range.
 */
function wrap(texts: readonly Text[], rangesOf: (text: string) => (readonly [number, number])[]): HTMLElement[] {
  const whole = texts.map(({ data }) => data).join('');
  const tokens: HTMLElement[] = [];
  // Works from the end, so that earlier positions stay valid.
  for (const [start, end] of rangesOf(whole).reverse()) {
    const text = whole.slice(start, end);
    if (text.trim() === '') continue;
    const range = document.createRange();
    range.setStart(...placeOf(texts, start + text.length - text.trimStart().length, false));
    range.setEnd(...placeOf(texts, end - (text.length - text.trimEnd().length), true));
    const token = document.createElement('span');
    token.append(range.extractContents());
    range.insertNode(token);
    tokens.unshift(token);
  }
  return tokens;
}

/** @param isEnd whether a border between two text nodes belongs to the first. */
function placeOf(texts: readonly Text[], offset: number, isEnd: boolean): [Text, number] {
  let from = 0;
  for (const text of texts) {
    const length = text.data.length;
    if (offset < from + length || (isEnd && offset === from + length)) return [text, offset - from];
    from += length;
  }
  const last = texts.at(-1)!;
  return [last, last.data.length];
}
