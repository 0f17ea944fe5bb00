import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { announce } from '#renderer';
import type { Attempt, ItemState, SaveState } from '../attempt';
import { type Delivery, Refused, type Submitted } from '../delivery/port';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import { isOn, type Members, objectOf, secondsOf, textOf } from '../members';
import type { Events } from '../page/events';
import { clockText, spoken } from './durations';
import { adoptShellStyle } from './style';

export interface Shell {
  attempt: Attempt;
  delivery: Delivery;
  views: ItemView[];
  /** Of an item that comes while the test is taken. */
  viewOf: (state: ItemState) => ItemView;
  say: Say;
  events: Events;
  /** `config` of the activity. */
  config: Members;
  title: string;
  /** What is shown before and after the test. */
  frames: { intro?: HTMLElement; outro?: HTMLElement };
}

type Screen = 'intro' | 'test' | 'done';
/** What a dialog asks for. */
type Dialog =
  'submit' | 'review' | 'display' | 'pause' | 'failed' | 'elsewhere' | 'time-over' | 'custom' | 'leave' | 'idle';

/** A dialog that a page shows by `dialogs().custom`. */
export interface CustomDialog {
  header?: string;
  body?: string;
  buttons?: { button_id: string; label: string; is_primary?: boolean }[];
}

/** What shows that a learner is there. */
const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const;
const FONT_SIZES = ['small', 'normal', 'large', 'xlarge', 'xxlarge'] as const;
const COLOURS = ['auto', 'light', 'dark'] as const;
const DEFAULT_SAVE_SECONDS = 30;
const TRIES_BEFORE_TEXT = 3;
const DEFAULT_IDLE_SECONDS = 300;
const DEFAULT_IDLE_COUNTDOWN = 60;
/** The idle countdown is announced this often, in seconds. */
const IDLE_ANNOUNCEMENT = 20;

/** The player around the items: where the learner is, how much time is left, what is saved, and the way through. */
export class Player extends LitElement {
  shell!: Shell;
  #screen: Screen = 'intro';
  #dialog: Dialog | undefined;
  #custom: CustomDialog = {};
  #fontSize: (typeof FONT_SIZES)[number] = 'normal';
  #colours: (typeof COLOURS)[number] = 'auto';
  #isSubmitting = false;
  #isAsking = false;
  /** Where the learner wants to go, while asked whether to leave the present item. */
  #wanted: { position: number; text: string; mayGo: boolean } | undefined;
  #idleSeconds = 0;
  /** Seconds for reading that are left; nothing can be answered meanwhile. */
  #readingSeconds = 0;
  #failures = 0;
  #hasWarned = false;
  #sinceSave = 0;
  #submitted: Submitted | undefined;
  #saveState: SaveState = 'saved';

