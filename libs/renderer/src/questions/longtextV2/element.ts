import { EssayElement } from '../../interactions/essay';
import { plainOf } from '../../interactions/essay-html';
import { RichTextField } from '../../interactions/rich-text/field';

/** A long text with formatting. It is stored as HTML. */
export default class LongTextV2Element extends EssayElement {
  readonly #field = new RichTextField(this, (html) => this.change(html));

  protected override textIn(value: unknown): string {
    return plainOf(value);
  }

  protected override field() {
    return this.#field.render({ ...this.fieldOptions, value: this.value });
  }
}
