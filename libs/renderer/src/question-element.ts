import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { hasWords, markup } from './content/markup';
import { hasMathematics, loadTypesetter, mathematicsLoaded, typesetter } from './content/mathematics';
import { announce, prepareAnnouncements } from './interactions/announce';
import { fill, type LabelKey, type Labels, labelsFor } from './labels';
import { entryText, listOf, objectOf, textOf } from './members';
import type { Attempted, Counts, Mode, Question, Review } from './question';
import { isFull, reviewPanel, type Verdict, verdictOf } from './review';
import { baseStyle } from './style';
import { warn } from './warn';

export interface Heading {
  level: number;
  text: string;
}

/** Sizes for `ui_style.fontsize`; `normal` and unknown values have none. */
const FONT_SIZES = ['small', 'large', 'xlarge', 'xxlarge'];

/**
 * A question on the page. Properties hold the state; they may be set in any order, before or after attaching. Answers
 * of the learner are sent as `response-change` events. Each type defines its controls ({@link controls}), when it is
 * answered ({@link attempted}), and how it shows a right answer ({@link correctAnswers}).
 */
export abstract class QuestionElement extends LitElement {
  static override styles = [baseStyle];

  @property({ attribute: false }) question: Question = {};
  /** The response as the Data API has it; null when there is none. */
  @property({ attribute: false }) value: unknown = null;
  @property({ attribute: false }) mode: Mode = 'answer';
  @property({ attribute: false }) review: Review | null = null;
  @property({ attribute: false }) disabled = false;
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  @property({ attribute: false }) heading: Heading | null = null;
  /** Whether the learner can cover options, see {@link isMaskable}. */
  @property({ attribute: false }) masking = false;

  /** How completely the question is answered. Depends only on `question` and `value`. */
  abstract get attempted(): Attempted;

  /** Whether the type has options that a learner can cover. */
  get isMaskable(): boolean {
    return false;
  }

  /** The size of an answer that is a text. */
  get counts(): Counts {
    return {};
  }

  /** Whether the answer has more words than may be submitted. */
  get isTooLong(): boolean {
    return false;
  }

  /** The controls. Reads `question`, `value`, {@link isReadOnly}, {@link shownReview}; calls {@link change}. */
  protected abstract controls(): unknown;

  /** The right answer as review lists it, one entry for each part. Called when `review.correct` may be shown. */
  protected correctAnswers(_correct: unknown): TemplateResult[] {
    return [];
  }

  /** Answers in places are numbered as `validation_stem_numeration` says. */
  protected readonly correctAnswersAre: 'of places' | 'a set' = 'of places';

  /** The author's positions of the places in display order, if that order differs. */
  protected get placesInOrder(): readonly number[] | undefined {
    return undefined;
  }

  get isReadOnly(): boolean {
    return this.disabled || this.mode !== 'answer';
  }

  /** The review; null in other modes. */
  protected get shownReview(): Review | null {
    return this.mode === 'review' ? this.review : null;
  }

  /** The right answer, to show what the response lacks; null if the response has full marks, because it lacks nothing. */
  protected get missable(): unknown {
    const review = this.shownReview;
    return review && !isFull(review) ? review.correct : null;
  }

  /** The verdict of a place for a text or for a list of texts. */
  verdictAt(at: number): Verdict | undefined {
    const right = listOf(this.missable)[at];
    const isMissed = Array.isArray(right) ? right.length > 0 : entryText(right) !== '';
    return verdictOf(this.shownReview?.parts?.[at]) ?? (isMissed ? 'missed' : undefined);
  }

  /** Call it when the learner changes the answer, never for values that the page sets. */
  protected change(value: unknown): void {
    if (this.isReadOnly) return;
    this.value = value;
    this.dispatchEvent(new CustomEvent('response-change', { detail: { value }, bubbles: true, composed: true }));
  }

  label(key: LabelKey, ...values: (string | number)[]): string {
    return fill(this.labels[key], values);
  }

  announce(key: LabelKey, ...values: (string | number)[]): void {
    announce(this.label(key, ...values));
  }

  /** The ids of the elements that name a group of controls: the stimulus, or a general label. */
  protected get namedBy(): string {
    return hasWords(this.#stimulus) ? 'stimulus' : this.heading ? 'heading' : 'name';
  }

  get #stimulus(): string {
    const inReview = this.mode === 'review' ? textOf(this.question['stimulus_review']) : '';
    return inReview || textOf(this.question['stimulus']);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    prepareAnnouncements();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has('question') || typesetter() || !hasMathematics(JSON.stringify(this.question))) return;
    // Names of controls contain mathematics too, and only an update can set them.
    void loadTypesetter().then(() => this.requestUpdate());
  }

  /** Resolves when the layout is final and mathematics is typeset. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await mathematicsLoaded();
    return super.getUpdateComplete();
  }

  protected override render(): TemplateResult {
    const size = textOf(objectOf(this.question['ui_style'])['fontsize']);
    return html`
      <div
        class="question ${FONT_SIZES.includes(size) ? `fontsize-${size}` : ''} ${this.isReadOnly ? 'is-read-only' : ''}"
      >
        ${this.#heading()} ${this.#asked()} ${this.#tried(() => this.controls())} ${this.#reviewed()}
      </div>
      <slot></slot>
    `;
  }

  #heading(): unknown {
    if (!this.heading) return nothing;
    const { level, text } = this.heading;
    return html`<div
      id="heading"
      class="visually-hidden"
      part="heading"
      role="heading"
      aria-level=${level}
      tabindex="-1"
    >
      ${text}
    </div>`;
  }

  #asked(): unknown {
    const stimulus = this.#stimulus;
    const forTeachers = textOf(this.question['instructor_stimulus']);
    return html`
      ${forTeachers === '' ? nothing : html`<div class="stimulus content">${markup(forTeachers)}</div>`}
      ${this.namedBy === 'name' ? html`<span id="name" class="visually-hidden">${this.label('question')}</span>` : nothing}
      ${stimulus === '' ? nothing : html`<div id="stimulus" class="stimulus content">${markup(stimulus)}</div>`}
    `;
  }

  #reviewed(): unknown {
    const review = this.shownReview;
    if (!review) return nothing;
    const { correct } = review;
    const answers = correct === undefined || correct === null ? [] : this.#tried(() => this.correctAnswers(correct));
    const order = this.placesInOrder;
    const inOrder = <T>(list: readonly T[]) => (order ? order.flatMap((at) => list.slice(at, at + 1)) : list);
    const { responseRationale } = review;
    const numerals = textOf(objectOf(this.question['ui_style'])['validation_stem_numeration'], 'number');
    const shown = responseRationale ? { ...review, responseRationale: inOrder(responseRationale) } : review;
    return reviewPanel(shown, this.labels, {
      isAnswered: this.attempted !== 'not_attempted',
      answers: inOrder(answers ?? []),
      numerals: this.correctAnswersAre === 'of places' ? numerals : undefined,
    });
  }

  /** An invalid question must not stop the others on the page. */
  #tried<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      warn(`a question of the type ${textOf(this.question['type'], 'unknown')} cannot be shown: ${String(error)}`);
      return undefined;
    }
  }
}
