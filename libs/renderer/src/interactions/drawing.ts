/** In percent of what is drawn on, from its top left. */
export interface Point {
  x: number;
  y: number;
}

export interface DrawOptions {
  /** What is drawn on. */
  surface: Element;
  /** The line so far. */
  draw(line: readonly Point[]): void;
  /** The line as it stays; undefined for one that the browser broke off, such as for a zoom with two fingers. */
  end(line: readonly Point[] | undefined): void;
}

/** Percent that a pointer moves before the line has another point: finer ones are seen by nobody. */
const FINENESS = 0.5;
/** What one line may have, for the sake of whoever draws without end. */
const MAX_POINTS = 1000;

/** A line from the `pointerdown` of a mouse, finger or pen to where it is lifted. A press without a move is a dot. */
export function draw(start: PointerEvent, { surface, draw: show, end }: DrawOptions): void {
  if (!start.isPrimary || start.button !== 0) return;
  // No selecting of texts, and no dragging of the image.
  start.preventDefault();
  const following = new AbortController();
  const line: Point[] = [];

  const add = (event: PointerEvent) => {
    const point = pointOf(event, surface);
    const last = line.at(-1);
    if (line.length >= MAX_POINTS || (last && Math.hypot(point.x - last.x, point.y - last.y) < FINENESS)) return;
    line.push(point);
    show(line);
  };
  const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', react: (event: PointerEvent) => void) =>
    window.addEventListener(name, (event) => event.pointerId === start.pointerId && react(event), {
      signal: following.signal,
    });
  listen('pointermove', add);
  listen('pointerup', (event) => {
    following.abort();
    add(event);
    end(line);
  });
  listen('pointercancel', () => {
    following.abort();
    end(undefined);
  });
  add(start);
}

function pointOf({ clientX, clientY }: PointerEvent, surface: Element): Point {
  const { left, top, width, height } = surface.getBoundingClientRect();
  return { x: percent((clientX - left) / width), y: percent((clientY - top) / height) };
}

/** With one decimal; a pointer beside the surface draws on its edge. */
const percent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
