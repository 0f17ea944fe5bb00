import { call } from '../../operations/call';
import { Fault } from '../../operations/fault';
import { isCaller } from '../../operations/http';
import { KEPT_MARKS } from '../../session/kept-marks';
import { storeAt } from '../../ui/stored';

/** The response that a mark belongs to. */
export interface Target {
  session_id: string;
  user_id: string;
  response_id: string;
}

/** A score that a person gave. Null withdraws the scores of people. */
export interface Mark extends Target {
  /** Also the idempotency key, so that a repeated mark counts once. */
  id: string;
  score: number | null;
  max: number;
  /** `waiting`: for its turn, or for the network; `sent`: its job runs. */
  status: 'waiting' | 'sent' | 'saved' | 'refused';
  job?: string;
  message?: string;
  at: number;
}

export const keyOfTarget = ({ session_id, response_id }: Pick<Target, 'session_id' | 'response_id'>): string =>
  `${session_id}/${response_id}`;

const MAX_PAUSE_MS = 30_000;
const JOB_PAUSE_MS = 300;

/**
 * The marks of a person in an organisation that are not stored yet. The device stores each mark until its job has
 * written it. Marks are sent one after another, so that a later mark of an answer replaces an earlier one.
 */
export class Marks {
  private marks: readonly Mark[];
  private readonly listeners = new Set<() => void>();
  private isSending = false;
  private failures = 0;
  private wake: () => void = () => undefined;
  private readonly prefix: string;

  constructor(
    private readonly organisation: number,
    private readonly person: string,
  ) {
    this.prefix = `${KEPT_MARKS}${organisation}:${person}:`;
    this.marks = Object.keys(localStorage)
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => JSON.parse(localStorage.getItem(name)!) as Mark)
      .sort((one, other) => one.at - other.at);
    addEventListener('online', () => this.retry());
    void this.send();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The marks of this visit, and older marks that are not saved yet. Oldest first. */
  readonly snapshot = (): readonly Mark[] => this.marks;

  give(target: Target, score: number | null, max: number): void {
    const { session_id, user_id, response_id } = target;
    const id = crypto.randomUUID();
    const mark: Mark = { session_id, user_id, response_id, id, score, max, status: 'waiting', at: Date.now() };
    // The new mark replaces a refused one.
    for (const each of this.marks)
      if (each.status === 'refused' && keyOfTarget(each) === keyOfTarget(mark)) this.dismiss(each.id);
    this.store(mark);
    this.changed([...this.marks, mark]);
    void this.send();
  }

  dismiss(id: string): void {
    localStorage.removeItem(this.prefix + id);
    this.changed(this.marks.filter((mark) => mark.id !== id));
  }

  /** Sends what waits now. */
  retry(): void {
    this.wake();
  }

  private store(mark: Mark): void {
    storeAt(this.prefix + mark.id, mark.status === 'saved' ? undefined : mark);
  }

  private changed(marks: readonly Mark[]): void {
    this.marks = marks;
    for (const listener of this.listeners) listener();
  }

  private update(id: string, change: Partial<Mark>): void {
    this.changed(
      this.marks.map((mark) => {
        if (mark.id !== id) return mark;
        const after = { ...mark, ...change };
        this.store(after);
        return after;
      }),
    );
  }

  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    for (;;) {
      const mark = this.marks.find(({ status }) => status === 'waiting' || status === 'sent');
      if (!mark) break;
      // Somebody else has signed in on this page. The mark waits until its author is back.
      if (!isCaller(this.person)) {
        await this.pause();
        continue;
      }
      try {
        await this.sendOne(mark);
        this.failures = 0;
      } catch (error) {
        if (isFinal(error)) this.update(mark.id, { status: 'refused', message: (error as Fault).message });
        else await this.pause();
      }
    }
    this.isSending = false;
  }

  private async sendOne({ id, session_id, user_id, response_id, score, max, ...mark }: Mark): Promise<void> {
    const organisation_id = this.organisation;
    let { job } = mark;
    if (job === undefined) {
      const manual = score === null ? {} : { manual_score: score, max_manual_score: max };
      const attempted = score === null || score === 0 ? {} : { attempted: true };
      const { data } = await call('update sessions/responses/scores', {
        organisation_id,
        meta: { idempotency_key: id },
        sessions: [{ session_id, user_id, responses: [{ response_id, score, ...attempted, ...manual }] }],
      });
      job = data.job_reference;
      this.update(id, { status: 'sent', job });
    }
    for (;;) {
      const [found] = (await call('get jobs', { organisation_id, references: [job] })).data;
      if (!found) break;
      const { refused = [] } = (found.results ?? {}) as { refused?: { message: string }[] };
      const message = refused[0]?.message ?? found.error?.message;
      if (found.status === 'halted' || message !== undefined) {
        this.update(id, { status: 'refused', message: message ?? found.status });
        return;
      }
      if (found.status === 'completed') break;
      await new Promise((resolve) => setTimeout(resolve, JOB_PAUSE_MS));
    }
    this.update(id, { status: 'saved', at: Date.now() });
  }

  /** Waits longer after each failure, or until somebody asks for a new try. */
  private async pause(): Promise<void> {
    const time = Math.min(1000 * 2 ** this.failures++, MAX_PAUSE_MS);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, time);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }
}

/** Whether the service refused the call, so that the same call would be refused again. */
const isFinal = (error: unknown): boolean =>
  error instanceof Fault && !error.isSignedOut && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Continues to send the marks that this device has kept, in whatever screen the person is. */
export function sendKept(organisations: readonly number[], person: string): void {
  for (const organisation of organisations) marksOf(organisation, person);
}

const known = new Map<string, Marks>();

/** One for each person and organisation, however often screens are opened. */
export function marksOf(organisation: number, person: string): Marks {
  const name = `${organisation} ${person}`;
  const marks = known.get(name) ?? new Marks(organisation, person);
  known.set(name, marks);
  return marks;
}
