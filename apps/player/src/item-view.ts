import {
  defineFeature,
  defineQuestion,
  type Labels,
  labelsFor,
  PLAYS_WANTED,
  sanitise,
  simpleFeaturesIn,
} from '#renderer';
import type { ItemState } from './attempt';
import { FeatureView } from './feature-view';
import { textOf } from './members';
import { after } from './seconds';
import { QuestionView, type QuestionSettings } from './question-view';

const RETRY_MS = 2_000;

/** An item on the page, with its questions and features in their places. */
export class ItemView {
  readonly questions: readonly QuestionView[];
  readonly features: readonly FeatureView[];
  element: HTMLElement | undefined;

  constructor(
    readonly state: ItemState,
    private readonly settings: QuestionSettings,
    headings: readonly string[],
  ) {
    this.questions = state.item.questions.map(
      (question, index) => new QuestionView(question, settings, headings[index] ?? ''),
    );
    this.features = state.item.features.map(
      (feature) => new FeatureView(String(feature['feature_id']), feature, textOf(feature['feature_reference'])),
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
    this.#keepPlays(element);
    await this.placeIn(element);
    return element;
  }

  /**
   * Renders questions and features into their placeholders below an element, all at once: a part that came later would
   * move the others while the learner presses them.
   */
  async placeIn(root: ParentNode): Promise<void> {
    await this.load();
    await Promise.all([
      ...this.questions.map(async (view) => {
        const mark = markOf(root, `question-${view.responseId}`);
        if (mark) await this.#persistently(mark, () => view.place(mark));
      }),
      ...this.features.map(async (feature) => {
        const mark = markOf(root, `feature-${feature.id}`);
        if (mark) await this.#persistently(mark, () => feature.place(mark, this.#labels));
      }),
    ]);
  }

  /** Tries again, and tells the learner so, until the code of a type could be loaded. */
  async #persistently(mark: Element, place: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        return await place();
      } catch (error) {
        console.error(error);
        const notice = document.createElement('p');
        notice.setAttribute('role', 'status');
        notice.textContent = this.settings.say('loading_failed');
        mark.replaceChildren(notice);
        await after(RETRY_MS);
      }
  }

  /**
   * Loads the code of the item's types, so that the item can be shown without a network later. A type that fails to load
   * now is tried again when its item is shown.
   */
  async load(): Promise<void> {
    const questions = this.questions.map(({ question }) => defineQuestion(String(question['type'])));
    const features = this.features.map(({ feature }) => defineFeature(String(feature['type'])));
    await Promise.allSettled([...questions, ...features]);
  }

  /** Moves features into the placeholders that the page has for their references. */
  async placeFeatures(root: ParentNode): Promise<void> {
    for (const feature of this.features) {
      const mark = feature.reference === undefined ? null : markOf(root, `feature-${feature.reference}`);
      if (!mark) continue;
      this.#keepPlays(mark);
      await feature.place(mark, this.#labels);
    }
  }

  /** Tells limited sounds and films under which key to keep their plays, so that a reload does not reset them. */
  #keepPlays(root: EventTarget): void {
    root.addEventListener(PLAYS_WANTED, (event) => {
      (event as CustomEvent<{ key?: string }>).detail.key = this.settings.attempt.playsKey;
    });
  }

  /** Whether an element is part of the item, or of one of its questions elsewhere on the page. */
  contains(element: Node): boolean {
    return [this, ...this.questions].some((part) => part.element?.contains(element));
  }

  /** Takes the item off the page, with the questions and features that are elsewhere. */
  remove(): void {
    this.element?.replaceChildren();
    for (const { element } of this.questions) element?.parentElement?.replaceChildren();
    for (const { element } of this.features) element?.remove();
  }

  /** The features that authors described in the texts of the item. */
  get simpleFeatures(): FeatureView[] {
    return [
      ...this.questions.flatMap((question) => question.simpleFeatures),
      ...this.features.flatMap(({ id, element }) =>
        simpleFeaturesIn(element?.shadowRoot ?? document.createDocumentFragment()).map((each, at) =>
          FeatureView.placed(`${id}-feature-${at + 1}`, each),
        ),
      ),
    ];
  }

  /** Stops the sounds and films of the item where they are. */
  silence(): void {
    for (const { media } of [...this.features, ...this.simpleFeatures]) media?.pause();
  }

  get #labels(): Labels {
    return labelsFor(this.settings.language, this.settings.labels);
  }

  /** The first heading, or the item itself. */
  focus(options: FocusOptions = {}): void {
    const first = this.questions.find(({ element }) => element)?.element;
    const heading = first?.shadowRoot?.querySelector<HTMLElement>('[part=heading]');
    if (heading) return heading.focus(options);
    this.element?.setAttribute('tabindex', '-1');
    this.element?.focus(options);
  }
}

const markOf = (root: ParentNode, name: string): Element | null => root.querySelector(`.${CSS.escape(name)}`);
