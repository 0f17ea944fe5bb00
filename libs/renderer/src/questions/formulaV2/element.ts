import { html } from 'lit';
import { markup } from '../../content/markup';
import { formulaField, formulaStyle } from '../../interactions/formula-field';
import { typingStyle } from '../../interactions/typing';
import { listOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/** A formula. */
export default class FormulaElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, formulaStyle];

  override get attempted() {
    return attemptedOf(textOf(this.value).trim() === '' ? 0 : 1, 1);
  }

  protected override controls() {
    return formulaField(this, {
      id: 'answer',
      latex: textOf(this.value),
      labelledBy: this.namedBy,
      part: this.shownReview?.parts?.[0],
      type: (latex) => this.change(latex === '' ? null : latex),
    });
  }

  protected override correctAnswers(correct: unknown) {
    const rules = Array.isArray(correct) ? correct : [correct];
    return rules
      .map((rule) => (typeof rule === 'string' ? rule : textOf(objectOf(rule)['value'])))
      .filter((latex) => latex !== '')
      .map((latex) => html`${markup(`\\(${latex}\\)`)}`)
      .slice(0, listOf(correct).length || 1);
  }
}
