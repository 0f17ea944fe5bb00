import { html } from 'lit';
import { countBlanks } from '../../content/blanks';
import { cloze } from '../../content/cloze';
import { markup } from '../../content/markup';
import { attemptedTexts, textsOf, withText } from '../../interactions/blank-values';
import { fillingStyle } from '../../interactions/filling';
import { Formulas } from '../../interactions/formula-field';
import { formulaStyle } from '../../interactions/formula-style';
import { typingStyle } from '../../interactions/typing';
import { listOf, objectOf, textOf } from '../../members';
import { QuestionElement } from '../../question-element';
import { containerOf } from '../../response-container';

/** A text with formulas to fill in. */
export default class ClozeFormulaElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, fillingStyle, formulaStyle];

  private readonly formulas: Formulas = new Formulas(this, 'block-on-focus-keyboard');

  get #count(): number {
    return countBlanks(textOf(this.question['template']));
  }

  override get attempted() {
    return attemptedTexts(this.value, this.#count);
  }

  protected override controls() {
    const text = cloze(textOf(this.question['template']), (at) => this.#blank(at));
    return this.formulas.withPalette(html`<div class="template content">${text}</div>`, 'blank-0');
  }

  #blank(at: number) {
    const count = this.#count;
    const { width, placeholder, members } = containerOf(this.question, at);
    return this.formulas.field({
      id: `blank-${at}`,
      latex: textsOf(this.value, count)[at] ?? '',
      name: textOf(members['aria_label']) || this.label('blank', at + 1, count),
      template: textOf(members['template']),
      placeholder: placeholder || textOf(this.question['placeholder']),
      width,
      part: this.shownReview?.parts?.[at],
      type: (latex) => this.change(withText(this.value, count, at, latex)),
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
