import { html } from 'lit';
import { css } from './css';
import { type LabelKey } from './labels';
import { en } from './labels/en';
import { textOf } from './members';
import type { Attempted } from './question';
import { QuestionElement } from './question-element';

/** Placeholder for a question of an unsupported type, so that the test can continue. */
export default class UnsupportedElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .notice {
        margin: 0;
        padding: 0.75rem 1rem;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_sunken);
      }
    `,
  ];

  override get attempted(): Attempted {
    return 'not_attempted';
  }

  protected override controls() {
    return html`<p class="notice">${this.label('unsupported', this.typeName(textOf(this.question['type'])))}</p>`;
  }

  /** The name of the type in the language of the page; for an unknown type, the type itself. */
  private typeName(type: string): string {
    const key = `type_${type}`;
    return key in en ? this.label(key as LabelKey) : type;
  }
}
