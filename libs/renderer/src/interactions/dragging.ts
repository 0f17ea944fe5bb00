/** Pixels that a pointer moves before a press becomes a drag. */
const THRESHOLD = 6;
/** Pixels from the edge of the window within which it scrolls. */
const EDGE = 48;
const SCROLL_STEP = 10;

interface DragOptions {
  root: ShadowRoot;
  /** The dragged element. It stays in place, and a drag image follows the pointer. */
  source: HTMLElement;
  begin(): void;
  /** The drop target below the pointer, if there is one. */
  targetAt(element: Element | null): HTMLElement | undefined;
  /** Called at the end of the drag. The target is undefined when the drop had none. */
  end(target: HTMLElement | undefined): void;
}

/** Follows a mouse, finger or pen from its `pointerdown`. A press without movement remains a click. */
export function drag(start: PointerEvent, options: DragOptions): void {
  if (!start.isPrimary || start.button !== 0) return;
  const following = new AbortController();
  let picture: HTMLElement | undefined;
  let over: HTMLElement | undefined;
  let pointer = { x: start.clientX, y: start.clientY };
  const { left, top } = options.source.getBoundingClientRect();
  /** The position of the pointer within the dragged element. */
  const grip = { x: start.clientX - left, y: start.clientY - top };

  const setOver = (target: HTMLElement | undefined) => {
    over?.removeAttribute('data-over');
    target?.setAttribute('data-over', '');
    over = target;
  };
  const look = () => {
    Object.assign(picture!.style, { left: `${pointer.x - grip.x}px`, top: `${pointer.y - grip.y}px` });
    setOver(options.targetAt(options.root.elementFromPoint(pointer.x, pointer.y)));
  };
  const scroll = () => {
    if (!picture?.isConnected) return;
    const step = pointer.y < EDGE ? -SCROLL_STEP : pointer.y > window.innerHeight - EDGE ? SCROLL_STEP : 0;
    if (step !== 0) {
      window.scrollBy(0, step);
      look();
    }
    requestAnimationFrame(scroll);
  };
  const stop = (target: HTMLElement | undefined) => {
    following.abort();
    setOver(undefined);
    if (!picture) return;
    picture.remove();
    swallowClick(options.root);
    options.end(target);
  };
  const listen = <Name extends keyof WindowEventMap>(name: Name, react: (event: WindowEventMap[Name]) => void) =>
    window.addEventListener(name, react, { signal: following.signal });

  listen('pointermove', (event) => {
    if (event.pointerId !== start.pointerId) return;
    pointer = { x: event.clientX, y: event.clientY };
    if (!picture) {
      if (Math.hypot(pointer.x - start.clientX, pointer.y - start.clientY) < THRESHOLD) return;
      picture = pictureOf(options.source, options.root);
      options.begin();
      requestAnimationFrame(scroll);
    }
    look();
  });
  listen('pointerup', (event) => event.pointerId === start.pointerId && stop(over));
  listen('pointercancel', (event) => event.pointerId === start.pointerId && stop(undefined));
  listen('keydown', (event) => event.key === 'Escape' && stop(undefined));
}

/** Shows the drag image in the top layer, where nothing covers or clips it. */
function pictureOf(source: HTMLElement, root: ShadowRoot): HTMLElement {
  const picture = source.cloneNode(true) as HTMLElement;
  for (const name of ['data-response', 'data-place', 'data-from', 'id']) picture.removeAttribute(name);
  picture.classList.add('dragged');
  picture.ariaHidden = 'true';
  picture.popover = 'manual';
  picture.style.width = `${source.getBoundingClientRect().width}px`;
  (source.closest('.has-handles') ?? root).append(picture);
  picture.showPopover();
  return picture;
}

/** Suppresses the click that browsers fire at the end of a drag. */
function swallowClick(root: ShadowRoot): void {
  const swallow = (event: Event) => event.stopPropagation();
  root.addEventListener('click', swallow, { capture: true });
  setTimeout(() => root.removeEventListener('click', swallow, { capture: true }));
}
