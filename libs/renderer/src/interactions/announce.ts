const DELAY_MS = 150;

let region: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The next announcement: messages first, then the last step of the learner. */
let messages: string[] = [];
let step = '';

/**
 * Announces a step of the learner to screen readers, after a short delay. A change of focus would cut off an earlier
 * announcement. Only the last of several quick steps is announced.
 */
export function announce(text: string): void {
  step = text;
  announceSoon();
}

/** Announces what the learner must not miss: a step that follows at once does not replace it. */
export function announceMessage(text: string): void {
  if (!messages.includes(text)) messages.push(text);
  announceSoon();
}

function announceSoon(): void {
  prepareAnnouncements();
  const status = region!;
  clearTimeout(timer);
  timer = setTimeout(() => {
    const text = [...messages, step].filter(Boolean).join(' ');
    messages = [];
    step = '';
    // Adds a blank to a repeated text, because an unchanged text would not be announced.
    status.textContent = status.textContent === text ? `${text}\u00a0` : text;
  }, DELAY_MS);
}

/** One live region for the document. It must exist before the first announcement. */
export function prepareAnnouncements(): void {
  if (!region?.isConnected) announceIn(document.body);
}

/**
 * Moves the live region into an element. While a modal dialog is open, or an element fills the screen, screen readers get
 * nothing of the page around it. The region becomes empty, because its old text would be announced again, and a step that
 * waits is out of date.
 */
export function announceIn(place: Element): void {
  region ??= makeRegion();
  region.textContent = step = '';
  place.append(region);
}

function makeRegion(): HTMLElement {
  const status = document.createElement('div');
  status.setAttribute('role', 'status');
  // Sets styles here, because the region is in the page, outside of our style sheets.
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
