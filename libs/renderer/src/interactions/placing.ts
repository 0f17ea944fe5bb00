import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { markup } from '../content/markup';
import { contentOf } from '../content/named-content';
import { plainText } from '../content/plain-text';
import { setStyles } from '../content/set-styles';
import { entryText, listOf } from '../members';
import type { QuestionElement } from '../question-element';
import { containerOf } from '../response-container';
import { classOf, mark, type Verdict } from '../review';
import { type Arrangement, type Held, move, type PlacingRules, possibleResponsesOf } from './arrangement';
import { drag } from './dragging';

interface PlacingOptions {
  /** The current arrangement. */
  arrangement(): Arrangement;
  rules(): PlacingRules;
  /** The name of a place: `Blank 2 of 3`. */
  nameOf(place: number): string;
  /** Called with the new arrangement. */
  rearrange(arrangement: Arrangement): void;
}

interface PlaceLook {
  verdict?: Verdict;
  /** CSS lengths. */
  width?: string;
  height?: string;
}

/**
 * Places responses by dragging, by two clicks or taps, or by keys. All three use the same two calls. The only state is
 * the selected response. {@link layout} renders its templates.
 */
export class Placing implements ReactiveController {
  private selected: Held | undefined;
  /** Selector of the element that gets the focus after the next update. */
  private focusNext: string | undefined;

  constructor(
    private readonly host: QuestionElement,
    private readonly options: PlacingOptions,
  ) {
    host.addController(this);
  }

  /** The first of the two calls: selects a response, or deselects it. */
  select(held: Held): void {
    if (this.isSelected(held)) {
      this.cancel();
      return;
    }
    this.selected = held;
    this.host.requestUpdate();
    this.host.announce('selected', this.textOf(held.response));
  }

  /** The second: puts the selected response into a place; `null` returns it to the list. */
  place(to: number | null): void {
    const held = this.selected;
    if (!held) {
      this.host.announce('select_first');
      return;
    }
    if (held.from === to) {
      this.cancel();
      return;
    }
    const moved = move(this.options.arrangement(), held, to, this.options.rules());
    if (!moved) {
      this.host.announce('place_full', this.options.nameOf(to!));
      return;
    }
    this.selected = undefined;
    this.focusNext = to === null ? `[data-pool] ${responseSelector(held.response)}` : this.targetSelector(to);
    this.options.rearrange(moved.arrangement);
    this.host.requestUpdate();
    this.tell(held.response, to, moved.putBack);
  }

  private cancel(): void {
    const held = this.selected;
    if (!held) return;
    this.selected = undefined;
    this.focusNext = held.from === null ? `[data-pool] ${responseSelector(held.response)}` : this.heldSelector(held);
    this.host.requestUpdate();
    this.host.announce('selection_cancelled', this.textOf(held.response));
  }

  private tell(response: number, to: number | null, putBack: readonly number[]): void {
    const text = this.textOf(response);
    if (to === null) this.host.announce('put_back', text);
    else if (putBack.length === 0) this.host.announce('placed', text, this.options.nameOf(to));
    else this.host.announce('placed_instead', text, this.options.nameOf(to), this.textOf(putBack[0]!));
  }

  hostUpdated(): void {
    if (this.focusNext === undefined) return;
    this.root.querySelector<HTMLElement>(this.focusNext)?.focus();
    this.focusNext = undefined;
  }

  hostDisconnected(): void {
    this.selected = undefined;
  }

  /** The places and the possible responses around or beside them. @param position `possibility_list_position`. */
  layout(places: unknown, position: string, hasHandles: boolean): TemplateResult {
    const side = ['top', 'left', 'right'].includes(position) ? position : 'bottom';
    return html`
      <div
        class="placing ${side} ${hasHandles ? 'has-handles' : ''} ${this.selected ? 'is-selecting' : ''}"
        @pointerdown=${this.onPointerDown}
        @keydown=${this.onKeyDown}
      >
        <div class="places">${places}</div>
        ${this.pool()}
      </div>
    `;
  }

