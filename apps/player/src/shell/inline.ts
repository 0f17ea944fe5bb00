import type { Labels } from '#renderer';
import { placeSimpleFeatures } from '#renderer';
import type { Attempt } from '../attempt';
import type { Submitted } from '../delivery/port';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import { isOn, type Members } from '../members';
import { pageError, type PageError } from '../page/errors';
import type { Events } from '../page/events';
import { adoptShellStyle } from './style';

interface Inline {
  say: Say;
  events: Events;
  /** `config`, overridden by its `questions_api_init_options`. */
  options: Members;
  labels: Labels;
  fail(error: PageError): void;
  isAlone(): boolean;
}

/** A test whose items the page has placed among its own content. */
export class InlineTest {
  constructor(
    private readonly views: readonly ItemView[],
    private readonly attempt: Attempt,
    private readonly page: Inline,
  ) {}

  /**
   * Renders items into the elements of the page: whole items into `.learnosity-item[data-reference]`, single questions
   * into `.learnosity-response.question-ID`, features into `.learnosity-feature`.
   */
  async place(): Promise<void> {
    adoptShellStyle();
    const { attempt, views } = this;
    const { fail, isAlone, say, options, labels } = this.page;
    const places = [...document.querySelectorAll<HTMLElement>('.learnosity-item')];
    const named = new Set(views.map(({ state }) => state.item.id));
    for (const { dataset } of places)
      // If the page has another app, the element may belong to that one.
      if (isAlone() && !named.has(dataset['reference'] ?? ''))
        fail(pageError(50002, 'The request has no item for an element of the page.', dataset['reference'] ?? ''));
    for (const view of views) {
      await this.#placeItem(view, places);
      await view.placeFeatures(document);
      view.state.viewed = true;
    }
    await placeSimpleFeatures(document, labels);
    this.#button('save', isOn(options['renderSaveButton']), say('save'), () => this.save());
    this.#button('submit', isOn(options['renderSubmitButton']), say('submit'), () => this.submit());
    attempt.run(() => undefined);
    if (attempt.answers.hasUnsaved) void attempt.saveWhenPossible();
  }

  async save(): Promise<void> {
    await this.#told('test:save', () => this.attempt.save());
  }

  async submit(): Promise<void> {
    const questions = () => this.views.flatMap((view) => view.questions);
    if (isOn(this.page.options['validateOnSubmit']))
      await Promise.all(questions().map(async (view) => view.canCheck && view.response && view.validate()));
    const { reviews } = await this.#told<Submitted>('test:submit', async () => {
      const obstacle = questions().find((view) => view.obstacle)?.obstacle;
      if (obstacle !== undefined) throw new Error(obstacle);
      return this.attempt.submit();
    });
    for (const view of questions()) view.close(reviews?.[view.responseId]);
  }

  async #told<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { events } = this.page;
    events.emit(name);
    try {
      const done = await work();
      events.emit(`${name}:success`);
      return done;
    } catch (error) {
      events.emit(`${name}:error`, error);
      throw error;
    }
  }

  async #placeItem(view: ItemView, places: readonly HTMLElement[]): Promise<void> {
    const { id } = view.state.item;
    const own = places.find(({ dataset }) => dataset['reference'] === id);
    if (own) return void (await view.render(own));
    await view.placeIn(document);
    if (view.questions.some(({ element }) => element)) return;
    const detail = `<span class="learnosity-item" data-reference="${id}">`;
    this.page.fail(pageError(50001, 'The page has no element for an item.', detail));
  }

  #button(name: string, isWanted: boolean, label: string, act: () => Promise<unknown>): void {
    if (!isWanted) return;
    const { fail } = this.page;
    const place = `learnosity-${name}-button`;
    const holder = document.querySelector(`.${place}`);
    if (!holder)
      return fail(pageError(50001, 'The page has no element for a button.', `<span class="${place}"></span>`));
    const element = document.createElement('button');
    element.type = 'button';
    element.className = `itembank-button lrn_${name}_button`;
    element.textContent = label;
    element.addEventListener(
      'click',
      () =>
        void act().catch((error: unknown) => fail(pageError(10004, 'The answers could not be stored.', String(error)))),
    );
    holder.replaceChildren(element);
  }
}
