import { html, type ReactiveElement, type TemplateResult } from 'lit';
import { announce } from '#renderer';
import { isOn, numberOf, objectOf } from '../members';
import { positionText } from './bars';
import type { Options } from './options';
import type { Shell } from './shell';
import type { Tools } from './tools';

interface Host extends ReactiveElement {
  readonly shell: Shell;
  readonly options: Options;
  readonly tools: Tools;
  readonly isReading: boolean;
  refresh(): void;
}

/** The items on the screen: the current one, or all of them in a vertical layout. */
export class ShownItems {
  constructor(private readonly host: Host) {}

  render(): TemplateResult {
    const { options, shell } = this.host;
    return html`<div
      class="itembank-items ${options.isVertical ? 'is-vertical' : ''}"
      role="region"
      aria-label=${shell.say('items')}
      @focusin=${this.#focused}
    ></div>`;
  }

  setDisabled(isDisabled: boolean): void {
    for (const view of this.host.shell.views)
      for (const question of view.questions) question.disable('player', isDisabled);
  }

  /**
   * Shows the current item. The focus and the scroll position stay if the learner moves the focus before all of it is there.
   * @param focus how to focus the item. Absent: the focus stays where it is.
   */
  async show(scroll: 'scroll_to_test' | 'scroll_to_top', focus?: FocusOptions): Promise<void> {
    const { host } = this;
    const { attempt, views, events } = host.shell;
    const { isVertical, navigation } = host.options;
    const view = views[attempt.current]!;
    const focused = () => (host.getRootNode() as Document | ShadowRoot).activeElement;
    const before = focused();
    await host.updateComplete;
    const holder = host.querySelector('.itembank-items')!;
    const shown = isVertical ? views : [view];
    for (const each of views) {
      const isShown = shown.includes(each);
      if (each.element) each.element.hidden = !isShown;
      if (!isShown) each.silence();
    }
    for (const each of shown) {
      const rendering = each.element ? undefined : each.render();
      // Adds the item to the page before the code of its questions is loaded, so that the learner sees if that fails.
      if (rendering) holder.append(each.element!);
      each.element!.setAttribute('aria-label', positionText(host.shell, each.state.position));
      each.element!.setAttribute('role', 'group');
      each.state.viewed = true;
      await rendering;
      if (!isVertical && view !== views[attempt.current]) return;
    }
    if (host.isReading) this.setDisabled(true);
    for (const { element } of shown.flatMap(({ questions }) => questions)) await element?.updateComplete;
    if ([before, document.body, null].includes(focused())) {
      if (focus) view.focus(focus);
      // In a vertical layout, the focus has scrolled to the item already.
      if (scroll === 'scroll_to_test' || !isVertical) this.#scroll(navigation[scroll]);
    }
    announce(positionText(host.shell));
    events.emit('item:load', attempt.current);
    host.refresh();
    void host.updateComplete.then(() => host.tools.showCurrent());
  }

  /** In a vertical layout, the item with the focus is the current one: its time runs. */
  readonly #focused = ({ target }: FocusEvent) => {
    const { attempt, views, events } = this.host.shell;
    const position = views.findIndex(({ element }) => element?.contains(target as Node));
    if (position < 0 || position === attempt.current) return;
    attempt.goTo(position);
    events.emit('item:changed', position);
  };

  /** Moves the player to the top of the window. A negative `offset_top` is the number of pixels to leave above it. */
  #scroll(option: unknown): void {
    if (!isOn(option, true)) return;
    this.host.style.scrollMarginTop = `${-numberOf(objectOf(option)['offset_top'])}px`;
    this.host.scrollIntoView({ block: 'start' });
  }
}
