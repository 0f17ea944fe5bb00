const DELAY_MS = 150;

let region: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something to screen readers. After a moment: what is said before a change of focus is cut off by it. */
export function announce(text: string): void {
  const status = (region ??= makeRegion());
  if (!status.isConnected) document.body.append(status);
  clearTimeout(timer);
  timer = setTimeout(() => {
    // The same text again would be no change, and not be said.
    status.textContent = status.textContent === text ? `${text}\u00a0` : text;
  }, DELAY_MS);
}

/** One for the document; it is there before anything is said in it. */
export function prepareAnnouncements(): void {
  region ??= makeRegion();
  if (!region.isConnected) document.body.append(region);
}

function makeRegion(): HTMLElement {
  const status = document.createElement('div');
  status.setAttribute('role', 'status');
  // It stands in the page, which has no rules of ours.
  Object.assign(status.style, {
    position: 'absolute',
    inlineSize: '1px',
    blockSize: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  });
  return status;
}
