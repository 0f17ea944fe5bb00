import type { Attempted, Counts } from '#renderer';
import type { DeliveredItem, Save, StoredResponse } from './delivery/port';
import { type UnsavedAnswers } from './unsaved';

/** The maximum number of characters that the service accepts in one answer, as JSON. */
const MAX_LENGTH = 200_000;
/** The maximum size of the answers in one call, in bytes. The service accepts two mebibytes with all else. */
const MAX_CALL_SIZE = 1_500_000;

/** The answers of a session, and which of them the service has not acknowledged yet. */
export class Answers {
  /** Whether the browser has stored the unsaved answers. */
  isKept = true;

  readonly #responses = new Map<string, StoredResponse | null>();
  readonly #dirty = new Set<string>();
  readonly #attempted = new Map<string, Attempted>();

  /**
   * @param unsaved stores unacknowledged answers in the browser; undefined when the service stores nothing either.
   * @param onkept called after `isKept` changed.
   */
  constructor(
    stored: Record<string, StoredResponse>,
    private readonly unsaved: UnsavedAnswers | undefined,
    private readonly onkept: () => void,
  ) {
    for (const [id, response] of Object.entries(stored)) this.#responses.set(id, response);
  }

  get(responseId: string): StoredResponse | null {
    return this.#responses.get(responseId) ?? null;
  }

  get ids(): string[] {
    return [...this.#responses.keys()];
  }

  get unsavedIds(): string[] {
    return [...this.#dirty];
  }

  /** The first unsaved answers: as many as one call can hold. */
  get unsavedInOneCall(): string[] {
    let size = 0;
    return this.unsavedIds.filter((id) => this.isOversize(id) || (size += sizeOf(this.get(id))) <= MAX_CALL_SIZE);
  }

  /** Whether one call can hold all unsaved answers. */
  get fitInOneCall(): boolean {
    return this.unsavedInOneCall.length === this.#dirty.size;
  }

  get hasUnsaved(): boolean {
    return this.#dirty.size > 0;
  }

  /** Whether an answer is unsaved because it is longer than the service accepts. */
  isOversize(responseId: string): boolean {
    return this.#dirty.has(responseId) && JSON.stringify(this.get(responseId)).length > MAX_LENGTH;
  }

  /** The answers to send. Leaves out what the service would refuse, so that it stores the others. */
  toSend(ids: readonly string[]): Save['responses'] {
    const sent = ids.filter((id) => !this.isOversize(id));
    return Object.fromEntries(sent.map((id) => [id, emptied(this.get(id))]));
  }

  /**
   * Stores a new value of an answer.
   *
   * @param counts the number of words or characters of a text.
   * @param isReset whether the page, not the learner, removed the answer.
   */
  change(responseId: string, value: unknown, counts: Counts, isReset: boolean): void {
    const before = this.get(responseId);
    const revision = (before?.revision ?? 0) + 1;
    const type = Array.isArray(value) ? 'array' : value === null ? (before?.type ?? 'string') : typeof value;
    const resetState = isReset ? 'reset' : before?.['resetState'] === 'reset' ? 'attemptedAfterReset' : undefined;
    this.#responses.set(responseId, {
      ...before,
      value: storable(value),
      ...counts,
      type,
      revision,
      ...(resetState ? { resetState } : {}),
    });
    this.#dirty.add(responseId);
    this.#keep();
  }

  /** Marks answers as saved, unless the learner has changed them since they were sent. */
  acknowledge(sent: Save['responses']): void {
    for (const [id, response] of Object.entries(sent))
      if (this.get(id)?.revision === response?.revision) this.#dirty.delete(id);
    this.#keep();
  }

  /** Gives up the unsaved answers to these responses, or all. They stay on the page. */
  giveUp(ids: readonly string[] = this.unsavedIds): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#dirty.delete(id);
    this.#keep();
  }

  /** Takes the stored answers, except where the learner's own answer is unsaved. That one becomes the newest. */
  merge(stored: Record<string, StoredResponse>): void {
    for (const [id, response] of Object.entries(stored)) {
      const own = this.#dirty.has(id) ? this.get(id) : null;
      this.#responses.set(id, own ? { ...own, revision: response.revision + 1 } : response);
    }
    this.#keep();
  }

  /** Restores unsaved answers that a crashed page left in this browser. */
  async restore(items: readonly DeliveredItem[]): Promise<void> {
    if (!this.unsaved) return;
    const known = new Set(items.flatMap((item) => item.response_ids));
    for (const [id, response] of Object.entries((await this.unsaved.read()).responses)) {
      if (!response || !known.has(id) || response.revision <= (this.get(id)?.revision ?? 0)) continue;
      this.#responses.set(id, { ...response, value: storable(response.value) });
      this.#dirty.add(id);
    }
    this.#keep();
  }

  /** Stores how completely a question is answered, as its element reports it. */
  setAttempted(responseId: string, attempted: Attempted): void {
    this.#attempted.set(responseId, attempted);
  }

  isAttempted(responseId: string): boolean {
    const value = this.get(responseId)?.value;
    if (value === undefined || value === null || value === '') return false;
    return !Array.isArray(value) || value.some((part) => part !== null && part !== '' && !isEmptyList(part));
  }

  attemptOf({ response_ids: ids }: DeliveredItem): Attempted {
    const states = ids.map(
      (id) => this.#attempted.get(id) ?? (this.isAttempted(id) ? 'fully_attempted' : 'not_attempted'),
    );
    if (states.every((state) => state === 'fully_attempted')) return 'fully_attempted';
    return states.every((state) => state === 'not_attempted') ? 'not_attempted' : 'partially_attempted';
  }

  #keep(): void {
    const responses = Object.fromEntries(this.unsavedIds.map((id) => [id, this.get(id)]));
    void this.unsaved?.write({ responses }).then((isKept) => {
      if (isKept === this.isKept) return;
      this.isKept = isKept;
      this.onkept();
    });
  }
}

/** Replaces a missing value by null. The revision stays, so that the service recognises the response as the latest. */
function emptied(response: StoredResponse | null): StoredResponse | null {
  return response && response.value === undefined ? { ...response, value: null } : response;
}

/**
 * The value without characters that the service cannot store: U+0000, which pasted texts may contain, and halves of
 * surrogate pairs, which some keyboards send. It would refuse all answers of the save.
 */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, storable(each)]));
}

const isEmptyList = (part: unknown): boolean => Array.isArray(part) && part.length === 0;

const sizeOf = (response: StoredResponse | null): number => new TextEncoder().encode(JSON.stringify(response)).length;
