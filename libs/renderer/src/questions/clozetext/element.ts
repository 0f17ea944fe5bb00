import { html } from 'lit';
import { countBlanks } from '../../content/blanks';
import { cloze } from '../../content/cloze';
import { FillingElement, typedBlank } from '../../interactions/filling';
import { typingStyle } from '../../interactions/typing';
import { entryText, listOf, textOf } from '../../members';

/** A text with blanks to type into. */
export default class ClozeTextElement extends FillingElement {
  static override styles = [...FillingElement.styles, typingStyle];

  protected override get count() {
    return countBlanks(textOf(this.question['template']));
  }

  protected override controls() {
    return html`<div class="template content">
      ${cloze(textOf(this.question['template']), (at) => typedBlank(this, this.filling(at)))}
    </div>`;
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${entryText(text)}`);
  }
}
