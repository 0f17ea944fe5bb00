import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { type JsonText, type Scope } from '#kernel';
import { type Session } from '../domain/session';
import { Forms } from './forms';
import { ResponseScoring } from './response-scoring';
import { SessionChanges } from './session-changes';

interface State {
  sessions: { session_id: string; score_before: number; score: number }[];
}

/**
 * Scores sessions after an operator completed them, by the documents of their form. A separate job does this, so that a
 * question that cannot be scored does not undo the completion.
 */
@Injectable()
export class Completions extends JobHandler<State> {
  override readonly type = 'rescore-sessions';

  constructor(
    private readonly jobs: Jobs,
    private readonly forms: Forms,
    private readonly marking: ResponseScoring,
    private readonly changes: SessionChanges,
  ) {
    super();
  }

  /** Starts the job in the caller's unit of work; returns its reference. At most 50 sessions. */
  async start(sessionIds: readonly string[], scope: Scope): Promise<string> {
    return this.jobs.start({ type: this.type, lane: 'bulk', input: JSON.stringify(sessionIds) }, scope);
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    if (!job.state) await this.rescore(job, job.input as string[]);
    return JSON.stringify(job.state);
  }

  private async rescore(job: RunningJob<State>, sessionIds: readonly string[]): Promise<void> {
    const scores = new Map<string, { score_before: number; score: number }>();
    const change = async (before: Session | undefined, sessionId: string): Promise<Session | undefined> => {
      // Its learner was erased.
      if (!before) return undefined;
      const form = (await this.forms.of(job.organisation, [before.formId])).get(before.formId)!;
      const after = await this.marking.marked(before, form, 'all', { now: job.scope.now, job: job.id });
      scores.set(sessionId, { score_before: before.totals.score, score: after.totals.score });
      return isDeepStrictEqual(after, before) ? undefined : after;
    };
    await this.changes.apply(job, sessionIds, change, { cause: 'completion' }, () => ({
      state: { sessions: [...scores].map(([id, counted]) => ({ session_id: id, ...counted })) },
      progress: { done: sessionIds.length, total: sessionIds.length },
    }));
  }
}
