import { html, nothing, svg } from 'lit';
import { css } from '../../css';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { entryText, isObject, isTrue, listOf, numberOf, objectOf, textOf } from '../../members';
import { QuestionElement } from '../../question-element';
import { mark, verdictOf } from '../../review';
import { attempted, labelsOf, lineOf, pointsOf, positionsOf, textAt, valueOf } from './answer';

const WIDTH = 600;
const MARGIN = 24;

/** Points on a number line. Each is a slider for keyboard, mouse and finger. */
export default class NumberLineElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .line {
        display: block;
        inline-size: 100%;
        max-inline-size: 44rem;
        direction: ltr;
      }

      .line-title {
        max-inline-size: 44rem;
        margin-block-end: 0.25rem;
        font-weight: 600;
        text-align: center;
      }

      .line text {
        fill: var(--_text);
        font-size: 14px;
        text-anchor: middle;
      }

      /* The drawing shrinks with its container, and its texts stay readable. */
      @container (max-width: 30rem) {
        .line text {
          font-size: 22px;
        }
      }

      .points {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.5rem;
        max-inline-size: 44rem;
        margin: 0.75rem 0 0;
        padding: 0;
        list-style: none;
      }

      .point {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 0.75rem;
      }

      .point > * {
        min-inline-size: 0;
      }

      .points input {
        flex: 1 1 8rem;
        min-inline-size: 6rem;
        min-block-size: 1.5rem;
        accent-color: var(--_accent);
        direction: ltr;
      }
    `,
  ];

  override get attempted() {
    return attempted(this.question, this.value);
  }

  protected override controls() {
    const positions = positionsOf(this.question, this.value);
    const title = textOf(objectOf(this.question['line'])['title']);
    return html`${title === '' ? nothing : html`<div class="line-title content">${markup(title)}</div>`}
      ${this.#line(positions)}
      <div class="points" role="group" aria-labelledby=${this.namedBy}>
        ${pointsOf(this.question).map((point, at) => this.#point(point, at, positions[at]))}
      </div>`;
  }

  #point(point: string, at: number, position: number | undefined) {
    const { min, max, step } = lineOf(this.question).slider;
    const name = plainText(point) || this.label('response_number', at + 1);
    const verdict = verdictOf(this.shownReview?.parts?.[at]);
    const shown = html`<span class="content" aria-hidden="true">${markup(point)}</span>`;
    if (position === undefined)
      return html`<div class="point">
        ${shown}
        <button type="button" class="button" ?disabled=${this.isReadOnly} @click=${() => this.#place(at, this.#middle)}>
          ${this.label('put_on_line', name)}
        </button>
      </div>`;
    return html`<div class="point">
      ${shown}
      <input
        type="range"
        aria-label=${name}
        min=${min}
        max=${max}
        step=${step}
        aria-valuetext=${textAt(this.question, position)}
        .value=${String(position)}
        ?disabled=${this.isReadOnly}
        @input=${(event: Event) => this.#move(at, Number((event.target as HTMLInputElement).value))}
      />
      <output>${textAt(this.question, position)}</output>
      ${
        this.isReadOnly
          ? nothing
          : html`<button type="button" class="button" @click=${() => this.#place(at, undefined)}>
              ${this.label('take_off_line', name)}
            </button>`
      }
      ${verdict ? mark(verdict, this.labels) : nothing}
    </div>`;
  }

  /** The tick in the middle. */
  get #middle(): number {
    const { min, max, ticks } = lineOf(this.question);
    return ticks[Math.round((ticks.length - 1) / 2)] ?? (min + max) / 2;
  }

  /** Puts a point on the line, or takes it off. The pressed button goes, and the focus moves to what takes its place. */
  #place(at: number, position: number | undefined): void {
    this.#move(at, position);
    const point = () => this.renderRoot.querySelectorAll('.point')[at];
    void this.updateComplete.then(() => point()?.querySelector<HTMLElement>('input, button')?.focus());
  }

  #move(at: number, position: number | undefined): void {
    const positions = positionsOf(this.question, this.value).map((each, place) => (place === at ? position : each));
    this.change(valueOf(this.question, positions));
  }

  /** The visual representation. */
  #line(positions: readonly (number | undefined)[]) {
    const { min, max, ticks } = lineOf(this.question);
    const xOf = (position: number) => MARGIN + ((position - min) / (max - min)) * (WIDTH - 2 * MARGIN);
    const line = objectOf(this.question['line']);
    const hasOwnArrows = line['left_arrow'] !== undefined || line['right_arrow'] !== undefined;
    const hasArrow = (side: string) => isTrue(hasOwnArrows ? line[side] : (line['arrows'] ?? true));
    const hasTicks = objectOf(this.question['ticks'])['show'] !== false;
    const points = pointsOf(this.question);
    return html`<svg class="line" viewBox="0 0 ${WIDTH} 96" aria-hidden="true">
      ${svg`<line x1="4" y1="60" x2=${WIDTH - 4} y2="60" stroke="currentColor" stroke-width="2"></line>`}
      ${hasArrow('left_arrow') ? svg`<path d="M10 54 4 60l6 6" fill="none" stroke="currentColor" stroke-width="2"></path>` : nothing}
      ${hasArrow('right_arrow') ? svg`<path d="M590 54l6 6-6 6" fill="none" stroke="currentColor" stroke-width="2"></path>` : nothing}
      ${
        hasTicks
          ? ticks.map(
              (tick) => svg`<line x1=${xOf(tick)} y1="54" x2=${xOf(tick)} y2="66" stroke="currentColor"></line>`,
            )
          : nothing
      }
      ${
        hasTicks || isObject(this.question['labels'])
          ? labelsOf(this.question).map(({ position, text }) => svg`<text x=${xOf(position)} y="84">${text}</text>`)
          : nothing
      }
      ${positions.map((position, at) =>
        position === undefined
          ? nothing
          : svg`<circle cx=${xOf(position)} cy="60" r="7" fill="var(--_accent)"></circle>
              <text x=${xOf(position)} y=${at % 2 === 0 ? 42 : 22}>${plainText(points[at] ?? '')}</text>`,
      )}
    </svg>`;
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct)
      .filter(isObject)
      .map(({ point, position }) => html`${markup(entryText(point))}: ${textAt(this.question, numberOf(position, 0))}`);
  }
}
