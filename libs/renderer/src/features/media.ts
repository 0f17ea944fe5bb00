import { css, html, nothing, type TemplateResult } from 'lit';
import { markup } from '../content/markup';
import { type Labels, fill, labelsFor } from '../labels';
import { type Members, numberOf, objectOf, textOf } from '../members';

/** Audio and video with the browser's own controls, a limit of plays, and a transcript. */

export const mediaStyle = css`
  figure {
    margin: 0;
  }

  audio,
  video {
    display: block;
    inline-size: 100%;
    max-inline-size: 44rem;
  }

  figcaption,
  .plays {
    margin-block: 0.375rem 0;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  summary {
    min-block-size: 1.5rem;
    color: var(--_accent);
    cursor: pointer;
  }
`;

/** The maximum number of plays; 0 for no limit. */
export const limitOf = (feature: Members): number => Math.max(0, Math.round(numberOf(feature['playback_limit'], 0)));

export interface Media {
  feature: Members;
  labels: Labels;
  /** The number of complete plays. */
  plays: number;
  player: TemplateResult;
}

export function mediaFigure({ feature, labels, plays, player }: Media): TemplateResult {
  const texts = Object.keys(labels).length > 0 ? labels : labelsFor('en');
  const heading = textOf(feature['heading']);
  const caption = textOf(feature['caption']);
  const transcript = textOf(objectOf(feature['metadata'])['transcript']);
  const limit = limitOf(feature);
  return html`<figure>
    ${heading === '' ? nothing : html`<div role="heading" aria-level="3" class="content">${markup(heading)}</div>`}
    ${player} ${caption === '' ? nothing : html`<figcaption class="content">${markup(caption)}</figcaption>`}
    ${limit === 0 ? nothing : html`<p class="plays" role="status">${fill(texts.plays_left, [Math.max(0, limit - plays)])}</p>`}
    ${
      transcript === ''
        ? nothing
        : html`<details>
            <summary>${texts.transcript}</summary>
            <div class="content">${markup(transcript)}</div>
          </details>`
    }
  </figure>`;
}

/** Passes an event of the media on to the page. Such events do not bubble. */
export function passOn({ type, currentTarget }: Event): void {
  ((currentTarget as Node).getRootNode() as ShadowRoot).host.dispatchEvent(new Event(type));
}

/** The address of the media, if it is on the web or relative to the page. */
export function addressOf(feature: Members): string {
  const src = textOf(feature['src']);
  try {
    return ['http:', 'https:', 'blob:'].includes(new URL(src, document.baseURI).protocol) ? src : '';
  } catch {
    return '';
  }
}
