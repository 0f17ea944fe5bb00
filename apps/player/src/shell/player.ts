import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { announce } from '#renderer';
import type { SaveState } from '../attempt';
import { Refused } from '../delivery/port';
import { isOn, numberOf, objectOf, textOf } from '../members';
import { Absence } from './absence';
import { AutoSave } from './auto-save';
import { type BarsHost, bottomBar, hiddenTitle, positionText, topBar } from './bars';
import { COLOURS, type Colours, type DialogHost, Dialogs, FONT_SIZES, type FontSize } from './dialogs';
import { Ending } from './ending';
import { OpenDialog } from './open-dialog';
import { Options } from './options';
import { closedPanel, donePanel, introPanel, oversizeText, savedText } from './panels';
import { ReadingTime } from './reading-time';
import type { Shell } from './shell';
import { addShortcuts } from './shortcuts';
import type { Supervisor } from './supervisor';
import { adoptShellStyle } from './style';
import { TimeLimit } from './time-limit';
import { Tools, type ToolsHost } from './tools';

type Screen = 'intro' | 'test' | 'done' | 'closed';

/** The player around the items: position, remaining time, save state and navigation. */
export class Player extends LitElement implements DialogHost, ToolsHost, BarsHost {
  shell!: Shell;
  readonly options = new Options(this);
  readonly tools = new Tools(this);
  readonly dialog = new OpenDialog(this, new Dialogs(this));
  #screen: Screen = 'intro';
  fontSize: FontSize = 'normal';
  colours: Colours = 'auto';
  readonly ending = new Ending(this);
  /** Whether the player waits for the next item or testlet of an adaptive test. */
  isAsking = false;
  /** Loaded when somebody asks for its dialog. */
  supervisor: Supervisor | undefined;
  readonly #reading = new ReadingTime(this, {
    onstart: () => this.shell.events.emit('test:reading:start'),
    onend: (isFirst) => {
      this.setDisabled(false);
      this.shell.events.emit('test:reading:end');
      if (isFirst) void this.goTo(0).catch(() => undefined);
    },
  });
  readonly #absence = new Absence(this, {
    onnotice: () => this.dialog.open('idle'),
    onend: () => this.ending.saveAndClose(),
  });
  readonly #timeLimit = new TimeLimit(this, {
    onsection: (next) => {
      this.dialog.close();
      void this.goTo(next).catch(() => undefined);
    },
    onend: () => void this.ending.submit(),
    onask: () => this.dialog.open('timeOver'),
  });
  readonly #autoSave = new AutoSave(this);
  #saveState: SaveState = 'saved';
  /** Whether the learner was told that answers came after the time of their section. */
  #isTold = false;

  constructor() {
    super();
    addShortcuts(this);
  }

  /** Renders without a shadow root, because pages find questions by their ids. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptShellStyle(this.getRootNode() as Document | ShadowRoot);
    if (this.hasUpdated) this.#continue();
    else this.#prepare();
  }

  #prepare(): void {
    const { attempt, config } = this.shell;
    const size = textOf(this.options.configuration['fontsize']) ?? textOf(config['fontsize']);
    this.fontSize = FONT_SIZES.find((each) => each === size) ?? 'normal';
    const isFirst = attempt.state === 'initial' && !attempt.started.session.existing;
    const hasIntro = !this.options.isBare && isOn(this.options.navigation['show_intro'], true);
    this.#screen = isFirst && hasIntro ? 'intro' : 'test';
    attempt.onchange = () => this.refresh();
  }

  /** Goes on after the page has moved the player, or taken it away for a while. */
  #continue(): void {
    if (this.showsItems) this.#run();
    this.dialog.reopen();
  }

  #run(): void {
    this.shell.attempt.run(() => this.#second());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.shell.attempt.stop();
  }

  protected override firstUpdated(): void {
    if (this.showsItems) void this.#begin({ byLearner: false });
    else if (isOn(this.options.configuration['focus_on_player']))
      this.querySelector<HTMLElement>('.itembank-primary')?.focus();
  }

  get isReading(): boolean {
    return this.#reading.isOn;
  }

  get readingLeft(): number {
    return this.#reading.left;
  }

  get hasStarted(): boolean {
    return this.#screen !== 'intro';
  }

  /** Whether the items are on the screen. */
  get showsItems(): boolean {
    return this.#screen === 'test';
  }

  // Public methods for pages.

  /** Goes to an item. Rejects when a listener of the page stops the move. */
  async goTo(position: number): Promise<void> {
    const { attempt } = this.shell;
    if (!this.showsItems || position === attempt.current || !attempt.items[position]) return;
    if (this.options.isBehind(position)) throw new Error('The section of this item is over.');
    this.#refuseStopped();
    await this.#moveTo(position);
  }

  /** @throws Error when a listener of the page stops the learner from leaving the item. */
  #refuseStopped(): void {
    let isStopped = false;
    this.shell.events.emit('item:beforeunload', { preventDefault: () => (isStopped = true) });
    if (isStopped) throw new Error('The page stopped the move.');
  }

  async #moveTo(position: number): Promise<void> {
    const { attempt, events } = this.shell;
    events.emit('item:goto', position);
    events.emit('item:changing', position);
    events.emit('item:unload', attempt.current);
    const section = attempt.sectionOf(attempt.current);
    attempt.goTo(position);
    if (attempt.sectionOf(position) !== section) events.emit('section:changed', attempt.sectionOf(position));
    await this.#showItem('scroll_to_top', {});
    events.emit('item:changed', position);
    if (this.options.canAutoSave) void attempt.saveWhenPossible();
  }

  async submit({ confirm = !isOn(this.options.navigation['skip_submit_confirmation']) } = {}): Promise<void> {
    if (this.isReading) return;
    const text = this.#obstacle();
    if (text !== undefined) this.dialog.ask(text);
    else if (confirm) this.dialog.open('submit');
    else await this.ending.submit();
  }

  /** Tells the learner what is missing for a submission; undefined when nothing is. */
  #obstacle(): string | undefined {
    const { say, views } = this.shell;
    const { mustAnswer } = this.options;
    if (mustAnswer > 0) return say(mustAnswer === 1 ? 'submit_criteria_one' : 'submit_criteria', mustAnswer);
    return views.flatMap(({ questions }) => questions).find(({ obstacle }) => obstacle)?.obstacle;
  }

  /** Continues after the learner confirmed to be present. */
  stay(): void {
    this.#absence.reset();
    this.dialog.close();
  }

  async save(): Promise<void> {
    const { attempt, events } = this.shell;
    events.emit('test:save');
    try {
      await attempt.save();
      this.#autoSave.reset();
      events.emit('test:save:success');
    } catch (error) {
      events.emit('test:save:error', error);
      throw error;
    }
  }

  // The course of a test.

  async #begin({ byLearner = true } = {}): Promise<void> {
    const { attempt, events, say, views } = this.shell;
    this.#screen = 'test';
    this.refresh();
    await this.updateComplete;
    if (attempt.isOpen) this.#reading.start();
    this.#run();
    const isScrolled = isOn(this.options.navigation['scroll_to_test'], true);
    const isFocused = isOn(this.options.configuration['focus_on_player']) || attempt.state !== 'review';
    await this.#showItem('scroll_to_test', isFocused ? { preventScroll: !isScrolled && !byLearner } : undefined);
    events.emit('test:start');
    if (attempt.started.session.existing && attempt.isOpen) announce(say('existing'));
    if (attempt.isPaused) this.dialog.open('pause');
    if (attempt.answers.hasUnsaved) void attempt.saveWhenPossible();
    // A type that fails to load now is tried again when its item is shown.
    for (const view of views) await view.load().catch(() => undefined);
  }

  /** @param focus absent: the focus stays where it is. */
  async #showItem(scroll: 'scroll_to_test' | 'scroll_to_top', focus?: FocusOptions): Promise<void> {
    const { attempt, views, events } = this.shell;
    const view = views[attempt.current]!;
    await this.updateComplete;
    const holder = this.querySelector('.itembank-items')!;
    const shown = this.options.isVertical ? views : [view];
    for (const each of views) {
      const isShown = shown.includes(each);
      if (each.element) each.element.hidden = !isShown;
      if (!isShown) each.silence();
    }
    for (const each of shown) {
      const rendering = each.element ? undefined : each.render();
      // The item is on the page before the code of its questions is loaded, so that the learner sees when that fails.
      if (rendering) holder.append(each.element!);
      each.element!.setAttribute('aria-label', positionText(this.shell, each.state.position));
      each.element!.setAttribute('role', 'group');
      each.state.viewed = true;
      await rendering;
      if (!this.options.isVertical && view !== views[attempt.current]) return;
    }
    if (this.isReading) this.setDisabled(true);
    for (const { element } of shown.flatMap(({ questions }) => questions)) await element?.updateComplete;
    if (focus) view.focus(focus);
    // In a vertical layout, the focus has scrolled to the item already.
    if (scroll === 'scroll_to_test' || !this.options.isVertical) this.#scroll(this.options.navigation[scroll]);
    announce(positionText(this.shell));
    events.emit('item:load', attempt.current);
    this.refresh();
    void this.updateComplete.then(() => this.tools.showCurrent());
  }

  /** In a vertical layout, the item with the focus is the current one: its time runs. */
  readonly #focused = ({ target }: FocusEvent) => {
    const { attempt, views, events } = this.shell;
    const position = views.findIndex(({ element }) => element?.contains(target as Node));
    if (position < 0 || position === attempt.current) return;
    attempt.goTo(position);
    events.emit('item:changed', position);
  };

  /** Moves the top of the player to the top of the window; `offset_top` is the distance between them in pixels, negative. */
  #scroll(option: unknown): void {
    if (!isOn(option, true)) return;
    this.style.scrollMarginTop = `${-numberOf(objectOf(option)['offset_top'])}px`;
    this.scrollIntoView({ block: 'start' });
  }

  #second(): void {
    const { attempt, events } = this.shell;
    this.#reading.second();
    this.#absence.second();
    events.emit('time:change', attempt.elapsed);
    this.#timeLimit.second();
    this.#autoSave.second();
    this.refresh();
  }

  setDisabled(isDisabled: boolean): void {
    for (const view of this.shell.views) for (const question of view.questions) question.disable('player', isDisabled);
  }

  /** Goes to the item that the learner chose. Asks first if the activity requires it. */
  choose(position: number): void {
    this.dialog.close();
    this.#warn(position, () => void this.goTo(position).catch(() => undefined));
  }

  /** Goes on, after the learner confirmed a warning if the activity has one. */
  #warn(position: number, go: () => void): void {
    const warning = this.options.warningBefore(position);
    if (!warning) return go();
    if (warning.isUnanswered) this.shell.events.emit('item:warningOnChange', this.shell.attempt.current);
    this.dialog.ask(warning.text, warning.mayGo ? go : undefined);
  }

  async pause(isPaused: boolean): Promise<void> {
    const { attempt, events, say, views } = this.shell;
    this.dialog.isUnreachable = false;
    try {
      await attempt.pause(isPaused);
    } catch (error) {
      // The clock of the service has not changed. The only conflict of a session that goes on is that its pauses are used up.
      const isUsedUp = error instanceof Refused && error.isStale && !error.isOver;
      if (isPaused) this.dialog.ask(say(isUsedUp ? 'pauses_over' : 'pause_failed'));
      else this.dialog.isUnreachable = true;
      return;
    }
    events.emit(isPaused ? 'test:pause' : 'test:resume');
    if (isPaused) {
      for (const view of views) view.silence();
      this.dialog.open('pause');
    } else this.dialog.close();
  }

  /** Shows the panel of a finished or closed test in place of the items, and focuses it. */
  async showEnd(screen: 'done' | 'closed'): Promise<void> {
    this.#screen = screen;
    this.refresh();
    await this.updateComplete;
    this.querySelector<HTMLElement>('.itembank-panel h2')?.focus();
  }

  /** Renders the player again, and tells the learner what has changed. */
  refresh(): void {
    const { attempt, say } = this.shell;
    if (attempt.hasLate && !this.#isTold) {
      this.#isTold = true;
      announce(say('late_section'));
    }
    if (attempt.saveState !== this.#saveState) {
      if (attempt.saveState === 'failing') announce(say('failing'));
      if (attempt.saveState === 'oversize') announce(oversizeText(this.shell) ?? '');
      if (attempt.saveState === 'refused') announce(say('save_refused'));
      if (attempt.saveState === 'saved' && this.#saveState === 'failing') announce(say('saved'));
      if (attempt.saveState === 'elsewhere' && this.dialog.name !== 'elsewhere')
        queueMicrotask(() => this.dialog.open('elsewhere'));
      if (attempt.saveState === 'over') queueMicrotask(() => this.ending.end());
      this.#saveState = attempt.saveState;
    }
    this.requestUpdate();
  }

  // Rendering.

  protected override render(): TemplateResult {
    this.classList.remove(...FONT_SIZES.map((size) => `fontsize-${size}`), ...COLOURS.map((each) => `colours-${each}`));
    this.classList.add(`fontsize-${this.fontSize}`, `colours-${this.colours}`);
    return html`${this.#shown()} ${this.dialog.render()}`;
  }

  #shown(): TemplateResult {
    if (this.#screen === 'intro') return introPanel(this.shell, () => void this.#begin());
    if (this.showsItems) return this.#test();
    if (this.#screen === 'closed') return closedPanel(this.shell);
    return donePanel(this.shell, this.ending, () => this.ending.leave('submit'));
  }

  #test(): TemplateResult {
    const { attempt, say, views } = this.shell;
    const { isBare, isVertical } = this.options;
    return html`
      <button type="button" class="itembank-hidden itembank-skip" @click=${() => views[attempt.current]?.focus()}>
        ${say('skip_to_items')}
      </button>
      ${isBare ? hiddenTitle(this.shell) : topBar(this)}
      <div class="itembank-body">
        <div
          class="itembank-items ${isVertical ? 'is-vertical' : ''}"
          role="region"
          aria-label=${say('items')}
          @focusin=${this.#focused}
        ></div>
        ${
          isBare
            ? nothing
            : html`<div class="itembank-tools" role="region" aria-label=${say('tools')}>${this.tools.render()}</div>`
        }
      </div>
      ${isBare ? savedText(this.shell, { onlyFailing: true }) : bottomBar(this)}
    `;
  }

  move(by: number): void {
    const { attempt } = this.shell;
    const isAsked = attempt.isAdaptive && by > 0 && attempt.current === attempt.items.length - 1;
    if (isAsked) this.#warn(attempt.items.length, () => this.#leavePart());
    else if (attempt.items[attempt.current + by]) this.choose(attempt.current + by);
  }

  #leavePart(): void {
    const asksLearner = this.shell.attempt.part && !isOn(this.options.navigation['skip_submit_confirmation']);
    if (asksLearner) this.dialog.open('part');
    else void this.askForNext().catch(() => undefined);
  }

  /** Asks the service for the next item or testlet of an adaptive test, and goes to it. Rejects as `goTo` does. */
  async askForNext(): Promise<void> {
    const { attempt, events, views, viewOf } = this.shell;
    this.dialog.close();
    if (this.isAsking) return;
    // The service accepts no answers to the present items afterwards, so the page is asked before.
    this.#refuseStopped();
    this.isAsking = true;
    this.refresh();
    events.emit('items:fetch');
    try {
      const added = await attempt.next();
      events.emit('items:fetch:done', { testEnd: added.length === 0 });
      // A page may submit the test at its end by itself.
      if (added.length === 0) return this.ending.isSubmitting ? undefined : await this.submit();
      views.push(...added.map(viewOf));
      this.tools.applyMasking();
      await this.#moveTo(added[0]!.position);
    } catch (error) {
      if (!(error instanceof Refused) || error.isForNow) void attempt.saveWhenPossible();
      events.emit('items:fetch:error', error);
      throw error;
    } finally {
      this.isAsking = false;
      this.refresh();
    }
  }
}
