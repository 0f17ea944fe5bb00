import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { css } from '../css';
import { imageOf } from '../content/image-places';
import { markup } from '../content/markup';
import { PLAYS_WANTED } from '../content/simple-features';
import { fill, type Labels, labelsFor } from '../labels';
import { isObject, type Members, numberOf, objectOf, textOf } from '../members';
import { baseStyle } from '../style';

/** Audio and video with the browser's own controls, a limit of plays, and a transcript. */

const mediaStyle = css`
  figure {
    margin: 0;
  }

  audio,
  video,
  .waveform {
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

/** Seconds. A browser may seek to a slightly earlier place than it was asked for. */
const TOLERANCE = 0.5;

/** The plays of a limited sound or film. */
interface Played {
  /** The number of complete plays. */
  plays: number;
  /** The second that the present play has reached. */
  at: number;
}

/** A sound or film. Each second of a limited one can be heard as often as the limit says, also after a reload. */
export abstract class MediaPlayer extends LitElement {
  static override styles = [baseStyle, mediaStyle];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  /** The browser has no sound or film from the address: nothing is there, or a page that has its own player. */
  @state() private isMissing = false;
  private played: Played = { plays: 0, at: 0 };
  /** The key in the storage of the browser; undefined if the plays are not kept. */
  #key: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const detail: { key?: string } = {};
    this.dispatchEvent(new CustomEvent(PLAYS_WANTED, { bubbles: true, composed: true, detail }));
    this.#key = detail.key;
    this.played = playedIn(this.#key)[this.#name] ?? this.played;
  }

  /** @param hasControls false when the learner has played it as often as allowed. */
  protected abstract media(src: string, hasControls: boolean): TemplateResult;

  protected override render(): TemplateResult {
    const { feature, limit, played } = this;
    const texts = Object.keys(this.labels).length > 0 ? this.labels : labelsFor('en');
    const src = addressIn(feature['src']);
    const heading = textOf(feature['heading']);
    const caption = textOf(feature['caption']);
    const waveform = textOf(feature['waveform']);
    const transcript = textOf(objectOf(feature['metadata'])['transcript']);
    return html`<figure>
      ${heading === '' ? nothing : html`<div role="heading" aria-level="3" class="content">${markup(heading)}</div>`}
      ${waveform === '' ? nothing : html`<div class="waveform">${imageOf(waveform, '', '')}</div>`}
      ${this.media(src, limit === 0 || played.plays < limit)}
      ${
        this.isMissing
          ? html`<p class="plays" role="status">
              ${texts.not_playable}
              ${limit === 0 && src !== '' ? html`<a href=${src} target="_blank" rel="noopener noreferrer">${src}</a>` : nothing}
            </p>`
          : nothing
      }
      ${caption === '' ? nothing : html`<figcaption class="content">${markup(caption)}</figcaption>`}
      ${limit === 0 ? nothing : html`<p class="plays" role="status">${leftText(texts, limit - played.plays)}</p>`}
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

  /** The maximum number of plays; 0 for no limit. */
  private get limit(): number {
    return Math.max(0, Math.round(numberOf(this.feature['playback_limit'], 0)));
  }

  /** Hears every event of the media, and passes it on to the page, because such events do not bubble. */
  protected readonly heard = ({ type, currentTarget }: Event): void => {
    if (type === 'error' || type === 'loadedmetadata') this.isMissing = type === 'error';
    if (this.limit > 0) this.#count(type, currentTarget as HTMLMediaElement);
    this.dispatchEvent(new Event(type));
  };

  #count(type: string, media: HTMLMediaElement): void {
    const { plays, at } = this.played;
    if (type === 'ended') {
      this.#keep({ plays: plays + 1, at: 0 });
      this.requestUpdate();
    } else if (type === 'timeupdate' && media.currentTime > at && !media.ended)
      this.#keep({ plays, at: media.currentTime });
    // A learner who goes back would hear a part again.
    else if ((type === 'seeking' || type === 'loadedmetadata') && media.currentTime < at - TOLERANCE)
      media.currentTime = at;
  }

  /** Features in texts have no id. */
  get #name(): string {
    return textOf(this.feature['feature_id'], addressIn(this.feature['src']));
  }

  #keep(played: Played): void {
    this.played = played;
    if (this.#key === undefined) return;
    try {
      localStorage.setItem(this.#key, JSON.stringify({ ...playedIn(this.#key), [this.#name]: played }));
    } catch {
      // Storage is full or switched off: the plays count until the page is closed.
    }
  }
}

function leftText(texts: Labels, left: number): string {
  if (left <= 0) return texts.plays_left_none;
  return left === 1 ? texts.plays_left_one : fill(texts.plays_left, [left]);
}

function playedIn(key: string | undefined): Record<string, Played> {
  try {
    const kept: unknown = JSON.parse((key === undefined ? null : localStorage.getItem(key)) ?? '{}');
    return isObject(kept) ? (kept as Record<string, Played>) : {};
  } catch {
    return {};
  }
}

/** An address on the web or relative to the page; empty for any other. */
export function addressIn(value: unknown): string {
  const address = textOf(value);
  try {
    return ['http:', 'https:', 'blob:'].includes(new URL(address, document.baseURI).protocol) ? address : '';
  } catch {
    return '';
  }
}
