import { html } from 'lit';
import { countPlaces, imageStyle, onImage, placeName } from '../../content/image-places';
import { FillingElement, typedBlank } from '../../interactions/filling';
import { typingStyle } from '../../interactions/typing';
import { entryText, listOf } from '../../members';

/** An image with blanks to type into. */
export default class ImageClozeTextElement extends FillingElement {
  static override styles = [...FillingElement.styles, typingStyle, imageStyle];

  protected override get count() {
    return countPlaces(this.question);
  }

  protected override nameOf(at: number) {
    return placeName(this.question, at) || super.nameOf(at);
  }

  protected override controls() {
    return onImage(this.question, (at) => typedBlank(this, this.filling(at)));
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${entryText(text)}`);
  }
}
