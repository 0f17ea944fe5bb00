import { html } from 'lit';
import { countBlanks } from '../../content/blanks';
import { cloze } from '../../content/cloze';
import { markup } from '../../content/markup';
import { FillingElement } from '../../interactions/filling';
import { Formulas } from '../../interactions/formula-field';
import { formulaStyle } from '../../interactions/formula-style';
import { typingStyle } from '../../interactions/typing';
import { listOf, objectOf, textOf } from '../../members';
import { containerOf } from '../../response-container';

/** A text with formulas to fill in. */
export default class ClozeFormulaElement extends FillingElement {
  static override styles = [...FillingElement.styles, typingStyle, formulaStyle];

  private readonly formulas: Formulas = new Formulas(this, 'block-on-focus-keyboard');

  protected override get count() {
    return countBlanks(textOf(this.question['template']));
  }

  protected override controls() {
    const text = cloze(textOf(this.question['template']), (at) => this.#blank(at));
    return this.formulas.withPalette(html`<div class="template content">${text}</div>`, 'blank-0');
  }

  #blank(at: number) {
    const { width, placeholder, members } = containerOf(this.question, at);
    const { text, name, fill } = this.filling(at);
    return this.formulas.field({
      id: `blank-${at}`,
      latex: text,
      name,
      template: textOf(members['template']),
      placeholder: placeholder || textOf(this.question['placeholder']),
      width,
      part: this.shownReview?.parts?.[at],
      type: fill,
    });
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((entry) => {
      const rule = Array.isArray(entry) ? (entry as unknown[])[0] : entry;
      const latex = typeof rule === 'string' ? rule : textOf(objectOf(rule)['value']);
      return html`${markup(`\\(${latex}\\)`)}`;
    });
  }
}
