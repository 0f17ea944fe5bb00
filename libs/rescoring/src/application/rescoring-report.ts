import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FiledResults, type JobFile, type RunningJob } from '#jobs';
import { type JsonObject, type JsonText } from '#kernel';
import { isChanged } from '../domain/rescoring';
import { type Shift, type Summary, Summing } from '../domain/rescoring-summary';
import {
  type RescoringOutcome,
  RescoringStore,
  type SessionOutcome,
  type SessionRescoring,
} from './ports/rescoring-store';

const READ_BATCH_SIZE = 250;
/** Above this number of sessions, the outcomes are written to a file. */
const MAX_LISTED = 100;

const NDJSON = 'application/x-ndjson';

/** The result of a rescoring after its last session. */
export interface Outcome {
  summary: Summary;
  counts: Partial<Record<RescoringOutcome, number>>;
}

/** Reports on rescorings, in files and in the results of jobs. */
@Injectable()
export class RescoringReport {
  constructor(private readonly store: RescoringStore) {}

  async outcome(organisation: number, id: string): Promise<Outcome> {
    const summing = new Summing();
    const counts: Outcome['counts'] = {};
    for await (const sessions of this.outcomes(organisation, id))
      for (const { sessionId, outcome, shift } of sessions) {
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        if (shift && outcome !== 'skipped') summing.add(sessionId, shift);
      }
    return { summary: summing.summary, counts };
  }

  /**
   * Writes a file with one line for each response to the item, with its current and its new score. The hash of the plan
   * is the SHA-256 of the rescoring's id, a line feed, and this file; it is the same in each attempt.
   */
  async plan(job: RunningJob, id: string): Promise<{ file: JobFile; hash: string }> {
    const hash = createHash('sha256').update(`${id}\n`);
    const slices = slicesOf((from) => this.store.sessions(job.organisation, id, from, READ_BATCH_SIZE));
    const lines = async function* () {
      for await (const sessions of slices) {
        const text = sessions.flatMap(planLines).join('');
        hash.update(text);
        if (text !== '') yield text;
      }
    };
    const file = await job.writeFile(Readable.from(lines()), NDJSON, 'plan.ndjson');
    return { file, hash: hash.digest('hex') };
  }

  /** The outcome of each session: in the results, or in a file if there are many sessions. */
  async sessions(job: RunningJob, id: string, count: number, members: object): Promise<JsonText | FiledResults> {
    const { files, listed } = await this.listed(job, id, count);
    const results = JSON.stringify({ ...members, ...listed });
    return files.length > 0 ? { files, members: results } : results;
  }

  /** The outcomes as a member of results, or as a file when there are many. */
  async listed(job: RunningJob, id: string, count: number): Promise<{ files: JobFile[]; listed: JsonObject }> {
    const slices = this.outcomes(job.organisation, id);
    if (count <= MAX_LISTED) {
      const listed: JsonObject[] = [];
      for await (const sessions of slices) listed.push(...sessions.map(sessionLine));
      return { files: [], listed: { sessions: listed } };
    }
    const lines = async function* () {
      for await (const sessions of slices)
        yield sessions.map((session) => `${JSON.stringify(sessionLine(session))}\n`).join('');
    };
    return { files: [await job.writeFile(Readable.from(lines()), NDJSON, 'sessions.ndjson')], listed: {} };
  }

  private outcomes(organisation: number, id: string): AsyncGenerator<SessionOutcome[]> {
    return slicesOf((from) => this.store.outcomes(organisation, id, from, READ_BATCH_SIZE));
  }
}

/** The summary members of results. */
export function summaryMembers({
  sessionsChanged,
  responsesChanged,
  meanShift,
  subscoresChanged,
}: Summary): JsonObject {
  return {
    sessions_changed: sessionsChanged,
    responses_changed: responsesChanged,
    mean_shift: meanShift,
    subscores_changed: subscoresChanged.map(({ id, sessions, meanShift: shift }) => ({
      id,
      sessions,
      mean_shift: shift,
    })),
  };
}

/** The members of results that show a plan to people. */
export function previewMembers({ distribution, largestChanges }: Summary): JsonObject {
  return {
    score_step: distribution.step,
    scores: distribution.scores,
    largest_changes: largestChanges.map(({ sessionId, before, after }) => ({
      session_id: sessionId,
      old_score: before,
      new_score: after,
    })),
  };
}

/** The number of sessions with each of these outcomes. */
export function countsOf(counts: Outcome['counts'], ...names: RescoringOutcome[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));
}

async function* slicesOf<T extends { position: number }>(read: (from: number) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let from = 0; ;) {
    const slice = await read(from);
    if (slice.length > 0) yield slice;
    if (slice.length < READ_BATCH_SIZE) return;
    from = slice.at(-1)!.position + 1;
  }
}

function planLines({ sessionId, work }: SessionRescoring): string[] {
  return (work?.responses ?? []).map((response) => {
    const { responseId, old, verdict } = response;
    const line = {
      session_id: sessionId,
      response_id: responseId,
      old_score: old.score,
      new_score: verdict ? verdict.score : old.score,
      old_max_score: old.maxScore,
      new_max_score: verdict ? verdict.maxScore : old.maxScore,
      changed: isChanged(response),
      reason: verdict ? verdict.outcome : 'manual-score-kept',
    };
    return `${JSON.stringify(line)}\n`;
  });
}

function sessionLine({ sessionId, outcome, reason, shift }: SessionOutcome): JsonObject {
  const effect = shift && changeOf(shift, outcome);
  return {
    session_id: sessionId,
    outcome,
    ...(reason === null ? {} : { reason }),
    ...(effect
      ? {
          old_score: effect.before.score,
          new_score: effect.after.score,
          old_max_score: effect.before.maxScore,
          new_max_score: effect.after.maxScore,
        }
      : {}),
  };
}

/** The change of the totals; null without a change. */
function changeOf({ before, after }: Shift, outcome: RescoringOutcome): Shift | null {
  if (outcome === 'skipped' || outcome === 'kept') return null;
  return outcome === 'reverted' ? { before: after, after: before } : { before, after };
}
