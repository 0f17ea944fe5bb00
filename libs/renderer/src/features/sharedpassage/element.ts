import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { markup } from '../../content/markup';
import { type Members, textOf } from '../../members';
import { baseStyle } from '../../style';

/** A text that several questions are about. */
export default class SharedPassage extends LitElement {
  static override styles = [
    baseStyle,
    css`
      section {
        padding: 1rem 1.25rem;
        border-inline-start: 0.25rem solid var(--_line);
        background: var(--_sunken);
        border-radius: var(--_radius);
      }
    `,
  ];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Record<string, string> = {};

  protected override render(): TemplateResult {
    const heading = textOf(this.feature['heading']);
    const content = textOf(this.feature['content']);
    return html`<section>
      ${heading === '' ? nothing : html`<div role="heading" aria-level="3" class="content">${markup(heading)}</div>`}
      <div class="content">${markup(content)}</div>
    </section>`;
  }
}
