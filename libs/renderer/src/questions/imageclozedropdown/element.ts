import { html } from 'lit';
import { countPlaces, imageStyle, onImage, placeName } from '../../content/image-places';
import { markup } from '../../content/markup';
import { chosenBlank, FillingElement } from '../../interactions/filling';
import { entryText, listOf } from '../../members';

/** An image with blanks that are filled from menus. */
export default class ImageClozeDropdownElement extends FillingElement {
  static override styles = [...FillingElement.styles, imageStyle];

  protected override get count() {
    return countPlaces(this.question);
  }

  protected override nameOf(at: number) {
    return placeName(this.question, at) || super.nameOf(at);
  }

  protected override controls() {
    return onImage(this.question, (at) => chosenBlank(this, this.filling(at), this.choicesOf(at)));
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${markup(entryText(text))}`);
  }
}
