import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { hasWords, markup } from '../../content/markup';
import { setStyles } from '../../content/set-styles';
import { Choosing } from '../../interactions/choosing';
import { choosingStyle } from '../../interactions/choosing-style';
import { QuestionElement } from '../../question-element';
import { attempted, chosenOf, type Step, stepsOf, valueOf } from './answer';
import { style } from './style';

/** A choice of one step of a scale. A person scores it, so review shows no right or wrong. */
export default class RatingElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, choosingStyle, style];

  private readonly choosing: Choosing = new Choosing(this, {
    chosen: () => chosenOf(this.value),
    limits: () => ({ min: 0, max: 0 }),
    choose: (keys) => this.change(valueOf(this.question, keys)),
  });

  override get attempted() {
    return attempted(this.value);
  }

  protected override controls() {
    return html`<div class="steps" role="radiogroup" aria-labelledby=${this.namedBy}>
      ${stepsOf(this.question).map((step, at) => this.step(step, at))}
    </div>`;
  }

  /** Announces the author's suggestion, but does not choose it. Only stored values look chosen. */
  private step({ key, label, description, tint, isSuggested }: Step, at: number) {
    const colour = CSS.supports('color', tint) ? tint : undefined;
    return html`<label class="step" ${setStyles({ '--tint': colour })}>
      <input
        type="radio"
        name="step"
        aria-label=${hasWords(label + description) ? nothing : this.label('response_number', at + 1)}
        .checked=${live(this.choosing.isChosen(key))}
        ?disabled=${this.isReadOnly}
        @change=${() => this.choosing.one(key)}
      />
      <span class="texts">
        <span class="content name">${markup(label)}</span>
        ${description === '' ? nothing : html` <span class="content description">${markup(description)}</span>`}
        ${isSuggested ? html` <span class="description">(${this.label('suggested')})</span>` : nothing}
      </span>
    </label>`;
  }
}