  private pool(): TemplateResult | typeof nothing {
    const { texts, groups } = possibleResponsesOf(this.host.question);
    const placed = new Set(this.options.rules().isReusable ? [] : this.options.arrangement().flat());
    // Nothing is left to place, and nothing can be put back.
    if (this.host.isReadOnly && texts.length > 0 && texts.every((_, at) => placed.has(at))) return nothing;
    const canPutBack = this.selected !== undefined && this.selected.from !== null;
    const chips = (from: number, to: number) =>
      texts.map((_, at) =>
        at < from || at >= to || placed.has(at) ? nothing : this.chip({ response: at, from: null }, false),
      );
    return html`
      <div class="pool" role="group" aria-label=${this.host.label('responses')} data-pool @click=${this.onPoolClick}>
        ${groups.map(
          ({ title, from, to }) => html`
            <div class="responses">
              ${title === '' ? nothing : html`<div class="group-title content">${markup(title)}</div>`}
              ${chips(from, to)}
            </div>
          `,
        )}
        ${
          canPutBack
            ? html`<button type="button" class="put-back" data-target @click=${() => this.place(null)}>
                ${this.host.label('put_back_here')}
              </button>`
            : nothing
        }
      </div>
    `;
  }

  private chip(held: Held, isInZone: boolean, verdict?: Verdict): TemplateResult {
    const content = this.contentOf(held.response);
    const marked = verdict ? mark(verdict, this.host.labels, true) : nothing;
    if (this.host.isReadOnly) return html`<span class="response ${classOf(verdict)}">${content}${marked}</span>`;
    const take = (event: Event) => {
      event.stopPropagation();
      // While another response is selected, a press on a placed response means its place.
      if (isInZone && this.selected && !this.isSelected(held)) this.place(held.from);
      else this.select(held);
    };
    return html`<button
      type="button"
      class="response"
      aria-pressed=${this.isSelected(held)}
      data-response=${held.response}
      data-from=${held.from ?? nothing}
      @click=${take}
    >
      ${content}
    </button>`;
  }

  /** A blank in a text or on an image, which takes one response or several, as the rules say. All have one verdict. */
  blank(at: number): TemplateResult {
    const look = { ...containerOf(this.host.question, at), verdict: this.host.verdictAt(at) };
    if (this.options.rules().max === 1) return this.onePlace(at, look);
    const responses = this.options.arrangement()[at] ?? [];
    return this.zone(
      at,
      responses.map(() => look.verdict),
      look,
    );
  }

  /** A place for one response, within a text or by itself. */
  onePlace(at: number, { verdict, width, height }: PlaceLook): TemplateResult {
    const response = this.options.arrangement()[at]?.[0];
    const size = setStyles({ 'min-inline-size': fitting(width), 'min-block-size': height });
    const content = html`<span class="visually-hidden">${this.options.nameOf(at)}: </span>${
        response === undefined
          ? html`<span class="visually-hidden">${this.host.label('empty')}</span>`
          : this.contentOf(response)
      }`;
    const isFilled = response !== undefined;
    if (this.host.isReadOnly)
      return html`<span class="place ${isFilled ? 'filled' : ''} ${classOf(verdict)}" ${size}
        >${content}${verdict ? mark(verdict, this.host.labels, true) : nothing}</span
      >`;
    const press = () => (this.selected || !isFilled ? this.place(at) : this.select({ response, from: at }));
    return html`<button
      type="button"
      class="place ${isFilled ? 'filled' : ''}"
      aria-pressed=${isFilled ? this.isSelected({ response, from: at }) : nothing}
      data-place=${at}
      data-target
      data-response=${response ?? nothing}
      data-from=${isFilled ? at : nothing}
      @click=${press}
      ${size}
    >
      ${content}
    </button>`;
  }

  /**
   * A place for several responses. The responses are buttons, and so is the rest of the place. @param verdicts of each
   * response.
   */
  zone(at: number, verdicts: readonly (Verdict | undefined)[], { verdict, width, height }: PlaceLook): TemplateResult {
    const responses = this.options.arrangement()[at] ?? [];
    const name = this.options.nameOf(at);
    const texts = responses.map((response) => this.textOf(response)).join(', ') || this.host.label('empty');
    const missed = responses.length === 0 && verdict === 'missed' ? verdict : undefined;
    return html`<span
      class="zone ${classOf(missed)}"
      role="group"
      aria-label=${name}
      data-place=${at}
      ${setStyles({ 'min-inline-size': fitting(width), 'min-block-size': height })}
      >${responses.map((response, place) => this.chip({ response, from: at }, true, verdicts[place]))}${
        this.host.isReadOnly
          ? responses.length > 0
            ? nothing
            : html`<span class="visually-hidden">${texts}</span>${missed ? mark(missed, this.host.labels) : nothing}`
          : html`<button
              type="button"
              class="drop"
              aria-label="${name}: ${texts}"
              data-target
              @click=${() => this.place(at)}
            ></button>`
      }</span
    >`;
  }

