import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { announce } from '#renderer';
import type { ItemState, SaveState } from '../attempt';
import { Refused, type Submitted } from '../delivery/port';
import { isOn, listOf, type Members, objectOf, secondsOf, textOf } from '../members';
import { Absence } from './absence';
import { clockText, spoken } from './durations';
import {
  answersAsText,
  COLOURS,
  type Colours,
  type CustomDialog,
  type Dialog,
  type DialogHost,
  Dialogs,
  FONT_SIZES,
  type FontSize,
} from './dialogs';
import type { LineReader } from './line-reader';
import { ReadingTime } from './reading-time';
import type { Shell } from './shell';
import { adoptShellStyle } from './style';

type Screen = 'intro' | 'test' | 'done';
const DEFAULT_SAVE_SECONDS = 30;

/** The player around the items: position, remaining time, save state and navigation. */
export class Player extends LitElement implements DialogHost {
  shell!: Shell;
  readonly #dialogViews = new Dialogs(this);
  #screen: Screen = 'intro';
  #dialog: Dialog | undefined;
  custom: CustomDialog = {};
  fontSize: FontSize = 'normal';
  colours: Colours = 'auto';
  isSubmitting = false;
  #isMasking = false;
  #isAsking = false;
  /** The learner's target while a dialog asks whether to leave the current item. */
  wanted: { position: number; text: string; mayGo: boolean } | undefined;
  readonly #reading = new ReadingTime(this, {
    onstart: () => this.shell.events.emit('test:reading:start'),
    onend: (isFirst) => {
      this.#setDisabled(false);
      this.shell.events.emit('test:reading:end');
      if (isFirst) void this.goTo(0).catch(() => undefined);
    },
  });
  readonly #absence = new Absence(this, {
    onnotice: () => this.open('idle'),
    onend: () => {
      this.closeDialog();
      this.shell.attempt.stop();
      this.#setDisabled(true);
      void this.shell.attempt.saveWhenPossible().then(() => this.#leave('save'));
    },
  });
  failures = 0;
  #hasWarned = false;
  #isTimeOver = false;
  /** The section whose time limit applies; -1: the limit of the whole test. */
  #limitSection = -1;
  #sinceSave = 0;
  #submitted: Submitted | undefined;
  #lineReader: LineReader | undefined;
  #saveState: SaveState = 'saved';

  /** Renders without a shadow root, because pages find questions by their ids. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptShellStyle();
    const { attempt, config } = this.shell;
    const size = textOf(this.configuration['fontsize']) ?? textOf(config['fontsize']);
    this.fontSize = FONT_SIZES.find((each) => each === size) ?? 'normal';
    const isFirst = attempt.state === 'initial' && !attempt.started.session.existing;
    this.#screen = isFirst && isOn(this.#navigation['show_intro'], true) ? 'intro' : 'test';
    attempt.onchange = () => this.#update();
    window.addEventListener('online', this.#online);
    window.addEventListener('pagehide', this.#leaving);
    document.addEventListener('visibilitychange', this.#leaving);
    window.addEventListener('keydown', this.#arrows);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.shell.attempt.stop();
    window.removeEventListener('online', this.#online);
    window.removeEventListener('pagehide', this.#leaving);
    document.removeEventListener('visibilitychange', this.#leaving);
    window.removeEventListener('keydown', this.#arrows);
  }

  protected override firstUpdated(): void {
    if (this.#screen === 'test') void this.#begin();
    else if (isOn(this.configuration['focus_on_player'])) this.querySelector<HTMLElement>('.itembank-primary')?.focus();
  }

  /** Whether learners can cover options of questions. */
  get isMasking(): boolean {
    return this.#isMasking;
  }

  set isMasking(isMasking: boolean) {
    this.#isMasking = isMasking;
    for (const view of this.shell.views) for (const question of view.questions) question.masking = isMasking;
    this.#update();
  }

  get hasStarted(): boolean {
    return this.#screen !== 'intro';
  }

  // Public methods for pages.

  /** Goes to an item. Rejects when a listener of the page stops the move. */
  async goTo(position: number): Promise<void> {
    const { attempt, events } = this.shell;
    if (this.#screen !== 'test' || position === attempt.current || !attempt.items[position]) return;
    if (this.#isBehind(position)) throw new Error('The section of this item is over.');
    let isStopped = false;
    events.emit('item:beforeunload', { preventDefault: () => (isStopped = true) });
    if (isStopped) throw new Error('The page stopped the move.');
    events.emit('item:goto', position);
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
    if (this.#reading.isOn) return;
    if (this.#mustAnswer > 0) {
      this.wanted = { position: -1, text: this.shell.say('submit_criteria', this.#mustAnswer), mayGo: false };
      return this.open('leave');
    }
    if (confirm) this.open('submit');
    else await this.submitNow();
  }

  open(dialog: Dialog, custom: CustomDialog = {}): void {
    this.custom = custom;
    this.#dialog = dialog;
    this.#update();
    void this.updateComplete.then(() => {
      const element = this.querySelector('dialog');
      if (element && !element.open) element.showModal();
      this.shell.events.emit('test:panel:show', dialog);
    });
  }

  /** Continues after the learner confirmed to be present. */
  stay(): void {
    this.#absence.reset();
    this.closeDialog();
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

  get configuration(): Members {
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
    if (attempt.isOpen && !attempt.started.session.existing) this.#reading.start();
    attempt.run(() => this.#second());
    await this.#showItem(isOn(this.configuration['focus_on_player']) || attempt.state !== 'review');
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
    if (this.#reading.isOn) this.#setDisabled(true);
    for (const { element } of view.questions) await element?.updateComplete;
    if (withFocus) view.focus();
    if (isOn(this.#navigation['scroll_to_top'], true)) this.scrollIntoView({ block: 'start' });
    announce(this.#position);
    events.emit('item:load', attempt.current);
    this.#update();
  }

  #second(): void {
    const { attempt, events, say } = this.shell;
    this.#reading.second();
    this.#absence.second();
    events.emit('time:change', attempt.elapsed);
    const { section, remaining, time } = attempt.limit;
    if (section !== this.#limitSection) {
      this.#limitSection = section;
      this.#hasWarned = this.#isTimeOver = false;
    }
    if (remaining !== null && remaining <= secondsOf(time['warning_time']) && remaining > 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      announce(say('time_warning', spoken(remaining, say)));
    }
    if (remaining === 0) this.#timeOver();
    this.#sinceSave += 1;
    if (this.#canAutoSave && attempt.saveState === 'unsaved' && this.#sinceSave >= this.#saveSeconds) {
      this.#sinceSave = 0;
      void attempt.saveWhenPossible();
    }
    this.#update();
  }

  #setDisabled(isDisabled: boolean): void {
    for (const view of this.shell.views) for (const question of view.questions) question.isDisabled = isDisabled;
  }

  // Restrictions for the learner.

  /** Questions that still must be answered before submitting: `configuration.submit_criteria`. */
  get #mustAnswer(): number {
    const { type, threshold } = objectOf(this.configuration['submit_criteria']);
    if (type !== 'attempted') return 0;
    const { attempt } = this.shell;
    const all = attempt.items.flatMap(({ item }) => item.response_ids).length;
    const wanted = Math.ceil((Math.min(100, secondsOf(threshold)) / 100) * all);
    return Math.max(0, wanted - (all - attempt.unattempted));
  }

  /** Whether a position lies in an earlier section to which the activity allows no return. */
  #isBehind(position: number): boolean {
    const { attempt } = this.shell;
    const options = objectOf(this.configuration['section_options']);
    if (!attempt.isOpen || isOn(options['allow_backward_navigation'])) return false;
    return attempt.sectionOf(position) < attempt.sectionOf(attempt.current);
  }

  /** Goes to the item that the learner chose. Asks first if the activity requires it. */
  #choosePosition(position: number): void {
    const { attempt, events, say } = this.shell;
    const onChange = this.#navigation['warning_on_change'];
    const isPartial = attempt.isOpen && attempt.attemptOf(attempt.item) !== 'fully_attempted';
    const leavesSection = attempt.sectionOf(position) > attempt.sectionOf(attempt.current);
    if (isPartial && (isOn(onChange) || typeof onChange === 'object') && onChange !== null) {
      const mayGo = !isOn(objectOf(onChange)['disable_item_navigation']);
      this.wanted = { position, text: say('leave_unanswered'), mayGo };
      events.emit('item:warningOnChange', attempt.current);
    } else if (leavesSection && attempt.isOpen && isOn(this.#navigation['warning_on_section_change']))
      this.wanted = { position, text: say('leave_section'), mayGo: true };
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

  #timeOver(): void {
    const { attempt, events, say } = this.shell;
    if (this.#isTimeOver) return;
    this.#isTimeOver = true;
    events.emit('time:end');
    const { section, isHard } = attempt.limit;
    const next = attempt.items.findIndex(({ position }) => attempt.sectionOf(position) > section);
    if (isHard && section >= 0 && next >= 0) {
      announce(say('time_over_section'));
      this.closeDialog();
      void this.goTo(next).catch(() => undefined);
    } else if (isHard) {
      announce(say('time_over_hard'));
      void this.submitNow();
    } else this.open('timeOver');
  }

  async pause(isPaused: boolean): Promise<void> {
    const { attempt, events } = this.shell;
    await attempt.pause(isPaused).catch(() => undefined);
    events.emit(isPaused ? 'test:pause' : 'test:resume');
    if (isPaused) this.open('pause');
    else this.closeDialog();
  }

  async submitNow(): Promise<void> {
    const { attempt, events, views, say } = this.shell;
    if (this.isSubmitting || !attempt.isOpen) return;
    this.isSubmitting = true;
    this.#update();
    announce(say('submitting'));
    events.emit('test:submit');
    try {
      this.#submitted = await attempt.submit();
      this.closeDialog();
      for (const view of views)
        for (const question of view.questions) question.close(this.#submitted.reviews?.[question.responseId]);
      this.#lineReader?.close();
      this.#screen = 'done';
      events.emit('test:submit:success');
      announce(say('submitted'));
      await this.#focusPanel();
    } catch (error) {
      this.failures += 1;
      events.emit('test:submit:error', error);
      this.open(error instanceof Refused && error.isStale ? 'elsewhere' : 'failed');
    } finally {
      this.isSubmitting = false;
      this.#update();
    }
  }

  #leave(kind: 'submit' | 'save'): void {
    const { events, onleave } = this.shell;
    events.emit(`test:finished:${kind}`);
    if (onleave) return onleave();
    const target = this.configuration[kind === 'submit' ? 'onsubmit_redirect_url' : 'onsave_redirect_url'];
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

  // Rendering.

  protected override render(): TemplateResult {
    this.classList.remove(...FONT_SIZES.map((size) => `fontsize-${size}`), ...COLOURS.map((each) => `colours-${each}`));
    this.classList.add(`fontsize-${this.fontSize}`, `colours-${this.colours}`);
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
    const { reviews: given = {}, isKeptHere = false } = this.#submitted ?? {};
    const reviews = Object.values(given);
    const total = reviews.reduce((sum, { score }) => sum + (score ?? 0), 0);
    const most = reviews.reduce((sum, { maxScore }) => sum + (maxScore ?? 0), 0);
    return html`<div class="itembank-panel">
        <h2 tabindex="-1">${say(isKeptHere ? 'finished' : 'submitted')}</h2>
        ${reviews.length > 0 ? html`<p>${say('total', total, most)}</p>` : html`<p>${say(isKeptHere ? 'kept_here' : 'submitted_text')}</p>`}
        ${isKeptHere ? answersAsText(attempt, say('kept_text'), say) : nothing} ${this.shell.frames.outro ?? nothing}
        <button type="button" class="itembank-primary" @click=${() => this.#leave('submit')}>${say('close')}</button>
      </div>
      ${attempt.started.activity.type === 'local_practice' ? this.#practised() : nothing}`;
  }

  /** Practice shows its results immediately. */
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
                  ?disabled=${this.isSubmitting || this.#reading.isOn}
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

  /** Asks the service for the next item of an adaptive test. */
  async #askForNext(): Promise<void> {
    const { attempt, views, viewOf } = this.shell;
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#update();
    try {
      const state = await attempt.next();
      if (!state) return await this.submit();
      views.push(viewOf(state));
      this.isMasking = this.#isMasking;
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
    const { attempt, say } = this.shell;
    if (!attempt.isOpen) return nothing;
    if (this.#reading.isOn)
      return html`<span class="itembank-timer" role="timer" aria-live="off"
        >${say('reading_left', clockText(this.#reading.left))}</span
      >`;
    const { remaining, max, time } = attempt.limit;
    const isLate = remaining !== null && remaining <= secondsOf(time['warning_time']);
    const text =
      remaining === null || max === null
        ? say('time', clockText(attempt.elapsed))
        : isOn(time['countdown_option'])
          ? say('time_left', clockText(remaining))
          : `${clockText(max - remaining)} / ${clockText(max)}`;
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
                ${attempt.items.map((state) => this.entry(state, String(state.position + 1)))}
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
              <button type="button" ?disabled=${this.#reading.isOn} @click=${() => void this.pause(true)}>
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
      ${
        isOpen && this.#hasTool('masking_button', 'show_answermasking')
          ? html`<button
              type="button"
              aria-pressed=${this.isMasking}
              @click=${() => (this.isMasking = !this.isMasking)}
            >
              ${say('masking')}
            </button>`
          : nothing
      }
      ${
        this.#hasTool('linereader_button')
          ? html`<button
              type="button"
              aria-pressed=${this.#lineReader !== undefined}
              @click=${() => void this.#toggleLineReader()}
            >
              ${say('line_reader')}
            </button>`
          : nothing
      }
      <button type="button" @click=${() => this.open('display')}>${say('display')}</button>
      <button type="button" @click=${() => void this.#fullscreen()}>${say('fullscreen')}</button>
    `;
  }

  /**
   * Whether the activity has a tool: as an element of a region, or by an override of a region.
   * @param older a member of `navigation` that also adds the tool.
   */
  #hasTool(type: string, older?: string): boolean {
    const { config } = this.shell;
    if (older !== undefined && isOn(this.#navigation[older])) return true;
    const overrides = Object.entries(objectOf(config['region_overrides']));
    const set = overrides.flatMap(([name, value]) =>
      name.endsWith(`.${type}`) ? [value] : Object.hasOwn(objectOf(value), type) ? [objectOf(value)[type]] : [],
    );
    if (set.length > 0) return set.some((value) => value !== null && (typeof value === 'object' || isOn(value)));
    const regions = Object.values(objectOf(config['regions'])).flatMap((elements) => listOf(elements));
    return regions.some((element) => objectOf(element)['type'] === type);
  }

  async #toggleLineReader(): Promise<void> {
    if (this.#lineReader) return this.#lineReader.close();
    const { LineReader } = await import('./line-reader');
    if (!customElements.get('itembank-line-reader')) customElements.define('itembank-line-reader', LineReader);
    const reader = document.createElement('itembank-line-reader') as InstanceType<typeof LineReader>;
    const opener = this.ownerDocument.activeElement;
    Object.assign(reader, { say: this.shell.say, watched: this.querySelector('.itembank-items') });
    reader.onleave = () => {
      reader.remove();
      this.#lineReader = undefined;
      this.#update();
      if (opener instanceof HTMLElement) opener.focus();
    };
    this.#lineReader = reader;
    this.append(reader);
    this.#update();
    await reader.updateComplete;
    reader.focus();
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

  entry(state: ItemState, shown: string): TemplateResult {
    const { attempt, say } = this.shell;
    const states = {
      fully_attempted: say('answered'),
      partially_attempted: say('partly_answered'),
      not_attempted: say('not_answered'),
    };
    const stateLabel = [
      ...(attempt.isOpen ? [states[attempt.attemptOf(state)]] : []),
      ...(state.flagged ? [say('flagged')] : []),
    ].join(', ');
    const name = [say('item', state.position + 1), stateLabel].filter(Boolean).join(', ');
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
    return html`<p class="itembank-saved ${isFailing ? 'is-failing' : ''}">
      ${say(isFailing && !attempt.isKept ? 'failing_unkept' : attempt.saveState)}
    </p>`;
  }

  #dialogs(): unknown {
    const dialog = this.#dialog;
    if (dialog === undefined) return nothing;
    const shown = this.#dialogViews[dialog]();
    // Escape cancels; a pause and another page need an answer.
    const mustAnswer = dialog === 'pause' || dialog === 'elsewhere';
    return html`<dialog
      aria-labelledby="itembank-dialog-title"
      @cancel=${(event: Event) => (mustAnswer ? event.preventDefault() : undefined)}
      @close=${() => (dialog === 'idle' ? this.stay() : this.closeDialog())}
    >
      ${shown}
    </dialog>`;
  }
}
