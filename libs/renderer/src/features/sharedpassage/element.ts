import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { css, rem } from '../../css';
import { markup } from '../../content/markup';
import { setStyles } from '../../content/set-styles';
import { announce } from '../../interactions/announce';
import { fill, type Labels, labelsFor } from '../../labels';
import { isTrue, listOf, type Members, objectOf, textOf } from '../../members';
import { lengthOf } from '../../response-container';
import { baseStyle } from '../../style';

/** A text that several questions are about, as a whole or page by page. */
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

      .pages {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
        margin-block-start: 0.75rem;
      }
    `,
  ];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  @state() private at = 0;

  protected override render(): TemplateResult {
    const { type, heading, content, instructor_stimulus: forTeachers, height, 'data-height': given } = this.feature;
    const isScrollable = type === 'scrollablepassage';
    const pages = this.pages;
    const shown = pages.length > 0 ? pages[Math.min(this.at, pages.length - 1)]! : textOf(content);
    // Learners scroll by keyboard where the focus is.
    return html`<section
      tabindex=${isScrollable ? 0 : nothing}
      ${setStyles({
        'max-block-size': isScrollable ? (lengthOf(height ?? given) ?? rem(300 / 16)) : undefined,
        overflow: isScrollable ? 'auto' : undefined,
      })}
    >
      ${textOf(forTeachers) === '' ? nothing : html`<div class="content">${markup(textOf(forTeachers))}</div>`}
      ${
        textOf(heading) === ''
          ? nothing
          : html`<div role="heading" aria-level="3" class="content">${markup(textOf(heading))}</div>`
      }
      <div class="content">${markup(shown)}<slot></slot></div>
      ${pages.length > 1 ? this.controls(pages.length) : nothing}
    </section>`;
  }

  /** The pages of a passage that has some. */
  private get pages(): string[] {
    if (!isTrue(this.feature['paginated_content'])) return [];
    return listOf(this.feature['pages'])
      .map((page) => textOf(page) || textOf(objectOf(page)['content']))
      .filter((page) => page !== '');
  }

  private controls(count: number): TemplateResult {
    const { labels } = this;
    const turn = async (step: number) => {
      this.at += step;
      announce(fill(labels.page_of, [this.at + 1, count]));
      await this.updateComplete;
      // The button of the first or last page is disabled, and would lose the focus.
      if (this.at === 0 || this.at === count - 1)
        this.renderRoot.querySelector<HTMLElement>('.pages button:enabled')?.focus();
    };
    return html`<div class="pages" role="group" aria-label=${labels.pages}>
      <button type="button" class="button" ?disabled=${this.at <= 0} @click=${() => void turn(-1)}>
        ${labels.previous_page}
      </button>
      <span>${fill(labels.page_of, [this.at + 1, count])}</span>
      <button type="button" class="button" ?disabled=${this.at >= count - 1} @click=${() => void turn(1)}>
        ${labels.next_page}
      </button>
    </div>`;
  }
}
