import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Audit, Authors } from '#access';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { type JsonText, type Scope, throwAny, UnitOfWork } from '#kernel';
import { type NamedSession, wronglyNamed } from '../domain/naming';
import { distinctTags, type Session, type SessionTag } from '../domain/session';
import { SessionStore } from './ports/session-store';
import { SessionChanges } from './session-changes';

/** A session with its new tags. */
interface TaggedSession extends NamedSession {
  tags: SessionTag[];
}

/** The input of the job. */
type Task = Omit<TaggedSession, 'userId'>[];

interface State {
  /** The number of sessions that are done. */
  done: number;
  changed: number;
}

/** Sessions in one batch. */
const BATCH_SIZE = 50;

/** Sets tags of sessions: a job writes them. */
@Injectable()
export class SessionTags extends JobHandler<State> {
  override readonly type = 'set-session-metadata';

  constructor(
    private readonly jobs: Jobs,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly audit: Audit,
    private readonly store: SessionStore,
    private readonly changes: SessionChanges,
  ) {
    super();
  }

  /**
   * Starts the job; returns its reference. If tags differ only in case, the first one counts.
   * @throws Fault that lists everything wrong: 20016 for sessions that do not exist or belong to another user, 30000
   * for repeated ones. Then no job is started.
   */
  async start(sessions: readonly TaggedSession[], scope: Scope): Promise<string> {
    const stored = await this.store.read(
      scope.shelf.organisation,
      sessions.map(({ sessionId }) => sessionId),
    );
    throwAny(wronglyNamed(sessions, stored, '/session_metadata'));
    const input: Task = sessions.map(({ sessionId, tags }) => ({ sessionId, tags: distinctTags(tags) }));
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      return this.jobs.start({ type: this.type, lane: 'short', input: JSON.stringify(input) }, scope);
    });
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const task = job.input as Task;
    const state = () => job.state ?? { done: 0, changed: 0 };
    while (state().done < task.length) await this.retag(job, task, state());
    const { done, changed } = state();
    return JSON.stringify({ changed, unchanged: done - changed });
  }

  private async retag(job: RunningJob<State>, task: Task, { done, changed }: State): Promise<void> {
    const part = new Map(task.slice(done, done + BATCH_SIZE).map(({ sessionId, tags }) => [sessionId, tags]));
    const retagged = new Map<string, { before: SessionTag[]; after: SessionTag[] }>();
    const change = async (before: Session | undefined, sessionId: string): Promise<Session | undefined> => {
      const tags = part.get(sessionId)!;
      retagged.delete(sessionId);
      if (!before || isDeepStrictEqual(before.tags, tags)) return undefined;
      retagged.set(sessionId, { before: before.tags, after: tags });
      return { ...before, tags };
    };
    await this.changes.apply(job, [...part.keys()], change, { cause: 'manual' }, async () => {
      await this.audit.record(
        [...retagged].map(([key, detail]) => ({ subject: 'session', key, detail })),
        job.scope,
      );
      const state = { done: done + part.size, changed: changed + retagged.size };
      return { state, progress: { done: state.done, total: task.length } };
    });
  }
}
