import {
  announce,
  defineQuestion,
  labelsFor,
  type Question,
  type QuestionElement,
  type Review,
  simpleFeaturesIn,
} from '#renderer';
import type { Attempt } from './attempt';
import { type Checked, Refused, type StoredResponse } from './delivery/port';
import { FeatureView } from './feature-view';
import type { Say } from './labels';
import { isOn, type Members, numberOf, objectOf } from './members';
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
  /** Called after the learner changed an answer. */
  onanswer: (view: QuestionView) => void;
}

/** Parts of a check's result that a page may hide. */
export interface ValidateSettings {
  showCorrectAnswers?: boolean;
  showDistractorRationale?: boolean;
}

/** A question on the page: its element, its "Check answer" button, and its public methods. */
export class QuestionView {
  readonly events = new Events();
  readonly responseId: string;
  element: QuestionElement | undefined;
  /** The result of checking the present answer, or the score in a review. */
  checked: { score: number | null; max_score: number | null; is_valid: boolean | null; review: Review } | undefined;
  #masking = false;
  /** The callers that made the question read-only. */
  readonly #disabledBy = new Set<'page' | 'player'>();
  /** The review of the whole session, or the one that came with its submission. */
  #review: Review | undefined;
  /** The number of checks of the answer that this page knows of. */
  #checks = 0;
  #button: HTMLButtonElement | undefined;
  /** The button that hides the result of a check, so that the learner can change the answer. */
  #tryAgain: HTMLButtonElement | undefined;
  #left: HTMLElement | undefined;

  constructor(
    readonly question: Question,
    private readonly settings: QuestionSettings,
    readonly heading: string,
  ) {
    this.responseId = String(question['response_id']);
    this.#takeReview(settings.attempt.started.reviews?.[this.responseId]);
    this.#checks = numberOf(settings.attempt.answers.get(this.responseId)?.['feedbackAttemptsCount']);
  }

  /** Renders the question into a placeholder. */
  async place(mark: Element): Promise<void> {
    const { attempt, language, labels, headingLevel } = this.settings;
    const tag = await defineQuestion(String(this.question['type']));
    const element = document.createElement(tag) as QuestionElement;
    const review = this.#review ?? null;
    const isReview = attempt.state === 'review' || review !== null;
    Object.assign(element, {
      id: this.responseId,
      className: 'itembank-question',
      question:
        'spellcheck' in this.#overrides
          ? { ...this.question, spellcheck: this.#overrides['spellcheck'] }
          : this.question,
      value: attempt.answers.get(this.responseId)?.value ?? null,
      mode: isReview ? 'review' : attempt.state === 'preview' ? 'preview' : 'answer',
      review,
      labels: labelsFor(language, labels),
      heading: headingLevel === null ? null : { level: headingLevel, text: this.heading },
      masking: this.#masking,
      disabled: this.#isReadOnly,
    });
    element.addEventListener('response-change', (event) =>
      this.#changed((event as CustomEvent<{ value: unknown }>).detail.value),
    );
    element.addEventListener('masked', () => this.events.emit('masked'));
    this.element = element;
    mark.replaceChildren(element);
    attempt.answers.setAttempted(this.responseId, element.attempted);
    if (this.canCheck) this.#addButton(mark);
    // The element updates only once it is on the page, which may happen later.
    void element.updateComplete.then(() => this.events.emit('rendered'));
  }

  /** Renders the question again, with its present answer. */
  async render(): Promise<void> {
    const mark = this.element?.parentElement;
    if (mark) await this.place(mark);
  }

  /** Whether the learner can cover options. May be set before the question is rendered. */
  set masking(isOn: boolean) {
    this.#masking = isOn;
    if (this.element) this.element.masking = isOn;
  }

  /** Attributes that the page sets for all questions. */
  get #overrides(): Members {
    return objectOf(this.settings.options['attribute_overrides']);
  }

  /** Whether answers to this question may be checked during the test. */
  get canCheck(): boolean {
    return (
      this.settings.attempt.isOpen && isOn(this.#overrides['instant_feedback'], isOn(this.question['instant_feedback']))
    );
  }

  /** Whether the answer has more words than may be submitted. */
  get isTooLong(): boolean {
    return this.element?.isTooLong === true;
  }

  /** The reason why the answer cannot be submitted, as a text for the learner; undefined for none. */
  get obstacle(): string | undefined {
    const { attempt, say } = this.settings;
    if (attempt.answers.isOversize(this.responseId)) return say('oversize', this.heading);
    return this.isTooLong ? say('too_long', this.heading) : undefined;
  }

  get response(): StoredResponse | null {
    const stored = this.settings.attempt.answers.get(this.responseId);
    if (!stored || !this.settings.attempt.answers.isAttempted(this.responseId)) return null;
    return this.#checks > 0 ? { ...stored, feedbackAttemptsCount: this.#checks } : stored;
  }

  /** Asks the service to score the answer, and shows the result. */
  async validate({ showCorrectAnswers = true, showDistractorRationale = true }: ValidateSettings = {}): Promise<void> {
    const { attempt, say } = this.settings;
    this.events.emit('beforeValidate');
    const { value } = this;
    try {
      const checked: Checked = await attempt.check(this.responseId);
      const { attempts_left: left } = checked;
      this.#checks = left === null ? this.#checks + 1 : this.#allowedChecks - left;
      const { correct, rationale, responseRationale, ...marks } = checked.review;
      // The learner may have changed the answer meanwhile.
      if (this.value === value) {
        this.#take(checked);
        this.#show({
          ...marks,
          ...(showCorrectAnswers && correct !== undefined ? { correct } : {}),
          ...(showDistractorRationale ? { rationale, responseRationale } : {}),
        });
        await this.element?.updateComplete;
        if (this.element) announce(resultIn(this.element));
      }
      this.#showAttemptsLeft(left);
    } catch (error) {
      this.#say(error instanceof Refused ? say('check_refused', error.message) : say('unreachable'));
      if (error instanceof Refused && !error.isForNow && this.#button) this.#button.disabled = true;
    }
    this.events.emit('validated');
  }

