import { html, nothing, render, type TemplateResult } from 'lit';
import type { Labels } from '#renderer';
import { placeSimpleFeatures } from '#renderer';
import type { Attempt } from '../attempt';
import { Refused, type Submitted } from '../delivery/port';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import { isOn, type Members } from '../members';
import { pageError, type PageError } from '../page/errors';
import type { Events } from '../page/events';
import type { QuestionView } from '../question-view';
import { schemeAround } from './colour-scheme';
import { answersAsText, keptText, TRIES_BEFORE_TEXT } from './dialogs';
import { savedText } from './panels';
import { showAnswers, type ShownTest } from './shell';
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

/** Events that show which item the learner works on. Some browsers do not focus what a pointer presses. */
const USES = ['focusin', 'response-change'] as const;

/** A test whose items the page has placed among its own content. */
export class InlineTest {
  /** The elements of the page that hold the buttons. */
  readonly #holders: HTMLElement[] = [];
  /** Beside the buttons: what is saved. */
  #status: HTMLElement | undefined;
  #submitting: Promise<void> | undefined;
  /** Why the learner could not submit or go on here. */
  #problem: string | undefined;
  /** The number of submissions that failed. */
  #failures = 0;
  /** The answers as text, after the last failure. */
  #asText: TemplateResult | undefined;
  /** The texts for the learner after the test has ended. */
  #ended: string[] = [];

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
    if (attempt.isOpen) {
      this.#button('save', isOn(options['renderSaveButton']), say('save'), () => this.save());
      this.#button('submit', isOn(options['renderSubmitButton']), say('submit'), () => this.submit());
      this.#addStatus();
    }
    for (const name of USES) document.addEventListener(name, this.#used);
    attempt.onchange = () => this.#refresh();
    this.#takeColours();
    attempt.run(() => this.#takeColours());
    if (attempt.answers.hasUnsaved) void attempt.saver.saveWhenPossible();
  }

  async save(): Promise<void> {
    this.#problem = undefined;
    try {
      await this.#told('test:save', () => this.attempt.saver.save());
    } catch (error) {
      void this.attempt.saver.saveWhenPossible();
      throw error;
    }
  }

  /** A second call while a submission is under way waits for that one. */
  submit(): Promise<void> {
    return (this.#submitting ??= this.#submitOnce().finally(() => (this.#submitting = undefined)));
  }

  /** Takes everything off the page. */
  remove(): void {
    for (const name of USES) document.removeEventListener(name, this.#used);
    for (const holder of this.#holders) holder.replaceChildren();
  }

  async #submitOnce(): Promise<void> {
    const { attempt } = this;
    const { say } = this.page;
    const questions = this.#questions;
    if (isOn(this.page.options['validateOnSubmit']))
      await Promise.all(questions.map(async (view) => view.canCheck && view.response && view.validate()));
    await this.#told('test:submit', async () => {
      const obstacle = questions.find((view) => view.obstacle)?.obstacle;
      try {
        if (obstacle !== undefined) throw new Error(obstacle);
        const hasUnsaved = attempt.answers.hasUnsaved;
        for (const view of questions) view.disable('player');
        const { reviews, time_over: isOver, left_out: isLeftOut } = await attempt.saver.submit();
        const isLate = isLeftOut || attempt.saver.hasLate || (hasUnsaved && isOver);
        this.#close(isLate ? ['submitted', 'late'] : ['submitted'], reviews);
      } catch (error) {
        const isRefused = this.#isRefused(error);
        if (!isRefused) this.#problem = obstacle ?? `${say('submit_failed')}. ${keptText(this.#shell)}`;
        if (obstacle === undefined) this.#failures += 1;
        const isOffered = isRefused || this.#failures >= TRIES_BEFORE_TEXT;
        this.#asText = isOffered ? answersAsText(attempt, say('submit_data'), say) : undefined;
        throw error;
      } finally {
        for (const view of questions) view.disable('player', false);
        this.#refresh();
      }
    });
  }

  /** Goes on here after another page has saved. */
  async #goOnHere(): Promise<void> {
    const { attempt, views, page } = this;
    this.#problem = undefined;
    try {
      await attempt.takeOver();
      showAnswers(views, attempt);
      await attempt.saver.saveWhenPossible();
    } catch (error) {
      // A session that has ended does not start again.
      if (error instanceof Refused && error.isStale) this.#close(['over', 'late']);
      else if (!this.#isRefused(error)) this.#problem = page.say('unreachable');
    }
    this.#refresh();
  }

  /** Whether the service refused a call for good. The status then says so. */
  #isRefused(error: unknown): boolean {
    if (!(error instanceof Refused) || error.isForNow) return false;
    if (error.isOver) this.#close(['over', 'late']);
    else this.attempt.saver.state = error.isStale ? 'elsewhere' : 'refused';
    return true;
  }

