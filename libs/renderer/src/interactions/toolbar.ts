/**
 * Handles `keydown` of a toolbar, which is a single tab stop: arrows, Home and End move between its buttons. The first
 * button has tabindex 0, the others -1.
 */
export function moveInToolbar(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === event.target);
  const to = placeFor(event, at, buttons.length);
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  for (const [place, button] of buttons.entries()) button.tabIndex = place === to ? 0 : -1;
  buttons[to]!.focus();
}

function placeFor({ key, currentTarget }: KeyboardEvent, at: number, count: number): number | undefined {
  const isMirrored = getComputedStyle(currentTarget as HTMLElement).direction === 'rtl';
  const next = (at + 1) % count;
  const previous = (at - 1 + count) % count;
  if (key === 'ArrowDown') return next;
  if (key === 'ArrowUp') return previous;
  if (key === 'ArrowRight') return isMirrored ? previous : next;
  if (key === 'ArrowLeft') return isMirrored ? next : previous;
  return key === 'Home' ? 0 : key === 'End' ? count - 1 : undefined;
}
