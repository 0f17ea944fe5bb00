import { Injectable } from '@nestjs/common';
import { Audit, Authors, AnswersErasure } from '#access';
import { AttemptRecords } from '#delivery';
import { Events } from '#events';
import { JobsErasure } from '#jobs';
import { type Author, Clock, type Json, newId, timeOf, UnitOfWork } from '#kernel';
import { learnerHash } from '../domain/learner-hash';
import { Redaction, sessionsIn } from '../domain/redaction';
import { emptyReport, type ErasureReport } from './erasure-report';
import { LearnerJobs, refuseDamaged } from './learner-jobs';
import { LearnerSessions } from './learner-sessions';
import { LearnerStore } from './ports/learner-store';
import { type Erasing, type Run, SessionRemoval } from './session-removal';

const OPERATION = 'learner erase';

/** The maximum delay of other processes' clocks. */
const MAX_CLOCK_DELAY_MS = 60_000;
/**
 * The maximum number of repetitions for sessions that arrived meanwhile. A learner who continues must be stopped first.
 */
const MAX_ROUNDS = 10;
/** The minimum length of a name that is searched for in keys. Shorter names occur in keys by chance. */
const MIN_ID_LENGTH_IN_KEY = 8;

/** The maximum number of earlier erasures that are listed. */
const MAX_LISTED_ERASURES = 20;

const AUDIT_BATCH_SIZE = 500;

/** Thrown at the end of a dry run: it rolls back the unit of work and carries the result out. */
class Undone<T> extends Error {
  constructor(readonly result: T) {
    super('A dry run was rolled back.');
  }
}

/** Erases learners: removes their personal data, and keeps anonymous data for statistics (decision 41). */
@Injectable()
export class LearnerErasure {
  constructor(
    private readonly learners: LearnerStore,
    private readonly names: LearnerSessions,
    private readonly sessions: SessionRemoval,
    private readonly jobs: LearnerJobs,
    private readonly storedJobs: JobsErasure,
    private readonly answers: AnswersErasure,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly authors: Authors,
    private readonly attempts: AttemptRecords,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases a learner in many units of work. A repeated call finishes an interrupted one. A call for an unknown learner
   * changes nothing.
   * @param user the user_id, compared byte for byte.
   * @param options.dryRun rolls all changes back, so that the report shows the effect.
   * @param options.author the person who erases, for the audit.
   */
  async erase(
    user: string,
    organisation: number,
    { dryRun, author }: { dryRun: boolean; author?: Author },
  ): Promise<ErasureReport> {
    const report = emptyReport(learnerHash(user), organisation, dryRun);
    const run: Run = dryRun ? (work) => this.undone(work) : (work) => this.work.run(work);
    const eventKey = newId(this.clock.now());
    const before = await this.learners.noted(organisation, user);
    const erasing: Erasing = {
      organisation,
      user,
      run,
      report,
      eventKey,
      isResumed: before !== null,
      rescorings: new Set(),
      damaged: new Set(),
    };
    const since = Math.min(before?.since ?? Infinity, this.clock.now()) - MAX_CLOCK_DELAY_MS;
    report.isAuthor = (await this.authors.find(organisation, [user])).has(user);

    await this.jobs.datasets(erasing);
    // Runs first, so that open pages can no longer submit.
    await this.eraseAttempts(erasing);
    const erased = await this.sessions.erase(erasing);
    await this.jobs.erase(erasing);
    if (!dryRun) await this.again(erasing, since, erased + (before?.sessions ?? 0));
    report.keptAnswers = await this.eraseAnswers(erasing);
    if (!dryRun) await this.storedJobs.removeFiles();
    // Runs before the end, so that a repeated call still knows the sessions.
    refuseDamaged(erasing.damaged, dryRun ? 'Nothing was changed' : 'Everything else was erased');
    report.found = (before?.sessions ?? 0) > 0 || isAny(report);
    if (report.found && !dryRun) await this.end(erasing, author);
    return report;
  }

  /** Erases what arrived since the erasure began, from running jobs and from requests. */
  private async again(erasing: Erasing, since: number, erased: number): Promise<void> {
    const { report } = erasing;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.eraseAttempts(erasing);
      const more = await this.sessions.erase(erasing);
      report.meanwhile += more;
      if (more === 0) break;
      await this.jobs.erase(erasing, since);
    }
    if (erased + report.meanwhile === 0) return;
    await this.jobs.erase(erasing, since);
    await this.jobs.datasets(erasing, since);
  }

