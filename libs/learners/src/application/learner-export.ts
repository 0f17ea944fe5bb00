import { Injectable } from '@nestjs/common';
import { Audit, Authors } from '#access';
import { AttemptRecords } from '#delivery';
import { EventsErasure } from '#events';
import { JobsErasure } from '#jobs';
import { isObject, type Json, type JsonObject } from '#kernel';
import { MarkingErasure } from '#marking';
import { RescoringErasure, type RescoringLine } from '#rescoring';
import {
  isoTime,
  type ScoreChange,
  scoresRecord,
  SESSION_TEXTS,
  SessionReader,
  type SessionRecord,
  SessionStore,
  shownReport,
  statusRecord,
} from '#sessions';
import { entriesAbout, sessionsSubmittedBy } from '../domain/redaction';
import { LearnerJobs, readJobs, refuseDamaged, SESSION_JOBS } from './learner-jobs';

/** A line of an export: `record` says what it is. */
export type ExportLine = { record: string } & Record<string, unknown>;

/** The maximum number of sessions in memory. Each session may have several megabytes. */
const BATCH_SIZE = 20;
const LINE_BATCH_SIZE = 200;

/** Exports all stored data of a learner. */
@Injectable()
export class LearnerExport {
  constructor(
    private readonly reader: SessionReader,
    private readonly store: SessionStore,
    private readonly rescorings: RescoringErasure,
    private readonly marking: MarkingErasure,
    private readonly events: EventsErasure,
    private readonly jobs: JobsErasure,
    private readonly learnerJobs: LearnerJobs,
    private readonly audit: Audit,
    private readonly authors: Authors,
    private readonly attempts: AttemptRecords,
  ) {}

  /**
   * Yields the lines; holds few sessions in memory. Each session is consistent in itself, but the whole export is not.
   * @param user the user_id, compared byte for byte.
   */
  async *lines(user: string, organisation: number): AsyncGenerator<ExportLine> {
    const author = (await this.authors.find(organisation, [user])).get(user);
    if (author) yield { record: 'author', ...author };
    const filter = { userIds: [user] };
    for (let after: string | undefined; ;) {
      const sessions = await this.reader.inOrder(organisation, filter, { direction: 'asc', after }, BATCH_SIZE, {
        texts: SESSION_TEXTS,
        responses: true,
      });
      if (sessions.length === 0) break;
      yield* this.ofSessions(sessions, organisation);
      after = sessions.at(-1)!.id;
    }
    yield* this.attempts.lines(organisation, user);
    yield* this.ofJobs(user, organisation);
  }

  private async *ofSessions(sessions: readonly SessionRecord[], organisation: number): AsyncGenerator<ExportLine> {
    const names = new Map(sessions.map(({ id, sessionId }) => [id, sessionId]));
    const changes = await this.store.changesOf(organisation, [...names.keys()]);
    for (const session of sessions) {
      yield sessionLine(session);
      for (const change of changes.get(session.id) ?? []) yield changeLine(session.sessionId, change);
    }
    const ids = [...names.values()];
    for (const line of await this.rescorings.lines(organisation, ids)) yield rescoringLine(line);
    for (const { sessionId, responseId, round, marker, score, comment, markedAt } of await this.marking.ofSessions(
      organisation,
      ids,
    ))
      yield {
        record: 'mark',
        session_id: sessionId,
        response_id: responseId,
        marking_round: round,
        author: marker,
        score,
        comment,
        time: isoTime(markedAt),
      };
    yield* listed(
      (after) => this.events.ofKeys(organisation, ids, LINE_BATCH_SIZE, after),
      ({ id, kind, key, payload, recordedAt }) => ({
        record: 'event',
        event: id,
        kind,
        session_id: key,
        time: isoTime(recordedAt),
        data: JSON.parse(payload) as Json,
      }),
    );
    yield* listed(
      (after) => this.audit.about(organisation, 'session', ids, LINE_BATCH_SIZE, after),
      ({ key, operation, author, detail }) => ({ record: 'audit', session_id: key, operation, author, detail }),
    );
  }

  /** Data in jobs: submissions as they arrived, including refused ones, and their results. */
  private async *ofJobs(user: string, organisation: number): AsyncGenerator<ExportLine> {
    const damaged = new Set<string>();
    for await (const stored of this.jobs.slices(organisation, SESSION_JOBS)) {
      const slice = readJobs(stored, damaged);
      const { sessions } = await this.learnerJobs.tracesIn(organisation, user, slice);
      for (const job of slice) {
        const own = new Set([...sessions, ...sessionsSubmittedBy(user, job.values[0]!)]);
        const entries = job.values.flatMap((value) => entriesAbout({ user, sessions: own }, value));
        for (const entry of entries) yield { record: 'job', job: job.id, type: job.type, status: job.status, entry };
      }
    }
    refuseDamaged(damaged, 'All else is in the export');
  }
}

async function* listed<T extends { id: string }>(
  read: (after?: string) => Promise<T[]>,
  line: (each: T) => ExportLine,
): AsyncGenerator<ExportLine> {
  for (let after: string | undefined; ;) {
    const slice = await read(after);
    yield* slice.map(line);
    if (slice.length < LINE_BATCH_SIZE) return;
    after = slice.at(-1)!.id;
  }
}

function sessionLine(session: SessionRecord): ExportLine {
  const { texts, activityTemplateId, totals } = session;
  const members = Object.entries(texts).map(([name, text]) => {
    const value = parsed(text ?? null);
    if (name === 'adaptive') return [name, isObject(value) ? shownReport(value) : value];
    return [name === 'customState' ? 'custom_state' : name, value];
  });
  return {
    record: 'session',
    ...statusRecord(session),
    ...scoresRecord(session),
    activity_template_id: activityTemplateId,
    dt_updated: isoTime(session.updatedAt),
    num_questions: totals.numQuestions,
    marks: session.responses!.map(({ responseId, revision, manualScore, maxManualScore, scoredAt, mark }) => ({
      response_id: responseId,
      revision,
      manual_score: manualScore,
      max_manual_score: maxManualScore,
      dt_scored: scoredAt === null ? null : isoTime(scoredAt),
      dt_changed: isoTime(mark.changedAt),
      by: mark.by,
      engine: mark.engine,
      outcome: mark.outcome,
      author: mark.author,
      job: mark.job,
      score_before: mark.before,
    })),
    ...(Object.fromEntries(members) as JsonObject),
  };
}

function rescoringLine(line: RescoringLine): ExportLine {
  const { rescoring, sessionId, outcome, reason, before, after, responses, subscores } = line;
  return {
    record: 'rescoring',
    session_id: sessionId,
    rescoring,
    outcome,
    reason,
    score_before: before.score,
    max_score_before: before.maxScore,
    score_after: after.score,
    max_score_after: after.maxScore,
    responses: parsed(responses),
    subscores: parsed(subscores),
  };
}

const parsed = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));

function changeLine(sessionId: string, { changedAt, cause, author, job, changes }: ScoreChange): ExportLine {
  return { record: 'score-change', session_id: sessionId, time: isoTime(changedAt), cause, author, job, changes };
}
