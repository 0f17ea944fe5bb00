import type { Counts } from '#renderer';
import { Answers } from './answers';
import {
  type Checked,
  type Delivery,
  type DeliveredItem,
  Refused,
  type Started,
  type Supervised,
  type SupervisorStep,
  type Time,
} from './delivery/port';
import { type Progress, retryAfter, Saver, stateAfter } from './saver';
import { Seconds } from './seconds';
import { sessionText } from './session-text';
import { type Limit, TimeLimits } from './time-limits';
import { UnsavedAnswers } from './unsaved';

/** An item with the learner's progress in it. */
export interface ItemState {
  readonly item: DeliveredItem;
  readonly position: number;
  /** Seconds. */
  time: number;
  flagged: boolean;
  viewed: boolean;
}

/**
 * A session in progress. Holds the answers, the position and the time. Contains no user interface; the shell listens
 * with `onchange`.
 */
export class Attempt {
  readonly items: ItemState[] = [];
  readonly answers: Answers;
  current = 0;
  elapsed = 0;
  isEnded = false;
  readonly saver: Saver;
  /** Whether another app may go on with the session. This one then sends nothing more. */
  isLeft = false;
  /** Called after anything changed. */
  onchange: () => void = () => undefined;

  readonly #begun = performance.now();
  readonly #seconds = new Seconds();
  readonly #limits: TimeLimits;
  #part: Started['testlet'];

  constructor(
    readonly started: Started,
    private readonly delivery: Delivery,
  ) {
    const { session, items, responses, time } = started;
    this.#add(items);
    this.#takeProgress(session);
    this.#limits = new TimeLimits(started.activity, time);
    // A review starts at the first item.
    const at = session.state === 'review' ? 0 : items.findIndex(({ id }) => id === session.current_item);
    this.#part = started.testlet;
    this.current = Math.max(this.firstOpen, at);
    const name = `itembank ${session.organisation_id} ${session.session_id} ${session.user_id}`;
    const unsaved = this.isStored ? new UnsavedAnswers(name, session.storage_key) : undefined;
    this.answers = new Answers(responses, unsaved, () => this.onchange());
    this.saver = new Saver(this, delivery, session.save_number);
  }

  get state(): Started['session']['state'] {
    return this.started.session.state;
  }

  /** The key under which this browser keeps the plays of the session; undefined if it keeps none. */
  get playsKey(): string | undefined {
    const { organisation_id: organisation, session_id: id } = this.started.session;
    return this.isStored ? `itembank ${organisation} ${id} plays` : undefined;
  }

  /** Whether the learner can give answers. */
  get isOpen(): boolean {
    return (this.state === 'initial' || this.state === 'resume') && !this.isEnded;
  }

  /** Whether the answers reach the service only when the learner submits. */
  get isPractice(): boolean {
    return this.started.activity.type === 'local_practice';
  }

  /** Whether answers are sent to the service. */
  get isStored(): boolean {
    return this.isOpen && !this.isPractice;
  }

  get item(): ItemState {
    return this.items[this.current]!;
  }

  /** The section that an item belongs to; -1 for an item outside of all sections. */
  sectionOf(position: number): number {
    const { sections = [] } = this.started.activity;
    const id = this.items[position]?.item.id;
    return sections.findIndex(({ items }) => items.some((each) => each === id));
  }

  /** Whether the service chooses each next item, so that the learner cannot go back. */
  get isAdaptive(): boolean {
    return this.started.adaptive === true && this.isOpen;
  }

  /** The present testlet; undefined for a test without testlets. */
  get part(): Started['testlet'] {
    return this.isOpen ? this.#part : undefined;
  }

  /** The position of the first item that the learner can go to. */
  get firstOpen(): number {
    if (!this.isAdaptive) return 0;
    return this.#part?.from ?? this.items.length - 1;
  }

  /** The items that the learner can go to. */
  get openItems(): readonly ItemState[] {
    return this.items.slice(this.firstOpen);
  }

  /** The number of an item, as learners see it: in its testlet, or in the test. */
  numberOf(position: number): number {
    return position - (this.part?.from ?? 0) + 1;
  }

  get isPaused(): boolean {
    return this.isOpen && this.#limits.isPaused;
  }

  /** The time of the whole test, as the service answered last. */
  get time(): Time {
    return this.#limits.time;
  }

  set time(time: Time) {
    this.#limits.set(time);
  }

  /** The limit that applies now. */
  get limit(): Limit {
    const section = this.sectionOf(this.current);
    const used = this.items
      .filter(({ position }) => this.sectionOf(position) === section)
      .reduce((sum, item) => sum + item.time, 0);
    return this.#limits.in(section, used);
  }

  /** Takes an answer of the learner. The arguments are those of {@link Answers.change}. */
  change(responseId: string, value: unknown, counts: Counts = {}, isReset = false): void {
    if (!this.isOpen || this.isPaused) return;
    this.answers.change(responseId, value, counts, isReset);
    this.saver.settle();
    this.onchange();
  }

  get unattempted(): number {
    return this.unattemptedOf(this.items);
  }

  unattemptedOf(items: readonly ItemState[]): number {
    return items.flatMap(({ item }) => item.response_ids).filter((id) => !this.answers.isAttempted(id)).length;
  }

