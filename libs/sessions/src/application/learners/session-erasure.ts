import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Audit } from '#access';
import { PinnedContent } from '#content';
import { EventsErasure } from '#events';
import { Clock } from '#kernel';
import { anonymous, type AnonymousSession } from '../../domain/anonymous-session';
import { type Session } from '../../domain/session';
import { AnsweredQuestions } from '../datasets/answered-questions';
import { Forms } from '../forms';
import { LearnerStore, type SessionName } from '../ports/learner-store';
import { MarkingStore } from '../ports/marking-store';
import { type AnsweredSession } from '../ports/session-scan';
import { SessionStore } from '../ports/session-store';
import { type ErasureReport } from './erasure-report';

/** Number of sessions in one unit of work. Each may have several megabytes. */
const BATCH_SIZE = 20;
const ACTIVITIES_KNOWN = 1_000;

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

/** Cached findings of earlier sessions. */
interface Known {
  questions: AnsweredQuestions;
  /** Whether other learners have the activity_id too. */
  shared: LRUCache<string, boolean>;
}

/** Removes a learner's sessions from all places that refer to their ids, in batches. */
@Injectable()
export class SessionErasure {
  constructor(
    private readonly sessions: SessionStore,
    private readonly learners: LearnerStore,
    private readonly events: EventsErasure,
    private readonly marking: MarkingStore,
    private readonly audit: Audit,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly clock: Clock,
  ) {}

  /** Erases all current sessions of the learner; returns how many. Completed batches stay erased after a failure. */
  async erase({ organisation, user, run, report, rescorings, eventKey }: Erasing): Promise<number> {
    const known: Known = {
      questions: new AnsweredQuestions(organisation, this.forms, this.content),
      shared: new LRUCache({ max: ACTIVITIES_KNOWN }),
    };
    let erased = 0;
    for (let after = ''; ;) {
      const done = await run(() => this.eraseSome(organisation, user, after, eventKey, known));
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
  private async eraseSome(organisation: number, user: string, after: string, eventKey: string, known: Known) {
    const names = await this.learners.sessions(organisation, user, BATCH_SIZE, after);
    if (names.length === 0) return undefined;
    const ids = namesOf(names);
    // Changes the sessions like any other writer. So a concurrent writer notices the change, and reads them again.
    const locked = await this.sessions.lock(organisation, ids);
    const gone = names.filter(({ sessionId }) => locked.has(sessionId));
    const stored = await this.sessions.read(organisation, ids);
    const completed = [...stored.values()].filter(({ status }) => status === 'Completed');
    const kept = await this.anonymised(completed, organisation, user, known);
    await this.learners.keep(organisation, kept);
    return {
      last: names.at(-1)!.id,
      erased: gone.length,
      kept: kept.length,
      removed: await this.learners.remove(organisation, gone),
      marks: await this.marking.forget(organisation, ids),
      cleared: await this.learners.clearRescorings(organisation, ids),
      audited: await this.audit.forget(organisation, 'session', ids),
      events: await this.events.forget(organisation, ids, eventKey),
      // Sessions that a concurrent erasure took are recorded by that erasure.
      noted: await this.learners.note(organisation, user, namesOf(gone), this.clock.now()),
    };
  }

  private async anonymised(
    sessions: readonly Session[],
    organisation: number,
    user: string,
    { questions, shared }: Known,
  ): Promise<AnonymousSession[]> {
    const answered = await questions.of(sessions.map(answeredSession));
    const kept: AnonymousSession[] = [];
    for (const [index, session] of sessions.entries()) {
      const { activityId } = session;
      const isShared = shared.get(activityId) ?? (await this.learners.isShared(organisation, activityId, user));
      shared.set(activityId, isShared);
      kept.push(
        anonymous(
          session,
          answered[index]!.map(({ choices }) => choices),
          isShared,
        ),
      );
    }
    return kept;
  }
}

const namesOf = (sessions: readonly SessionName[]) => sessions.map(({ sessionId }) => sessionId);

/** The session in the form that statistics read. */
function answeredSession({ id, formId, responses }: Session): AnsweredSession {
  return {
    id,
    formId,
    responses: responses.map((response) => ({
      item: response.itemReference,
      question: response.questionReference,
      type: response.type,
      score: response.score,
      maxScore: response.maxScore,
      attempted: response.attempted,
      value: response.response?.value ?? null,
    })),
  };
}
