import type { Counts } from '#renderer';
import { Answers } from './answers';
import {
  type Checked,
  type Delivery,
  type DeliveredItem,
  Refused,
  type Save,
  type Saved,
  type Started,
  type Submitted,
  type Supervised,
  type SupervisorStep,
  type Time,
} from './delivery/port';
import { after, Seconds } from './seconds';
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
 * `failing`: the save failed and is retried. `oversize`: only answers that are too long are unsaved. `elsewhere`: another
 * page has saved meanwhile. `over`: the service takes no more answers. `refused`: it takes none of this page, for example
 * because its token has expired.
 */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failing' | 'oversize' | 'elsewhere' | 'over' | 'refused';

const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** The pause after a save. A held arrow key moves through many items in a moment. */
const PAUSE_MS = 250;

/**
 * A session in progress. Holds the answers, the position and the time, and saves them to the service. Contains no user
 * interface; the shell listens with `onchange`.
 */
export class Attempt {
  readonly items: ItemState[];
  readonly answers: Answers;
  current = 0;
  elapsed: number;
  isEnded = false;
  /** Whether the service has left out answers that came after the time of their section. */
  hasLate = false;
  saveState: SaveState = 'saved';
  /** Called after anything changed. */
  onchange: () => void = () => undefined;

  /** Whether the position, a flag or a time changed since the last save, even without an answer. */
  #isMoved = false;
  #saveNumber: number;
  #saving: Promise<void> | undefined;
  /** The save that is tried until it succeeds. */
  #persistent: Promise<void> | undefined;
  /** Whether somebody asked for that save since its last try began. */
  #isWanted = false;
  /** Whether another app may go on with the session. This one then sends nothing more. */
  #isLeft = false;
  /** Ends the pause before its next try. */
  #wake: () => void = () => undefined;
  /** A save without an answer. The service may have stored it, so exactly the same save is sent again. */
  #inDoubt: Save | undefined;
  readonly #seconds = new Seconds();
  readonly #limits: TimeLimits;
  #part: Started['testlet'];

