/** A closed dialog returns the focus, and a new screen takes it, within this time. */
const SETTLED_MS = 100;

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(':disabled');
const isNowhere = () => (document.activeElement ?? document.body) === document.body;

/**
 * Keeps the place of a person who uses the keyboard. Browsers forget it when the focused control is disabled, as buttons
 * are while they work, or removed. The focus then returns to the control, or goes to what was around it, to what opened
 * its dialog, or to the heading of the screen. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  /** The control with the focus, and the elements around it from the inside out. Empty: the person gave the focus up. */
  let path: HTMLElement[] = [];
  /** The dialog of the control, and the path to what opened it. */
  let dialog: Element | null = null;
  let opener: HTMLElement[] = [];
  let timer = 0;
  /** The control that has just lost the focus. */
  let left: HTMLElement | undefined;

  /** Notes that the person gave the focus up, if the control can still be used. */
  function noteLeaving() {
    if (left !== undefined && path[0] === left && isNowhere() && isUsable(left)) path = [];
    left = undefined;
  }

  function restore() {
    // On a busy page, this timer may be due before the one of `leave`.
    noteLeaving();
    const [control] = path;
    if (control === undefined || !isNowhere()) return;
    // The control works, and can be used again when it has finished.
    if (control.isConnected && control.hasAttribute('data-loading')) return;
    const place = [...path, ...opener].find((each) => isUsable(each) && each.closest('main *, [role=dialog]'));
    focusOn(place ?? document.querySelector<HTMLElement>('h1'));
  }

  const enter = ({ target }: FocusEvent) => {
    const element = target as HTMLElement;
    const around = element.closest('[role=dialog]');
    if (around !== dialog) opener = around === null ? [] : [...path, ...opener];
    dialog = around;
    path = [];
    for (let each: HTMLElement | null = element; each && each !== document.body; each = each.parentElement)
      path.push(each);
  };
  const leave = ({ target }: FocusEvent) => {
    // A removed element loses the focus while it is still in the page. So this checks a moment later.
    left = target as HTMLElement;
    setTimeout(noteLeaving);
  };
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = window.setTimeout(restore, SETTLED_MS);
  });
  document.addEventListener('focusin', enter);
  document.addEventListener('focusout', leave);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', enter);
    document.removeEventListener('focusout', leave);
  };
}

/** Moves the focus to an element. An element that keys do not reach stays focusable until it loses the focus. */
function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return;
  element.tabIndex = -1;
  element.style.outline = 'none';
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}