  /** In the page itself: pages find questions by their ids. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptShellStyle();
    const { attempt, config } = this.shell;
    const size = textOf(this.#configuration['fontsize']) ?? textOf(config['fontsize']);
    this.#fontSize = FONT_SIZES.find((each) => each === size) ?? 'normal';
    const isFirst = attempt.state === 'initial' && !attempt.started.session.existing;
    this.#screen = isFirst && isOn(this.#navigation['show_intro'], true) ? 'intro' : 'test';
    attempt.onchange = () => this.#update();
    window.addEventListener('online', this.#online);
    window.addEventListener('pagehide', this.#leaving);
    document.addEventListener('visibilitychange', this.#leaving);
    for (const name of ACTIVITY) window.addEventListener(name, this.#active, { passive: true });
    window.addEventListener('keydown', this.#arrows);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.shell.attempt.stop();
    window.removeEventListener('online', this.#online);
    window.removeEventListener('pagehide', this.#leaving);
    document.removeEventListener('visibilitychange', this.#leaving);
    for (const name of ACTIVITY) window.removeEventListener(name, this.#active);
    window.removeEventListener('keydown', this.#arrows);
  }

  protected override firstUpdated(): void {
    if (this.#screen === 'test') void this.#begin();
    else if (isOn(this.#configuration['focus_on_player']))
      this.querySelector<HTMLElement>('.itembank-primary')?.focus();
  }

  get hasStarted(): boolean {
    return this.#screen !== 'intro';
  }

  // What pages may ask for.

  /** Goes to an item. Rejects when a listener of the page stops the move. */
  async goTo(position: number): Promise<void> {
    const { attempt, events } = this.shell;
    if (this.#screen !== 'test' || position === attempt.current || !attempt.items[position]) return;
    if (this.#isBehind(position)) throw new Error('The section of this item is over.');
    let isStopped = false;
    events.emit('item:beforeunload', { preventDefault: () => (isStopped = true) });
    if (isStopped) throw new Error('The page stopped the move.');
    events.emit('item:changing', position);
    events.emit('item:unload', attempt.current);
    const section = attempt.sectionOf(attempt.current);
    attempt.goTo(position);
    if (attempt.sectionOf(position) !== section) events.emit('section:changed', attempt.sectionOf(position));
    await this.#showItem(true);
    events.emit('item:changed', position);
    if (this.#canAutoSave) void attempt.saveWhenPossible();
  }

  async submit({ confirm = !isOn(this.#navigation['skip_submit_confirmation']) } = {}): Promise<void> {
    if (this.#readingSeconds > 0) return;
    if (this.#mustAnswer > 0) {
      this.#wanted = { position: -1, text: this.shell.say('submit_criteria', this.#mustAnswer), mayGo: false };
      return this.open('leave');
    }
    if (confirm) this.open('submit');
    else await this.#submit();
  }

  open(dialog: Dialog, custom: CustomDialog = {}): void {
    this.#custom = custom;
    this.#dialog = dialog;
    this.#update();
    void this.updateComplete.then(() => {
      const element = this.querySelector('dialog');
      if (element && !element.open) element.showModal();
      this.shell.events.emit('test:panel:show', dialog);
    });
  }

  closeDialog(): void {
    if (this.#dialog === undefined) return;
    this.querySelector('dialog')?.close();
    this.shell.events.emit('test:panel:hide', this.#dialog);
    this.#dialog = undefined;
    this.#update();
  }

  async save(): Promise<void> {
    const { attempt, events } = this.shell;
    events.emit('test:save');
    try {
      await attempt.save();
      this.#sinceSave = 0;
      events.emit('test:save:success');
    } catch (error) {
      events.emit('test:save:error', error);
      throw error;
    }
  }

  get #configuration(): Members {
    return objectOf(this.shell.config['configuration']);
  }

  get #navigation(): Members {
    return objectOf(this.shell.config['navigation']);
  }

  get #canAutoSave(): boolean {
    return this.shell.attempt.isStored && this.#navigation['auto_save'] !== false;
  }

  get #saveSeconds(): number {
    const own = objectOf(this.#navigation['auto_save']);
    return secondsOf(own['save_interval_duration'] ?? own['saveIntervalDuration']) || DEFAULT_SAVE_SECONDS;
  }

  // The course of a test.

  async #begin(): Promise<void> {
    const { attempt, events, say } = this.shell;
    this.#screen = 'test';
    this.#update();
    await this.updateComplete;
    if (attempt.isOpen) this.#read();
    attempt.run(() => this.#second());
    await this.#showItem(isOn(this.#configuration['focus_on_player']) || attempt.state !== 'review');
    events.emit('test:start');
    if (attempt.started.session.existing && attempt.isOpen) announce(say('existing'));
    if (attempt.isPaused) this.open('pause');
    if (attempt.hasUnsaved) void attempt.saveWhenPossible();
  }

  async #showItem(withFocus: boolean): Promise<void> {
    const { attempt, views, events } = this.shell;
    const view = views[attempt.current]!;
    await this.updateComplete;
    const holder = this.querySelector('.itembank-items')!;
    if (!view.element) holder.append(await view.render());
    for (const other of views) if (other.element) other.element.hidden = other !== view;
    view.element!.setAttribute('aria-label', this.#position);
    view.element!.setAttribute('role', 'group');
    if (this.#readingSeconds > 0) this.#setDisabled(true);
    for (const { element } of view.questions) await element?.updateComplete;
    if (withFocus) view.focus();
    if (isOn(this.#navigation['scroll_to_top'], true)) this.scrollIntoView({ block: 'start' });
    announce(this.#position);
    events.emit('item:load', attempt.current);
    this.#update();
  }

  #second(): void {
    const { attempt, config, events, say } = this.shell;
    const { remaining } = attempt;
    this.#readOn();
    this.#idle();
    events.emit('time:change', attempt.elapsed);
    const warning = secondsOf(objectOf(config['time'])['warning_time']);
    if (remaining !== null && remaining <= warning && remaining > 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      announce(say('time_warning', spoken(remaining, say)));
    }
    if (remaining === 0 && this.#hasWarned !== undefined) this.#timeOver();
    this.#sinceSave += 1;
    if (this.#canAutoSave && attempt.saveState === 'unsaved' && this.#sinceSave >= this.#saveSeconds) {
      this.#sinceSave = 0;
      void attempt.saveWhenPossible();
    }
    this.#update();
  }

  // Time for reading: `configuration.reading_mode`.

  #read(): void {
    const { reading_time: seconds } = objectOf(this.#configuration['reading_mode']);
    const isResumed = this.shell.attempt.started.session.existing;
    this.#readingSeconds = isResumed ? 0 : Math.floor(secondsOf(seconds));
    if (this.#readingSeconds === 0) return;
    this.shell.events.emit('test:reading:start');
    announce(this.shell.say('reading', spoken(this.#readingSeconds, this.shell.say)));
  }

  #readOn(): void {
    if (this.#readingSeconds === 0) return;
    const { events, say } = this.shell;
    const options = objectOf(this.#configuration['reading_mode']);
    this.#readingSeconds -= 1;
    if (this.#readingSeconds > 0) {
      if (this.#readingSeconds === secondsOf(options['warning_time']))
        announce(say('reading', spoken(this.#readingSeconds, say)));
      return;
    }
    this.#setDisabled(false);
    announce(say('reading_over'));
    events.emit('test:reading:end');
    if (isOn(options['goto_first_item_on_reading_time_completion'])) void this.goTo(0).catch(() => undefined);
  }

  #setDisabled(isDisabled: boolean): void {
    for (const view of this.shell.views) for (const question of view.questions) question.isDisabled = isDisabled;
  }

  // A learner who went away: `configuration.idle_timeout`.

  readonly #active = () => {
    if (this.#dialog !== 'idle') this.#idleSeconds = 0;
  };

  #idle(): void {
    const given = this.#configuration['idle_timeout'];
    if (given === undefined || given === null || given === false || this.#screen !== 'test') return;
    const { interval, countdown_time: countdown } = objectOf(given);
    const limit = secondsOf(interval) || DEFAULT_IDLE_SECONDS;
    const end = limit + (secondsOf(countdown) || DEFAULT_IDLE_COUNTDOWN);
    this.#idleSeconds += 1;
    if (this.#idleSeconds === limit) this.open('idle');
    if (this.#idleSeconds < limit) return;
    const left = end - this.#idleSeconds;
    if (left % IDLE_ANNOUNCEMENT === 0 && left > 0) announce(spoken(left, this.shell.say));
    if (left > 0) return;
    this.closeDialog();
    this.shell.attempt.stop();
    this.#setDisabled(true);
    void this.shell.attempt.saveWhenPossible().then(() => this.#leave('save'));
  }

  #stay(): void {
    this.#idleSeconds = 0;
    this.closeDialog();
  }

  // What a learner must, and may not, do.

  /** Questions that still must be answered before submitting: `configuration.submit_criteria`. */
  get #mustAnswer(): number {
    const { type, threshold } = objectOf(this.#configuration['submit_criteria']);
    if (type !== 'attempted') return 0;
    const { attempt } = this.shell;
    const all = attempt.items.flatMap(({ item }) => item.response_ids).length;
    const wanted = Math.ceil((Math.min(100, secondsOf(threshold)) / 100) * all);
    return Math.max(0, wanted - (all - attempt.unattempted));
  }

  /** A section that was left is over, unless the activity allows to go back. */
  #isBehind(position: number): boolean {
    const { attempt } = this.shell;
    const options = objectOf(this.#configuration['section_options']);
    if (!attempt.isOpen || isOn(options['allow_backward_navigation'])) return false;
    return attempt.sectionOf(position) < attempt.sectionOf(attempt.current);
  }

  /** Goes to an item as the learner wishes; asks before where the activity says so. */
  #choosePosition(position: number): void {
    const { attempt, events, say } = this.shell;
    const onChange = this.#navigation['warning_on_change'];
    const isPartial = attempt.isOpen && attempt.attemptOf(attempt.item) !== 'fully_attempted';
    const leavesSection = attempt.sectionOf(position) > attempt.sectionOf(attempt.current);
    if (isPartial && (isOn(onChange) || typeof onChange === 'object') && onChange !== null) {
      const mayGo = !isOn(objectOf(onChange)['disable_item_navigation']);
      this.#wanted = { position, text: say('leave_unanswered'), mayGo };
      events.emit('item:warningOnChange', attempt.current);
    } else if (leavesSection && attempt.isOpen && isOn(this.#navigation['warning_on_section_change']))
      this.#wanted = { position, text: say('leave_section'), mayGo: true };
    else return void this.goTo(position).catch(() => undefined);
    this.open('leave');
  }

  readonly #arrows = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const [target] = event.composedPath();
    const isFree =
      target === document.body || (target instanceof Element && target.matches('[part=heading], .itembank-item'));
    if (by === undefined || !isFree || this.#dialog !== undefined || this.#screen !== 'test') return;
    if (!isOn(this.#navigation['enable_arrowkey_item_change'])) return;
    this.#move(getComputedStyle(this).direction === 'rtl' ? -by : by);
  };

  #isTimeOver = false;

  #timeOver(): void {
    const { attempt, events, say } = this.shell;
    if (this.#isTimeOver) return;
    this.#isTimeOver = true;
    events.emit('time:end');
    if (attempt.time.limit_type === 'hard') {
      announce(say('time_over_hard'));
      void this.#submit();
    } else this.open('time-over');
  }

  async #pause(isPaused: boolean): Promise<void> {
    const { attempt, events } = this.shell;
    await attempt.pause(isPaused).catch(() => undefined);
    events.emit(isPaused ? 'test:pause' : 'test:resume');
    if (isPaused) this.open('pause');
    else this.closeDialog();
  }

  async #submit(): Promise<void> {
    const { attempt, events, views, say } = this.shell;
    if (this.#isSubmitting || !attempt.isOpen) return;
    this.#isSubmitting = true;
    this.#update();
    announce(say('submitting'));
    events.emit('test:submit');
    try {
      this.#submitted = await attempt.submit();
      this.closeDialog();
      for (const view of views)
        for (const question of view.questions) question.close(this.#submitted.reviews?.[question.responseId]);
      this.#screen = 'done';
      events.emit('test:submit:success');
      announce(say('submitted'));
      await this.#focusPanel();
    } catch (error) {
      this.#failures += 1;
      events.emit('test:submit:error', error);
      this.open(error instanceof Refused && error.isStale ? 'elsewhere' : 'failed');
    } finally {
      this.#isSubmitting = false;
      this.#update();
    }
  }

  #leave(kind: 'submit' | 'save'): void {
    const { events } = this.shell;
    events.emit(`test:finished:${kind}`);
    const target = this.#configuration[kind === 'submit' ? 'onsubmit_redirect_url' : 'onsave_redirect_url'];
    if (typeof target !== 'string' || target === '') return;
    const url = new URL(target, location.href);
    // Only pages: a script address would run in the page of the test.
    if (url.protocol === 'http:' || url.protocol === 'https:') location.assign(url);
  }

  async #focusPanel(): Promise<void> {
    this.#update();
    await this.updateComplete;
    this.querySelector<HTMLElement>('.itembank-panel h2')?.focus();
  }

  readonly #online = () => {
    if (this.shell.attempt.saveState === 'failing') void this.shell.attempt.saveWhenPossible();
  };

  readonly #leaving = () => {
    const { attempt } = this.shell;
    if (document.visibilityState === 'hidden' && attempt.hasUnsaved && this.#canAutoSave)
      void attempt.save().catch(() => undefined);
  };

  #update(): void {
    const { attempt, say } = this.shell;
    if (attempt.saveState !== this.#saveState) {
      if (attempt.saveState === 'failing') announce(say('failing'));
      if (attempt.saveState === 'saved' && this.#saveState === 'failing') announce(say('saved'));
      if (attempt.saveState === 'elsewhere' && this.#dialog !== 'elsewhere')
        queueMicrotask(() => this.open('elsewhere'));
      this.#saveState = attempt.saveState;
    }
    this.requestUpdate();
  }

  // How it looks.

  protected override render(): TemplateResult {
    this.classList.remove(...FONT_SIZES.map((size) => `fontsize-${size}`), ...COLOURS.map((each) => `colours-${each}`));
    this.classList.add(`fontsize-${this.#fontSize}`, `colours-${this.#colours}`);
    const screen = { intro: () => this.#intro(), test: () => this.#test(), done: () => this.#done() }[this.#screen]();
    return html`${screen} ${this.#dialogs()}`;
  }

  #intro(): TemplateResult {
    const { attempt, say, title, config } = this.shell;
    const count = attempt.items.flatMap(({ item }) => item.response_ids).length;
    const { max_time: limit } = attempt.time;
    return html`<div class="itembank-panel">
      <h2>${title}</h2>
      ${textOf(config['subtitle']) ? html`<p class="itembank-subtitle">${config['subtitle']}</p>` : nothing}
      <p>
        ${attempt.isAdaptive ? say('intro_adaptive') : count === 1 ? say('intro_one') : say('intro', count)}
        ${limit === null ? nothing : say('intro_time', spoken(limit, say))}
      </p>
      ${this.shell.frames.intro ?? nothing}
      <button type="button" class="itembank-primary" @click=${() => void this.#begin()}>${say('start')}</button>
    </div>`;
  }

  #done(): TemplateResult {
    const { attempt, say } = this.shell;
    const reviews = Object.values(this.#submitted?.reviews ?? {});
    const total = reviews.reduce((sum, { score }) => sum + (score ?? 0), 0);
    const most = reviews.reduce((sum, { maxScore }) => sum + (maxScore ?? 0), 0);
    return html`<div class="itembank-panel">
        <h2 tabindex="-1">${say('submitted')}</h2>
        ${reviews.length > 0 ? html`<p>${say('total', total, most)}</p>` : html`<p>${say('submitted_text')}</p>`}
        ${this.shell.frames.outro ?? nothing}
        <button type="button" class="itembank-primary" @click=${() => this.#leave('submit')}>${say('close')}</button>
      </div>
      ${attempt.started.activity.type === 'local_practice' ? this.#practised() : nothing}`;
  }

  /** Practice shows its marks at once. */
  #practised(): TemplateResult {
    const { views } = this.shell;
    void Promise.all(views.map(async (view) => view.element ?? view.render())).then((elements) => {
      const holder = this.querySelector('.itembank-items');
      for (const [at, element] of elements.entries()) {
        element.hidden = false;
        holder?.append(element);
        for (const question of views[at]!.questions) question.close(this.#submitted?.reviews?.[question.responseId]);
      }
    });
    return html`<div class="itembank-items"></div>`;
  }

  #test(): TemplateResult {
    const { attempt, say, title, config } = this.shell;
    const section = textOf(attempt.started.activity.sections?.[attempt.sectionOf(attempt.current)]?.config?.['title']);
    const isLast = !attempt.isAdaptive && attempt.current === attempt.items.length - 1;
    return html`
      <button
        type="button"
        class="itembank-hidden itembank-skip"
        @click=${() => this.shell.views[attempt.current]?.focus()}
      >
        ${say('skip_to_items')}
      </button>
      <div class="itembank-top" role="region" aria-label=${say('status')}>
        <div>
          <h2>${title}</h2>
          ${textOf(config['subtitle']) ? html`<p class="itembank-subtitle">${config['subtitle']}</p>` : nothing}
          ${section ? html`<p class="itembank-section">${section}</p>` : nothing}
        </div>
        <p class="itembank-figures">
          <span>${this.#position}</span>
          ${attempt.total ? html`<strong>${say('total', attempt.total.score, attempt.total.maxScore)}</strong>` : nothing}
          ${this.#timer()}
        </p>
      </div>
      <div class="itembank-body">
        <div class="itembank-items" role="region" aria-label=${say('items')}></div>
        <div class="itembank-tools" role="region" aria-label=${say('tools')}>${this.#tools()}</div>
      </div>
      <div class="itembank-bottom" role="navigation" aria-label=${say('navigation')}>
        ${this.#savedText()}
        ${
          attempt.current > 0 &&
          !attempt.isAdaptive &&
          !this.#isBehind(attempt.current - 1) &&
          isOn(this.#navigation['show_prev'], true)
            ? html`<button type="button" @click=${() => this.#move(-1)}>${say('previous')}</button>`
            : nothing
        }
        ${
          !isLast
            ? html`<button
                type="button"
                class="itembank-primary"
                ?disabled=${this.#isAsking}
                @click=${() => this.#move(1)}
              >
                ${say('next')}
              </button>`
            : attempt.isOpen
              ? html`<button
                  type="button"
                  class="itembank-primary"
                  ?disabled=${this.#isSubmitting || this.#readingSeconds > 0}
                  @click=${() => void this.submit()}
                >
                  ${say('finish')}
                </button>`
              : nothing
        }
      </div>
    `;
  }

  #move(by: number): void {
    const { attempt } = this.shell;
    const isAsked = attempt.isAdaptive && by > 0;
    if (isAsked) void this.#askForNext().catch(() => undefined);
    else if (attempt.items[attempt.current + by]) this.#choosePosition(attempt.current + by);
  }

  /** In an adaptive test the next item follows from the answers; there is none without the service. */
  async #askForNext(): Promise<void> {
    const { attempt, views, viewOf } = this.shell;
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#update();
    try {
      const state = await attempt.next();
      if (!state) return await this.submit();
      views.push(viewOf(state));
      await this.goTo(state.position);
    } catch (error) {
      if (!(error instanceof Refused) || error.isForNow) void attempt.saveWhenPossible();
      throw error;
    } finally {
      this.#isAsking = false;
      this.#update();
    }
  }

  get #position(): string {
    const { attempt, say } = this.shell;
    const at = attempt.current + 1;
    return attempt.isAdaptive ? say('item', at) : say('item_of', at, attempt.items.length);
  }

  #timer(): unknown {
    const { attempt, say, config } = this.shell;
    if (!attempt.isOpen) return nothing;
    if (this.#readingSeconds > 0)
      return html`<span class="itembank-timer" role="timer" aria-live="off"
        >${say('reading_left', clockText(this.#readingSeconds))}</span
      >`;
    const { remaining } = attempt;
    const time = objectOf(config['time']);
    const warning = secondsOf(time['warning_time']);
    const isLate = remaining !== null && remaining <= warning;
    const text =
      remaining === null
        ? say('time', clockText(attempt.elapsed))
        : isOn(time['countdown_option'])
          ? say('time_left', clockText(remaining))
          : `${clockText(attempt.time.max_time! - remaining)} / ${clockText(attempt.time.max_time!)}`;
    return html`<span class="itembank-timer ${isLate ? 'is-late' : ''}" role="timer" aria-live="off">${text}</span>`;
  }

  #tools(): TemplateResult {
    const { attempt, say, config } = this.shell;
    const { isOpen, item } = attempt;
    const hasToc = isOn(this.#navigation['toc'] ?? objectOf(config['regions'])['toc'], true);
    return html`
      ${
        hasToc && attempt.items.length > 1 && !attempt.isAdaptive
          ? html`<div class="itembank-contents" role="navigation" aria-label=${say('contents')}>
              <ol>
                ${attempt.items.map((state) => this.#entry(state, String(state.position + 1)))}
              </ol>
            </div>`
          : nothing
      }
      ${
        isOpen
          ? html`
              <button type="button" aria-pressed=${item.flagged} @click=${() => this.#flag()}>${say('flag')}</button>
              ${
                attempt.isAdaptive
                  ? nothing
                  : html`<button type="button" @click=${() => this.open('review')}>${say('review')}</button>`
              }
              <button type="button" ?disabled=${this.#readingSeconds > 0} @click=${() => void this.#pause(true)}>
                ${say('pause')}
              </button>
            `
          : nothing
      }
      ${
        attempt.isStored
          ? html`<button type="button" @click=${() => void this.save().catch(() => undefined)}>${say('save')}</button>`
          : nothing
      }
      <button type="button" @click=${() => this.open('display')}>${say('display')}</button>
      <button type="button" @click=${() => void this.#fullscreen()}>${say('fullscreen')}</button>
    `;
  }

  #flag(): void {
    this.shell.attempt.flag();
    this.shell.events.emit('item:flagged', this.shell.attempt.current);
  }

  async #fullscreen(): Promise<void> {
    // Browsers may refuse it.
    if (document.fullscreenElement) await document.exitFullscreen().catch(() => undefined);
    else await this.requestFullscreen().catch(() => undefined);
  }

  #entry(state: ItemState, shown: string): TemplateResult {
    const { attempt, say } = this.shell;
    const states = {
      fully_attempted: say('answered'),
      partially_attempted: say('partly_answered'),
      not_attempted: say('not_answered'),
    };
    const told = [
      ...(attempt.isOpen ? [states[attempt.attemptOf(state)]] : []),
      ...(state.flagged ? [say('flagged')] : []),
    ].join(', ');
    const name = [say('item', state.position + 1), told].filter(Boolean).join(', ');
    return html`<li>
      <button
        type="button"
        aria-label=${name}
        aria-current=${state.position === attempt.current ? 'step' : nothing}
        ?disabled=${this.#isBehind(state.position)}
        @click=${() => this.#choose(state.position)}
      >
        ${shown}${state.flagged ? html`<span aria-hidden="true"> ⚑</span>` : nothing}
      </button>
    </li>`;
  }

  #choose(position: number): void {
    this.closeDialog();
    this.#choosePosition(position);
  }

  #savedText(): unknown {
    const { attempt, say } = this.shell;
    if (!attempt.isStored) return nothing;
    if (attempt.saveState === 'elsewhere') return html`<p class="itembank-saved is-failing">${say('stopped')}</p>`;
    const isFailing = attempt.saveState === 'failing';
    return html`<p class="itembank-saved ${isFailing ? 'is-failing' : ''}">${say(attempt.saveState)}</p>`;
  }

  #dialogs(): unknown {
    const dialog = this.#dialog;
    if (dialog === undefined) return nothing;
    const shown = {
      submit: () => this.#submitDialog(),
      review: () => this.#reviewDialog(),
      display: () => this.#displayDialog(),
      pause: () => this.#pauseDialog(),
      failed: () => this.#failedDialog(),
      elsewhere: () => this.#elsewhereDialog(),
      'time-over': () => this.#timeDialog(),
      custom: () => this.#customDialog(),
      leave: () => this.#leaveDialog(),
      idle: () => this.#idleDialog(),
    }[dialog]();
    // Escape cancels; a pause and another page need an answer.
    const mustAnswer = dialog === 'pause' || dialog === 'elsewhere';
    return html`<dialog
      aria-labelledby="itembank-dialog-title"
      @cancel=${(event: Event) => (mustAnswer ? event.preventDefault() : undefined)}
      @close=${() => (dialog === 'idle' ? this.#stay() : this.closeDialog())}
    >
      ${shown}
    </dialog>`;
  }

  #submitDialog(): TemplateResult {
    const { attempt, say } = this.shell;
    const { unattempted } = attempt;
    return html`<h2 id="itembank-dialog-title">${say('submit_question')}</h2>
      ${unattempted > 0 ? html`<p>${unattempted === 1 ? say('unanswered_one') : say('unanswered', unattempted)}</p>` : nothing}
      <p>${say('submit_text')}</p>
      <div class="itembank-actions">
        <button type="button" @click=${() => this.closeDialog()}>${say('cancel')}</button>
        <button
          type="button"
          class="itembank-primary"
          ?disabled=${this.#isSubmitting}
          @click=${() => void this.#submit()}
        >
          ${say('submit')}
        </button>
      </div>`;
  }

  #reviewDialog(): TemplateResult {
    const { attempt, say } = this.shell;
    const states = {
      fully_attempted: say('answered'),
      partially_attempted: say('partly_answered'),
      not_attempted: say('not_answered'),
    };
    return html`<h2 id="itembank-dialog-title">${say('review')}</h2>
      <ol class="itembank-list">
        ${attempt.items.map((state) =>
          this.#entry(state, `${say('item', state.position + 1)}: ${states[attempt.attemptOf(state)]}`),
        )}
      </ol>
      <div class="itembank-actions">
        <button type="button" @click=${() => this.closeDialog()}>${say('close')}</button>
      </div>`;
  }

  #displayDialog(): TemplateResult {
    const { say } = this.shell;
    const choice = <T extends string>(name: string, label: string, value: T, present: T, set: (value: T) => void) =>
      html`<label>
        <input
          type="radio"
          name=${name}
          .checked=${value === present}
          @change=${() => {
            set(value);
            this.#update();
          }}
        />
        ${label}
      </label>`;
    return html`<h2 id="itembank-dialog-title">${say('display')}</h2>
      <fieldset>
        <legend>${say('font_size')}</legend>
        ${FONT_SIZES.map((size) =>
          choice('itembank-font', say(`font_${size}`), size, this.#fontSize, (value) => (this.#fontSize = value)),
        )}
      </fieldset>
      <fieldset>
        <legend>${say('colours')}</legend>
        ${COLOURS.map((each) =>
          choice('itembank-colours', say(`colours_${each}`), each, this.#colours, (value) => (this.#colours = value)),
        )}
      </fieldset>
      <div class="itembank-actions">
        <button type="button" @click=${() => this.closeDialog()}>${say('close')}</button>
      </div>`;
  }

  #pauseDialog(): TemplateResult {
    const { say } = this.shell;
    return html`<h2 id="itembank-dialog-title">${say('paused')}</h2>
      <p>${say('paused_text')}</p>
      <div class="itembank-actions">
        <button type="button" class="itembank-primary" @click=${() => void this.#pause(false)}>${say('go_on')}</button>
      </div>`;
  }

  #leaveDialog(): TemplateResult {
    const { say } = this.shell;
    const { position, text, mayGo } = this.#wanted!;
    const go = () => {
      this.closeDialog();
      void this.goTo(position).catch(() => undefined);
    };
    return html`<h2 id="itembank-dialog-title">${text}</h2>
      <div class="itembank-actions">
        <button type="button" class="itembank-primary" @click=${() => this.closeDialog()}>${say('stay')}</button>
        ${mayGo ? html`<button type="button" @click=${go}>${say('leave')}</button>` : nothing}
      </div>`;
  }

  #idleDialog(): TemplateResult {
    const { say } = this.shell;
    return html`<h2 id="itembank-dialog-title">${say('idle')}</h2>
      <p>${say('idle_text')}</p>
      <div class="itembank-actions">
        <button type="button" class="itembank-primary" @click=${() => this.#stay()}>${say('go_on')}</button>
      </div>`;
  }

  #timeDialog(): TemplateResult {
    const { say } = this.shell;
    return html`<h2 id="itembank-dialog-title">${say('time_over')}</h2>
      <div class="itembank-actions">
        <button type="button" class="itembank-primary" @click=${() => this.closeDialog()}>${say('go_on')}</button>
      </div>`;
  }

  #failedDialog(): TemplateResult {
    const { attempt, say } = this.shell;
    const text = this.#failures >= TRIES_BEFORE_TEXT ? attempt.asText() : undefined;
    return html`<h2 id="itembank-dialog-title">${say('submit_failed')}</h2>
      <p>${say('submit_failed_text')}</p>
      ${
        text === undefined
          ? nothing
          : html`<label for="itembank-data">${say('submit_data')}</label>
              <textarea id="itembank-data" readonly .value=${text}></textarea>
              <p>
                <a
                  download="${attempt.started.session.session_id}.txt"
                  href=${URL.createObjectURL(new Blob([text], { type: 'text/plain' }))}
                  >${say('download')}</a
                >
              </p>`
      }
      <div class="itembank-actions">
        <button type="button" @click=${() => this.closeDialog()}>${say('cancel')}</button>
        <button
          type="button"
          class="itembank-primary"
          ?disabled=${this.#isSubmitting}
          @click=${() => void this.#submit()}
        >
          ${say('try_again')}
        </button>
      </div>`;
  }

  #elsewhereDialog(): TemplateResult {
    const { attempt, say, views } = this.shell;
    const here = async () => {
      await attempt.takeOver();
      for (const view of views)
        for (const { element, responseId } of view.questions)
          if (element) element.value = attempt.responses.get(responseId)?.value ?? null;
      this.closeDialog();
      void attempt.saveWhenPossible();
    };
    const there = () => {
      attempt.stop();
      for (const view of views) for (const question of view.questions) question.isDisabled = true;
      this.closeDialog();
    };
    return html`<h2 id="itembank-dialog-title">${say('elsewhere')}</h2>
      <p>${say('elsewhere_text')}</p>
      <div class="itembank-actions">
        <button type="button" @click=${there}>${say('go_on_there')}</button>
        <button type="button" class="itembank-primary" @click=${() => void here().catch(() => there())}>
          ${say('go_on_here')}
        </button>
      </div>`;
  }

  #customDialog(): TemplateResult {
    const { header = '', body = '', buttons = [] } = this.#custom;
    return html`<h2 id="itembank-dialog-title">${header}</h2>
      <p>${body}</p>
      <div class="itembank-actions">
        ${buttons.map(
          ({ button_id: id, label, is_primary: isPrimary }) =>
            html`<button
              type="button"
              class=${isPrimary ? 'itembank-primary' : ''}
              @click=${() => this.shell.events.emit(`button:${id}:clicked`)}
            >
              ${label}
            </button>`,
        )}
      </div>`;
  }
}
