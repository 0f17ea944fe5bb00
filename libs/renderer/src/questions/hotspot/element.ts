import { css, html, nothing, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { sanitise } from '../../content/sanitise';
import { isObject, isTrue, listOf, numberOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { classOf, mark, type Verdict } from '../../review';

/** Areas of an image: pressed on the image, or chosen in the list below it. */
export default class HotspotElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .picture {
        position: relative;
        inline-size: fit-content;
        max-inline-size: 100%;
        direction: ltr;
      }

      .picture img {
        display: block;
        min-inline-size: 8rem;
      }

      .picture svg {
        position: absolute;
        inset: 0;
        inline-size: 100%;
        block-size: 100%;
      }

      polygon {
        fill: transparent;
        stroke: var(--_accent);
        stroke-width: 2;
        vector-effect: non-scaling-stroke;
      }

      .question:not(.is-read-only) polygon {
        cursor: pointer;
      }

      polygon.is-chosen {
        fill: var(--_accent);
        fill-opacity: 0.4;
        stroke-width: 4;
      }

      .areas {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 1.25rem;
        margin-block-start: 0.75rem;
      }

      .areas label {
        display: inline-flex;
        align-items: center;
        gap: 0.5rem;
        min-block-size: 2rem;
        padding-inline: 0.25rem;
      }

      .areas input {
        inline-size: 1.25rem;
        block-size: 1.25rem;
        accent-color: var(--_accent);
      }
    `,
  ];

  get #areas(): { x: number; y: number }[][] {
    return listOf(this.question['areas']).map((area) =>
      listOf(area)
        .filter(isObject)
        .map(({ x, y }) => ({ x: numberOf(x, 0), y: numberOf(y, 0) })),
    );
  }

  #nameOf(area: number): string {
    const own = listOf(objectOf(this.question['area_attributes'])['individual'])
      .filter(isObject)
      .find((each) => textOf(each['area']) === String(area));
    return textOf(own?.['aria_label']) || textOf(own?.['label']) || this.label('area', area + 1);
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
    const picture = document.createElement('img');
    picture.setAttribute('src', textOf(image['source']) || textOf(image['src']));
    picture.setAttribute('alt', textOf(image['alt']));
    const width = numberOf(image['width'], 0);
    if (width > 0) picture.setAttribute('width', String(width));
    const isMultiple = isTrue(this.question['multiple_responses']);
    return html`<div class="picture">
        ${sanitise(picture.outerHTML)}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          ${areas.map(
            (points, area) => svg`<polygon
              points=${points.map(({ x, y }) => `${x},${y}`).join(' ')}
              class=${this.#chosen(this.value).includes(String(area)) ? 'is-chosen' : ''}
              @click=${() => this.#toggle(area, isMultiple)}
            ></polygon>`,
          )}
        </svg>
      </div>
      <div class="areas" role=${isMultiple ? 'group' : 'radiogroup'} aria-labelledby=${this.namedBy}>
        ${areas.map((_, area) => this.#choice(area, isMultiple))}
      </div>`;
  }

  #choice(area: number, isMultiple: boolean) {
    const verdict = this.#verdict(area);
    return html`<label class=${classOf(verdict)}>
      <input
        type=${isMultiple ? 'checkbox' : 'radio'}
        name="area"
        .checked=${live(this.#chosen(this.value).includes(String(area)))}
        ?disabled=${this.isReadOnly}
        @change=${() => this.#toggle(area, isMultiple)}
      />
      ${this.#nameOf(area)} ${verdict ? mark(verdict, this.labels) : nothing}
    </label>`;
  }

  #toggle(area: number, isMultiple: boolean): void {
    if (this.isReadOnly) return;
    const key = String(area);
    const chosen = this.#chosen(this.value);
    const next = !isMultiple ? [key] : chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key];
    const most = numberOf(this.question['max_selection'], 0);
    if (isMultiple && most > 0 && next.length > most) {
      this.announce('most_chosen', chosen.length);
      this.requestUpdate();
      return;
    }
    this.change(next.length === 0 ? null : next);
  }

  #verdict(area: number): Verdict | undefined {
    const review = this.shownReview;
    const key = String(area);
    const place = this.#chosen(this.value).indexOf(key);
    if (place >= 0) {
      const part = review?.parts?.[place];
      return typeof part === 'boolean' ? (part ? 'right' : 'wrong') : undefined;
    }
    return this.#chosen(review?.correct).includes(key) ? 'missed' : undefined;
  }

  protected override readonly correctAnswersAre = 'a set';

  protected override correctAnswers(correct: unknown) {
    return this.#chosen(correct).map((area) => html`${this.#nameOf(Number(area))}`);
  }
}
