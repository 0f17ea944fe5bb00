import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { announceIn, announceMessage } from '#renderer';
import { Refused } from '../delivery/port';
import { isOn, textOf } from '../members';
import { Absence } from './absence';
import { AutoSave } from './auto-save';
import { type BarsHost, bottomBar, hiddenTitle, topBar } from './bars';
import { COLOURS, type Colours, type DialogHost, Dialogs, FONT_SIZES, type FontSize } from './dialogs';
import { Ending } from './ending';
import { OpenDialog } from './open-dialog';
import { Options } from './options';
import { closedPanel, donePanel, introPanel, savedText } from './panels';
import { ReadingTime } from './reading-time';
import { SaveNews } from './save-news';
import type { Shell } from './shell';
import { ShownItems } from './shown-items';
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
  readonly items = new ShownItems(this);
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
      this.items.setDisabled(false);
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
  readonly #saveNews = new SaveNews(this, {
    onelsewhere: () => {
      if (this.dialog.name !== 'elsewhere') this.dialog.open('elsewhere');
    },
    onover: () => this.ending.end(),
  });

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
    announceIn(this);
    if (this.hasUpdated) this.#continue();
    else this.#prepare();
  }

  #prepare(): void {
    const { attempt, config } = this.shell;
    const size = textOf(this.options.configuration['fontsize']) ?? textOf(config['fontsize']);
    this.fontSize = FONT_SIZES.find((each) => each === size) ?? 'normal';
    const isFirst = attempt.state === 'initial' && !attempt.started.session.existing;
    const isTimed = this.options.startType === 'hard';
    const hasIntro = !this.options.isBare && (isTimed || isOn(this.options.navigation['show_intro'], true));
    this.#screen = isFirst && hasIntro ? 'intro' : 'test';
    attempt.onchange = () => this.refresh();
  }

  /** Continues after the page has moved the player, or has removed it for a while. */
  #continue(): void {
    if (this.showsItems) this.#run();
    this.dialog.show();
  }

  #run(): void {
    this.shell.attempt.run(() => this.#second());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    const { attempt } = this.shell;
    attempt.stop();
    if (this.options.canAutoSave && attempt.answers.hasUnsaved) void attempt.saver.saveWhenPossible();
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
    await this.items.show('scroll_to_top', {});
    events.emit('item:changed', position);
    if (this.options.canAutoSave) void attempt.saver.saveWhenPossible();
  }

  async submit({ confirm = !isOn(this.options.navigation['skip_submit_confirmation']) } = {}): Promise<void> {
    if (this.isReading || this.ending.isSubmitting) return;
    const text = this.#obstacle();
    if (text !== undefined) this.dialog.ask(text);
    else if (confirm) this.dialog.open('submit');
    else await this.ending.submit();
  }

  /** The message about what is missing for a submission; undefined if nothing is missing. */
  #obstacle(): string | undefined {
    const { say, views } = this.shell;
    const { mustAnswer } = this.options;
    if (mustAnswer > 0) return say(mustAnswer === 1 ? 'submit_criteria_one' : 'submit_criteria', mustAnswer);
    return views.flatMap(({ questions }) => questions).find(({ obstacle }) => obstacle)?.obstacle;
  }

  /** Continues after the learner has confirmed to be present. */
  stay(): void {
    this.#absence.reset();
    this.dialog.close();
  }

  async save(): Promise<void> {
    const { attempt, events } = this.shell;
    events.emit('test:save');
    try {
      await attempt.saver.save();
      this.#autoSave.reset();
      events.emit('test:save:success');
    } catch (error) {
      events.emit('test:save:error', error);
      if (attempt.saver.state === 'failing') void attempt.saver.saveWhenPossible();
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
    await this.items.show('scroll_to_test', isFocused ? { preventScroll: !isScrolled && !byLearner } : undefined);
    events.emit('test:start');
    if (this.options.startType) events.emit('time:window:started');
    if (attempt.started.session.existing && attempt.isOpen) announceMessage(say('existing'));
    if (attempt.isPaused) this.dialog.open('pause');
    if (attempt.answers.hasUnsaved) void attempt.saver.saveWhenPossible();
    for (const view of views) await view.load();
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

  /** Goes to the item that the learner chose. Warns first if the activity requires it. */
  choose(position: number): void {
    this.dialog.dismiss();
    this.#warn(position, () => void this.goTo(position).catch(() => undefined));
  }

  /** Calls `go`. If the activity has a warning, the learner must confirm it first. */
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
      // The clock of the service has not changed. In an open session, a conflict means that no pauses are left.
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
    this.#saveNews.update();
    this.requestUpdate();
  }

  // Rendering.

  protected override render(): TemplateResult {
    this.classList.remove(...FONT_SIZES.map((size) => `fontsize-${size}`), ...COLOURS.map((each) => `colours-${each}`));
    this.classList.add(`fontsize-${this.fontSize}`, `colours-${this.colours}`);
    return html`${this.#shown()} ${this.dialog.render()}`;
  }

  #shown(): TemplateResult {
    if (this.#screen === 'intro') return introPanel(this.shell, this.options, () => void this.#begin());
    if (this.showsItems) return this.#test();
    if (this.#screen === 'closed') return closedPanel(this.shell);
    return donePanel(this.shell, this.ending, () => this.ending.leave('submit'));
  }

  #test(): TemplateResult {
    const { attempt, say, views } = this.shell;
    const { isBare } = this.options;
    return html`
      <button type="button" class="itembank-hidden itembank-skip" @click=${() => views[attempt.current]?.focus()}>
        ${say('skip_to_items')}
      </button>
      ${isBare ? hiddenTitle(this.shell) : topBar(this)}
      <div class="itembank-body">
        ${this.items.render()}
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
    this.dialog.dismiss();
    if (this.isAsking) return;
    // Afterwards, the service accepts no answers to the present items. So the listeners of the page decide before.
    this.#refuseStopped();
    this.isAsking = true;
    this.items.setDisabled(true);
    this.refresh();
    events.emit('items:fetch');
    try {
      const added = await attempt.next();
      events.emit('items:fetch:done', { testEnd: added.length === 0 });
      if (added.length === 0) {
        // The page may already be submitting the test at its end.
        if (this.ending.isSubmitting) return;
        this.items.setDisabled(this.isReading);
        return await this.submit();
      }
      views.push(...added.map(viewOf));
      this.tools.applyMasking();
      await this.#moveTo(added[0]!.position);
    } catch (error) {
      // If the call was lost, the service may have gone on, and takes no more answers to the present items.
      if (!(error instanceof Refused) || error.isForNow) void attempt.saver.saveWhenPossible();
      else this.items.setDisabled(this.isReading);
      events.emit('items:fetch:error', error);
      throw error;
    } finally {
      this.isAsking = false;
      this.refresh();
    }
  }
}
