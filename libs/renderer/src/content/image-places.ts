import { html, type TemplateResult } from 'lit';
import { css } from '../css';
import { listOf, type Members, numberOf, objectOf, textOf } from '../members';
import { containerOf } from '../response-container';
import { markup } from './markup';
import { setStyles } from './set-styles';

/**
 * Places on an image, in percent of its size from the top left. In a narrow container the places follow the image as a
 * list, and numbers on the image show their positions.
 */
export const imageStyle = css`
  .image {
    position: relative;
    inline-size: fit-content;
    max-inline-size: 100%;
  }

  .picture {
    position: relative;
  }

  .picture > img {
    display: block;
    min-inline-size: 8rem;
    min-block-size: 4rem;
  }

  .spot {
    position: absolute;
  }

  .number {
    display: none;
    flex: none;
    justify-content: center;
    align-items: center;
    min-inline-size: 1.5rem;
    block-size: 1.5rem;
    border: 1px solid var(--_border);
    border-radius: 0.75rem;
    background: var(--_surface);
    font-size: 0.875rem;
    font-weight: 600;
    line-height: 1;
  }

  .picture > .number {
    position: absolute;
  }

  .image .filling {
    background: var(--_surface);
    border-radius: var(--_radius);
  }

  /* Left and right are sides of the image, which is not mirrored. The pointer does not block presses. */
  .points::after {
    --_long: 1rem;
    --_short: 0.625rem;

    content: '';
    position: absolute;
    background: var(--_border);
    pointer-events: none;
  }

  .points.top::after,
  .points.bottom::after {
    left: calc(50% - var(--_long) / 2);
    width: var(--_long);
    height: var(--_short);
  }

  .points.left::after,
  .points.right::after {
    top: calc(50% - var(--_long) / 2);
    width: var(--_short);
    height: var(--_long);
  }

  .points.top::after {
    bottom: 100%;
    clip-path: polygon(50% 0, 100% 100%, 0 100%);
  }

  .points.bottom::after {
    top: 100%;
    clip-path: polygon(0 0, 100% 0, 50% 100%);
  }

  .points.left::after {
    right: 100%;
    clip-path: polygon(100% 0, 100% 100%, 0 50%);
  }

  .points.right::after {
    left: 100%;
    clip-path: polygon(0 0, 100% 50%, 0 100%);
  }

  @media (forced-colors: active) {
    .points::after {
      background: CanvasText;
      forced-color-adjust: none;
    }
  }

  @container (max-width: 30rem) {
    .points::after {
      display: none;
    }

    .number {
      display: inline-flex;
    }

    .spot {
      /* Beside the number. */
      --_room: calc(100cqi - 2rem);

      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      justify-items: start;
      gap: 0.5rem;
      align-items: center;
      position: static;
      margin-block-start: 0.5rem;
    }
  }
`;

export const countPlaces = (question: Members): number => listOf(question['response_positions']).length;

/** The author's name for a place; empty if there is none. */
export const placeName = (question: Members, at: number): string => textOf(listOf(question['aria_labels'])[at]);

export function onImage(question: Members, place: (at: number) => unknown): TemplateResult {
  const image = objectOf(question['image']);
  const src = textOf(image['src']) || textOf(image['source']) || textOf(question['img_src']);
  const width = numberOf(image['width'] ?? question['max_width'], 0);
  const positions = listOf(question['response_positions']).map((position) => {
    const { x, y } = objectOf(position);
    return { left: `${percent(x)}%`, top: `${percent(y)}%` };
  });
  return html`<div
    class="image"
    ${setStyles({ 'max-inline-size': width > 0 ? `min(100%, ${width / 16}rem)` : undefined })}
  >
    <div class="picture">
      ${imageOf(src, textOf(image['alt']), textOf(image['title']), image)}
      ${positions.map((styles, at) => html`<span class="number" aria-hidden="true" ${setStyles(styles)}>${at + 1}</span>`)}
    </div>
    ${positions.map(
      (styles, at) =>
        html`<div class="spot ${pointerOf(question, at)}" ${setStyles(styles)}>
          <span class="number" aria-hidden="true">${at + 1}</span>${place(at)}
        </div>`,
    )}
  </div>`;
}

/** The side from which a place points at the image. */
function pointerOf(question: Members, at: number): string {
  const side = textOf(containerOf(question, at).members['pointer']);
  return SIDES.has(side) ? `points ${side}` : '';
}

const SIDES: ReadonlySet<string> = new Set(['top', 'right', 'bottom', 'left']);

const percent = (value: unknown): number => Math.min(95, Math.max(0, numberOf(value, 0)));

/**
 * Passes the image through the sanitiser, because an author may enter anything as the address. An unchanged image keeps
 * its element.
 * @param size its declared `width` and `height`, which it keeps when its file is missing.
 */
export function imageOf(src: string, alt: string, title: string, size: Members = {}): unknown {
  const image = document.createElement('img');
  if (src) image.setAttribute('src', src);
  image.setAttribute('alt', alt);
  if (title) image.setAttribute('title', title);
  for (const side of ['width', 'height']) {
    const length = numberOf(size[side], 0);
    if (length > 0) image.setAttribute(side, String(length));
  }
  return markup(image.outerHTML);
}
