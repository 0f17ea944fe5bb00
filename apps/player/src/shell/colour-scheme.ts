/** Above this, text is light. */
const MIDDLE = 128;

/** The colour scheme that fits the text of a page around an element. Many dark pages do not declare that they are dark. */
export function schemeAround({ parentElement }: Element): 'light' | 'dark' {
  const canvas = document.createElement('canvas');
  const context = parentElement && canvas.getContext('2d');
  if (!context) return 'light';
  context.fillStyle = getComputedStyle(parentElement).color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return 0.299 * red + 0.587 * green + 0.114 * blue > MIDDLE ? 'dark' : 'light';
}