  goTo(position: number): void {
    this.current = position;
    this.item.viewed = true;
    this.saver.hasMoved = true;
    this.onchange();
  }

  flag(flagged = !this.item.flagged, state = this.item): void {
    state.flagged = flagged;
    this.saver.hasMoved = true;
    this.onchange();
  }

  /** Starts to count seconds for the test and for the item on screen. */
  run(onsecond: () => void): void {
    this.item.viewed = true;
    const count = () => {
      if (this.isPaused || !this.isOpen) return;
      this.elapsed += 1;
      this.item.time += 1;
      onsecond();
    };
    this.#seconds.start(count, () => void this.#askForTime());
  }

  stop(): void {
    this.#seconds.stop();
  }

  /** Ends on this page, where another app may go on with the session. Resolves when it has nothing more to send. */
  async leave(): Promise<void> {
    this.stop();
    this.isLeft = true;
    await this.saver.finish();
  }

  /** @throws the error of the connection, or Refused. The clock is then as before. */
  async pause(paused: boolean): Promise<void> {
    try {
      if (this.isStored) this.#takeTime(await this.delivery.pause(paused));
    } catch (error) {
      // A page that cannot go on takes answers again, and their save tells the learner why.
      if (paused || !(error instanceof Refused) || error.isForNow) throw error;
    }
    this.#limits.isPaused = paused;
    this.onchange();
  }

  /** Does what a supervisor asks. @throws as {@link Saver.save} */
  async supervise(password: string, step?: SupervisorStep): Promise<Supervised> {
    // The service extends the section that it knows as the current one.
    if (step?.action === 'extend') await this.saver.save();
    const supervised = await this.delivery.supervise(password, step);
    this.time = supervised.time;
    this.onchange();
    return supervised;
  }

  #takeTime({ time }: { time?: Time }): void {
    if (time) this.time = time;
  }

  /**
   * Asks the service for the time that is left. In many browsers the clock of a page stands still while the computer
   * sleeps.
   */
  async #askForTime(): Promise<void> {
    for (let tries = 0; this.isStored && !this.isPaused; tries += 1)
      try {
        this.#takeTime(await this.delivery.pause(false));
        return this.onchange();
      } catch (error) {
        if (error instanceof Refused && !error.isForNow) {
          this.saver.state = stateAfter(error);
          return this.onchange();
        }
        await retryAfter(tries);
      }
  }

  check(responseId: string): Promise<Checked> {
    return this.delivery.check(responseId, this.answers.get(responseId));
  }

  /** Asks for the next item or testlet of an adaptive test. @returns none when the test is over. @throws as {@link Saver.save} */
  async next(): Promise<ItemState[]> {
    const added = await this.saver.next();
    if (this.#part && added.length > 0) this.#part = { number: this.#part.number + 1, from: this.items.length };
    return this.#add(added);
  }

  #add(items: readonly DeliveredItem[]): ItemState[] {
    const from = this.items.length;
    const added = items.map((item, at) => ({ item, position: from + at, time: 0, flagged: false, viewed: false }));
    this.items.push(...added);
    return added;
  }

  /** Takes the stored times and flags. Times of this page that are not saved yet stay. */
  #takeProgress({ items, elapsed_seconds: elapsed }: Started['session']): void {
    for (const { id, time, user_flagged: flagged } of items) {
      const state = this.items.find(({ item }) => item.id === id);
      if (!state) continue;
      state.time = Math.max(state.time, time);
      state.flagged ||= flagged;
    }
    this.elapsed = Math.max(this.elapsed, elapsed);
  }

  /** Ends on this page. Answers that are not stored by now stay so. */
  end(): void {
    this.answers.giveUp();
    this.#forgetPlays();
    this.isEnded = true;
    this.stop();
    this.onchange();
  }

  #forgetPlays(): void {
    try {
      if (this.playsKey !== undefined) localStorage.removeItem(this.playsKey);
    } catch {
      // Storage is switched off.
    }
  }

  /** The progress that is saved with the answers. */
  get progress(): Progress {
    return {
      items: this.items.map(({ item, time, flagged }) => ({ id: item.id, time, user_flagged: flagged })),
      current_item: this.item.item.id,
      elapsed_seconds: this.elapsed,
    };
  }

  /** The session as text. If the service cannot be reached, the operation `set sessions` accepts this text later. */
  asText(): string {
    const { items, answers } = this;
    return sessionText(this.started, { items, answers, shownFor: performance.now() - this.#begun });
  }

  /**
   * Continues on this page after another page has saved. Loads the stored answers, but keeps the unsaved answers of
   * this page, unless their items are over.
   * @returns the items that the other page got from the service.
   */
  async takeOver(): Promise<ItemState[]> {
    const { session, items, testlet, responses, time } = await this.delivery.start();
    const added = this.#add(items.slice(this.items.length));
    this.#takeProgress(session);
    this.#part = testlet;
    this.answers.giveUp(this.items.slice(0, this.firstOpen).flatMap(({ item }) => item.response_ids));
    this.answers.merge(responses);
    this.time = time;
    this.saver.restart(session.save_number);
    this.onchange();
    return added;
  }

  /** Restores unsaved answers that a crashed page left in this browser, unless their items are over. */
  async restore(): Promise<void> {
    await this.answers.restore(this.openItems.map(({ item }) => item));
    this.saver.settle();
  }
}
