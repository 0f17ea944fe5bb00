import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { css } from '../../css';
import { setStyles } from '../../content/set-styles';
import { type LabelKey, type Labels, labelsFor } from '../../labels';
import { type Members, isObject, numberOf, textOf } from '../../members';
import { baseStyle } from '../../style';

/* Lengths in CSS pixels. */
const CENTIMETRE = 96 / 2.54;
const INCH = 96;
const STEP = 10;
const RULER_HEIGHT = 72;
const RADIUS = 200;
/** Degrees. */
const TURN = 5;

/** The length of a ruler in units, the size of a unit, and the number of marks within one. */
const RULERS: Readonly<Record<string, { count: number; unit: number; marks: number }>> = {
  'ruler-15-cm': { count: 15, unit: CENTIMETRE, marks: 10 },
  'ruler-30-cm': { count: 30, unit: CENTIMETRE, marks: 10 },
  'ruler-6-inches': { count: 6, unit: INCH, marks: 16 },
  'ruler-12-inches': { count: 12, unit: INCH, marks: 16 },
};

const MOVES: readonly [key: string, sign: string, label: LabelKey, x: number, y: number, turn: number][] = [
  ['ArrowLeft', '←', 'tool_left', -STEP, 0, 0],
  ['ArrowRight', '→', 'tool_right', STEP, 0, 0],
  ['ArrowUp', '↑', 'tool_up', 0, -STEP, 0],
  ['ArrowDown', '↓', 'tool_down', 0, STEP, 0],
  ['<', '↺', 'turn_left', 0, 0, -TURN],
  ['>', '↻', 'turn_right', 0, 0, TURN],
];

/** A ruler, a protractor or a picture over the page. It can be dragged, or moved and turned by buttons and keys. */
export default class ImageTool extends LitElement {
  static override styles = [
    baseStyle,
    css`
      .tool {
        position: fixed;
        z-index: 10;
        inset-block-start: 30%;
        left: 1rem;
        touch-action: none;
        direction: ltr;
      }

      .picture {
        display: block;
        cursor: grab;
        max-inline-size: none;
      }

      .picture svg,
      .picture img {
        display: block;
        max-inline-size: none;
      }

      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        inline-size: max-content;
        max-inline-size: calc(100vw - 2rem);
        margin-block-end: 0.25rem;
        padding: 0.25rem;
        border-radius: var(--_radius);
        background: var(--_sunken);
      }

      .body {
        fill: light-dark(#fff6d8, #4a4220);
        fill-opacity: 0.5;
        stroke: var(--_text);
      }

      .line {
        stroke: var(--_text);
      }

      text {
        fill: var(--_text);
        font-size: 12px;
        text-anchor: middle;
      }
    `,
  ];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  @state() private isOpen = false;
  @state() private x = 0;
  @state() private y = 0;
  @state() private angle = 0;
  private grabbed: { x: number; y: number } | undefined;

  protected override render(): TemplateResult {
    return html`<button type="button" class="button" aria-expanded=${this.isOpen} @click=${() => this.toggle()}>
        ${this.name}
      </button>
      ${this.isOpen ? this.tool() : nothing}`;
  }

  private get image(): string {
    const { image } = this.feature;
    return textOf(isObject(image) ? (image['src'] ?? image['source']) : image);
  }

  private get name(): string {
    const given = textOf(this.feature['label']);
    if (given !== '') return given;
    return this.labels[this.image === 'protractor' ? 'protractor' : this.image in RULERS ? 'ruler' : 'image_tool'];
  }

  private get canTurn(): boolean {
    return this.feature['rotate'] !== false && this.feature['rotate'] !== 'false';
  }

  private tool(): TemplateResult {
    const moves = MOVES.filter(([, , , , , turn]) => turn === 0 || this.canTurn);
    return html`<div
      class="tool"
      role="group"
      aria-label=${this.name}
      ${setStyles({ transform: `translate(${this.x}px, ${this.y}px)` })}
      @keydown=${this.key}
    >
      <div class="buttons">
        ${moves.map(
          ([, sign, label, x, y, turn]) =>
            html`<button
              type="button"
              class="button"
              aria-label=${this.labels[label]}
              @click=${() => this.move(x, y, turn)}
            >
              ${sign}
            </button>`,
        )}
        <button type="button" class="button" aria-label=${this.labels.close} @click=${() => this.close()}>×</button>
      </div>
      <span
        class="picture"
        role="img"
        aria-label=${`${this.name}, ${this.angle}°`}
        ${setStyles({ transform: `rotate(${this.angle}deg)` })}
        @pointerdown=${this.grab}
        @pointermove=${this.drag}
        @pointerup=${() => (this.grabbed = undefined)}
        @pointercancel=${() => (this.grabbed = undefined)}
        >${this.picture()}</span
      >
    </div>`;
  }

