import { html, nothing } from 'lit';
import { setStyles } from '../../content/set-styles';
import { live } from 'lit/directives/live.js';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { entryText, isTrue, listOf, numberOf, objectOf, presentedOrder, textOf } from '../../members';
import { numeral } from '../../numerals';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { lengthOf } from '../../response-container';
import { classOf, mark, type Verdict, verdictOf } from '../../review';
import { style } from './style';

/** A row for each stem, in which learners choose one or several options: columns of a table, or an inline list. */
export default class ChoiceMatrixElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, style];

  get #stems(): string[] {
    return listOf(this.question['stems']).map((stem) => entryText(stem));
  }

  get #options(): string[] {
    return listOf(this.question['options']).map((option) => entryText(option));
  }

  /** The chosen columns of each row, by the author's positions. */
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

  protected override get placesInOrder(): number[] {
    return presentedOrder(this.question, 'stems', this.#stems.length);
  }

  protected override controls() {
    const layout = objectOf(this.question['ui_style']);
    const isInline = layout['type'] === 'inline';
    const numerals = textOf(layout['stem_numeration']);
    const sizes = setStyles({
      '--columns': String(Math.max(1, this.#options.length)),
      '--stem': lengthOf(layout['stem_width']),
      '--option': lengthOf(layout['option_width']),
    });
    return html`<div
      class="${isInline ? 'inline' : 'table'} ${isTrue(layout['horizontal_lines']) ? 'has-lines' : ''}"
      ${sizes}
    >
      ${this.#heads(textOf(layout['stem_title']), textOf(layout['option_row_title']), isInline)}
      ${this.placesInOrder.map((row, place) => this.#row(row, place, numerals, isInline))}
    </div>`;
  }

  /** The rows with titles and options above the choices. Screen readers get the options as names of the controls. */
  #heads(stems: string, options: string, isInline: boolean) {
    const names = html`${this.#options.map(
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

  #row(row: number, place: number, numerals: string, isInline: boolean) {
    const isMultiple = isTrue(this.question['multiple_responses']);
    const number = numeral(numerals, place);
    const choices = this.#options.map((option, column) => this.#cell(option, row, column, isMultiple));
    return html`<div class="row" role=${isMultiple ? 'group' : 'radiogroup'} aria-labelledby=${`stem-${row}`}>
      <span id=${`stem-${row}`} class="stem">
        ${number ? html`<span>${number}.</span>` : nothing}
        <span class="content">${markup(this.#stems[row] ?? '')}</span>
      </span>
      ${isInline ? html`<span class="choices">${choices}</span>` : choices}
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
    const isChosen = this.#chosen(this.value)[row]?.includes(column) ?? false;
    const part = this.shownReview?.parts?.[row];
    const correct = this.shownReview?.correct ?? null;
    // A row may be right by another answer than the one that the review shows.
    if (part === true || correct === null) return isChosen ? verdictOf(part) : undefined;
    const isRight = this.#chosen(correct)[row]?.includes(column) ?? false;
    return isChosen ? (isRight ? 'right' : 'wrong') : isRight ? 'missed' : undefined;
  }

  protected override correctAnswers(correct: unknown) {
    return this.#chosen(correct).map(
      (columns) => html`${columns.map((column, at) => [at > 0 ? ', ' : '', markup(this.#options[column] ?? '')])}`,
    );
  }
}
