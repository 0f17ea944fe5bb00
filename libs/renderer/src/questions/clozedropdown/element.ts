import { html } from 'lit';
import { countBlanks } from '../../content/blanks';
import { cloze } from '../../content/cloze';
import { markup } from '../../content/markup';
import { attemptedTexts, textsOf, withText } from '../../interactions/blank-values';
import { chosenBlank, fillingStyle } from '../../interactions/filling';
import { entryText, listOf, textOf } from '../../members';
import { QuestionElement } from '../../question-element';

/** A text with blanks that are filled from menus. */
export default class ClozeDropdownElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, fillingStyle];

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
    const choices = listOf(listOf(this.question['possible_responses'])[at]).map((text) => entryText(text));
    return chosenBlank(
      this,
      {
        at,
        count,
        text: textsOf(this.value, count)[at] ?? '',
        fill: (text) => this.change(withText(this.value, count, at, text)),
      },
      choices,
    );
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${markup(entryText(text))}`);
  }
}
