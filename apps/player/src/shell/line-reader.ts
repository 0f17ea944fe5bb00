import { css, html, LitElement, type TemplateResult } from 'lit';
import type { PlayerLabelKey, Say } from '../labels';

/** CSS pixels. */
const STEP = 16;
const LEAST = 32;
const START = 64;

const MOVES: readonly [key: string, sign: string, label: PlayerLabelKey, by: number, taller: number][] = [
  ['ArrowUp', '↑', 'line_up', -STEP, 0],
  ['ArrowDown', '↓', 'line_down', STEP, 0],
  ['+', '+', 'line_taller', 0, STEP],
  ['-', '−', 'line_lower', 0, -STEP],
];

/**
 * Covers the window except for a gap of a few lines. Clicks pass through the covers, so learners can still answer. The gap
 * follows the focus.
 */
export class LineReader extends LitElement {
  static override styles = css`
    :host {
      position: fixed;
      inset: 0;
      z-index: 20;
      pointer-events: none;
    }

    .cover {
      position: absolute;
      inset-inline: 0;
      background: light-dark(rgb(29 39 51 / 0.85), rgb(0 0 0 / 0.85));
    }

    .bar {
      position: absolute;
      inset-inline-start: 0;
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem;
      max-inline-size: 100%;
      box-sizing: border-box;
      padding: 0.25rem;
      border: 1px solid light-dark(#7a8797, #8493a5);
      border-radius: 0 0 0.5rem 0.5rem;
      color: light-dark(#1d2733, #e9eef4);
      background: light-dark(#f3f6fa, #202834);
      pointer-events: auto;
      cursor: ns-resize;
      touch-action: none;
    }

    button {
      min-inline-size: 2.25rem;
      min-block-size: 2.25rem;
      border: 1px solid light-dark(#7a8797, #8493a5);
      border-radius: 0.5rem;
      font: inherit;
      color: inherit;
      background: light-dark(#ffffff, #161c25);
    }

    button:focus-visible {
      outline: 0.1875rem solid light-dark(#0b57d0, #a8c7fa);
      outline-offset: 0.125rem;
    }

    @media (forced-colors: active) {
      .cover {
        forced-color-adjust: none;
      }
    }
  `;

  say!: Say;
  /** The gap moves to any element in here that gets the focus. */
  watched!: HTMLElement;
  onleave: () => void = () => undefined;
  #top = Math.round(innerHeight / 3);
  #height = START;
  #grabbedAt: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watched.addEventListener('focusin', this.#follow);
    window.addEventListener('resize', this.#resize);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watched.removeEventListener('focusin', this.#follow);
    window.removeEventListener('resize', this.#resize);
  }

  override focus(): void {
    this.renderRoot.querySelector('button')?.focus();
  }

  close(): void {
    this.onleave();
  }

  protected override render(): TemplateResult {
    return html`<div class="cover above"></div>
      <div class="cover below"></div>
      <div
        class="bar"
        role="group"
        aria-label=${this.say('line_reader')}
        @keydown=${this.#key}
        @pointerdown=${this.#grab}
        @pointermove=${this.#drag}
        @pointerup=${() => (this.#grabbedAt = undefined)}
        @pointercancel=${() => (this.#grabbedAt = undefined)}
      >
        ${MOVES.map(
          ([, sign, label, by, taller]) =>
            html`<button type="button" aria-label=${this.say(label)} @click=${() => this.#move(by, taller)}>
              ${sign}
            </button>`,
        )}
        <button type="button" aria-label=${this.say('close')} @click=${() => this.close()}>×</button>
      </div>`;
  }

  /** A strict content security policy forbids `style` in markup. So this sets positions. */
  protected override updated(): void {
    const find = (name: string) => this.renderRoot.querySelector<HTMLElement>(`.${name}`)!;
    const bar = find('bar');
    const end = this.#top + this.#height;
    Object.assign(find('above').style, { top: '0', height: `${this.#top}px` });
    Object.assign(find('below').style, { top: `${end}px`, bottom: '0' });
    // The bar is below the gap if there is room, and otherwise above it.
    const hasRoom = end + bar.offsetHeight <= innerHeight;
    bar.style.top = `${Math.max(0, hasRoom ? end : this.#top - bar.offsetHeight)}px`;
  }

  #move(by: number, taller = 0): void {
    this.#height = Math.min(Math.max(LEAST, this.#height + taller), Math.round(innerHeight / 2));
    this.#top = Math.min(Math.max(0, this.#top + by), innerHeight - this.#height);
    this.requestUpdate();
  }

  readonly #resize = () => this.#move(0);

  readonly #key = (event: KeyboardEvent) => {
    const found = MOVES.find(([key]) => key === event.key);
    if (event.key === 'Escape') this.close();
    else if (found) this.#move(found[3], found[4]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  readonly #follow = (event: FocusEvent) => {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    const { top, bottom } = target.getBoundingClientRect();
    const isSeen = top < this.#top + this.#height && bottom > this.#top;
    if (!isSeen) this.#move(Math.round((top + bottom - this.#height) / 2) - this.#top);
  };

  readonly #grab = (event: PointerEvent) => {
    if ((event.target as Element).closest('button')) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#grabbedAt = event.clientY - this.#top;
  };

  readonly #drag = (event: PointerEvent) => {
    if (this.#grabbedAt !== undefined) this.#move(event.clientY - this.#grabbedAt - this.#top);
  };
}
