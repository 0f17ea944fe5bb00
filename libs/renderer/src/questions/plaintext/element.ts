import { html, nothing } from 'lit';
import { clipboardButtons } from '../../interactions/clipboard';
import { EssayElement } from '../../interactions/essay';
import { textField } from '../../interactions/typing';
import { textOf } from '../../members';

/** A long text without formatting. */
export default class PlainTextElement extends EssayElement {
  protected override textIn(value: unknown): string {
    return textOf(value);
  }

  protected override field() {
    const { minHeight: height, ...options } = this.fieldOptions;
    return html`${this.isReadOnly ? nothing : clipboardButtons(this)}
    ${textField(this, {
      ...options,
      id: 'answer',
      text: this.text,
      type: (text) => this.change(text === '' ? null : text),
      isMultiline: true,
      characterMap: this.question['character_map'],
      height,
    })}`;
  }
}
