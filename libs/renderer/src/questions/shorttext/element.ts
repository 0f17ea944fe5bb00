import { html, nothing } from 'lit';
import { rem } from '../../css';
import { textField, typingStyle } from '../../interactions/typing';
import { entryText, isTrue, textOf } from '../../members';
import { QuestionElement } from '../../question-element';
import { containerOf } from '../../response-container';
import { classOf, mark, verdictOf } from '../../review';
import { attempted, maxLength, shownText, valueOf } from './answer';
import { style } from './style';

/** A typed word or line. */
export default class ShortTextElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, style];

  override get attempted() {
    return attempted(this.value);
  }

  override get counts() {
    return { characterCount: [...textOf(this.value)].length };
  }

  protected override controls() {
    const { width, height, placeholder, inputType } = containerOf(this.question, 0);
    const verdict = verdictOf(this.shownReview?.parts?.[0]);
    const field = textField(this, {
      id: 'answer',
      text: shownText(this.value),
      labelledBy: this.namedBy,
      type: (text) => this.change(valueOf(text)),
      maxLength: maxLength(this.question),
      placeholder: textOf(this.question['placeholder']) || placeholder,
      inputType,
      spellcheck: isTrue(this.question['spellcheck']),
      characterMap: this.question['character_map'],
      width: width ?? rem(20),
      height,
      className: classOf(verdict),
    });
    return html`<div class="answer">${field} ${verdict ? mark(verdict, this.labels) : nothing}</div>`;
  }

  protected override correctAnswers(correct: unknown) {
    return [html`${entryText(correct)}`];
  }
}
