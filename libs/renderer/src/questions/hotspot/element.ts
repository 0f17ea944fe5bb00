import { html, nothing, svg } from 'lit';
import { state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { imageOf } from '../../content/image-places';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { setStyles } from '../../content/set-styles';
import { Choosing } from '../../interactions/choosing';
import { choosingStyle } from '../../interactions/choosing-style';
import { isObject, isTrue, listOf, numberOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { namedRationales } from '../../rationales';
import { classOf, mark, type Verdict, verdictOf } from '../../review';
import { style } from './style';

interface Point {
  x: number;
  y: number;
}

/** Areas of an image that learners press on the image, or choose in the list below it. */
export default class HotspotElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, choosingStyle, style];

  /** The area that is highlighted on the image by its entry in the list. */
  @state() private shownArea: number | undefined;

  private readonly choosing: Choosing = new Choosing(this, {
    chosen: () => this.#chosen(this.value),
    limits: () => ({ min: 0, max: this.#isMultiple ? numberOf(this.question['max_selection'], 0) : 0 }),
    choose: (areas) => this.change(areas.length === 0 ? null : areas),
  });

  get #isMultiple(): boolean {
    return isTrue(this.question['multiple_responses']);
  }

  get #areas(): Point[][] {
    return listOf(this.question['areas']).map((area) =>
      listOf(area)
        .filter(isObject)
        .map(({ x, y }) => ({ x: numberOf(x, 0), y: numberOf(y, 0) })),
    );
  }

  /** The attributes of an area in `area_attributes`, merged over the global ones. */
  #attributes(area: number): Record<string, unknown> {
    const { global, individual } = objectOf(this.question['area_attributes']);
    const own = listOf(individual)
      .filter(isObject)
      .find((each) => textOf(each['area']) === String(area));
    return { ...objectOf(global), ...own };
  }

  /** HTML. */
  #labelOf(area: number): string {
    const { label, aria_label } = this.#attributes(area);
    return textOf(label) || textOf(aria_label) || this.label('area', area + 1);
  }

  /** The accessible name. It contains the visible label, so that voice control finds the area. */
  #nameOf(area: number): string {
    const seen = plainText(this.#labelOf(area)) || this.label('area', area + 1);
    const name = textOf(this.#attributes(area)['aria_label']);
    return name.includes(seen) ? name : name === '' ? seen : `${seen}, ${name}`;
  }

  #chosen(value: unknown): string[] {
    return listOf(value).map((area) => textOf(area));
  }

  override get attempted() {
    return attemptedOf(this.#chosen(this.value).length > 0 ? 1 : 0, 1);
  }

  protected override controls() {
    const image = objectOf(this.question['image']);
    const areas = this.#areas;
    const { hint } = this.choosing;
    return html`${hint === undefined ? nothing : html`<p id="hint" class="hint">${hint}</p>`}
      <div class="picture">
        ${imageOf(textOf(image['source']) || textOf(image['src']), textOf(image['alt']), '', image)}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          ${areas.map((points, area) => this.#shape(points, area))}
        </svg>
        ${areas.map((points, area) => this.#badge(points, area))}
      </div>
      <div
        class="areas"
        role=${this.#isMultiple ? 'group' : 'radiogroup'}
        aria-labelledby=${this.namedBy}
        aria-describedby=${hint === undefined ? nothing : 'hint'}
      >
        ${areas.map((_, area) => this.#choice(area))}
      </div>
      ${namedRationales(this.shownReview, (area) => this.#labelOf(area))}`;
  }

  #shape(points: readonly Point[], area: number) {
    const { fill, stroke } = this.#attributes(area);
    const key = String(area);
    const own = { fill: colourOf(fill), stroke: colourOf(stroke) };
    const classes = [
      own.stroke === undefined ? 'is-plain' : '',
      this.choosing.isChosen(key) ? 'is-chosen' : '',
      this.shownArea === area ? 'is-shown' : '',
      classOf(this.#verdict(area)),
    ];
    const at = points.map(({ x, y }) => `${x},${y}`).join(' ');
    return svg`<g class=${classes.join(' ')} @click=${() => this.#press(key)}>
      <polygon class="around" points=${at}></polygon>
      <polygon class="area" points=${at} ${setStyles({ '--fill': own.fill, '--stroke': own.stroke })}></polygon>
    </g>`;
  }

  /** A shape on the area that distinguishes chosen and reviewed areas without colour. */
  #badge(points: readonly Point[], area: number) {
    const verdict = this.#verdict(area);
    if (points.length === 0 || (!verdict && !this.choosing.isChosen(String(area)))) return nothing;
    const { x, y } = middleOf(points);
    return html`<span
      class="badge ${classOf(verdict)}"
      aria-hidden="true"
      ${setStyles({ left: `${inside(x)}%`, top: `${inside(y)}%` })}
      >${verdict ? mark(verdict, this.labels, true) : html`<span class="dot"></span>`}</span
    >`;
  }

  #choice(area: number) {
    const verdict = this.#verdict(area);
    const isMultiple = this.#isMultiple;
    const key = String(area);
    const show = (shown: number | undefined) => () => (this.shownArea = shown);
    return html`<label class="choice ${classOf(verdict)}" @pointerenter=${show(area)} @pointerleave=${show(undefined)}>
      <input
        type=${isMultiple ? 'checkbox' : 'radio'}
        name="area"
        aria-label=${this.#nameOf(area)}
        .checked=${live(this.choosing.isChosen(key))}
        ?disabled=${this.isReadOnly}
        @focus=${show(area)}
        @blur=${show(undefined)}
        @change=${(event: Event) => (isMultiple ? this.choosing.toggle(key, event) : this.choosing.one(key))}
      />
      <span class="content" aria-hidden="true">${markup(this.#labelOf(area))}</span>
      ${verdict ? mark(verdict, this.labels) : nothing}
    </label>`;
  }

  #press(key: string): void {
    if (this.isReadOnly) return;
    if (this.#isMultiple) this.choosing.press(key);
    else this.choosing.one(key);
  }

  #verdict(area: number): Verdict | undefined {
    const review = this.shownReview;
    const key = String(area);
    const place = this.#chosen(this.value).indexOf(key);
    if (place >= 0) return verdictOf(review?.parts?.[place]);
    return this.#chosen(this.missable).includes(key) ? 'missed' : undefined;
  }

  protected override readonly correctAnswersAre = 'a set';

  protected override correctAnswers(correct: unknown) {
    return this.#chosen(correct).map((area) => html`${markup(this.#labelOf(Number(area)))}`);
  }
}

/** Accepts only colours, because an SVG paint may also be a URL. */
function colourOf(value: unknown): string | undefined {
  const text = textOf(value).trim();
  return CSS.supports('color', text) ? text : undefined;
}

/** The centre of the bounding box of a shape. */
function middleOf(points: readonly Point[]): Point {
  const middle = (numbers: number[]) => (Math.min(...numbers) + Math.max(...numbers)) / 2;
  return { x: middle(points.map(({ x }) => x)), y: middle(points.map(({ y }) => y)) };
}

const inside = (percent: number): number => Math.min(95, Math.max(5, percent));
