/** Above this, text is light. */
const MIDDLE = 128;

/** The schemes of the colours of text that were met. */
const known = new Map<string, 'light' | 'dark'>();

/** The colour scheme that fits the text of a page around an element. Many dark pages do not declare that they are dark. */
export function schemeAround({ parentElement }: Element): 'light' | 'dark' {
  if (!parentElement) return 'light';
  const { color } = getComputedStyle(parentElement);
  const scheme = known.get(color) ?? schemeFor(color);
  known.set(color, scheme);
  return scheme;
}

/** @param color in any notation of CSS. Only a canvas turns all of them into numbers. */
function schemeFor(color: string): 'light' | 'dark' {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 'light';
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return 0.299 * red + 0.587 * green + 0.114 * blue > MIDDLE ? 'dark' : 'light';
}
