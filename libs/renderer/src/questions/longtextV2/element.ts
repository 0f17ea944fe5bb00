import { EssayElement } from '../../interactions/essay';
import { plainOf } from '../../interactions/essay-html';
import { RichTextField } from '../../interactions/rich-text/field';

/** A long text with formatting. It is stored as HTML. */
export default class LongTextV2Element extends EssayElement {
  readonly #field = new RichTextField(this, (html) => this.change(html));

  /** The text of a value. It is asked for several times with each letter, and reading HTML takes time. */
  #read: { value: unknown; text: string } | undefined;

  protected override get text(): string {
    if (!this.#read || this.#read.value !== this.value) this.#read = { value: this.value, text: plainOf(this.value) };
    return this.#read.text;
  }

  protected override field() {
    return this.#field.render({ ...this.fieldOptions, value: this.value });
  }
}
