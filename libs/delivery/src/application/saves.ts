import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock, Fault, objectOf, UnitOfWork } from '#kernel';
import { type Counter, Metrics } from '#platform';
import { type Form, type LiveSave, LiveSessions, type Session } from '#sessions';
import { type Attempt } from '../domain/attempt';
import { isOver, paused, pausesLeft, running, type TimeView } from '../domain/clock';
import { Stale } from '../domain/faults';
import { timeOf } from '../domain/attempt-time';
import { AttemptChanges, endedAs, OVER, type Owner } from './attempt-changes';
import { DeliveredContent } from './delivered-content';
import {
  attemptAfter,
  type Ending,
  hashOf,
  inSections,
  Outdated,
  type PageSave,
  revisionsOf,
  submissionOf,
} from './page-save';
import { AttemptStore } from './ports/attempt-store';
import { type Page, scopeOf } from './tokens';

export interface SaveAnswer {
  save_number: number;
  /** Revisions by response. */
  stored: Record<string, number>;
  time: TimeView;
}

export interface SubmitAnswer {
  status: 'Completed';
  submitted_at: string;
  /** The time was over before this save arrived; the previous answers were submitted. */
  time_over?: true;
  /** Some answers of this save are not stored: the session or the time of their section had ended. */
  left_out?: true;
}

