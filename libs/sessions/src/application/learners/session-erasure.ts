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
import { type AnsweredSession } from '../ports/session-scan';
import { SessionStore } from '../ports/session-store';
import { type ErasureReport } from './erasure-report';

/** Sessions in one unit of work: they may be of some megabytes each. */
const BATCH_SIZE = 20;
const ACTIVITIES_KNOWN = 1_000;

/** Runs a unit of work, and undoes it where nothing is to change. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** For whom sessions are erased, and what has become of them so far. */
export interface Erasing {
  organisation: number;
  user: string;
  run: Run;
  report: ErasureReport;
  /** Rescorings that had sessions of the learner. */
  rescorings: Set<string>;
  /** Another call was broken off: which rescorings it had found nobody knows any more. */
  isResumed: boolean;
  /** Stands for the sessions in what receivers count. */
  eventKey: string;
  /** Ids of jobs of which something stored is damaged, so that nobody can tell whether the learner is in it. */
  damaged: Set<string>;
}

/** What was found out for earlier sessions. */
interface Known {
  questions: AnsweredQuestions;
  /** By activity_id, whether others have it too. */
  shared: LRUCache<string, boolean>;
}

/** Takes a learner's sessions out of everything that is found by their ids, some at a time. */
@Injectable()
export class SessionErasure {
  constructor(
    private readonly sessions: SessionStore,
    private readonly learners: LearnerStore,
    private readonly events: EventsErasure,
    private readonly audit: Audit,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly clock: Clock,
  ) {}

  /** Erases all sessions of the learner that there are; returns how many. What is done stays done, whatever comes then. */
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
      report.rescoredSessions += done.cleared.sessions;
      report.auditEntries += done.audited;
      for (const name of ['removed', 'emptied', 'deliveries'] as const) report.events[name] += done.events[name];
      for (const id of done.cleared.rescorings) rescorings.add(id);
      erased += done.erased;
      after = done.last;
    }
  }

  /** One unit of work; undefined when there is nothing left. */
  private async eraseSome(organisation: number, user: string, after: string, eventKey: string, known: Known) {
    const names = await this.learners.sessions(organisation, user, BATCH_SIZE, after);
    if (names.length === 0) return undefined;
    const ids = namesOf(names);
    // As everybody who writes sessions: whoever has read them before finds that they moved, and reads again.
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
      cleared: await this.learners.clearRescorings(organisation, ids),
      audited: await this.audit.forget(organisation, 'session', ids),
      events: await this.events.forget(organisation, ids, eventKey),
      // Others, which another erasure was quicker with, it has noted itself, and may have settled.
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

/** As statistics read it. */
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
