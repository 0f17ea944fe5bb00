import { html } from 'lit';
import { countPlaces, imageStyle, onImage, placeName } from '../../content/image-places';
import { markup } from '../../content/markup';
import { attemptedTexts, textsOf, withText } from '../../interactions/blank-values';
import { chosenBlank, fillingStyle } from '../../interactions/filling';
import { entryText, listOf } from '../../members';
import { QuestionElement } from '../../question-element';

/** An image with blanks that are filled from menus. */
export default class ImageClozeDropdownElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, fillingStyle, imageStyle];

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
    const choices = listOf(listOf(this.question['possible_responses'])[at]).map((text) => entryText(text));
    return chosenBlank(
      this,
      {
        at,
        count,
        text: textsOf(this.value, count)[at] ?? '',
        name: placeName(this.question, at),
        fill: (text) => this.change(withText(this.value, count, at, text)),
      },
      choices,
    );
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${markup(entryText(text))}`);
  }
}
