import { html } from 'lit';
import { markup } from '../../content/markup';
import { Formulas } from '../../interactions/formula-field';
import { formulaStyle } from '../../interactions/formula-style';
import { textsIn } from '../../interactions/formula-template';
import { typingStyle } from '../../interactions/typing';
import { listOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { containerOf } from '../../response-container';

/** A formula, or the places of a partly given formula. */
export default class FormulaElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, formulaStyle];

  private readonly formulas: Formulas = new Formulas(this, 'floating-keyboard');

  override get attempted() {
    const latex = textOf(this.value);
    const texts = textsIn(textOf(this.question['template']), latex) ?? [];
    return texts.length > 0
      ? attemptedOf(texts.filter((text) => text.trim() !== '').length, texts.length)
      : attemptedOf(latex.trim() === '' ? 0 : 1, 1);
  }

  protected override controls() {
    const { width, placeholder } = containerOf(this.question, 0);
    const field = this.formulas.field({
      id: 'answer',
      latex: textOf(this.value),
      labelledBy: this.namedBy,
      template: textOf(this.question['template']),
      placeholder: textOf(this.question['placeholder']) || placeholder,
      width,
      part: this.shownReview?.parts?.[0],
      type: (latex) => this.change(latex === '' ? null : latex),
    });
    return this.formulas.withPalette(field, 'answer');
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
