import { html } from 'lit';
import { cloze } from '../../content/cloze';
import { placedTexts, Placing } from '../../interactions/placing';
import { placingStyle } from '../../interactions/placing-style';
import { objectOf, textOf } from '../../members';
import { QuestionElement } from '../../question-element';
import { arrangementOf, attempted, blanksOf, rulesOf, valueOf } from './answer';
import { style } from './style';

/** A text with blanks, into which responses are placed. */
export default class ClozeAssociationElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, placingStyle, style];

  private readonly placing: Placing = new Placing(this, {
    arrangement: () => arrangementOf(this.question, this.value),
    rules: () => rulesOf(this.question),
    nameOf: (place) => this.label('blank', place + 1, blanksOf(this.question)),
    rearrange: (arrangement) => this.change(valueOf(this.question, arrangement)),
  });

  override get attempted() {
    return attempted(this.question, this.value);
  }

  protected override controls() {
    const layout = objectOf(this.question['ui_style']);
    const text = cloze(textOf(this.question['template']), (at) => this.placing.blank(at));
    return this.placing.layout(
      html`<div class="template content">${text}</div>`,
      textOf(layout['possibility_list_position']),
      layout['show_drag_handle'] !== false,
    );
  }

  protected override correctAnswers(correct: unknown) {
    return placedTexts(correct);
  }
}
