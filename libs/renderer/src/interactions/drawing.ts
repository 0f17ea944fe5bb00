/** In percent of the drawing surface, from its top left. */
export interface Point {
  x: number;
  y: number;
}

interface DrawOptions {
  /** The drawing surface. */
  surface: Element;
  /** The line so far. */
  draw(line: readonly Point[]): void;
  /** Called with the finished line; undefined if the browser cancelled it, such as for a pinch zoom. */
  end(line: readonly Point[] | undefined): void;
}

/** The minimum distance between two points, in percent. Smaller distances are invisible. */
const FINENESS = 0.5;
/** The maximum number of points in a line. */
const MAX_POINTS = 1000;

/**
 * Draws a line from the `pointerdown` of a mouse, finger or pen until it is lifted. A press without movement is a dot.
 */
export function draw(start: PointerEvent, { surface, draw: show, end }: DrawOptions): void {
  if (!start.isPrimary || start.button !== 0) return;
  // Prevents text selection and dragging of the image.
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

/** Rounds to one decimal. A pointer outside of the surface draws on its edge. */
const percent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
