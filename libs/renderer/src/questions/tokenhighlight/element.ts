import { css, html } from 'lit';
import { nodesOf } from '../../content/markup';
import { listOf, numberOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { mark, type Verdict } from '../../review';
import { render as renderTemplate } from 'lit';

/** A text whose parts can be selected. */
export default class TokenHighlightElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .tokens {
        line-height: 2;
      }

      .token {
        min-inline-size: 1.5rem;
        min-block-size: 1.5rem;
        padding: 0.125rem 0.25rem;
        border: 0;
        border-block-end: 0.125rem dotted var(--_border);
        border-radius: 0.25rem;
        background: none;
        text-align: start;
        cursor: pointer;
      }

      .token:disabled {
        color: inherit;
        cursor: default;
      }

      .token[aria-pressed='true'] {
        border-block-end: 0.125rem solid var(--_accent);
        background: var(--_accent-soft);
        font-weight: 600;
      }

      @media (forced-colors: active) {
        .token[aria-pressed='true'] {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  #built: string | undefined;
  #tokens: HTMLButtonElement[] = [];

  #chosen(value: unknown): number[] {
    return listOf(value).map((token) => numberOf(token, -1));
  }

  override get attempted() {
    return attemptedOf(this.#chosen(this.value).length > 0 ? 1 : 0, 1);
  }

  protected override controls() {
    return html`<div class="tokens content" role="group" aria-labelledby=${this.namedBy}></div>`;
  }

  /** The tokens stand within what the author wrote: they are made once, and then only say how they are. */
  protected override updated(): void {
    const holder = this.renderRoot.querySelector('.tokens');
    if (!holder) return;
    const template = textOf(this.question['template']);
    if (this.#built !== template || this.#tokens.some((token) => !token.isConnected)) {
      const fragment = nodesOf(template, this.renderRoot as ShadowRoot);
      this.#tokens = tokensIn(fragment, textOf(this.question['tokenization'], 'custom')).map((token, at) =>
        this.#button(token, at),
      );
      holder.replaceChildren(fragment);
      this.#built = template;
    }
    const chosen = this.#chosen(this.value);
    for (const [at, token] of this.#tokens.entries()) {
      token.setAttribute('aria-pressed', String(chosen.includes(at)));
      token.disabled = this.isReadOnly;
      token.querySelector('.verdict')?.remove();
      const verdict = this.#verdict(at, chosen);
      if (!verdict) continue;
      const sign = document.createElement('span');
      sign.className = 'verdict';
      renderTemplate(mark(verdict, this.labels, true), sign);
      token.append(sign);
    }
  }

  #button(token: HTMLElement, at: number): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'token';
    button.append(...token.childNodes);
    button.addEventListener('click', () => this.#toggle(at));
    token.replaceWith(button);
    return button;
  }

  #toggle(at: number): void {
    const chosen = this.#chosen(this.value);
    const most = numberOf(this.question['max_selection'], 0);
    if (!chosen.includes(at) && most > 0 && chosen.length >= most) {
      this.announce('most_chosen', chosen.length);
      return;
    }
    const next = chosen.includes(at) ? chosen.filter((each) => each !== at) : [...chosen, at];
    this.change(next.length === 0 ? null : next);
  }

  #verdict(at: number, chosen: readonly number[]): Verdict | undefined {
    const review = this.shownReview;
    const place = chosen.indexOf(at);
    if (place >= 0) {
      const part = review?.parts?.[place];
      return typeof part === 'boolean' ? (part ? 'right' : 'wrong') : undefined;
    }
    return this.#chosen(review?.correct).includes(at) ? 'missed' : undefined;
  }

  protected override readonly correctAnswersAre = 'a set';

  protected override correctAnswers(correct: unknown) {
    return this.#chosen(correct).map((at) => html`${this.#tokens[at]?.textContent?.trim() ?? ''}`);
  }
}

/** The author's own tokens; else words, sentences or paragraphs. */
function tokensIn(fragment: DocumentFragment, tokenization: string): HTMLElement[] {
  const own = [...fragment.querySelectorAll<HTMLElement>('.lrn_token')];
  if (own.length > 0 || tokenization === 'custom') return own;
  if (tokenization === 'paragraph') {
    return [...fragment.querySelectorAll('p, li')].map((paragraph) => {
      const token = document.createElement('span');
      token.append(...paragraph.childNodes);
      paragraph.append(token);
      return token;
    });
  }
  const segmenter = new Intl.Segmenter(undefined, { granularity: tokenization === 'sentence' ? 'sentence' : 'word' });
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.flatMap((text) => {
    const tokens: HTMLElement[] = [];
    const parts: (string | HTMLElement)[] = [];
    for (const { segment, isWordLike } of segmenter.segment(text.data)) {
      const piece = segment.trim();
      // Of words the blanks and points between them are none; sentences have no such mark.
      if (isWordLike === false || piece === '') {
        parts.push(segment);
        continue;
      }
      const token = document.createElement('span');
      token.textContent = piece;
      parts.push(token, segment.slice(piece.length));
      tokens.push(token);
    }
    text.replaceWith(...parts);
    return tokens;
  });
}
