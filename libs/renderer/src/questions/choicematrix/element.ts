import { css, html, nothing } from 'lit';
import { setStyles } from '../../content/set-styles';
import { live } from 'lit/directives/live.js';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { isTrue, listOf, numberOf, objectOf, presentedOrder, textOf } from '../../members';
import { numeral } from '../../numerals';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { classOf, mark, type Verdict } from '../../review';

/** A table with a row for each stem, in which one or several columns are chosen. */
export default class ChoiceMatrixElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .rows {
        display: grid;
        gap: 0;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
      }

      .row {
        display: grid;
        grid-template-columns: minmax(8rem, 2fr) repeat(var(--columns), minmax(3.5rem, 1fr));
        align-items: center;
        gap: 0.5rem;
        padding: 0.5rem 0.75rem;
      }

      .row + .row {
        border-block-start: 1px solid var(--_line);
      }

      .head {
        background: var(--_sunken);
        font-weight: 600;
      }

      .head .title {
        text-align: center;
      }

      label {
        display: flex;
        justify-content: center;
        align-items: center;
        gap: 0.375rem;
        min-block-size: 2.25rem;
        border-radius: var(--_radius);
      }

      .question:not(.is-read-only) label {
        cursor: pointer;
      }

      input {
        flex: none;
        inline-size: 1.25rem;
        block-size: 1.25rem;
        accent-color: var(--_accent);
      }

      label .name {
        display: none;
      }

      @container (max-width: 36rem) {
        .head {
          display: none;
        }

        .row {
          grid-template-columns: minmax(0, 1fr);
        }

        label {
          justify-content: flex-start;
        }

        label .name {
          display: inline;
        }
      }
    `,
  ];

  get #stems(): string[] {
    return listOf(this.question['stems']).map((stem) => textOf(stem));
  }

  get #options(): string[] {
    return listOf(this.question['options']).map((option) => textOf(option));
  }

  /** The columns that are chosen in each row, by authored positions. */
  #chosen(value: unknown): number[][] {
    return this.#stems.map((_, row) => {
      const entry = listOf(value)[row];
      return (Array.isArray(entry) ? (entry as unknown[]) : [entry])
        .map((column) => numberOf(column, -1))
        .filter((column) => column >= 0);
    });
  }

  override get attempted() {
    const rows = this.#chosen(this.value);
    return attemptedOf(rows.filter((row) => row.length > 0).length, rows.length);
  }

  protected override controls() {
    const options = this.#options;
    const style = objectOf(this.question['ui_style']);
    const order = presentedOrder(this.question, 'stems', this.#stems.length);
    return html`<div class="rows" ${setStyles({ '--columns': String(options.length) })}>
      <div class="row head" aria-hidden="true">
        <span class="content">${markup(textOf(style['stem_title']))}</span>
        ${options.map((option) => html`<span class="title content">${markup(option)}</span>`)}
      </div>
      ${order.map((row, place) => this.#row(row, place, textOf(style['stem_numeration'])))}
    </div>`;
  }

  #row(row: number, place: number, numerals: string) {
    const isMultiple = isTrue(this.question['multiple_responses']);
    return html`<div class="row" role=${isMultiple ? 'group' : 'radiogroup'} aria-labelledby=${`stem-${row}`}>
      <span id=${`stem-${row}`} class="content">
        ${numerals ? html`<span aria-hidden="true">${numeral(numerals, place)}.</span> ` : nothing}${markup(this.#stems[row] ?? '')}
      </span>
      ${this.#options.map((option, column) => this.#cell(option, row, column, isMultiple))}
    </div>`;
  }

  #cell(option: string, row: number, column: number, isMultiple: boolean) {
    const verdict = this.#verdict(row, column);
    return html`<label class=${classOf(verdict)}>
      <input
        type=${isMultiple ? 'checkbox' : 'radio'}
        name=${`row-${row}`}
        aria-label=${plainText(option)}
        .checked=${live(this.#chosen(this.value)[row]?.includes(column) ?? false)}
        ?disabled=${this.isReadOnly}
        @change=${(event: Event) => this.#choose(row, column, (event.target as HTMLInputElement).checked, isMultiple)}
      />
      <span class="name content" aria-hidden="true">${markup(option)}</span>
      ${verdict ? mark(verdict, this.labels, true) : nothing}
    </label>`;
  }

  #choose(row: number, column: number, isChosen: boolean, isMultiple: boolean): void {
    const rows = this.#chosen(this.value).map((chosen, at) => {
      if (at !== row) return chosen;
      if (!isMultiple) return isChosen ? [column] : [];
      return isChosen ? [...chosen, column].sort((a, b) => a - b) : chosen.filter((each) => each !== column);
    });
    this.change(rows.every((each) => each.length === 0) ? null : rows);
  }

  #verdict(row: number, column: number): Verdict | undefined {
    const review = this.shownReview;
    if (review?.correct === undefined || review.correct === null) return this.#partVerdict(row, column);
    const isChosen = this.#chosen(this.value)[row]?.includes(column) ?? false;
    const isRight = this.#chosen(review.correct)[row]?.includes(column) ?? false;
    return isChosen ? (isRight ? 'right' : 'wrong') : isRight ? 'missed' : undefined;
  }

  #partVerdict(row: number, column: number): Verdict | undefined {
    const part = this.shownReview?.parts?.[row];
    if (typeof part !== 'boolean' || !this.#chosen(this.value)[row]?.includes(column)) return undefined;
    return part ? 'right' : 'wrong';
  }

  protected override correctAnswers(correct: unknown) {
    return this.#chosen(correct).map(
      (columns) => html`${columns.map((column, at) => [at > 0 ? ', ' : '', markup(this.#options[column] ?? '')])}`,
    );
  }
}
