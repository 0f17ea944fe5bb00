import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { css } from '../../css';
import { entryText } from '../../members';
import { QuestionElement } from '../../question-element';
import { classOf, mark, verdictOf } from '../../review';
import { attempted, charactersOf, columnsOf, isFixed, valueOf } from './answer';

/** A number that learners enter column by column. */
export default class GriddedElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .columns {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.375rem;
        direction: ltr;
      }

      .columns select {
        inline-size: auto;
        min-inline-size: 3rem;
      }
    `,
  ];

  override get attempted() {
    return attempted(this.value);
  }

  protected override controls() {
    const columns = columnsOf(this.question);
    const characters = this.#characters;
    const verdict = verdictOf(this.shownReview?.parts?.[0]);
    return html`<div class="columns" role="group" aria-labelledby=${this.namedBy}>
      ${columns.map((choices, at) =>
        isFixed(choices)
          ? html`<span>.</span>`
          : html`<select
              class="field ${classOf(verdict)}"
              aria-label=${this.label('column', at + 1, columns.length)}
              ?disabled=${this.isReadOnly}
              @change=${(event: Event) => this.#set(at, (event.target as HTMLSelectElement).value)}
            >
              <option value="" .selected=${live(characters[at] === '')}></option>
              ${choices.map((each) => html`<option value=${each} .selected=${live(each === characters[at])}>${each}</option>`)}
            </select>`,
      )}
      ${verdict ? mark(verdict, this.labels) : nothing}
    </div>`;
  }

  #set(at: number, character: string): void {
    if (this.isReadOnly) return;
    const characters = this.#characters.map((each, place) => (place === at ? character : each));
    const value = valueOf(this.question, characters);
    this.#filled = { value, characters };
    this.change(value);
  }

  /** A stored number does not contain its columns, so the learner's columns are kept. */
  get #characters(): readonly string[] {
    return this.#filled && this.#filled.value === this.value
      ? this.#filled.characters
      : charactersOf(this.question, this.value);
  }

  #filled: { value: string | null; characters: readonly string[] } | undefined;

  protected override correctAnswers(correct: unknown) {
    return [html`${entryText(correct)}`];
  }
}
