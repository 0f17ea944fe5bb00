import { essayField, essayStyle } from '../../interactions/essay';
import { typingStyle } from '../../interactions/typing';
import { textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/** A long text without formatting. */
export default class PlainTextElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, essayStyle];

  get #text(): string {
    return textOf(this.value);
  }

  override get attempted() {
    return attemptedOf(this.#text.trim() === '' ? 0 : 1, 1);
  }

  protected override controls() {
    return essayField(this, this.#text, this.namedBy, (text) => this.change(text === '' ? null : text));
  }
}
