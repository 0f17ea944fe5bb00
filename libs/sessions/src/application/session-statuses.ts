import { Injectable } from '@nestjs/common';
import { Audit, Authors } from '#access';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { type JsonText, type Scope, throwAny, UnitOfWork } from '#kernel';
import { type NamedSession, wronglyNamed } from '../domain/naming';
import { type Session, type SessionStatus, type SETTABLE_STATUSES } from '../domain/session';
import { inStatus } from '../domain/status-change';
import { recount } from '../domain/totals';
import { Completions } from './completions';
import { Forms } from './forms';
import { SessionStore } from './ports/session-store';
import { SessionChanges } from './session-changes';

/** A session with its new status. */
interface WantedStatus extends NamedSession {
  status: (typeof SETTABLE_STATUSES)[number];
}

/** The input of the job. */
interface Task {
  statuses: Omit<WantedStatus, 'userId'>[];
  /** When it was requested. It becomes the completion time of newly completed sessions. */
  at: number;
}

interface State {
  /** `before` is null for a session that was erased meanwhile. */
  sessions: { session_id: string; before: SessionStatus | null; status: SessionStatus }[];
  /** References of the jobs that follow. */
  followUps: string[];
}

/** Sessions in one batch. */
const BATCH_SIZE = 50;

/** Changes statuses of sessions by hand: a job writes them, and starts the jobs that follow. */
@Injectable()
export class SessionStatuses extends JobHandler<State> {
  override readonly type = 'update-session-statuses';

  constructor(
    private readonly jobs: Jobs,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly audit: Audit,
    private readonly store: SessionStore,
    private readonly forms: Forms,
    private readonly completions: Completions,
    private readonly changes: SessionChanges,
  ) {
    super();
  }

  /**
   * Starts the job; returns its reference.
   * @throws Fault that lists everything wrong: 20016 for sessions that do not exist or belong to another user, 30000
   * for repeated ones. Then no job is started.
   */
  async start(wanted: readonly WantedStatus[], scope: Scope): Promise<string> {
    const stored = await this.store.read(
      scope.shelf.organisation,
      wanted.map(({ sessionId }) => sessionId),
    );
    throwAny(wronglyNamed(wanted, stored, '/statuses'));
    const input: Task = { statuses: wanted.map(({ sessionId, status }) => ({ sessionId, status })), at: scope.now };
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      return this.jobs.start({ type: this.type, lane: 'short', input: JSON.stringify(input) }, scope);
    });
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const task = job.input as Task;
    const state = () => job.state ?? { sessions: [], followUps: [] };
    while (state().sessions.length < task.statuses.length) await this.change(job, task, state());
    const { sessions, followUps } = state();
    return JSON.stringify({ sessions, follow_up_jobs: followUps });
  }

  private async change(job: RunningJob<State>, { statuses, at }: Task, { sessions, followUps }: State): Promise<void> {
    const part = statuses.slice(sessions.length, sessions.length + BATCH_SIZE);
    const wanted = new Map(part.map(({ sessionId, status }) => [sessionId, status]));
    const found = new Map<string, { before: Session; after: Session | undefined }>();
    const change = async (before: Session | undefined, sessionId: string): Promise<Session | undefined> => {
      if (!before) {
        // The learner of the session was erased meanwhile.
        found.delete(sessionId);
        return undefined;
      }
      const status = wanted.get(sessionId)!;
      const after =
        status === before.status && status !== 'Completed'
          ? undefined
          : await this.counted(inStatus(before, status, at), job.organisation);
      found.set(sessionId, { before, after });
      return after;
    };
    const ids = [...wanted.keys()];
    await this.changes.apply(job, ids, change, { cause: 'completion', again: true }, async () => {
      const { scope } = job;
      const changed = [...found.values()].filter(({ before, after }) => after && after.status !== before.status);
      await this.audit.record(
        changed.map(({ before, after }) => ({
          subject: 'session',
          key: before.sessionId,
          detail: { before: shown(before), after: shown(after!) },
        })),
        scope,
      );
      const completed = ids.filter((id) => found.has(id) && wanted.get(id) === 'Completed');
      const followUp = completed.length > 0 ? [await this.completions.start(completed, scope)] : [];
      const state: State = {
        sessions: [
          ...sessions,
          ...ids.map((id) => ({
            session_id: id,
            before: found.get(id)?.before.status ?? null,
            status: wanted.get(id)!,
          })),
        ],
        followUps: [...followUps, ...followUp],
      };
      return { state, progress: { done: state.sessions.length, total: statuses.length } };
    });
  }

  /** Computes the subscores and the estimate of ability of a completed session. */
  private async counted(session: Session, organisation: number): Promise<Session> {
    return recount(session, (await this.forms.of(organisation, [session.formId])).get(session.formId)!);
  }
}

function shown({ status, completedAt }: Session) {
  return { status, completed_at: completedAt };
}
