const TAG = /(<[^<>]*>)/;
const BLOCK =
  /^<\/?(?:address|article|blockquote|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul|br|tbody)\b/i;

/**
 * A text with an element around each token, in the same form in which authors mark tokens. Finds words, sentences and
 * paragraphs as the player does; undefined if markup within a line makes that uncertain.
 */
export function tokenised(html: string, tokenization: string): string | undefined {
  if (tokenization === 'custom' || html.includes('lrn_token')) return html;
  const pieces = html.split(TAG).filter((piece) => piece !== '');
  if (pieces.some((piece) => piece.startsWith('<') && !BLOCK.test(piece)) || /&|\\\(|\\\[|\$\$/.test(html))
    return undefined;
  return pieces.map((piece) => (piece.startsWith('<') ? piece : marked(piece, tokenization))).join('');
}

function marked(text: string, tokenization: string): string {
  if (tokenization === 'paragraph') return around(text);
  const granularity = tokenization === 'sentence' ? 'sentence' : 'word';
  return [...new Intl.Segmenter('en', { granularity }).segment(text)]
    .map(({ segment, isWordLike }) => (isWordLike === false ? segment : around(segment)))
    .join('');
}

/** Wraps a token, but not the blanks at its ends. */
function around(text: string): string {
  const inner = text.trim();
  if (inner === '') return text;
  const at = text.indexOf(inner);
  return `${text.slice(0, at)}<span class="lrn_token">${inner}</span>${text.slice(at + inner.length)}`;
}
