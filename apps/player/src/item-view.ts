import { defineFeature, labelsFor, sanitise } from '#renderer';
import type { ItemState } from './attempt';
import { QuestionView, type QuestionSettings } from './question-view';

/** An item on the page, with its questions and features in their places. */
export class ItemView {
  readonly questions: readonly QuestionView[];
  element: HTMLElement | undefined;

  constructor(
    readonly state: ItemState,
    private readonly settings: QuestionSettings,
    headings: readonly string[],
  ) {
    this.questions = state.item.questions.map(
      (question, index) => new QuestionView(question, settings, headings[index] ?? ''),
    );
  }

  /** @param element the page's own element for the item; absent: a new one. */
  async render(element: HTMLElement = document.createElement('div')): Promise<HTMLElement> {
    const { item } = this.state;
    element.classList.add('itembank-item', 'learnosity-item');
    element.dataset['reference'] = item.id;
    element.replaceChildren(sanitise(item.content));
    for (const column of element.querySelectorAll<HTMLElement>('.itembank-column[data-width]'))
      column.style.setProperty('flex-basis', `${column.dataset['width']}%`);
    this.element = element;
    await this.placeIn(element);
    return element;
  }

  /** Renders questions and features into their placeholders below an element. */
  async placeIn(root: ParentNode): Promise<void> {
    await Promise.all([
      ...this.questions.map(async (view) => {
        const mark = markOf(root, `question-${view.responseId}`);
        if (mark) await view.place(mark);
      }),
      ...this.state.item.features.map(async (feature) => {
        const mark = markOf(root, `feature-${String(feature['feature_id'])}`);
        if (!mark) return;
        const tag = await defineFeature(String(feature['type']));
        if (!tag) return mark.remove();
        const shown = Object.assign(document.createElement(tag), {
          feature,
          labels: labelsFor(this.settings.language, this.settings.labels),
        });
        mark.replaceChildren(shown);
      }),
    ]);
  }

  /** The first heading, or the item itself. */
  focus(): void {
    const first = this.questions.find(({ element }) => element)?.element;
    const heading = first?.shadowRoot?.querySelector<HTMLElement>('[part=heading]');
    if (heading) return heading.focus();
    this.element?.setAttribute('tabindex', '-1');
    this.element?.focus();
  }
}

const markOf = (root: ParentNode, name: string): Element | null => root.querySelector(`.${CSS.escape(name)}`);
