import { css, html, type TemplateResult } from 'lit';
import { listOf, type Members, numberOf, objectOf, textOf } from '../members';
import { markup } from './markup';
import { setStyles } from './set-styles';

/** Places on an image, in percent of it from its top left. Where the window is narrow the places follow the image as a list. */
export const imageStyle = css`
  .image {
    position: relative;
    inline-size: fit-content;
    max-inline-size: 100%;
  }

  .image > img {
    display: block;
    min-inline-size: 8rem;
    min-block-size: 4rem;
  }

  .image > .place {
    position: absolute;
    direction: ltr;
  }

  .image > .place > * {
    direction: initial;
  }

  .image .filling {
    background: var(--_surface);
    border-radius: var(--_radius);
  }

  @container (max-width: 30rem) {
    .image > .place {
      position: static;
      margin-block-start: 0.5rem;
    }
  }
`;

export const countPlaces = (question: Members): number => listOf(question['response_positions']).length;

/** What a place is called where the author says so. */
export const placeName = (question: Members, at: number): string => textOf(listOf(question['aria_labels'])[at]);

export function onImage(question: Members, place: (at: number) => unknown): TemplateResult {
  const image = objectOf(question['image']);
  const src = textOf(image['src']) || textOf(image['source']) || textOf(question['img_src']);
  const width = numberOf(image['width'] ?? question['max_width'], 0);
  return html`<div
    class="image"
    ${setStyles({ 'max-inline-size': width > 0 ? `min(100%, ${width / 16}rem)` : undefined })}
  >
    ${imageOf(src, textOf(image['alt']), textOf(image['title']))}
    ${listOf(question['response_positions']).map((position, at) => {
      const { x, y } = objectOf(position);
      const styles = setStyles({ left: `${percent(x)}%`, top: `${percent(y)}%` });
      return html`<div class="place" ${styles}>${place(at)}</div>`;
    })}
  </div>`;
}

const percent = (value: unknown): number => Math.min(95, Math.max(0, numberOf(value, 0)));

/** As the sanitiser lets it through: an address of an author may be anything. The same image stays when others change. */
export function imageOf(src: string, alt: string, title: string): unknown {
  const image = document.createElement('img');
  if (src) image.setAttribute('src', src);
  image.setAttribute('alt', alt);
  if (title) image.setAttribute('title', title);
  return markup(image.outerHTML);
}
