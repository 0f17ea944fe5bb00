import { html, nothing } from 'lit';
import { setStyles } from '../../content/set-styles';
import { live } from 'lit/directives/live.js';
import { markup } from '../../content/markup';
import { contentOf } from '../../content/named-content';
import { plainText } from '../../content/plain-text';
import { choosingStyle } from '../../interactions/choosing-style';
import { entryText, isTrue, listOf, numberOf, objectOf, presentedOrder, textOf } from '../../members';
import { numeral } from '../../numerals';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { lengthOf } from '../../response-container';
import { classOf, mark, type Verdict, verdictOf } from '../../review';
import { style } from './style';

/** Values that all rows share. A render computes them once, because a matrix may have thousands of rows. */
interface Grid {
  stems: readonly string[];
  options: readonly { text: string; name: string }[];
  numerals: string;
  isInline: boolean;
  isMultiple: boolean;
  /** The chosen columns of each row. */
  chosen: readonly (readonly number[])[];
  /** The columns of the right answer in each row. Null if the review does not show it. */
  right: readonly (readonly number[])[] | null;
}

/** A row for each stem, in which learners choose one or several options: columns of a table, or an inline list. */
export default class ChoiceMatrixElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, choosingStyle, style];

  get #stems(): string[] {
    return listOf(this.question['stems']).map((stem) => entryText(stem));
  }

  get #options(): string[] {
    return listOf(this.question['options']).map((option) => entryText(option));
  }

  /** The chosen columns of each row, by the author's positions. */
  #chosen(value: unknown): number[][] {
    const entries = listOf(value);
    return listOf(this.question['stems']).map((_, row) => {
      const entry = entries[row];
      return (Array.isArray(entry) ? (entry as unknown[]) : [entry])
        .map((column) => numberOf(column, -1))
        .filter((column) => column >= 0);
    });
  }

  override get attempted() {
    const rows = this.#chosen(this.value);
    return attemptedOf(rows.filter((row) => row.length > 0).length, rows.length);
  }

  protected override get placesInOrder(): number[] {
    return presentedOrder(this.question, 'stems', this.#stems.length);
  }

  protected override controls() {
    const layout = objectOf(this.question['ui_style']);
    const isInline = layout['type'] === 'inline';
    const correct = this.shownReview?.correct ?? null;
    const options = this.#options;
    const grid: Grid = {
      stems: this.#stems,
      options: options.map((text, at) => ({ text, name: plainText(text) || this.label('response_number', at + 1) })),
      numerals: textOf(layout['stem_numeration']),
      isInline,
      isMultiple: isTrue(this.question['multiple_responses']),
      chosen: this.#chosen(this.value),
      right: correct === null ? null : this.#chosen(correct),
    };
    const sizes = setStyles({
      '--columns': String(Math.max(1, options.length)),
      '--stem': lengthOf(layout['stem_width']),
      '--option': lengthOf(layout['option_width']),
    });
    return html`<div
      class="${isInline ? 'inline' : 'table'} ${isTrue(layout['horizontal_lines']) ? 'has-lines' : ''}"
      ${sizes}
    >
      ${this.#heads(options, textOf(layout['stem_title']), textOf(layout['option_row_title']), isInline)}
      ${this.placesInOrder.map((row, place) => this.#row(grid, row, place))}
    </div>`;
  }

  /** The rows with titles and options above the choices. Screen readers get the options as names of the controls. */
  #heads(all: readonly string[], stems: string, options: string, isInline: boolean) {
    const names = html`${all.map(
      (option) => html`<span class="title content" aria-hidden="true">${markup(option)}</span>`,
    )}`;
    const title = html`<span class="stem content ${stems === '' ? 'blank' : ''}">${markup(stems)}</span>`;
    if (isInline)
      return stems === '' && options === ''
        ? nothing
        : html`<div class="row head">${title}<span class="content">${markup(options)}</span></div>`;
    if (options === '') return html`<div class="row head">${title} ${names}</div>`;
    return html`<div class="row head">${title}<span class="over content">${markup(options)}</span></div>
      <div class="row head"><span class="blank"></span>${names}</div>`;
  }

  #row(grid: Grid, row: number, place: number) {
    const number = numeral(grid.numerals, place);
    const choices = grid.options.map((_, column) => this.#cell(grid, row, column));
    return html`<div class="row" role=${grid.isMultiple ? 'group' : 'radiogroup'} aria-labelledby=${`stem-${row}`}>
      <span id=${`stem-${row}`} class="stem">
        ${number ? html`<span>${number}.</span>` : nothing}
        ${contentOf(grid.stems[row] ?? '', this.label('row', place + 1))}
      </span>
      ${grid.isInline ? html`<span class="choices">${choices}</span>` : choices}
    </div>`;
  }

  #cell({ options, chosen, right, isMultiple }: Grid, row: number, column: number) {
    const { text, name } = options[column]!;
    const isChosen = chosen[row]?.includes(column) ?? false;
    const verdict = this.#verdict(row, isChosen, right && (right[row]?.includes(column) ?? false));
    return html`<label class="choice ${classOf(verdict)}">
      <input
        type=${isMultiple ? 'checkbox' : 'radio'}
        name=${`row-${row}`}
        aria-label=${name}
        .checked=${live(isChosen)}
        ?disabled=${this.isReadOnly}
        @change=${(event: Event) => this.#choose(row, column, (event.target as HTMLInputElement).checked, isMultiple)}
      />
      <span class="name content" aria-hidden="true">${markup(text)}</span>
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

  /** @param isRight null if the review does not show the right answer. */
  #verdict(row: number, isChosen: boolean, isRight: boolean | null): Verdict | undefined {
    const part = this.shownReview?.parts?.[row];
    // A row may be right by another answer than the one that the review shows.
    if (part === true || isRight === null) return isChosen ? verdictOf(part) : undefined;
    return isChosen ? (isRight ? 'right' : 'wrong') : isRight ? 'missed' : undefined;
  }

  protected override correctAnswers(correct: unknown) {
    return this.#chosen(correct).map(
      (columns) => html`${columns.map((column, at) => [at > 0 ? ', ' : '', markup(this.#options[column] ?? '')])}`,
    );
  }
}