  /** Hides the result of a check, so that the learner can change the answer. */
  hideReview(): void {
    if (!this.element || this.element.mode !== 'review' || !this.settings.attempt.isOpen) return;
    Object.assign(this.element, { mode: 'answer', review: null });
    this.#tryAgain?.remove();
    this.#tryAgain = undefined;
    if (this.#button) this.#button.hidden = false;
    this.#say('');
  }

  /** The present value of the answer. */
  get value(): unknown {
    return this.settings.attempt.answers.get(this.responseId)?.value ?? null;
  }

  /** Features that the author described in the texts of the question. */
  get simpleFeatures(): FeatureView[] {
    const found = this.element ? simpleFeaturesIn(this.element.renderRoot) : [];
    return found.map((each, at) => FeatureView.placed(`${this.responseId}-feature-${at + 1}`, each));
  }

  /** Makes the question read-only, also before it is rendered; `false` ends it. A question of an ended test stays so. */
  disable(by: 'page' | 'player', isDisabled = true): void {
    if (isDisabled) this.#disabledBy.add(by);
    else this.#disabledBy.delete(by);
    if (this.element) this.element.disabled = this.#isReadOnly;
  }

  get #isReadOnly(): boolean {
    return this.#disabledBy.size > 0 || this.settings.attempt.isEnded;
  }

  /** Removes the answer, unless the test takes none now. */
  reset(): void {
    const { attempt } = this.settings;
    if (!attempt.isOpen || attempt.isPaused) return;
    if (this.element) this.element.value = null;
    this.#changed(null, true);
  }

  /** Makes the question read-only, and shows the review that came with the submission. */
  close(review: Review | undefined): void {
    this.#takeReview(review);
    if (!this.element) return;
    this.#button?.remove();
    this.#tryAgain?.remove();
    this.element.disabled = true;
    if (review) this.#show(review);
  }

  #takeReview(review: Review | undefined): void {
    this.#review = review;
    if (review) this.#take({ score: review.score, max_score: review.maxScore, is_valid: isFull(review), review });
  }

  #changed(value: unknown, isReset = false): void {
    const { attempt, onanswer } = this.settings;
    attempt.answers.setAttempted(this.responseId, this.element?.attempted ?? 'not_attempted');
    attempt.change(this.responseId, value, this.element?.counts, isReset);
    this.checked = undefined;
    this.hideReview();
    this.events.emit('changed');
    onanswer(this);
  }

  #take(checked: NonNullable<QuestionView['checked']>): void {
    this.checked = checked;
  }

  #show(review: Review): void {
    if (this.element) Object.assign(this.element, { mode: 'review', review });
  }

  #addButton(mark: Element): void {
    const row = document.createElement('div');
    row.className = 'itembank-check';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'itembank-button lrn_validate';
    button.textContent = this.settings.say('check');
    let isChecking = false;
    button.addEventListener('click', () => {
      if (isChecking) return;
      isChecking = true;
      this.hideReview();
      const hasFocus = button.matches(':focus');
      void this.validate().then(() => {
        isChecking = false;
        this.#again();
        if (hasFocus && (button.hidden || button.disabled)) this.#keepFocus(button);
      });
    });
    this.#left = document.createElement('span');
    this.#left.setAttribute('role', 'status');
    row.append(button, this.#left);
    mark.append(row);
    this.#button = button;
    if (this.#allowedChecks > 0 && this.#checks >= this.#allowedChecks) this.#showAttemptsLeft(0);
  }

  /** 0: unlimited. */
  get #allowedChecks(): number {
    return numberOf(this.question['feedback_attempts']);
  }

  /** @param left null: unlimited. */
  #showAttemptsLeft(left: number | null): void {
    this.#say(left === null ? '' : this.settings.say('attempts_left', left));
    if (this.#button) this.#button.disabled = left === 0;
  }

  /** The review is read-only. Adds a button that returns to the answer. */
  #again(): void {
    const { element } = this;
    if (!element || element.mode !== 'review' || this.#button?.disabled || !this.settings.attempt.isOpen) return;
    const again = document.createElement('button');
    again.type = 'button';
    again.className = 'itembank-button';
    again.textContent = this.settings.say('try_again');
    this.#tryAgain?.remove();
    this.#tryAgain = again;
    this.#button!.hidden = true;
    this.#button!.after(again);
    again.addEventListener('click', () => {
      this.hideReview();
      this.#button!.focus();
    });
  }

  /** Moves the focus from a button that is gone, unless the learner went on meanwhile. */
  #keepFocus(button: HTMLButtonElement): void {
    const { activeElement } = document;
    if (activeElement && activeElement !== button && activeElement !== document.body) return;
    (this.#tryAgain ?? this.element?.shadowRoot?.querySelector<HTMLElement>('[part=heading]'))?.focus();
  }

  #say(text: string): void {
    if (this.#left) this.#left.textContent = text;
  }
}

/** The result that a question shows, as one text. */
const resultIn = ({ renderRoot }: QuestionElement): string =>
  [...renderRoot.querySelectorAll('.result span')]
    .filter((span) => span.childElementCount === 0)
    .map((span) => span.textContent.trim())
    .join('. ');

const isFull = ({ score, maxScore }: Review): boolean | null => (score === null ? null : score === maxScore);