  private async eraseAttempts({ organisation, user, run, report }: Erasing): Promise<void> {
    report.attempts += await run(() => this.attempts.erase(organisation, user));
  }

  private async eraseAnswers({ organisation, user, run }: Erasing): Promise<number> {
    return this.answers.change(
      organisation,
      async (kept) => {
        const values = kept.map(({ answer }) => JSON.parse(answer) as Json);
        const candidates = values.reduce((found, value) => sessionsIn(value, found), new Set<string>());
        const sessions = await this.names.own(organisation, user, [...candidates]);
        const inKeys = await this.names.namedIn(organisation, user, kept.map(({ key }) => key).join('\n'));
        const names = [user, ...inKeys].filter(({ length }) => length >= MIN_ID_LENGTH_IN_KEY);
        return kept.map(({ key }, index) => {
          if (names.some((name) => key.includes(name))) return 'removed';
          const value = values[index]!;
          const left = new Redaction({ user, sessions }).of(value);
          return left === value ? 'same' : { answer: JSON.stringify(left) };
        });
      },
      run,
    );
  }

  /**
   * The users who were erased, or are being erased.
   * @param users at most 50.
   */
  async erasedAmong(users: readonly string[], organisation: number): Promise<Set<string>> {
    const hashes = new Map(users.map((user) => [learnerHash(user), user]));
    const found = await this.learners.amongErased(organisation, [...hashes.keys()]);
    for (let after: string | undefined, left = true; left;) {
      const entries = await this.audit.about(organisation, 'learner', [...hashes.keys()], AUDIT_BATCH_SIZE, after);
      for (const { key } of entries) found.add(key);
      after = entries.at(-1)?.id;
      left = entries.length === AUDIT_BATCH_SIZE;
    }
    return new Set([...found].flatMap((key) => hashes.get(key) ?? []));
  }

  /** The times of earlier erasures of the learner, from the audit, oldest first. */
  async times(user: string, organisation: number): Promise<number[]> {
    const entries = await this.audit.about(organisation, 'learner', [learnerHash(user)], MAX_LISTED_ERASURES);
    return entries.map(({ id }) => timeOf(id));
  }

  /** Informs receivers and the audit log. */
  private async end({ organisation, user, report, eventKey }: Erasing, author: Author | undefined): Promise<void> {
    await this.work.run(async () => {
      const now = this.clock.now();
      const noted = await this.learners.noted(organisation, user);
      await this.learners.settle(organisation, user);
      const payload = JSON.stringify({ user_id_sha256: report.learner, time: new Date(now).toISOString() });
      await this.events.record([{ kind: 'learner-erased', key: eventKey, payload }], organisation, now);
      const { sessions, attempts, events, jobs, keptAnswers, files, isAuthor } = report;
      const detail = {
        all_sessions: noted?.sessions ?? 0,
        sessions,
        attempts,
        events,
        jobs,
        keptAnswers,
        files,
        isAuthor,
      };
      const scope = { shelf: { organisation }, operation: OPERATION, now, author };
      await this.audit.record([{ subject: 'learner', key: report.learner, detail }], scope);
    });
  }

  private async undone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.work.run(async () => {
        throw new Undone(await work());
      });
    } catch (error) {
      if (error instanceof Undone) return error.result as T;
      throw error;
    }
  }
}

function isAny({ sessions, attempts, jobs, keptAnswers, files }: ErasureReport): boolean {
  return attempts + sessions.anonymised + sessions.removed + jobs.changed + keptAnswers + files.length > 0;
}
