import type { Checked, Delivery, DeliveredItem, Save, Saved, Started, Submitted, Time } from '../delivery/port';
import { Refused } from '../delivery/port';
import { SessionStorage, type StoredSession } from './stored-session';

/** An activity of a package. */
export interface PackedActivity {
  organisation_id: number;
  activity: Started['activity'];
  items: DeliveredItem[];
  time: { max_time: number | null; limit_type: Time['limit_type'] };
}

/** Stores a test in this browser instead of a service. Scores nothing. */
export class WithoutService implements Delivery {
  readonly #storage: SessionStorage;
  #session: StoredSession;

  constructor(
    private readonly packed: PackedActivity,
    private readonly learner: string,
    packageReference: string,
  ) {
    const { activity } = packed;
    this.#storage = new SessionStorage(`itembank ${packageReference} ${activity.activity_id} ${learner}`);
    this.#session = this.#storage.read() ?? this.#begin();
  }

  /** A new session. It is stored at once, so that a second page goes on with the same one. */
  #begin(): StoredSession {
    const session = {
      // Browsers give `crypto.randomUUID` only to pages with TLS, and this end of an address to all.
      sessionId: URL.createObjectURL(new Blob()).slice(-36),
      startedAt: new Date().toISOString(),
      saveNumber: 0,
      responses: {},
      items: [],
      currentItem: null,
      elapsed: 0,
      isSubmitted: false,
    };
    try {
      this.#storage.write(session);
    } catch {
      // The first save tells the learner.
    }
    return session;
  }

  get isSubmitted(): boolean {
    return this.#session.isSubmitted;
  }

  async start(): Promise<Started> {
    const session = (this.#session = this.#storage.read() ?? this.#session);
    const { activity, items, organisation_id } = this.packed;
    const responses = Object.entries(session.responses).flatMap(([id, response]) => (response ? [[id, response]] : []));
    return {
      session: {
        session_id: session.sessionId,
        user_id: this.learner,
        organisation_id,
        status: 'Incomplete',
        state: session.saveNumber > 0 ? 'resume' : 'initial',
        existing: session.saveNumber > 0,
        started_at: session.startedAt,
        save_number: session.saveNumber,
        current_item: session.currentItem,
        elapsed_seconds: session.elapsed,
        items: session.items,
      },
      activity,
      items,
      responses: Object.fromEntries(responses) as Started['responses'],
      time: this.#time,
    };
  }

  async save(save: Save): Promise<Saved> {
    this.#store(save);
    return { save_number: save.save_number, time: this.#time };
  }

  async submit(save: Save): Promise<Submitted> {
    this.#store(save, true);
    return { status: 'Completed', isKeptHere: true };
  }

  /** The clock of the page goes on, because only a save tells how much time has passed. */
  async pause(): Promise<{ time?: Time }> {
    return {};
  }

  next(): Promise<never> {
    return Promise.reject(new Refused(400, 0, 'Without a service no next item can be chosen.'));
  }

  supervise(): Promise<never> {
    return Promise.reject(new Refused(400, 0, 'Without a service no test can be supervised.'));
  }

  check(): Promise<Checked> {
    return Promise.reject(new Refused(400, 0, 'Without a service no answer can be checked.'));
  }

  /** @throws Refused when another page of this browser has saved or submitted meanwhile, or the browser cannot store it. */
  #store(save: Save, isSubmitted = false): void {
    const stored = this.#storage.read();
    if (stored && (stored.isSubmitted || stored.saveNumber >= save.save_number))
      throw new Refused(409, 0, 'Another page has saved.', stored.saveNumber, stored.isSubmitted);
    const session: StoredSession = {
      ...this.#session,
      saveNumber: save.save_number,
      responses: { ...this.#session.responses, ...save.responses },
      items: save.items,
      currentItem: save.current_item,
      elapsed: save.elapsed_seconds,
      isSubmitted,
    };
    try {
      this.#storage.write(session);
    } catch {
      // At the end, the learner gets the answers as a file.
      if (!isSubmitted) throw new Refused(400, 0, 'This browser stores nothing.');
    }
    this.#session = session;
  }

  get #time(): Time {
    const { max_time, limit_type } = this.packed.time;
    return {
      max_time,
      limit_type,
      remaining_seconds: max_time === null ? null : Math.max(0, max_time - this.#session.elapsed),
      paused: false,
      server_now: new Date().toISOString(),
    };
  }
}
