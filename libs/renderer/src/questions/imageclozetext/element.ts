import { html } from 'lit';
import { countPlaces, imageStyle, onImage, placeName } from '../../content/image-places';
import { attemptedTexts, textsOf, withText } from '../../interactions/blank-values';
import { fillingStyle, typedBlank } from '../../interactions/filling';
import { typingStyle } from '../../interactions/typing';
import { entryText, listOf } from '../../members';
import { QuestionElement } from '../../question-element';

/** An image with blanks to type into. */
export default class ImageClozeTextElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, fillingStyle, imageStyle];

  get #count(): number {
    return countPlaces(this.question);
  }

  override get attempted() {
    return attemptedTexts(this.value, this.#count);
  }

  protected override controls() {
    return onImage(this.question, (at) => this.#blank(at));
  }

  #blank(at: number) {
    const count = this.#count;
    return typedBlank(this, {
      at,
      count,
      text: textsOf(this.value, count)[at] ?? '',
      name: placeName(this.question, at),
      fill: (text) => this.change(withText(this.value, count, at, text)),
    });
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${entryText(text)}`);
  }
}
