import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { contentOf } from '../content/named-content';
import { plainText } from '../content/plain-text';
import { entryText, listOf, type Members, numberOf, objectOf, textOf } from '../members';
import type { QuestionElement } from '../question-element';
import { classOf, mark, verdictOf } from '../review';
import { drag } from './dragging';

interface OrderingOptions {
  /**
   * The entries of each list, as positions in the texts: the answer, optionally followed by the list of remaining
   * entries.
   */
  lists(): readonly (readonly number[])[];
  /** The names of the lists, if there are two. */
  names(): readonly string[];
  /** Called with the new order, or with the earlier value to restore; null for an empty answer. */
  change(value: unknown): void;
}

interface Spot {
  list: number;
  place: number;
}

const ANSWER = 0;
const SOURCE = 1;

export const entriesOf = (question: Members): string[] => listOf(question['list']).map((text) => entryText(text));

/** The positions of a value, each once, without those of unknown entries. */
export function orderOf(question: Members, value: unknown): number[] {
  const count = entriesOf(question).length;
  const given = listOf(value).map((at) => numberOf(at, -1));
  return [...new Set(given.filter((at) => Number.isInteger(at) && at >= 0 && at < count))];
}

/** The positions of the entries that are missing in an order, in their given order. */
export const leftOut = (question: Members, order: readonly number[]): number[] =>
  [...entriesOf(question).keys()].filter((at) => !order.includes(at));

/**
 * Orders entries with buttons, by dragging, by two presses, or by keys. With keys, an entry is picked up, moved by
 * arrows, and dropped or returned. The only state is the entry that is picked up.
 */
export class Ordering implements ReactiveController {
  /** The entry that is picked up, and the value to restore on Escape. */
  private held: { entry: number; before: unknown } | undefined;
  /** Selector of the element that gets the focus after the next update. */
  private focusNext: string | undefined;

  constructor(
    private readonly host: QuestionElement,
    private readonly options: OrderingOptions,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (this.focusNext === undefined) return;
    const target = this.root.querySelector<HTMLButtonElement>(this.focusNext);
    // At the end of a list, the pressed button is disabled.
    const entry = target?.closest('li')?.querySelector<HTMLElement>('.entry');
    (target?.disabled ? entry : target)?.focus();
    this.focusNext = undefined;
  }

  hostDisconnected(): void {
    this.held = undefined;
  }

  /** Around the lists. */
  layout(lists: unknown): TemplateResult {
    return html`<div
      class="ordering as-${this.look} ${this.hasHandles ? 'has-handles' : ''}"
      @pointerdown=${this.onPointerDown}
      @keydown=${this.onKeyDown}
    >
      ${lists}
    </div>`;
  }

  list(list: number, namedBy: string): TemplateResult {
    const entries = this.options.lists()[list] ?? [];
    return html`<ol class="entries" aria-labelledby=${namedBy}>
      ${repeat(
        entries,
        (entry) => entry,
        (entry, place) => this.entry(entry, { list, place }, entries.length),
      )}
    </ol>`;
  }

  private entry(entry: number, spot: Spot, count: number): TemplateResult {
    const content = contentOf(entriesOf(this.host.question)[entry] ?? '', this.nameOf(entry));
    if (this.host.isReadOnly) {
      const isAnswer = spot.list === ANSWER && this.host.value !== null;
      const verdict = isAnswer ? verdictOf(this.review?.parts?.[spot.place]) : undefined;
      return html`<li class=${classOf(verdict)}>
        <span class="entry">${content}</span>${verdict ? mark(verdict, this.host.labels) : nothing}
      </li>`;
    }
    return html`<li data-list=${spot.list} data-place=${spot.place}>
      <button
        type="button"
        class="entry"
        aria-pressed=${this.held?.entry === entry}
        data-entry=${entry}
        @click=${() => this.press(entry, spot)}
      >
        ${content}
      </button>
      <span class="moves">
        ${spot.list === ANSWER ? this.movesWithin(entry, spot, count) : nothing} ${this.moveAcross(entry, spot)}
      </span>
    </li>`;
  }

  private movesWithin(entry: number, { list, place }: Spot, count: number): TemplateResult {
    const isInline = this.look === 'inline';
    const button = (to: number, key: 'move_up' | 'move_down' | 'move_earlier' | 'move_later', arrow: string) =>
      html`<button
        type="button"
        class="button"
        aria-label=${this.host.label(key, this.nameOf(entry))}
        data-move=${`${key} ${entry}`}
        ?disabled=${to < 0 || to >= count}
        @click=${() => this.move(entry, { list, place: to }, `[data-move="${key} ${entry}"]`)}
      >
        <span class=${isInline ? 'sideways' : ''} aria-hidden="true">${arrow}</span>
      </button>`;
    return isInline
      ? html`${button(place - 1, 'move_earlier', '←')}${button(place + 1, 'move_later', '→')}`
      : html`${button(place - 1, 'move_up', '↑')}${button(place + 1, 'move_down', '↓')}`;
  }

