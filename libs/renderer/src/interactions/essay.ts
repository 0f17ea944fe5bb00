import { html, nothing, type TemplateResult } from 'lit';
import { css } from '../css';
import { isTrue, numberOf, objectOf, textOf } from '../members';
import { attemptedOf, type Attempted, type Counts } from '../question';
import { QuestionElement } from '../question-element';
import { lengthOf } from '../response-container';
import { richTextStyle } from './rich-text/style';
import { typingStyle } from './typing';

const essayStyle = css`
  .essay .field {
    display: block;
    inline-size: 100%;
    min-block-size: 8rem;
    resize: vertical;
  }

  .essay .count {
    margin-block: 0.375rem 0;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .essay .count.is-over {
    color: var(--_wrong);
    font-weight: 600;
  }
`;

/** A long text, which a person scores. It has a limit of words. */
export abstract class EssayElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, typingStyle, essayStyle, richTextStyle];

  /** The value as the learner reads it. */
  protected abstract textIn(value: unknown): string;

  /** The field, without the number of words. */
  protected abstract field(): unknown;

  /** The text and the number of words of the latest value. Each letter needs them several times, and reading takes time. */
  #read: { value: unknown; text: string; words: number } | undefined;

  get #answer() {
    const { value } = this;
    if (this.#read && this.#read.value === value) return this.#read;
    const text = this.textIn(value);
    return (this.#read = { value, text, words: text.split(/\s+/).filter((word) => word !== '').length });
  }

  protected get text(): string {
    return this.#answer.text;
  }

  override get attempted(): Attempted {
    return attemptedOf(this.text.trim() === '' ? 0 : 1, 1);
  }

  override get counts(): Counts {
    return { wordCount: this.#words };
  }

  override get isTooLong(): boolean {
    return this.#words > this.#max && !isTrue(this.question['submit_over_limit']);
  }

  get #words(): number {
    return this.#answer.words;
  }

  get #max(): number {
    return Math.max(1, Math.round(numberOf(this.question['max_length'], 10_000)));
  }

  protected override change(value: unknown): void {
    const wasTooLong = this.isTooLong;
    super.change(value);
    if (this.isTooLong && !wasTooLong) this.announce('over_limit');
  }

  /** The options that both kinds of fields have. */
  protected get fieldOptions() {
    const { question } = this;
    const { min_height: min, max_height: max } = objectOf(question['ui_style']);
    return {
      labelledBy: this.namedBy,
      describedBy: 'count',
      placeholder: textOf(question['placeholder']),
      spellcheck: isTrue(question['spellcheck'] ?? true),
      minHeight: lengthOf(min),
      maxHeight: lengthOf(max),
    };
  }

  protected override controls(): TemplateResult {
    return html`<div class="essay">${this.field()} ${this.#count()}</div>`;
  }

  #count(): unknown {
    const { show_word_limit: shown, show_word_count: counted } = this.question;
    const [words, max] = [this.#words, this.#max];
    const limit = textOf(shown, 'always');
    const showsLimit = limit === 'always' || (limit === 'on-limit' && words >= max);
    const isTold = this.isTooLong && !this.isReadOnly;
    const isHidden = !showsLimit && !isTold && (counted === false || counted === 'false');
    const count = showsLimit ? this.label('words_of', words, max) : this.label('words', words);
    return html`<p id="count" class="count ${words > max ? 'is-over' : ''}" ?hidden=${isHidden}>
      ${count}${isTold ? html` <br />${this.label('over_limit')}` : nothing}
    </p>`;
  }
}
