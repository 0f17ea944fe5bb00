import { html } from 'lit';
import { countBlanks } from '../../content/blanks';
import { cloze } from '../../content/cloze';
import { markup } from '../../content/markup';
import { chosenBlank, FillingElement } from '../../interactions/filling';
import { entryText, listOf, textOf } from '../../members';

/** A text with blanks that are filled from menus. */
export default class ClozeDropdownElement extends FillingElement {
  protected override get count() {
    return countBlanks(textOf(this.question['template']));
  }

  protected override controls() {
    return html`<div class="template content">
      ${cloze(textOf(this.question['template']), (at) => chosenBlank(this, this.filling(at), this.choicesOf(at)))}
    </div>`;
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${markup(entryText(text))}`);
  }
}
