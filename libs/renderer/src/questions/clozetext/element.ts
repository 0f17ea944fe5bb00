import { html } from 'lit';
import { countBlanks } from '../../content/blanks';
import { cloze } from '../../content/cloze';
import { attemptedTexts, textsOf, withText } from '../../interactions/blank-values';
import { fillingStyle, typedBlank } from '../../interactions/filling';
import { typingStyle } from '../../interactions/typing';
import { entryText, listOf, textOf } from '../../members';
import { QuestionElement } from '../../question-element';

/** A text with blanks to type into. */
export default class ClozeTextElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, fillingStyle];

  get #count(): number {
    return countBlanks(textOf(this.question['template']));
  }

  override get attempted() {
    return attemptedTexts(this.value, this.#count);
  }

  protected override controls() {
    return html`<div class="template content">
      ${cloze(textOf(this.question['template']), (at) => this.#blank(at))}
    </div>`;
  }

  #blank(at: number) {
    const count = this.#count;
    return typedBlank(this, {
      at,
      count,
      text: textsOf(this.value, count)[at] ?? '',
      fill: (text) => this.change(withText(this.value, count, at, text)),
    });
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${entryText(text)}`);
  }
}
