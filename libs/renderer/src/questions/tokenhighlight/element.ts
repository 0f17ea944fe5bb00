import { html, nothing, type PropertyValues, render } from 'lit';
import { hasMathematics, loadTypesetter, typesetter } from '../../content/mathematics';
import { hasWords, markup } from '../../content/markup';
import { tokenised, type Tokenised } from '../../content/tokens';
import { Choosing } from '../../interactions/choosing';
import { textOf } from '../../members';
import { QuestionElement } from '../../question-element';
import { namedRationales } from '../../rationales';
import { classOf, mark, type Verdict, verdictOf } from '../../review';
import { attempted, chosenOf, limitsOf, valueOf } from './answer';
import { style } from './style';

/** A text whose parts can be chosen. */
export default class TokenHighlightElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, style];

  private readonly choosing: Choosing = new Choosing(this, {
    chosen: () => chosenOf(this.value),
    limits: () => limitsOf(this.question),
    choose: (tokens) => this.change(valueOf(tokens)),
  });

  private text: Tokenised | undefined;
  /** A key of the inputs from which the text was made. */
  private madeOf = '';

  override get attempted() {
    return attempted(this.value);
  }

  /** Creates the tokens within the author's markup once. Later updates only change their state. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const template = textOf(this.question['template']);
    const tokenization = textOf(this.question['tokenization'], 'custom');
    const isSet = hasMathematics(template) && typesetter() !== undefined;
    const madeOf = JSON.stringify([template, tokenization, isSet]);
    if (this.text && this.madeOf === madeOf) return;
    this.madeOf = madeOf;
    this.text = tokenised(template, tokenization, this.renderRoot as ShadowRoot);
    for (const [at, token] of this.text.tokens.entries()) this.makeButton(token, String(at));
    if (hasMathematics(template) && !isSet) void loadTypesetter().then(() => this.requestUpdate());
  }

  private makeButton(token: HTMLElement, key: string): void {
    token.className = 'token';
    token.role = 'button';
    const press = () => {
      if (!this.isReadOnly) this.choosing.press(key);
    };
    token.addEventListener('click', press);
    token.addEventListener('keydown', (event) => {
      if (event.target !== token || (event.key !== 'Enter' && event.key !== ' ')) return;
      // Prevents scrolling of the page.
      event.preventDefault();
      if (!event.repeat) press();
    });
  }

  protected override controls() {
    const { hint } = this.choosing;
    return html`
      ${hint === undefined ? nothing : html`<p id="hint" class="hint">${hint}</p>`}
      <div
        class="tokens content"
        dir=${this.text?.direction}
        role="group"
        aria-labelledby=${this.namedBy}
        aria-describedby=${hint === undefined ? nothing : 'hint'}
      >
        ${this.text?.fragment}
      </div>
      ${namedRationales(this.shownReview, (at) => this.text?.texts[at] ?? '')}
    `;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const chosen = chosenOf(this.value);
    const right = chosenOf(this.missable);
    for (const [at, token] of (this.text?.tokens ?? []).entries()) {
      const key = String(at);
      const place = chosen.indexOf(key);
      const verdict =
        place >= 0 ? verdictOf(this.shownReview?.parts?.[place]) : right.includes(key) ? 'missed' : undefined;
      token.ariaLabel = hasWords(this.text!.texts[at]!) ? null : this.label('response_number', at + 1);
      token.ariaPressed = String(place >= 0);
      token.ariaDisabled = this.isReadOnly ? 'true' : null;
      if (this.isReadOnly) token.removeAttribute('tabindex');
      else token.tabIndex = 0;
      token.className = `token ${isShort(this.text!.texts[at]!) ? 'is-short' : ''} ${classOf(verdict)}`;
      this.sign(token, verdict);
    }
  }

  private sign(token: HTMLElement, verdict: Verdict | undefined): void {
    token.querySelector(':scope > .verdict')?.remove();
    if (!verdict) return;
    const sign = document.createElement('span');
    sign.className = 'verdict';
    render(mark(verdict, this.labels), sign);
    token.append(sign);
  }

  protected override readonly correctAnswersAre = 'a set';

  protected override correctAnswers(correct: unknown) {
    return chosenOf(correct).map((at) => html`${markup(this.text?.texts[Number(at)] ?? '')}`);
  }
}

/** Whether a token is too narrow for a finger. Such a token never spans two lines. */
const isShort = (text: string): boolean => text.length <= 3 || /^(\\\(.*\\\)|\$\$.*\$\$)$/s.test(text);
