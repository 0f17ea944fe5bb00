import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { hasWords, markup } from '../../content/markup';
import { setStyles } from '../../content/set-styles';
import { Choosing } from '../../interactions/choosing';
import { choosingStyle } from '../../interactions/choosing-style';
import { isTrue, numberOf, objectOf, textOf } from '../../members';
import { numeral } from '../../numerals';
import { QuestionElement } from '../../question-element';
import { classOf, mark, type Verdict, verdictOf } from '../../review';
import { attempted, chosenOf, limitsOf, type Option, optionsOf, valueOf } from './answer';
import { style } from './style';

/** A choice of one or several options. */
export default class McqElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, choosingStyle, style];

  private readonly choosing: Choosing = new Choosing(this, {
    chosen: () => chosenOf(this.value),
    limits: () => limitsOf(this.question),
    choose: (values) => this.change(valueOf(this.question, values)),
  });

  /** The options that the learner has covered, by value. */
  private readonly masked = new Set<string>();

  override get isMaskable(): boolean {
    return true;
  }

  override get attempted() {
    return attempted(this.question, this.value);
  }

  protected override controls() {
    const options = optionsOf(this.question);
    const isMultiple = isTrue(this.question['multiple_responses']);
    const layout = objectOf(this.question['ui_style']);
    const columns = Math.max(1, Math.round(numberOf(layout['columns'], 1)));
    const byColumn = columns > 1 && layout['orientation'] !== 'horizontal';
    const classes = [
      'options',
      layout['type'] === 'block' ? 'block' : '',
      layout['type'] === 'horizontal-input-bottom' ? 'input-below' : '',
      byColumn ? 'by-column' : '',
    ];
    const { hint } = this.choosing;
    return html`
      ${hint === undefined ? nothing : html`<p id="hint" class="hint">${hint}</p>`}
      <div
        class=${classes.join(' ')}
        role=${isMultiple ? 'group' : 'radiogroup'}
        aria-labelledby=${this.namedBy}
        aria-describedby=${hint === undefined ? nothing : 'hint'}
        ${setStyles({ '--columns': String(columns), '--rows': String(Math.ceil(options.length / columns)) })}
      >
        ${options.map((option, place) => this.option(option, place, isMultiple, layout))}
      </div>
    `;
  }

  private option({ value, label, at }: Option, place: number, isMultiple: boolean, layout: Record<string, unknown>) {
    const verdict = this.verdict(value);
    const letter = layout['type'] === 'block' ? numeral(textOf(layout['choice_label']), place) : '';
    const rationale = this.shownReview?.responseRationale?.[at];
    const canMask = this.masking && !this.isReadOnly;
    const isMasked = canMask && this.masked.has(value);
    return html`
      <div class="option choice ${classOf(verdict)} ${isMasked ? 'is-masked' : ''}">
        <label>
          <input
            type=${isMultiple ? 'checkbox' : 'radio'}
            name="choice"
            aria-label=${isMasked || hasWords(label) ? nothing : this.label('response_number', place + 1)}
            .checked=${live(this.choosing.isChosen(value))}
            ?disabled=${this.isReadOnly || isMasked}
            @change=${(event: Event) => (isMultiple ? this.choosing.toggle(value, event) : this.choosing.one(value))}
          />
          ${letter === '' ? nothing : html`<span class="letter">${letter}</span>`}
          <span class="content">${isMasked ? this.label('masked', place + 1) : markup(label)}</span>
        </label>
        ${canMask ? this.cover(value, place, isMasked) : nothing} ${verdict ? mark(verdict, this.labels) : nothing}
        ${rationale ? html`<div class="rationale content">${markup(rationale)}</div>` : nothing}
      </div>
    `;
  }

  /** The button that covers an option, so that the learner can rule it out. */
  private cover(value: string, place: number, isMasked: boolean) {
    const toggle = () => {
      if (isMasked) this.masked.delete(value);
      else this.masked.add(value);
      this.requestUpdate();
      this.dispatchEvent(new CustomEvent('masked', { detail: { value, masked: !isMasked }, bubbles: true }));
    };
    const name = this.label(isMasked ? 'unmask_option' : 'mask_option', place + 1);
    return html`<button type="button" class="button mask" aria-label=${name} @click=${toggle}>
      ${this.label(isMasked ? 'unmask' : 'mask')}
    </button>`;
  }

  private verdict(value: string): Verdict | undefined {
    const review = this.shownReview;
    if (!review) return undefined;
    const place = chosenOf(this.value).indexOf(value);
    if (place < 0) return chosenOf(this.missable).includes(value) ? 'missed' : undefined;
    return verdictOf(review.parts?.[place]);
  }

  protected override readonly correctAnswersAre = 'a set';

  protected override correctAnswers(correct: unknown) {
    const right = chosenOf(correct);
    const options = optionsOf(this.question).filter(({ value }) => right.includes(value));
    return options.map(({ label }) => html`${markup(label)}`);
  }
}