/** The maximum number of characters of the answers in memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MEMORY_MS = 10 * 60_000;

/** Stores saves and submissions of pages. A save is acknowledged only after its commit. */
@Injectable()
export class Saves {
  private readonly saves: Counter;
  /**
   * Sessions as this process saved them last, with the seed and version of their attempt. The next save of the page need
   * not read the session, unless another process or another call has changed the attempt since.
   */
  private readonly last = new LRUCache<string, { session: Session } & Pick<Attempt, 'seed' | 'version'>>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ session: { responses } }) => JSON.stringify(responses.map(({ response }) => response)).length,
    ttl: MEMORY_MS,
  });

  constructor(
    private readonly changes: AttemptChanges,
    private readonly store: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly delivered: DeliveredContent,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.saves = metrics.counter({
      name: 'itembank_delivery_saves_total',
      help: 'Saves of pages, by outcome: stored, repeated, stale, late, submitted.',
      labels: ['outcome'],
    });
  }

  /**
   * Saves the changed answers. A repeated save gets the same answer.
   * @throws Stale when another page has saved meanwhile, or the session or its time is over.
   */
  async save(page: Page, save: PageSave): Promise<SaveAnswer> {
    return this.changes.change(page, (attempt) => this.saveOnce(page, attempt, save));
  }

  /** Saves the changed answers and completes the session, in one unit of work. A repeated call gets the same answer. */
  async submit(page: Page, save: PageSave): Promise<SubmitAnswer> {
    return this.changes.change(page, (attempt) => this.submitOnce(page, attempt, save));
  }

  /**
   * Stops the clock or restarts it.
   * @throws Fault for a pause of a page without the pause button, or when the pauses have lasted a day together.
   */
  async pause(page: Page, isPaused: boolean): Promise<{ time: TimeView }> {
    if (isPaused && page.terms.mayPause === false)
      throw new Fault('no-rights', 'This test has no pauses: its signed configuration does not show the pause button.');
    return this.changes.changeOpen(page, async (attempt) => {
      const now = this.clock.now();
      const next = isPaused ? paused(attempt, now) : running(attempt, now);
      if (isPaused && pausesLeft(next) === 0)
        throw new Fault('conflict', 'The pauses of this session have lasted a day together, so it has no more.');
      await this.changes.store(page, next, attempt);
      return { time: timeOf(next, now) };
    });
  }

  /**
   * Submits the saved answers of a session whose hard limit is over.
   * @throws Overtaken when another call has changed the attempt meanwhile.
   */
  async submitOverdue(organisation: number, attempt: Attempt): Promise<void> {
    const now = this.clock.now();
    const owner = { ...attempt, organisation };
    try {
      await this.complete(owner, attempt, undefined, now);
      this.saves.add(1, 'late');
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      // An operator has changed the status, so the session is not submitted.
      await this.changes.store(owner, { ...attempt, submittedAt: now }, attempt);
    }
  }

  /**
   * Adds items at the end of a session.
   * @param next the attempt with the items.
   * @param form with all items of the session.
   */
  async extend(page: Page, attempt: Attempt, next: Attempt, form: Form): Promise<Session> {
    const now = this.clock.now();
    await this.work.run(() => this.sessions.keep(page.organisation, form));
    return this.sessions.save(
      scopeOf(page.organisation, now),
      page.sessionId,
      undefined,
      (before) => this.liveSave(page, { ...next, version: attempt.version }, before, undefined, undefined, form),
      () => this.changes.replace(page, next, attempt),
    );
  }

  private async saveOnce(page: Page, attempt: Attempt, save: PageSave): Promise<SaveAnswer> {
    const now = this.clock.now();
    if (attempt.submittedAt !== null) {
      const session = await this.sessions.find(page.organisation, page.sessionId);
      const isLate = isTimedOut(attempt) && session?.status === 'Completed';
      throw await this.changes.over(page, attempt, isLate ? TIME_OVER : OVER, session);
    }
    if (isOver(attempt, now)) {
      await this.complete(page, attempt, undefined, now);
      const completed = await this.store.find(page.organisation, page.sessionId);
      this.saves.add(1, 'late');
      throw await this.changes.over(page, completed ?? attempt, TIME_OVER);
    }
    const hash = hashOf(save);
    if (save.saveNumber === attempt.saveNumber && hash === attempt.savedHash) {
      this.saves.add(1, 'repeated');
      return savedAs(attempt, save, await this.sessions.find(page.organisation, page.sessionId), now);
    }
    await this.refuseStale(page, attempt, save);
    let next = attemptAfter(attempt, save, hash, now);
    const session = await this.sessions.save(
      scopeOf(page.organisation, now),
      page.sessionId,
      this.lastOf(page, attempt),
      async (before) => {
        const saved = await this.liveSave(page, attempt, before, save);
        next = inSections(next, saved.submission.responses, now);
        return saved;
      },
      () => this.changes.replace(page, next, attempt),
    );
    this.last.set(keyOf(page), { session, seed: next.seed, version: next.version });
    this.saves.add(1, 'stored');
    return savedAs(next, save, session, now);
  }

  private async submitOnce(page: Page, attempt: Attempt, save: PageSave): Promise<SubmitAnswer> {
    const now = this.clock.now();
    if (attempt.submittedAt !== null) return this.repeated(page, attempt, attempt.submittedAt, save);
    if (isOver(attempt, now)) {
      const at = await this.complete(page, attempt, undefined, now);
      this.saves.add(1, 'late');
      return { ...submitted(at), time_over: true };
    }
    const isSaved = save.saveNumber === attempt.saveNumber && hashOf(save) === attempt.savedHash;
    if (!isSaved) await this.refuseStale(page, attempt, save);
    const at = await this.complete(page, attempt, isSaved ? undefined : save, now);
    this.saves.add(1, 'submitted');
    // Answers that came after the time of their section are left out.
    if (!attempt.plan.sections) return submitted(at);
    return this.submissionAnswer(page, attempt, at, save, await this.sessions.find(page.organisation, page.sessionId));
  }

  /** Ends a session with the stored answers and the status Discarded. */
  async discard(page: Page, attempt: Attempt): Promise<void> {
    await this.complete(page, attempt, undefined, this.clock.now(), 'Discarded');
  }

  /** @param save absent: submits the stored answers. */
  private async complete(
    page: Owner,
    attempt: Attempt,
    save: PageSave | undefined,
    now: number,
    status: Ending = 'Completed',
  ): Promise<number> {
    const last = save ? attemptAfter(attempt, save, hashOf(save), now) : { ...attempt, version: attempt.version + 1 };
    let at = now;
    await this.sessions.save(
      scopeOf(page.organisation, now),
      page.sessionId,
      this.lastOf(page, attempt),
      (before) => this.liveSave(page, attempt, before, save, status),
      async (session) => {
        at = session.completedAt ?? now;
        await this.changes.replace(page, { ...last, submittedAt: at }, attempt);
      },
    );
    this.last.delete(keyOf(page));
    return at;
  }

  /** The answer to a submission of a session that has ended before. */
  private async repeated(page: Page, attempt: Attempt, at: number, save: PageSave): Promise<SubmitAnswer> {
    const session = await this.sessions.find(page.organisation, page.sessionId);
    if (session && session.status !== 'Completed')
      throw await this.changes.over(page, attempt, endedAs(session), session);
    const answer = await this.submissionAnswer(page, attempt, at, save, session);
    return isTimedOut(attempt) ? { ...answer, time_over: true } : answer;
  }

  /** The answer to a submission, which says whether answers of the save are left out. */
  private async submissionAnswer(
    page: Page,
    attempt: Attempt,
    at: number,
    { responses }: PageSave,
    session: Session | undefined,
  ): Promise<SubmitAnswer> {
    const stored = await this.delivered.responses(await this.delivered.taken(page.organisation, attempt, session));
    const isLeftOut = Object.entries(responses).some(
      ([id, response]) => !isDeepStrictEqual(objectOf(stored[id]).value ?? null, response?.value ?? null),
    );
    return { ...submitted(at), ...(isLeftOut ? { left_out: true } : {}) };
  }

  private lastOf(owner: Owner, { seed, version }: Attempt): Session | undefined {
    const last = this.last.get(keyOf(owner));
    // After an erasure, another attempt may begin under the same id and reach the same version. Its seed differs.
    return last?.seed === seed && last.version === version ? last.session : undefined;
  }

  private async refuseStale(page: Page, attempt: Attempt, save: PageSave): Promise<void> {
    if (save.saveNumber > attempt.saveNumber) return;
    this.saves.add(1, 'stale');
    throw await this.changes.stale(
      page,
      attempt,
      `Another page has saved this session as ${attempt.saveNumber} already, and this save is ${save.saveNumber}; ask the learner which one goes on, then save with a higher number.`,
    );
  }

  /**
   * Converts the save for the sessions context.
   * @param ending absent: the session continues.
   * @param form absent: unchanged.
   */
  private async liveSave(
    page: Owner,
    attempt: Attempt,
    before: Session | undefined,
    save: PageSave | undefined,
    ending?: Ending,
    form?: Form,
  ): Promise<LiveSave> {
    if (before && before.userId !== page.userId)
      throw new Fault('no-rights', 'The session belongs to another user; use a new session_id for each user.');
    if (before && before.status !== 'Incomplete') throw await this.changes.over(page, attempt, endedAs(before), before);
    const present = await this.delivered.taken(page.organisation, attempt, before);
    const taken = form ? { ...present, form } : present;
    const questions = await this.delivered.questions(taken);
    try {
      return {
        form: taken.form,
        responseIds: questions.map(({ responseId }) => responseId),
        submission: submissionOf(attempt, taken, questions, save, { ending, now: this.clock.now() }),
      };
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      this.saves.add(1, 'stale');
      throw await this.changes.stale(page, attempt, error.message, before);
    }
  }
}

const keyOf = ({ organisation, sessionId }: Owner): string => `${organisation} ${sessionId}`;

const TIME_OVER = 'The time was over before this came; what was saved by then was submitted.';

/** Whether a session was submitted after its time: because of a late call or, if none came, by the service itself. */
const isTimedOut = (attempt: Attempt): boolean => attempt.submittedAt !== null && isOver(attempt, attempt.submittedAt);

const savedAs = (attempt: Attempt, save: PageSave, session: Session | undefined, now: number): SaveAnswer => ({
  save_number: attempt.saveNumber,
  stored: revisionsOf(session, save),
  time: timeOf(attempt, now),
});

const submitted = (at: number): SubmitAnswer => ({ status: 'Completed', submitted_at: new Date(at).toISOString() });
