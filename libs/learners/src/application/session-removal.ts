import { Injectable } from '@nestjs/common';
import { Audit } from '#access';
import { EventsErasure } from '#events';
import { Clock } from '#kernel';
import { MarkingErasure } from '#marking';
import { type AnonymousCopies, AnonymousSessions } from '#reporting';
import { RescoringErasure } from '#rescoring';
import { type SessionName, SessionsErasure, SessionStore } from '#sessions';
import { type ErasureReport } from './erasure-report';
import { LearnerStore } from './ports/learner-store';

/** The number of sessions in one unit of work. Each session may have several megabytes. */
const BATCH_SIZE = 20;

/** Runs a unit of work, and rolls it back in a dry run. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** The learner, and the progress of the erasure. */
export interface Erasing {
  organisation: number;
  user: string;
  run: Run;
  report: ErasureReport;
  /** Rescorings that contained sessions of the learner. */
  rescorings: Set<string>;
  /** Whether another call was interrupted, so that the rescorings it found are unknown. */
  isResumed: boolean;
  /** The key that replaces those of the sessions in numbered events. */
  eventKey: string;
  /** Ids of jobs with damaged data, which may contain the learner. */
  damaged: Set<string>;
}

/** Removes a learner's sessions from all places that refer to their ids, in batches. */
@Injectable()
export class SessionRemoval {
  constructor(
    private readonly store: SessionStore,
    private readonly sessions: SessionsErasure,
    private readonly rescorings: RescoringErasure,
    private readonly learners: LearnerStore,
    private readonly anonymous: AnonymousSessions,
    private readonly events: EventsErasure,
    private readonly marking: MarkingErasure,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** Erases all current sessions of the learner; returns how many. Completed batches stay erased after a failure. */
  async erase({ organisation, user, run, report, rescorings, eventKey }: Erasing): Promise<number> {
    const copies = this.anonymous.copiesFor(organisation, user);
    let erased = 0;
    for (let after = ''; ;) {
      const done = await run(() => this.eraseSome(organisation, user, after, eventKey, copies));
      if (!done) return erased;
      report.sessions.anonymised += done.kept;
      report.sessions.removed += done.erased - done.kept;
      report.scoreChanges += done.removed.scoreChanges;
      report.tags += done.removed.tags;
      report.marks += done.marks;
      report.rescoredSessions += done.cleared.sessions;
      report.auditEntries += done.audited;
      for (const name of ['removed', 'emptied', 'deliveries'] as const) report.events[name] += done.events[name];
      for (const id of done.cleared.rescorings) rescorings.add(id);
      erased += done.erased;
      after = done.last;
    }
  }

  /** Erases one batch in a unit of work; undefined when nothing is left. */
  private async eraseSome(
    organisation: number,
    user: string,
    after: string,
    eventKey: string,
    copies: AnonymousCopies,
  ) {
    const names = await this.sessions.sessions(organisation, user, BATCH_SIZE, after);
    if (names.length === 0) return undefined;
    const ids = namesOf(names);
    // Changes the sessions like any other writer. So a concurrent writer notices the change, and reads them again.
    const locked = await this.store.lock(organisation, ids);
    const gone = names.filter(({ sessionId }) => locked.has(sessionId));
    const stored = await this.store.read(organisation, ids);
    const completed = [...stored.values()].filter(({ status }) => status === 'Completed');
    await copies.keep(completed);
    return {
      last: names.at(-1)!.id,
      erased: gone.length,
      kept: completed.length,
      removed: await this.sessions.remove(organisation, gone),
      marks: await this.marking.forget(organisation, ids),
      cleared: await this.rescorings.clear(organisation, ids),
      audited: await this.audit.forget(organisation, 'session', ids),
      events: await this.events.forget(organisation, ids, eventKey),
      // A concurrent erasure records the sessions that it removed itself.
      noted: await this.learners.note(organisation, user, namesOf(gone), this.clock.now()),
    };
  }
}

const namesOf = (sessions: readonly SessionName[]) => sessions.map(({ sessionId }) => sessionId);
