import { html } from 'lit';
import { markup } from '../../content/markup';
import { entriesOf, leftOut, Ordering, orderOf } from '../../interactions/ordering';
import { orderingStyle } from '../../interactions/ordering-style';
import { listOf, numberOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/**
 * A list to put in order. The value contains positions in the given list; it is null until the learner moves an entry.
 */
export default class OrderListElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, orderingStyle];

  private readonly ordering: Ordering = new Ordering(this, {
    lists: () => [this.#order],
    names: () => [],
    change: (value) => this.change(value),
  });

  get #order(): number[] {
    const order = orderOf(this.question, this.value);
    return [...order, ...leftOut(this.question, order)];
  }

  override get attempted() {
    return attemptedOf(listOf(this.value).length > 0 ? 1 : 0, 1);
  }

  protected override controls() {
    return this.ordering.layout(this.ordering.list(0, this.namedBy));
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((at) => html`${markup(entriesOf(this.question)[numberOf(at, -1)] ?? '')}`);
  }
}
