import { defineQuestion, labelsFor, type Question, type QuestionElement, type Review } from '#renderer';
import type { Attempt } from './attempt';
import { type Checked, Refused, type StoredResponse } from './delivery/port';
import type { Say } from './labels';
import { isOn, type Members, objectOf } from './members';
import { Events } from './page/events';

/** Settings that all questions of a page share. */
export interface QuestionSettings {
  attempt: Attempt;
  say: Say;
  language: string;
  /** Overrides of the renderer's texts. */
  labels: Members;
  /** Level of the heading before each question; null for none. */
  headingLevel: number | null;
  options: Members;
}

/** A question on the page: its element, its "Check answer" button, and its public methods. */
export class QuestionView {
  readonly events = new Events();
  readonly responseId: string;
  element: QuestionElement | undefined;
  /** The result of the last check, or the score in a review. */
  checked: { score: number | null; max_score: number | null; is_valid: boolean | null; review: Review } | undefined;
  #button: HTMLButtonElement | undefined;
  #left: HTMLElement | undefined;

  constructor(
    readonly question: Question,
    private readonly settings: QuestionSettings,
    private readonly heading: string,
  ) {
    this.responseId = String(question['response_id']);
  }

  /** Renders the question into a placeholder. */
  async place(mark: Element): Promise<void> {
    const { attempt, language, labels, headingLevel } = this.settings;
    const tag = await defineQuestion(String(this.question['type']));
    const element = document.createElement(tag) as QuestionElement;
    const review = attempt.started.reviews?.[this.responseId] ?? null;
    const isReview = attempt.state === 'review';
    Object.assign(element, {
      id: this.responseId,
      className: 'itembank-question',
      question: this.question,
      value: attempt.responses.get(this.responseId)?.value ?? null,
      mode: isReview ? 'review' : attempt.state === 'preview' ? 'preview' : 'answer',
      review,
      labels: labelsFor(language, labels),
      heading: headingLevel === null ? null : { level: headingLevel, text: this.heading },
      seed: this.responseId,
    });
    if (review) this.#take({ score: review.score, max_score: review.maxScore, is_valid: isFull(review), review });
    element.addEventListener('response-change', (event) =>
      this.#changed((event as CustomEvent<{ value: unknown }>).detail.value),
    );
    this.element = element;
    mark.replaceChildren(element);
    attempt.setAttempted(this.responseId, element.attempted);
    if (this.canCheck) this.#addButton(mark);
  }

  /** Whether answers to this question may be checked during the test. */
  get canCheck(): boolean {
    const overrides = objectOf(this.settings.options['attribute_overrides']);
    return this.settings.attempt.isOpen && isOn(overrides['instant_feedback'], isOn(this.question['instant_feedback']));
  }

  get response(): StoredResponse | null {
    const stored = this.settings.attempt.responses.get(this.responseId);
    return stored && this.settings.attempt.isAttempted(this.responseId) ? stored : null;
  }

  /** Asks the service to score the answer, and shows the result. */
  async validate({ showCorrectAnswers = true }: { showCorrectAnswers?: boolean } = {}): Promise<void> {
    const { attempt, say } = this.settings;
    if (!this.element) return;
    this.events.emit('beforeValidate');
    try {
      const checked: Checked = await attempt.check(this.responseId);
      this.#take(checked);
      const { correct, ...others } = checked.review;
      this.#show(showCorrectAnswers && correct !== undefined ? checked.review : others);
      this.#say(checked.attempts_left === null ? '' : say('attempts_left', checked.attempts_left));
      if (this.#button) this.#button.disabled = checked.attempts_left === 0;
    } catch (error) {
      this.#say(say('check_refused', error instanceof Error ? error.message : String(error)));
      if (error instanceof Refused && !error.isForNow && this.#button) this.#button.disabled = true;
    }
    this.events.emit('validated');
  }

  set isDisabled(isDisabled: boolean) {
    if (this.element) this.element.disabled = isDisabled;
  }

  reset(): void {
    if (!this.element) return;
    this.element.value = null;
    this.#changed(null);
  }

  /** Makes the question read-only, and shows the review that came with the submission. */
  close(review: Review | undefined): void {
    if (!this.element) return;
    this.#button?.remove();
    this.element.disabled = true;
    if (review) this.#show(review);
  }

  #changed(value: unknown): void {
    const { attempt } = this.settings;
    attempt.setAttempted(this.responseId, this.element!.attempted);
    attempt.change(this.responseId, value);
    if (this.element!.mode === 'review' && attempt.isOpen)
      Object.assign(this.element!, { mode: 'answer', review: null });
    this.events.emit('changed');
  }

  #take(checked: NonNullable<QuestionView['checked']>): void {
    this.checked = checked;
  }

  #show(review: Review): void {
    Object.assign(this.element!, { mode: 'review', review });
  }

  #addButton(mark: Element): void {
    const row = document.createElement('div');
    row.className = 'itembank-check';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'itembank-button lrn_validate';
    button.textContent = this.settings.say('check');
    button.addEventListener('click', () => {
      // Leaves the review, so that the learner can change the answer.
      if (this.element!.mode === 'review') Object.assign(this.element!, { mode: 'answer', review: null });
      void this.validate().then(() => this.#again());
    });
    this.#left = document.createElement('span');
    this.#left.setAttribute('role', 'status');
    row.append(button, this.#left);
    mark.append(row);
    this.#button = button;
  }

  /** The review is read-only. Adds a button that returns to the answer. */
  #again(): void {
    const { element } = this;
    if (!element || element.mode !== 'review' || this.#button?.disabled || !this.settings.attempt.isOpen) return;
    const again = document.createElement('button');
    again.type = 'button';
    again.className = 'itembank-button';
    again.textContent = this.settings.say('try_again');
    this.#button!.hidden = true;
    this.#button!.after(again);
    again.addEventListener('click', () => {
      Object.assign(element, { mode: 'answer', review: null });
      this.#button!.hidden = false;
      this.#button!.focus();
      again.remove();
      this.#say('');
    });
  }

  #say(text: string): void {
    if (this.#left) this.#left.textContent = text;
  }
}

const isFull = ({ score, maxScore }: Review): boolean | null => (score === null ? null : score === maxScore);
