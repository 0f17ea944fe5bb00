import { essayField, essayStyle } from '../../interactions/essay';
import { htmlOf, plainOf } from '../../interactions/essay-html';
import { typingStyle } from '../../interactions/typing';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/** A long text. It is stored as HTML: a paragraph for each line. */
export default class LongTextV2Element extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, essayStyle];

  get #text(): string {
    return plainOf(this.value);
  }

  override get attempted() {
    return attemptedOf(this.#text.trim() === '' ? 0 : 1, 1);
  }

  protected override controls() {
    return essayField(this, this.#text, this.namedBy, (text) => this.change(htmlOf(text)));
  }
}