  private picture(): TemplateResult {
    const ruler = RULERS[this.image];
    if (ruler) return rulerPicture(ruler);
    if (this.image === 'protractor') return protractorPicture();
    const size = (member: string) =>
      numberOf(this.feature[member], 0) > 0 ? `${numberOf(this.feature[member], 0)}px` : undefined;
    return html`<img
      alt=""
      draggable="false"
      src=${/^(https?:)?\/\/|^[\w./-]+$/.test(this.image) ? this.image : ''}
      ${setStyles({ width: size('width'), height: size('height') })}
    />`;
  }

  /** Opens at the first place. A tool may have been lost beyond the edge of the window, which may be smaller by now. */
  private toggle(): void {
    this.isOpen = !this.isOpen;
    this.x = this.y = 0;
  }

  private move(x: number, y: number, turn: number): void {
    this.x += x;
    this.y += y;
    this.angle = (this.angle + turn + 360) % 360;
  }

  private key(event: KeyboardEvent): void {
    const found = MOVES.find(([key]) => key === event.key);
    if (event.key === 'Escape') this.close();
    else if (found && (found[5] === 0 || this.canTurn)) this.move(found[3], found[4], found[5]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private grab(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
    event.preventDefault();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.grabbed = { x: event.clientX - this.x, y: event.clientY - this.y };
  }

  private drag(event: PointerEvent): void {
    if (this.grabbed && event.isPrimary)
      [this.x, this.y] = [event.clientX - this.grabbed.x, event.clientY - this.grabbed.y];
  }

  private close(): void {
    this.isOpen = false;
    this.renderRoot.querySelector('button')?.focus();
  }
}

function rulerPicture({ count, unit, marks }: (typeof RULERS)[string]): TemplateResult {
  const width = count * unit + 20;
  const lines = Array.from({ length: count * marks + 1 }, (_, at) => {
    const x = 10 + (at * unit) / marks;
    const end = at % marks === 0 ? 20 : at % (marks / 2) === 0 ? 14 : 8;
    return svg`<line class="line" x1=${x} x2=${x} y1="0" y2=${end}></line>`;
  });
  const numbers = Array.from({ length: count + 1 }, (_, at) => svg`<text x=${10 + at * unit} y="34">${at}</text>`);
  return html`<svg width=${width} height=${RULER_HEIGHT} aria-hidden="true">
    <rect class="body" width=${width} height=${RULER_HEIGHT}></rect>
    ${lines}${numbers}
  </svg>`;
}

function protractorPicture(): TemplateResult {
  const at = (degrees: number, radius: number): [number, number] => {
    const angle = (degrees * Math.PI) / 180;
    return [RADIUS + 10 - radius * Math.cos(angle), RADIUS + 10 - radius * Math.sin(angle)];
  };
  const lines = Array.from({ length: 181 }, (_, degrees) => {
    const [x1, y1] = at(degrees, RADIUS);
    const [x2, y2] = at(degrees, RADIUS - (degrees % 10 === 0 ? 18 : degrees % 5 === 0 ? 12 : 7));
    return svg`<line class="line" x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;
  });
  const numbers = Array.from({ length: 19 }, (_, tens) => {
    const [x, y] = at(tens * 10, RADIUS - 30);
    return svg`<text x=${x} y=${y + 4}>${tens * 10}</text>`;
  });
  const [width, height] = [2 * RADIUS + 20, RADIUS + 30];
  return html`<svg width=${width} height=${height} aria-hidden="true">
    <path
      class="body"
      d="M10 ${RADIUS + 10} A ${RADIUS} ${RADIUS} 0 0 1 ${2 * RADIUS + 10} ${RADIUS + 10} V ${height} H 10 Z"
    ></path>
    <line class="line" x1="10" y1=${RADIUS + 10} x2=${2 * RADIUS + 10} y2=${RADIUS + 10}></line>
    ${lines}${numbers}
  </svg>`;
}
