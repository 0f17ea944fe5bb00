import { html, nothing } from 'lit';
import { css } from '../../css';
import { markup } from '../../content/markup';
import { entriesOf, leftOut, Ordering, orderOf } from '../../interactions/ordering';
import { orderingStyle } from '../../interactions/ordering-style';
import { listOf, numberOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/** Entries that learners move into a second list, in order. The value contains positions in the given list. */
export default class SortListElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    orderingStyle,
    css`
      .lists {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 1rem;
      }

      .list {
        min-block-size: 7rem;
        padding: 0.75rem;
        border: 1px solid transparent;
        border-radius: var(--_radius);
        background: var(--_sunken);
      }

      .list.is-target {
        border: 1px dashed var(--_border);
      }

      .list-title {
        margin-block-end: 0.5rem;
        font-weight: 600;
      }

      .empty {
        margin: 0;
        color: var(--_muted);
      }

      @container (max-width: 34rem) {
        .lists {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  private readonly ordering: Ordering = new Ordering(this, {
    lists: () => [this.#order, leftOut(this.question, this.#order)],
    names: () => this.#names,
    change: (value) => this.change(value),
  });

  get #order(): number[] {
    return orderOf(this.question, this.value);
  }

  get #names(): string[] {
    return [this.label('target_list'), this.label('source_list')];
  }

  override get attempted() {
    return attemptedOf(this.#order.length, entriesOf(this.question).length);
  }

  protected override controls() {
    const source = this.#list(1, leftOut(this.question, this.#order).length);
    return this.ordering.layout(html`<div class="lists">${source} ${this.#list(0, this.#order.length)}</div>`);
  }

  #list(list: number, count: number) {
    return html`<div class="list ${list === 0 ? 'is-target' : ''}" data-list=${list}>
      <div class="list-title" id=${`list-${list}`}>${this.#names[list]}</div>
      ${count === 0 ? html`<p class="empty">${this.label('empty')}</p>` : nothing}
      ${this.ordering.list(list, `list-${list}`)}
    </div>`;
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((at) => html`${markup(entriesOf(this.question)[numberOf(at, -1)] ?? '')}`);
  }
}
