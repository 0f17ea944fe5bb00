import { Injectable } from '@nestjs/common';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { type JsonText, type Scope, throwAny } from '#kernel';
import { twice } from '../domain/naming';
import { recount } from '../domain/totals';
import { subscoreRecord } from '../domain/wire';
import { Forms } from './forms';
import { SessionStore } from './ports/session-store';

/**
 * A job that returns the current subscores of sessions. It stores nothing, because every change of a session updates
 * the stored subscores.
 */
@Injectable()
export class Subscores extends JobHandler {
  override readonly type = 'calculate-subscores';

  constructor(
    private readonly jobs: Jobs,
    private readonly store: SessionStore,
    private readonly forms: Forms,
  ) {
    super();
  }

  /**
   * Starts the job. `ignored` contains unknown sessions, and sessions that were taken without subscores.
   * @throws Fault 30000 for repeated sessions.
   */
  async start(sessionIds: readonly string[], scope: Scope): Promise<{ job: string; ignored: string[] }> {
    throwAny(
      sessionIds.flatMap((id, index) => {
        const first = sessionIds.indexOf(id);
        return first === index ? [] : [twice(id, `/session_id/${index}`, `/session_id/${first}`)];
      }),
    );
    const stored = await this.store.read(scope.shelf.organisation, sessionIds);
    const counted = sessionIds.filter((id) => stored.get(id)?.subscores);
    const job = await this.jobs.start({ type: this.type, lane: 'short', input: JSON.stringify(counted) }, scope);
    return { job, ignored: sessionIds.filter((id) => !counted.includes(id)) };
  }

  override async run(job: RunningJob): Promise<JsonText> {
    const { organisation } = job;
    const sessionIds = job.input as string[];
    const stored = await this.store.read(organisation, sessionIds);
    const sessions = sessionIds.flatMap((id) => stored.get(id) ?? []);
    const forms = await this.forms.of(
      organisation,
      sessions.map(({ formId }) => formId),
    );
    await job.report({ done: sessions.length, total: sessions.length });
    return JSON.stringify({
      sessions: sessions.map((session) => ({
        session_id: session.sessionId,
        user_id: session.userId,
        activity_id: session.activityId,
        subscores: recount(session, forms.get(session.formId)!).subscores?.map(subscoreRecord) ?? null,
      })),
    });
  }
}