  constructor(
    readonly started: Started,
    private readonly delivery: Delivery,
  ) {
    const { session, items, responses, time } = started;
    this.items = items.map((item, position) => {
      const own = session.items.find(({ id }) => id === item.id);
      return { item, position, time: own?.time ?? 0, flagged: own?.user_flagged ?? false, viewed: false };
    });
    this.elapsed = session.elapsed_seconds;
    this.#limits = new TimeLimits(started.activity, time);
    this.#saveNumber = session.save_number;
    // A review starts at the first item.
    const at = session.state === 'review' ? 0 : items.findIndex(({ id }) => id === session.current_item);
    this.#part = started.testlet;
    this.current = Math.max(this.firstOpen, at);
    const name = `itembank ${session.organisation_id} ${session.session_id} ${session.user_id}`;
    const unsaved = this.isStored ? new UnsavedAnswers(name, session.storage_key) : undefined;
    this.answers = new Answers(responses, unsaved, () => this.onchange());
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

  /** Whether answers are sent to the service. */
  get isStored(): boolean {
    return this.isOpen && this.started.activity.type !== 'local_practice';
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

  /** The total score of a review; undefined without scores. */
  get total(): { score: number; maxScore: number } | undefined {
    const reviews = Object.values(this.started.reviews ?? {});
    if (reviews.length === 0) return undefined;
    const sum = (name: 'score' | 'maxScore') => reviews.reduce((all, review) => all + (review[name] ?? 0), 0);
    return { score: sum('score'), maxScore: sum('maxScore') };
  }

  get isPaused(): boolean {
    return this.#limits.isPaused;
  }

  /** The time of the whole test, as the service answered last. */
  get time(): Time {
    return this.#limits.time;
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
    this.saveState = this.isStored ? this.#settled : 'saved';
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
    this.#isMoved = true;
    this.onchange();
  }

  flag(flagged = !this.item.flagged, state = this.item): void {
    state.flagged = flagged;
    this.#isMoved = true;
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

  /** Whether answers or a move wait to be saved. */
  get isWaiting(): boolean {
    return this.answers.hasUnsaved || this.#isWanted;
  }

  /** Ends on this page, where another app may go on with the session. Resolves when it has nothing more to send. */
  async leave(): Promise<void> {
    this.stop();
    this.#isLeft = true;
    if (this.#isWanted || this.#saving) await this.save().catch(() => undefined);
  }

  /** @throws the error of the connection, or Refused. The clock is then as before. */
  async pause(paused: boolean): Promise<void> {
    try {
      if (this.isStored) this.#limits.set((await this.delivery.pause(paused)).time);
    } catch (error) {
      // A page that cannot go on takes answers again, and their save tells the learner why.
      if (paused || !(error instanceof Refused) || error.isForNow) throw error;
    }
    this.#limits.isPaused = paused;
    this.onchange();
  }

  /** Does what a supervisor asks. @throws as {@link save} */
  async supervise(password: string, step?: SupervisorStep): Promise<Supervised> {
    // The service extends the section that it knows as the current one.
    if (step?.action === 'extend') await this.save();
    const supervised = await this.delivery.supervise(password, step);
    this.#limits.set(supervised.time);
    this.onchange();
    return supervised;
  }

  /**
   * Asks the service for the time that is left. In many browsers the clock of a page stands still while the computer
   * sleeps.
   */
  async #askForTime(): Promise<void> {
    for (let tries = 0; this.isStored && !this.isPaused; tries += 1)
      try {
        this.#limits.set((await this.delivery.pause(false)).time);
        return this.onchange();
      } catch (error) {
        if (error instanceof Refused && !error.isForNow) {
          this.saveState = stateAfter(error);
          return this.onchange();
        }
        await retryAfter(tries);
      }
  }

  check(responseId: string): Promise<Checked> {
    return this.delivery.check(responseId, this.answers.get(responseId));
  }

  /**
   * Saves the changes, after any save in progress.
   * @throws Refused, or the error of the connection.
   */
  async save(): Promise<void> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    if (!this.isStored) return;
    if (!this.answers.hasUnsaved && !this.#isMoved && !this.#inDoubt && this.#saveNumber > 0) return;
    const needsAnother = this.#needsSeveralCalls;
    this.#saving = this.#saveOnce().finally(() => (this.#saving = undefined));
    await this.#saving;
    if (needsAnother) await this.save();
  }

  /** Whether one call cannot send all that is unsaved. A save in doubt is repeated as it was. */
  get #needsSeveralCalls(): boolean {
    return this.#inDoubt !== undefined || !this.answers.fitInOneCall;
  }

  /** Asks for the next item or testlet of an adaptive test. @returns none when the test is over. @throws as {@link save} */
  async next(): Promise<ItemState[]> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    if (this.#needsSeveralCalls) await this.save();
    let added: DeliveredItem[] = [];
    const ask = async (save: Save) => {
      const { items, ...saved } = await this.delivery.next(save);
      added = items;
      return saved;
    };
    this.#saving = this.#saveOnce(ask).finally(() => (this.#saving = undefined));
    await this.#saving;
    if (this.#part && added.length > 0) this.#part = { number: this.#part.number + 1, from: this.items.length };
    return this.#add(added);
  }

  #add(items: readonly DeliveredItem[]): ItemState[] {
    const from = this.items.length;
    const added = items.map((item, at) => ({ item, position: from + at, time: 0, flagged: false, viewed: false }));
    this.items.push(...added);
    return added;
  }

  /**
   * Saves now, and retries until the save succeeds or is refused. All callers share the retries, so that an outage does
   * not multiply the calls. Never rejects.
   */
  saveWhenPossible(): Promise<void> {
    this.#isWanted = true;
    this.#wake();
    return (this.#persistent ??= this.#saveUntilStored().finally(() => (this.#persistent = undefined)));
  }

  async #saveUntilStored(): Promise<void> {
    for (let tries = 0; this.isStored && this.#isWanted && !this.#isLeft;)
      try {
        this.#isWanted = false;
        await this.save();
        tries = 0;
        await after(PAUSE_MS);
      } catch (error) {
        if (error instanceof Refused && !error.isForNow) return;
        this.#isWanted = true;
        await Promise.race([retryAfter(tries++), new Promise<void>((done) => (this.#wake = done))]);
      }
  }

  /**
   * Submits the session.
   * @throws as {@link save}
   */
  async submit(): Promise<Submitted> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    if (this.#needsSeveralCalls) await this.save();
    const submitting = this.#submitOnce();
    // Saves wait, because they would have the number of the submission.
    this.#saving = submitting.then(() => undefined).finally(() => (this.#saving = undefined));
    await this.#saving;
    return submitting;
  }

  async #submitOnce(): Promise<Submitted> {
    const isPractice = this.started.activity.type === 'local_practice';
    const submitted = await this.delivery.submit(this.#next(isPractice ? this.answers.ids : this.answers.unsavedIds));
    this.saveState = 'saved';
    this.end();
    return submitted;
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

  /** The session as text. If the service cannot be reached, the operation `set sessions` accepts this text later. */
  asText(): string {
    return sessionText(this.started, this);
  }

  /**
   * Continues on this page after another page has saved. Loads the stored answers, but keeps the unsaved answers of
   * this page, unless their items are over.
   * @returns the items that the other page got from the service.
   */
  async takeOver(): Promise<ItemState[]> {
    const { session, items, testlet, responses, time } = await this.delivery.start();
    const added = this.#add(items.slice(this.items.length));
    this.#part = testlet;
    this.answers.giveUp(this.items.slice(0, this.firstOpen).flatMap(({ item }) => item.response_ids));
    this.answers.merge(responses);
    this.#saveNumber = session.save_number;
    this.#inDoubt = undefined;
    this.#limits.set(time);
    this.saveState = this.#settled;
    this.onchange();
    return added;
  }

  async #saveOnce(send = (save: Save): Promise<Saved> => this.delivery.save(save)): Promise<void> {
    const save = (this.#inDoubt ??= this.#next(this.answers.unsavedInOneCall));
    this.#isMoved = false;
    this.saveState = 'saving';
    this.onchange();
    try {
      const { save_number: saveNumber, stored, time } = await send(save);
      this.#inDoubt = undefined;
      this.#saveNumber = saveNumber;
      this.#limits.set(time);
      this.hasLate ||= hasNewer(save, stored);
      this.answers.acknowledge(save.responses);
      this.saveState = this.#settled;
    } catch (error) {
      this.#isMoved = true;
      const isRefused = error instanceof Refused && !error.isForNow;
      if (isRefused) this.#inDoubt = undefined;
      this.saveState = isRefused ? stateAfter(error) : 'failing';
      throw error;
    } finally {
      this.onchange();
    }
  }

  #next(ids: readonly string[]): Save {
    return {
      save_number: this.#saveNumber + 1,
      responses: this.answers.toSend(ids),
      items: this.items.map(({ item, time, flagged }) => ({ id: item.id, time, user_flagged: flagged })),
      current_item: this.item.item.id,
      elapsed_seconds: this.elapsed,
    };
  }

  /** The state while no save is under way. */
  get #settled(): SaveState {
    const ids = this.answers.unsavedIds;
    if (ids.length === 0) return 'saved';
    return ids.every((id) => this.answers.isOversize(id)) ? 'oversize' : 'unsaved';
  }

  /** Restores unsaved answers that a crashed page left in this browser. */
  async restore(): Promise<void> {
    await this.answers.restore(this.items.map(({ item }) => item));
    this.saveState = this.#settled;
  }
}

const retryAfter = (tries: number): Promise<void> => after(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!);

/** Whether a save has newer answers than are stored. */
const hasNewer = ({ responses }: Save, stored: Saved['stored']): boolean =>
  stored !== undefined &&
  Object.entries(responses).some(([id, response]) => response !== null && (stored[id] ?? 0) < response.revision);

function stateAfter({ isStale, isOver }: Refused): SaveState {
  if (!isStale) return 'refused';
  return isOver ? 'over' : 'elsewhere';
}
