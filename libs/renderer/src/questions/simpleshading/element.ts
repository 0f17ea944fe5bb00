import { html, nothing } from 'lit';
import { imageOf } from '../../content/image-places';
import { setStyles } from '../../content/set-styles';
import { rem } from '../../css';
import { Choosing } from '../../interactions/choosing';
import { QuestionElement } from '../../question-element';
import { classOf, mark, type Verdict, verdictOf } from '../../review';
import {
  attempted,
  backgroundOf,
  type CellKey,
  cellsIn,
  countIn,
  type Grid,
  gridOf,
  limitsOf,
  placeOf,
  shadedOf,
  valueOf,
} from './answer';
import { style } from './style';

/** The largest number of columns that fit a narrow window. A wider grid scrolls within the page. */
const FITTING_COLUMNS = 11;

/** A grid whose cells learners shade. */
export default class SimpleShadingElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, style];

  private readonly choosing: Choosing = new Choosing(this, {
    chosen: () => shadedOf(this.question, this.value),
    limits: () => limitsOf(this.question),
    choose: (cells) => this.change(valueOf(this.question, cells)),
  });

  override get attempted() {
    return attempted(this.value);
  }

  protected override controls() {
    const grid = gridOf(this.question);
    const background = backgroundOf(this.question);
    const { hint } = this.choosing;
    const keys = Array.from(
      { length: grid.rows * grid.columns },
      (_, at): CellKey => `${Math.floor(at / grid.columns)},${at % grid.columns}`,
    );
    return html`
      ${hint === undefined ? nothing : html`<p id="hint" class="hint">${hint}</p>`}
      <div
        class="scrolls"
        tabindex=${grid.columns > FITTING_COLUMNS ? '0' : nothing}
        role="group"
        aria-labelledby=${this.namedBy}
        aria-describedby=${hint === undefined ? nothing : 'hint'}
      >
        <div class="frame ${background ? 'has-background' : ''}">
          ${
            background
              ? html`<div class="background" ${setStyles({ '--opacity': String(background.opacity) })}>
                  ${imageOf(background.src, background.alt, background.title)}
                </div>`
              : nothing
          }
          <div
            class="grid"
            ${setStyles({
              '--columns': String(grid.columns),
              '--width': rem(grid.width),
              '--height': rem(grid.height),
            })}
          >
            ${keys.map((key) => this.cell(key, grid))}
          </div>
        </div>
      </div>
    `;
  }

  private cell(key: CellKey, { hidden, authored, isFixed }: Grid) {
    if (hidden.has(key)) return html`<span></span>`;
    const [row, column] = placeOf(key);
    if (isFixed && authored.has(key))
      return html`<span
        class="cell is-fixed"
        role="img"
        aria-label=${this.label('shaded_cell', row + 1, column + 1)}
      ></span>`;
    const isShaded = this.choosing.isChosen(key);
    const verdict = this.verdict(key);
    return html`<button
      type="button"
      class="cell ${isShaded ? 'is-shaded' : ''} ${verdict === 'missed' ? classOf(verdict) : ''}"
      aria-pressed=${isShaded}
      ?disabled=${this.isReadOnly}
      @click=${() => this.choosing.press(key)}
    >
      <span class="visually-hidden">${this.label('grid_cell', row + 1, column + 1)}</span>
      ${verdict ? mark(verdict, this.labels, true) : nothing}
    </button>`;
  }

  /** If only the number of cells counts, no single cell is right or wrong. */
  private verdict(key: CellKey): Verdict | undefined {
    const review = this.shownReview;
    if (!review) return undefined;
    const { correct, parts } = review;
    const isKnown = correct !== undefined && correct !== null;
    if (isKnown && countIn(correct) !== undefined) return undefined;
    const place = cellsIn(this.value).indexOf(key);
    if (place >= 0) return verdictOf(parts?.[place]);
    return cellsIn(this.missable).includes(key) ? 'missed' : undefined;
  }

  protected override readonly correctAnswersAre = 'a set';

  protected override correctAnswers(correct: unknown) {
    const count = countIn(correct);
    if (count !== undefined) return [html`${this.label('cells', count)}`];
    return cellsIn(correct).map((key) => {
      const [row, column] = placeOf(key);
      return html`${this.label('grid_cell', row + 1, column + 1)}`;
    });
  }
}
