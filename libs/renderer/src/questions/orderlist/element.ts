import { css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { drag } from '../../interactions/dragging';
import { listOf, numberOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { classOf, mark, verdictOf } from '../../review';

/**
 * A list that is put in order: by buttons that move an entry up and down, by dragging, or by selecting an entry and then its
 * new place. The value has the positions of the list as it was given.
 */
export default class OrderListElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    css`
      .entries {
        display: grid;
        gap: 0.375rem;
        max-inline-size: 48rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .entries li {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        padding: 0.25rem 0.5rem;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_surface);
      }

      .entries li[data-over] {
        border-color: var(--_accent);
        background: var(--_accent-soft);
      }

      .entry {
        flex: 1;
        min-inline-size: 0;
        padding: 0.375rem 0.25rem;
        border: 0;
        border-radius: var(--_radius);
        background: none;
        text-align: start;
        cursor: grab;
        touch-action: none;
      }

      .is-read-only .entry {
        cursor: default;
      }

      .entry[aria-pressed='true'] {
        background: var(--_accent-soft);
        outline: 0.125rem solid var(--_accent);
      }

      .moves {
        display: flex;
        gap: 0.25rem;
      }

      .moves button {
        min-inline-size: 2.25rem;
        padding-inline: 0.25rem;
      }
    `,
  ];

  #selected: number | undefined;
  #focusNext: string | undefined;

  get #texts(): string[] {
    return listOf(this.question['list']).map((text) => textOf(text));
  }

  get #order(): number[] {
    const count = this.#texts.length;
    const given = listOf(this.value)
      .map((at) => numberOf(at, -1))
      .filter((at) => Number.isInteger(at) && at >= 0 && at < count);
    return [...new Set([...given, ...Array.from({ length: count }, (_, at) => at)])];
  }

  override get attempted() {
    return attemptedOf(Array.isArray(this.value) && this.value.length > 0 ? 1 : 0, 1);
  }

  protected override controls() {
    const order = this.#order;
    return html`<ol
      class="entries"
      aria-labelledby=${this.namedBy}
      @pointerdown=${(event: PointerEvent) => this.#dragged(event)}
    >
      ${repeat(
        order,
        (entry) => entry,
        (entry, place) => this.#entry(entry, place, order.length),
      )}
    </ol>`;
  }

  #entry(entry: number, place: number, count: number) {
    const text = this.#texts[entry] ?? '';
    const name = plainText(text);
    const verdict = this.value === null ? undefined : verdictOf(this.shownReview?.parts?.[place]);
    const content = html`<span class="content">${markup(text)}</span>`;
    if (this.isReadOnly)
      return html`<li class=${classOf(verdict)}>
        <span class="entry">${content}</span>${verdict ? mark(verdict, this.labels) : nothing}
      </li>`;
    return html`<li data-place=${place}>
      <button
        type="button"
        class="entry"
        aria-pressed=${this.#selected === entry}
        data-entry=${entry}
        @click=${() => this.#press(entry, place)}
      >
        ${content}
      </button>
      <span class="moves">
        <button
          type="button"
          class="button"
          aria-label=${this.label('move_up', name)}
          data-up=${entry}
          ?disabled=${place === 0}
          @click=${() => this.#move(entry, place - 1, `[data-up="${entry}"]`)}
        >
          <span aria-hidden="true">↑</span>
        </button>
        <button
          type="button"
          class="button"
          aria-label=${this.label('move_down', name)}
          data-down=${entry}
          ?disabled=${place === count - 1}
          @click=${() => this.#move(entry, place + 1, `[data-down="${entry}"]`)}
        >
          <span aria-hidden="true">↓</span>
        </button>
      </span>
    </li>`;
  }

  /** The first press takes an entry, the second says where it goes. */
  #press(entry: number, place: number): void {
    if (this.#selected === undefined) {
      this.#selected = entry;
      this.announce('order_selected', plainText(this.#texts[entry] ?? ''));
    } else if (this.#selected === entry) {
      this.#selected = undefined;
      this.announce('selection_cancelled', plainText(this.#texts[entry] ?? ''));
    } else {
      const moved = this.#selected;
      this.#move(moved, place, `[data-entry="${moved}"]`);
    }
    this.requestUpdate();
  }

  #move(entry: number, to: number, focus: string): void {
    const rest = this.#order.filter((each) => each !== entry);
    const order = [...rest.slice(0, to), entry, ...rest.slice(to)];
    this.#selected = undefined;
    this.#focusNext = focus;
    this.change(order);
    this.announce('moved_to', plainText(this.#texts[entry] ?? ''), to + 1, order.length);
    this.requestUpdate();
  }

  protected override updated(): void {
    if (this.#focusNext === undefined) return;
    const target = this.renderRoot.querySelector<HTMLButtonElement>(this.#focusNext);
    // At an end of the list the button that was pressed can no longer be.
    const entry = target?.closest('li')?.querySelector<HTMLElement>('.entry');
    (target?.disabled ? entry : target)?.focus();
    this.#focusNext = undefined;
  }

  #dragged(event: PointerEvent): void {
    const source = (event.target as Element).closest<HTMLElement>('.entry');
    if (this.isReadOnly || !source) return;
    const entry = Number(source.dataset['entry']);
    drag(event, {
      root: this.renderRoot as ShadowRoot,
      source,
      begin: () => undefined,
      targetAt: (element) => element?.closest<HTMLElement>('li[data-place]') ?? undefined,
      end: (target) => {
        const to = target ? Number(target.dataset['place']) : this.#order.indexOf(entry);
        if (to !== this.#order.indexOf(entry)) this.#move(entry, to, `[data-entry="${entry}"]`);
      },
    });
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((at) => html`${markup(this.#texts[numberOf(at, -1)] ?? '')}`);
  }
}
