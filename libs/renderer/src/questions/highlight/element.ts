import { html, nothing, svg, type SVGTemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { imageOf } from '../../content/image-places';
import { setStyles } from '../../content/set-styles';
import { draw, type Point } from '../../interactions/drawing';
import { type LabelKey } from '../../labels';
import { objectOf } from '../../members';
import { QuestionElement } from '../../question-element';
import { attempted, coloursOf, extended, imageIn, type Stroke, strokeOf, strokesOf, valueOf, widthOf } from './answer';
import { style } from './style';

/**
 * Lines on an image, drawn by mouse or finger, or point by point with two sliders. A person scores them, so review
 * shows no right or wrong.
 */
export default class HighlightElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, style];

  /** The line in progress. It becomes part of the answer when the pointer is lifted. */
  @state() private line: readonly Point[] = [];
  /** The point that the sliders select. */
  @state() private cursor: Point = { x: 50, y: 50 };
  /** The selected colour. */
  @state() private colour = 0;

  override get attempted() {
    return attempted(this.value);
  }

  private get strokes(): Stroke[] {
    return strokesOf(this.value);
  }

  /** The author's text for the colour, which may be invalid. */
  private get pen(): string | undefined {
    const colours = coloursOf(this.question);
    return colours[this.colour] ?? colours[0];
  }

  protected override controls() {
    const { src, alt, title, width } = imageIn(this.question);
    const strokes = this.strokes;
    return html`
      <div class="picture" ${setStyles({ 'max-inline-size': width > 0 ? `min(100%, ${width / 16}rem)` : undefined })}>
        ${imageOf(src, alt || this.label('image'), title, objectOf(this.question['image']))}
        <svg
          class="surface"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          @pointerdown=${this.begin}
        >
          ${strokes.map(({ points, color }) => this.drawn(points, color))}
          ${this.line.length > 0 ? this.drawn(this.line, this.pen) : nothing}
          ${svg`<path class="cross" d=${`M0 ${this.cursor.y}H100M${this.cursor.x} 0V100`}></path>`}
        </svg>
      </div>
      <p class="hint count">${this.label('marks', strokes.length)}</p>
      ${strokes.length === 0 ? nothing : this.listed(strokes)} ${this.mode === 'review' ? nothing : this.tools()}
    `;
  }

  /** Describes the position of the lines for screen readers. */
  private listed(strokes: readonly Stroke[]) {
    return html`<ol class="visually-hidden">
      ${strokes.map(({ points: [first] }) => html`<li>${this.label('mark_at', first!.x, first!.y)}</li>`)}
    </ol>`;
  }

  private drawn(points: readonly Point[], colour: string | undefined): SVGTemplateResult {
    const [first] = points;
    // A line of length zero with round ends draws a single point.
    const all = points.length === 1 ? [first!, first!] : points;
    return svg`<polyline
      points=${all.map(({ x, y }) => `${x},${y}`).join(' ')}
      stroke-width=${widthOf(this.question)}
      ${setStyles({ stroke: colour !== undefined && CSS.supports('color', colour) ? colour : undefined })}
    ></polyline>`;
  }

  private readonly begin = (event: PointerEvent): void => {
    if (this.isReadOnly) return;
    draw(event, {
      surface: event.currentTarget as Element,
      draw: (line) => (this.line = [...line]),
      end: (line) => {
        this.line = [];
        if (line) this.put([...this.strokes, strokeOf(line, this.pen)]);
      },
    });
  };

  private put(strokes: readonly Stroke[]): void {
    if (this.isReadOnly) return;
    this.change(valueOf(strokes));
    this.announce('marks', strokes.length);
  }

  private tools() {
    const colours = coloursOf(this.question);
    const mark = () => this.put([...this.strokes, strokeOf([this.cursor], this.pen)]);
    const lead = () => this.put(extended(this.strokes, this.cursor, this.pen));
    return html`
      <p id="hint" class="hint">${this.label('draw_hint')}</p>
      ${colours.length > 1 ? this.colours(colours) : nothing}
      <div class="tools" role="group" aria-labelledby=${this.namedBy} aria-describedby="hint">
        <div class="sliders">${this.slider('across', 'x')} ${this.slider('down', 'y')}</div>
        <div class="buttons">
          ${this.button('mark_here', mark)} ${this.button('line_here', lead)}
          ${this.button('undo', () => this.strokes.length > 0 && this.put(this.strokes.slice(0, -1)))}
          ${this.button('clear', () => this.strokes.length > 0 && this.put([]))}
        </div>
      </div>
    `;
  }

  private colours(colours: readonly string[]) {
    return html`<div class="colours" role="radiogroup" aria-label=${this.label('colour')}>
      ${colours.map(
        (colour, at) =>
          html`<label>
            <input
              type="radio"
              name="colour"
              .checked=${live(this.pen === colour)}
              ?disabled=${this.isReadOnly}
              @change=${() => (this.colour = at)}
            />
            <span
              class="swatch"
              ${setStyles({ background: CSS.supports('color', colour) ? colour : undefined })}
            ></span>
            ${this.label('colour_number', at + 1)}
          </label>`,
      )}
    </div>`;
  }

  private slider(name: LabelKey, axis: keyof Point) {
    return html`<label>
      <span>${this.label(name)}</span>
      <input
        type="range"
        min="0"
        max="100"
        .value=${live(String(this.cursor[axis]))}
        aria-valuetext="${this.cursor[axis]} %"
        ?disabled=${this.isReadOnly}
        @input=${(event: Event) =>
          (this.cursor = { ...this.cursor, [axis]: Number((event.target as HTMLInputElement).value) })}
      />
    </label>`;
  }

  private button(name: LabelKey, press: () => void) {
    return html`<button type="button" class="button" ?disabled=${this.isReadOnly} @click=${press}>
      ${this.label(name)}
    </button>`;
  }
}
