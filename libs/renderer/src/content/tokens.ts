import { hasMathematics, typesetter } from './mathematics';
import { sanitise } from './sanitise';

export interface Tokenised {
  /** What the author wrote, with an element for each token. */
  fragment: DocumentFragment;
  tokens: HTMLElement[];
  /** Each token by itself, as HTML. */
  texts: string[];
}

/** Parts of a text that can be chosen: those that the author marked; else its words, sentences or paragraphs. */
export function tokenised(html: string, tokenization: string, root: DocumentFragment | undefined): Tokenised {
  const fragment = sanitise(html);
  const own = [...fragment.querySelectorAll<HTMLElement>('.lrn_token')];
  const tokens = own.length > 0 || tokenization === 'custom' ? own : split(fragment, tokenization);
  const texts = tokens.map((token) => token.innerHTML);
  // Tokens are positions: mathematics is one of them in words, set or not.
  const setter = hasMathematics(html) ? typesetter() : undefined;
  if (setter) {
    setter.typeset(fragment);
    if (root) setter.adoptStyles(root);
  }
  return { fragment, tokens, texts };
}

function split(fragment: DocumentFragment, tokenization: string): HTMLElement[] {
  const blocks = blocksOf(fragment);
  if (tokenization === 'paragraph') return blocks.flatMap((block) => wrap(block, (text) => [[0, text.length]]));
  const granularity = tokenization === 'sentence' ? 'sentence' : 'word';
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  return blocks.flatMap((block) =>
    wrap(block, (text) =>
      [...segmenter.segment(masked(text))]
        // Of words the blanks and points between them are none; sentences have no such mark.
        .filter(({ isWordLike }) => isWordLike !== false)
        .map(({ index, segment }) => [index, index + segment.length]),
    ),
  );
}

/** LaTeX as a single word of the same length. */
const masked = (text: string): string =>
  text.replace(/\\\(.*?\\\)|\\\[.*?\\\]|\$\$.*?\$\$/gs, (formula) => 'x'.repeat(formula.length));

const BLOCK =
  'address,article,blockquote,dd,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,hr,li,ol,p,pre,section,table,td,th,tr,ul,br';

/** Runs of texts that stand in one line of thought: a paragraph, an entry of a list, what is between two breaks. */
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

/** Puts each range of the text, without the blanks at its ends, into an element. Markup that crosses a border is divided. */
function wrap(texts: readonly Text[], rangesOf: (text: string) => (readonly [number, number])[]): HTMLElement[] {
  const whole = texts.map(({ data }) => data).join('');
  const tokens: HTMLElement[] = [];
  // From the end, so that what is before keeps its place.
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

/** @param isEnd then a border between two texts belongs to the first. */
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