  private readonly onPointerDown = (event: PointerEvent): void => {
    if (this.host.isReadOnly) return;
    const source = (event.target as Element).closest<HTMLElement>('[data-response]');
    if (!source) return;
    const held = heldBy(source);
    drag(event, {
      root: this.root,
      source,
      begin: () => {
        this.selected = held;
        this.host.requestUpdate();
      },
      targetAt: (element) => element?.closest<HTMLElement>('[data-place], [data-pool]') ?? undefined,
      end: (target) => {
        if (target) this.place(target.hasAttribute('data-pool') ? null : Number(target.dataset['place']));
        else this.cancel();
      },
    });
  };

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    const element = event.target as HTMLElement;
    if (event.key === 'Escape' && this.selected) this.cancel();
    else if ((event.key === 'Delete' || event.key === 'Backspace') && element.dataset['from'] !== undefined) {
      this.selected = heldBy(element);
      this.place(null);
    } else if (this.selected && event.key in STEPS) this.moveFocus(element, STEPS[event.key]!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** A press anywhere on the list returns the selected response from its place. */
  private readonly onPoolClick = (event: Event): void => {
    if (this.selected && this.selected.from !== null && event.target === event.currentTarget) this.place(null);
  };

  /** While a response is selected, arrow keys move between its possible places. */
  private moveFocus(from: HTMLElement, step: number): void {
    const targets = [...this.root.querySelectorAll<HTMLElement>('[data-target]')];
    const isMirrored = getComputedStyle(this.host).direction === 'rtl' && Math.abs(step) === SIDEWAYS;
    const forward = step > 0 !== isMirrored;
    const at = targets.indexOf(from);
    const next =
      at < 0 ? (forward ? 0 : targets.length - 1) : (at + (forward ? 1 : -1) + targets.length) % targets.length;
    targets[next]?.focus();
  }

  private isSelected({ response, from }: Held): boolean {
    return this.selected?.response === response && this.selected.from === from;
  }

  private textOf(response: number): string {
    return (
      plainText(possibleResponsesOf(this.host.question).texts[response] ?? '') ||
      this.host.label('response_number', response + 1)
    );
  }

  private contentOf(response: number): TemplateResult {
    return contentOf(possibleResponsesOf(this.host.question).texts[response] ?? '', this.textOf(response));
  }

  private heldSelector({ response, from }: Held): string {
    return `${responseSelector(response)}[data-from="${from}"]`;
  }

  /** The button that stands for a place. */
  private targetSelector(place: number): string {
    return `button[data-place="${place}"], [data-place="${place}"] > .drop`;
  }

  private get root(): ShadowRoot {
    return this.host.renderRoot as ShadowRoot;
  }
}

const SIDEWAYS = 2;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  ArrowRight: SIDEWAYS,
  ArrowLeft: -SIDEWAYS,
};

/**
 * A width of the author that a narrow window limits. Not by a percentage, which is nothing in boxes that shrink to their
 * content: table cells and places on an image.
 */
const fitting = (width: string | undefined): string | undefined => width && `min(var(--_room, 100cqi), ${width})`;

const responseSelector = (response: number): string => `[data-response="${response}"]`;

function heldBy({ dataset }: HTMLElement): Held {
  const from = dataset['from'];
  return { response: Number(dataset['response']), from: from === undefined ? null : Number(from) };
}

/** Right answers, each of which is a text, or a list of texts for a place that takes several. */
export const placedTexts = (correct: unknown): TemplateResult[] =>
  listOf(correct).map((entry) => {
    const texts = Array.isArray(entry) ? entry : [entry];
    return html`${texts.map((text, place) => [place > 0 ? ', ' : '', markup(entryText(text))])}`;
  });
