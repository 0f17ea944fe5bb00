import { countPlaces, imageStyle, onImage, placeName } from '../../content/image-places';
import { arrange, countFilled, possibleResponsesOf, textListsOf, textsOf } from '../../interactions/arrangement';
import { placedTexts, Placing } from '../../interactions/placing';
import { placingStyle } from '../../interactions/placing-style';
import { isTrue, numberOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/** An image with places, into which responses are placed. The second version takes several in each place, and stores a list of them. */
export default class ImageClozeAssociationElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, placingStyle, imageStyle];

  private readonly placing: Placing = new Placing(this, {
    arrangement: () => this.#arrangement,
    rules: () => this.#rules,
    nameOf: (place) => placeName(this.question, place) || this.label('blank', place + 1, this.#count),
    rearrange: (arrangement) => {
      const { texts } = possibleResponsesOf(this.question);
      this.change(this.#hasLists ? textListsOf(arrangement, texts) : textsOf(arrangement, texts));
    },
  });

  get #hasLists(): boolean {
    return textOf(this.question['type']).endsWith('V2');
  }

  get #rules() {
    const max = this.#hasLists ? Math.max(0, numberOf(this.question['max_response_per_zone'], 0)) : 1;
    return { max, isReusable: isTrue(this.question['duplicate_responses']) };
  }

  get #count(): number {
    return countPlaces(this.question);
  }

  get #arrangement() {
    return arrange(this.value, possibleResponsesOf(this.question).texts, this.#count, this.#rules.isReusable);
  }

  override get attempted() {
    return attemptedOf(countFilled(this.#arrangement), this.#count);
  }

  protected override controls() {
    const layout = objectOf(this.question['ui_style']);
    return this.placing.layout(
      onImage(this.question, (at) => this.placing.blank(at)),
      textOf(layout['possibility_list_position']),
      layout['show_drag_handle'] !== false,
    );
  }

  protected override correctAnswers(correct: unknown) {
    return placedTexts(correct);
  }
}
