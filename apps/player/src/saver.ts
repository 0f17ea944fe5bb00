import type { Answers } from './answers';
import {
  type DeliveredItem,
  type Delivery,
  Refused,
  type Save,
  type Saved,
  type Submitted,
  type Time,
} from './delivery/port';
import { after } from './seconds';

/**
 * `failing`: the save failed and is retried. `oversize`: only answers that are too long are unsaved. `elsewhere`: another
 * page has saved meanwhile. `over`: the service takes no more answers. `refused`: it takes none of this page, for example
 * because its token has expired.
 */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failing' | 'oversize' | 'elsewhere' | 'over' | 'refused';

const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** The pause after a save. A held arrow key moves through many items in a moment. */
const PAUSE_MS = 250;

/** The progress that is saved with the answers. */
export type Progress = Omit<Save, 'save_number' | 'responses'>;

/** The part of the attempt that its saver uses. */
interface SavedAttempt {
  readonly answers: Answers;
  readonly progress: Progress;
  readonly isPractice: boolean;
  readonly isStored: boolean;
  readonly isLeft: boolean;
  time: Time;
  end(): void;
  onchange(): void;
}

/** Sends the answers, the position and the time of an attempt to the service, in one call after the other. */
export class Saver {
  state: SaveState = 'saved';
  /** Whether the service has left out answers that came after the time of their section. */
  hasLate = false;
  /** Whether the position, a flag or a time changed since the last save, even without an answer. */
  hasMoved = false;
  #saving: Promise<void> | undefined;
  /** The save that is tried until it succeeds. */
  #persistent: Promise<void> | undefined;
  /** Whether somebody asked for that save since its last try began. */
  #isWanted = false;
  /** Ends the pause before its next try. */
  #wake: () => void = () => undefined;
  /** A save without an answer. The service may have stored it, so exactly the same save is sent again. */
  #inDoubt: Save | undefined;

  /** @param number the number of the last save that the service has stored */
  constructor(
    private readonly attempt: SavedAttempt,
    private readonly delivery: Delivery,
    private number: number,
  ) {}

  /** Whether answers or a move wait to be saved. */
  get isWaiting(): boolean {
    return this.attempt.answers.hasUnsaved || this.#isWanted;
  }

  /** Finds the state while no save is under way. */
  settle(): void {
    const { answers, isStored } = this.attempt;
    const ids = isStored ? answers.unsavedIds : [];
    if (ids.length === 0) this.state = 'saved';
    else this.state = ids.every((id) => answers.isOversize(id)) ? 'oversize' : 'unsaved';
  }

  /** Goes on after another page has saved. */
  restart(number: number): void {
    this.number = number;
    this.#inDoubt = undefined;
    this.settle();
  }

  /** Sends what somebody waits for. Never rejects. */
  async finish(): Promise<void> {
    if (this.#isWanted || this.#saving) await this.save().catch(() => undefined);
  }

  /**
   * Saves the changes, after any save in progress.
   * @throws Refused, or the error of the connection.
   */
  async save(): Promise<void> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    if (!this.attempt.isStored) return;
    if (!this.attempt.answers.hasUnsaved && !this.hasMoved && !this.#inDoubt && this.number > 0) return;
    const needsAnother = this.#needsSeveralCalls;
    await this.#run(this.#saveOnce());
    if (needsAnother) await this.save();
  }

  /** Saves, and asks for the next items of an adaptive test. @returns none when the test is over. @throws as {@link save} */
  async next(): Promise<readonly DeliveredItem[]> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    if (this.#needsSeveralCalls) await this.save();
    let added: readonly DeliveredItem[] = [];
    const ask = async (save: Save) => {
      const { items, ...saved } = await this.delivery.next(save);
      added = items;
      return saved;
    };
    await this.#run(this.#saveOnce(ask));
    return added;
  }

  /** Submits the session. @throws as {@link save} */
  async submit(): Promise<Submitted> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    if (this.#needsSeveralCalls) await this.save();
    const submitting = this.#submitOnce();
    // Saves wait, because they would have the number of the submission.
    await this.#run(submitting.then(() => undefined));
    return submitting;
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
    for (let tries = 0; this.attempt.isStored && this.#isWanted && !this.attempt.isLeft;)
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

  #run(saving: Promise<void>): Promise<void> {
    return (this.#saving = saving.finally(() => (this.#saving = undefined)));
  }

  /** Whether one call cannot send all that is unsaved. A save in doubt is repeated as it was. */
  get #needsSeveralCalls(): boolean {
    return this.#inDoubt !== undefined || !this.attempt.answers.fitInOneCall;
  }

  async #submitOnce(): Promise<Submitted> {
    const { answers, isPractice } = this.attempt;
    const submitted = await this.delivery.submit(this.#next(isPractice ? answers.ids : answers.unsavedIds));
    this.state = 'saved';
    this.attempt.end();
    return submitted;
  }

  async #saveOnce(send = (save: Save): Promise<Saved> => this.delivery.save(save)): Promise<void> {
    const { attempt } = this;
    const save = (this.#inDoubt ??= this.#next(attempt.answers.unsavedInOneCall));
    this.hasMoved = false;
    this.state = 'saving';
    attempt.onchange();
    try {
      const { save_number: number, stored, time } = await send(save);
      this.#inDoubt = undefined;
      this.number = number;
      attempt.time = time;
      this.hasLate ||= hasNewer(save, stored);
      attempt.answers.acknowledge(save.responses);
      this.settle();
    } catch (error) {
      this.hasMoved = true;
      const isRefused = error instanceof Refused && !error.isForNow;
      if (isRefused) this.#inDoubt = undefined;
      this.state = isRefused ? stateAfter(error) : 'failing';
      throw error;
    } finally {
      attempt.onchange();
    }
  }

  #next(ids: readonly string[]): Save {
    const { answers, progress } = this.attempt;
    return { save_number: this.number + 1, responses: answers.toSend(ids), ...progress };
  }
}

export const retryAfter = (tries: number): Promise<void> => after(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!);

/** Whether a save has newer answers than are stored. */
const hasNewer = ({ responses }: Save, stored: Saved['stored']): boolean =>
  stored !== undefined &&
  Object.entries(responses).some(([id, response]) => response !== null && (stored[id] ?? 0) < response.revision);

export function stateAfter({ isStale, isOver }: Refused): SaveState {
  if (!isStale) return 'refused';
  return isOver ? 'over' : 'elsewhere';
}
