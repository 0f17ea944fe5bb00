import { css, html, nothing } from 'lit';
import { setStyles } from '../../content/set-styles';
import { isTrue, listOf, numberOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { classOf, mark, verdictOf } from '../../review';

const MAX_CELLS = 40;

/** Cells of a grid that are shaded. */
export default class SimpleShadingElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .grid {
        display: inline-grid;
        grid-template-columns: repeat(var(--columns), minmax(1.5rem, 3rem));
        gap: 0;
        max-inline-size: 100%;
        direction: ltr;
      }

      .grid button,
      .grid .cell {
        aspect-ratio: 1;
        min-block-size: 1.5rem;
        padding: 0;
        border: 1px solid var(--_border);
        border-radius: 0;
        background: var(--_surface);
      }

      .grid button[aria-pressed='true'],
      .grid .is-shaded {
        background: var(--_accent);
      }

      @media (forced-colors: active) {
        .grid button[aria-pressed='true'],
        .grid .is-shaded {
          forced-color-adjust: none;
          background: Highlight;
        }
      }
    `,
  ];

  get #size() {
    const canvas = objectOf(this.question['canvas']);
    const count = (value: unknown) => Math.min(MAX_CELLS, Math.max(1, Math.round(numberOf(value, 3))));
    return { rows: count(canvas['row_count']), columns: count(canvas['column_count']) };
  }

  #cells(list: unknown): Set<string> {
    return new Set(
      listOf(list).map((cell) => (Array.isArray(cell) ? cell.map((at) => textOf(at)).join(',') : textOf(cell))),
    );
  }

  get #shaded(): Set<string> {
    return this.#cells(Array.isArray(this.value) ? this.value : objectOf(this.value)['value']);
  }

  override get attempted() {
    return attemptedOf(this.#shaded.size > 0 ? 1 : 0, 1);
  }

  protected override controls() {
    const { rows, columns } = this.#size;
    const canvas = objectOf(this.question['canvas']);
    const [shaded, hidden, authored] = [this.#shaded, this.#cells(canvas['hidden']), this.#cells(canvas['shaded'])];
    const isFixed = isTrue(canvas['read_only_author_cells']);
    const verdict = verdictOf(this.shownReview?.parts?.[0]);
    const cells = Array.from({ length: rows * columns }, (_, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      const key = `${row},${column}`;
      if (hidden.has(key)) return html`<span></span>`;
      if (isFixed && authored.has(key))
        return html`<span
          class="cell is-shaded"
          role="img"
          aria-label=${this.label('shaded_cell', row + 1, column + 1)}
        ></span>`;
      return html`<button
        type="button"
        aria-pressed=${shaded.has(key)}
        aria-label=${this.label('grid_cell', row + 1, column + 1)}
        ?disabled=${this.isReadOnly}
        @click=${() => this.#toggle(key)}
      ></button>`;
    });
    return html`<div
        class="grid ${classOf(verdict)}"
        role="group"
        aria-labelledby=${this.namedBy}
        ${setStyles({ '--columns': String(columns) })}
      >
        ${cells}
      </div>
      ${verdict ? mark(verdict, this.labels) : nothing}`;
  }

  #toggle(key: string): void {
    const shaded = this.#shaded;
    const most = numberOf(this.question['max_selection'], 0);
    if (shaded.has(key)) shaded.delete(key);
    else if (most > 0 && shaded.size >= most) return this.announce('most_chosen', shaded.size);
    else shaded.add(key);
    const value = [...shaded].map((cell) => cell.split(',').map(Number));
    this.change(value.length === 0 ? null : { method: 'byLocation', value });
  }

  protected override correctAnswers(correct: unknown) {
    const value = Array.isArray(correct) ? correct : objectOf(correct)['value'];
    if (!Array.isArray(value)) return [html`${this.label('cells', numberOf(value, 0))}`];
    return [...this.#cells(value)].map((cell) => {
      const [row = 0, column = 0] = cell.split(',').map(Number);
      return html`${this.label('grid_cell', row + 1, column + 1)}`;
    });
  }
}