  #close(ended: ('submitted' | 'over' | 'late')[], reviews: Submitted['reviews'] = {}): void {
    this.#ended = ended.map((text) => this.page.say(text));
    this.attempt.end();
    for (const view of this.#questions) view.close(reviews[view.responseId]);
    for (const holder of this.#holders) holder.querySelector('button')?.remove();
  }

  /** Tells the learner what is saved, and how to go on. */
  #refresh(): void {
    if (this.attempt.saver.state === 'over' && !this.attempt.isEnded) this.#close(['over', 'late']);
    if (this.#status) render(this.#statusText(), this.#status);
  }

  #statusText(): unknown {
    const { attempt, page } = this;
    if (attempt.isEnded) return this.#ended.map((text) => html`<p class="itembank-saved">${text}</p>`);
    const problem =
      this.#problem === undefined ? nothing : html`<p class="itembank-saved is-failing">${this.#problem}</p>`;
    if (attempt.saver.state !== 'elsewhere')
      return html`${problem === nothing ? savedText(this.#shell) : problem} ${this.#asText}`;
    return html`<p class="itembank-saved is-failing">${page.say('elsewhere')}</p>
      ${problem}
      <button type="button" class="itembank-button" @click=${() => void this.#goOnHere()}>
        ${page.say('go_on_here')}
      </button>`;
  }

  get #shell(): ShownTest {
    return { attempt: this.attempt, say: this.page.say, views: this.views };
  }

  get #questions(): QuestionView[] {
    return this.views.flatMap((view) => view.questions);
  }

  /** Shows everything in the colours of the page, which may change while the page is open. */
  #takeColours(): void {
    const parts = this.views.flatMap(({ element, questions, features }) => [
      ...(element ? [element] : questions.map((question) => question.element)),
      ...features.map((feature) => feature.element),
    ]);
    for (const part of [...parts, ...this.#holders]) if (part) part.style.colorScheme = schemeAround(part);
  }

  /** Counts the time for the item that the learner works on. */
  readonly #used = ({ target, type }: Event) => {
    // The text lacks the new answer.
    if (type === 'response-change' && this.#asText) {
      this.#asText = undefined;
      this.#refresh();
    }
    const position = this.views.findIndex((view) => view.contains(target as Node));
    if (position >= 0 && position !== this.attempt.current) this.attempt.goTo(position);
  };

  async #told(name: string, work: () => Promise<void>): Promise<void> {
    const { events } = this.page;
    events.emit(name);
    try {
      await work();
      events.emit(`${name}:success`);
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
    const holder = document.querySelector<HTMLElement>(`.${place}`);
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
    this.#holders.push(holder);
  }

  /** Adds the status after the last button; a page with buttons of its own tells the learner itself. */
  #addStatus(): void {
    const holder = this.#holders.at(-1);
    if (!holder) return;
    this.#status = document.createElement('div');
    this.#status.setAttribute('role', 'status');
    holder.append(this.#status);
    this.#refresh();
  }
}