  /** The button that moves an entry to the other list, if there is one. */
  private moveAcross(entry: number, { list }: Spot): unknown {
    const lists = this.options.lists();
    if (lists.length === 1) return nothing;
    const other = list === ANSWER ? SOURCE : ANSWER;
    return html`<button
      type="button"
      class="button"
      aria-label=${this.host.label('move_to_list', this.nameOf(entry), this.options.names()[other]!)}
      @click=${() => this.move(entry, { list: other, place: lists[other]!.length }, entrySelector(entry))}
    >
      <span aria-hidden="true">${list === ANSWER ? '×' : '+'}</span>
    </button>`;
  }

  /** The first press picks an entry up. The second drops it, or moves it to the place of the pressed entry. */
  private press(entry: number, spot: Spot): void {
    const held = this.held;
    if (!held) {
      this.held = { entry, before: this.host.value };
      this.say('order_selected', entry);
    } else if (held.entry === entry) {
      this.held = undefined;
      this.say('order_dropped', entry);
    } else {
      this.move(held.entry, spot, entrySelector(held.entry));
    }
    this.host.requestUpdate();
  }

  /** Moves an entry, and releases the entry that was picked up. */
  private move(entry: number, to: Spot, focus: string): void {
    this.held = undefined;
    this.put(entry, to);
    this.focusNext = focus;
    this.say('moved_to', entry);
    this.host.requestUpdate();
  }

  private put(entry: number, to: Spot): void {
    const lists = this.options.lists().map((list) => list.filter((each) => each !== entry));
    lists[to.list]!.splice(to.place, 0, entry);
    this.options.change(lists[ANSWER]!.length > 0 ? lists[ANSWER]! : null);
  }

  private putBack(): void {
    const { entry, before } = this.held!;
    this.held = undefined;
    if (this.host.value !== before) this.options.change(before);
    this.focusNext = entrySelector(entry);
    this.say('order_restored', entry);
    this.host.requestUpdate();
  }

  /** Handles an arrow key: moves one step within the answer, or to the other list. */
  private step(key: string): void {
    const { entry } = this.held!;
    const from = this.spotOf(entry);
    const lists = this.options.lists();
    const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
    const isMirrored = isSideways && getComputedStyle(this.host).direction === 'rtl';
    const isForward = (key === 'ArrowRight' || key === 'ArrowDown') !== isMirrored;
    const place = from.place + (isForward ? 1 : -1);
    if (from.list === SOURCE) {
      if (isForward) this.put(entry, { list: ANSWER, place: lists[ANSWER]!.length });
    } else if (isSideways && lists.length > 1) {
      if (!isForward) this.put(entry, { list: SOURCE, place: 0 });
    } else if (place >= 0 && place < lists[ANSWER]!.length) this.put(entry, { list: ANSWER, place });
    this.focusNext = entrySelector(entry);
    this.say('moved_to', entry);
    this.host.requestUpdate();
  }

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (!this.held) return;
    if (event.key === 'Escape') this.putBack();
    else if (ARROWS.has(event.key)) this.step(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly onPointerDown = (event: PointerEvent): void => {
    const source = (event.target as Element).closest<HTMLElement>('button.entry');
    if (!source) return;
    const entry = Number(source.dataset['entry']);
    drag(event, {
      root: this.root,
      source,
      begin: () => {
        this.held = undefined;
        this.host.requestUpdate();
      },
      targetAt: (element) => element?.closest<HTMLElement>('[data-list]') ?? undefined,
      end: (target) => this.drop(entry, target),
    });
  };

  /** A drop on an entry takes its place. A drop on a list outside of its entries appends an entry of the other list. */
  private drop(entry: number, target: HTMLElement | undefined): void {
    if (!target) return;
    const from = this.spotOf(entry);
    const list = Number(target.dataset['list']);
    const place = target.dataset['place'] ?? (list === from.list ? from.place : this.options.lists()[list]!.length);
    const isMoved = list !== from.list || (list === ANSWER && Number(place) !== from.place);
    if (isMoved) this.move(entry, { list, place: Number(place) }, entrySelector(entry));
  }

  private spotOf(entry: number): Spot {
    const lists = this.options.lists();
    const list = lists.findIndex((each) => each.includes(entry));
    return { list, place: lists[list]!.indexOf(entry) };
  }

  /** Announces the move of an entry and its new position. */
  private say(key: 'order_selected' | 'order_dropped' | 'order_restored' | 'moved_to', entry: number): void {
    const { list, place } = this.spotOf(entry);
    const lists = this.options.lists();
    const position =
      lists.length === 1
        ? this.host.label('position', place + 1, lists[list]!.length)
        : this.host.label('position_in', place + 1, lists[list]!.length, this.options.names()[list]!);
    this.host.announce(key, this.nameOf(entry), position);
  }

  private nameOf(entry: number): string {
    return plainText(entriesOf(this.host.question)[entry] ?? '') || this.host.label('response_number', entry + 1);
  }

  private get look(): 'button' | 'list' | 'inline' {
    const type = textOf(objectOf(this.host.question['ui_style'])['type']);
    return type === 'list' || type === 'inline' ? type : 'button';
  }

  private get hasHandles(): boolean {
    return objectOf(this.host.question['ui_style'])['show_drag_handle'] !== false;
  }

  private get review() {
    return this.host.mode === 'review' ? this.host.review : null;
  }

  private get root(): ShadowRoot {
    return this.host.renderRoot as ShadowRoot;
  }
}

const ARROWS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

const entrySelector = (entry: number): string => `[data-entry="${entry}"]`;
