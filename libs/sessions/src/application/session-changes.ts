import { Injectable } from '@nestjs/common';
import { Events } from '#events';
import { type RunningJob } from '#jobs';
import { type Scope, UnitOfWork } from '#kernel';
import { type Counter, Metrics } from '#platform';
import { type Session } from '../domain/session';
import { type SessionEvent, sessionEvents } from '../domain/session-events';
import { Forms } from './forms';
import { type ScoreChange, SessionStore } from './ports/session-store';

/** Thrown when other writers changed some of the sessions after they were read. */
class Moved extends Error {
  constructor(readonly sessions: readonly string[]) {
    super('Sessions changed while their next state was computed.');
  }
}

interface Prepared {
  before: Session | undefined;
  /** Absent: unchanged. */
  after: Session | undefined;
}

type ReadAhead = Promise<ReadonlyMap<string, Session>>;

/** The origin of changes: a job, or the page of a learner. Score changes of jobs are recorded. */
type Cause = ScoreChange['cause'] | 'delivery';

/** The author, the cause and the way of a change. */
interface Writer {
  scope(): Scope;
  /** Id of the job; null outside of jobs. */
  job: string | null;
  commit(work: () => Promise<void>): Promise<void>;
}

type Batch<State> = Awaited<ReturnType<Parameters<RunningJob<State>['batch']>[0]>>;

/** Changes sessions. All writers use it, so that changes of a session happen one after another. */
@Injectable()
export class SessionChanges {
  private readonly saved: Counter;

  constructor(
    private readonly store: SessionStore,
    private readonly events: Events,
    private readonly forms: Forms,
    private readonly work: UnitOfWork,
    metrics: Metrics,
  ) {
    this.saved = metrics.counter({
      name: 'itembank_sessions_saved_total',
      help: 'Stored sessions, new and changed ones, by cause.',
      labels: ['cause'],
    });
  }

  /**
   * Stores one batch of a job, at most 50 sessions. `change` computes the next state of each session from its current
   * state; `undefined` leaves the session unchanged. If another writer changes a session meanwhile, this calls `change`
   * again, and the last call counts.
   *
   * One unit of work commits the sessions, their events, the score changes and the checkpoint. It also commits the
   * writes of `finish`, which runs last in it, and again if the unit of work runs again.
   * @param ahead the sessions from `readAhead`; this reads again those that changed since.
   * @param again also emits the status and the scores of sessions that did not change.
   */
  async apply<State>(
    job: RunningJob<State>,
    sessionIds: readonly string[],
    change: (before: Session | undefined, sessionId: string) => Promise<Session | undefined>,
    { cause, ahead, again = false }: { cause: ScoreChange['cause']; ahead?: ReadAhead; again?: boolean },
    finish: () => Batch<State> | Promise<Batch<State>>,
  ): Promise<void> {
    const writer: Writer = {
      scope: () => job.scope,
      job: job.id,
      commit: (work) =>
        job.batch(async () => {
          await work();
          return finish();
        }),
    };
    await this.written(writer, sessionIds, change, { cause, ahead, again });
  }

  /**
   * Changes one session in a unit of work of its own, outside of jobs, for a learner who waits.
   * @param known the session as last saved, if the caller has it. Reads it again if it has changed since.
   * @param change throws to leave the session unchanged.
   * @param finish is called last in the unit of work.
   * @returns the session as stored.
   */
  async applyAlone(
    scope: Scope,
    sessionId: string,
    known: Session | undefined,
    change: (before: Session | undefined) => Promise<Session>,
    finish: () => Promise<void>,
  ): Promise<Session> {
    const commit = (work: () => Promise<void>) =>
      this.work.run(async () => {
        await work();
        await finish();
      });
    const writer: Writer = { scope: () => scope, job: null, commit };
    const ahead = known && Promise.resolve(new Map([[sessionId, known]]));
    const [stored] = await this.written(writer, [sessionId], change, { cause: 'delivery', ahead, again: false });
    return stored!;
  }

  /**
   * Changes sessions outside of jobs, in the unit of work of `commit`, and emits no events: these sessions took place on another
   * server, which told its receivers.
   */
  async takeOver(
    scope: Scope,
    sessionIds: readonly string[],
    change: (before: Session | undefined, sessionId: string) => Promise<Session | undefined>,
    commit: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const writer: Writer = { scope: () => scope, job: null, commit };
    await this.written(writer, sessionIds, change, { cause: 'submission', again: false, isSilent: true });
  }

  private async written(
    writer: Writer,
    sessionIds: readonly string[],
    change: (before: Session | undefined, sessionId: string) => Promise<Session | undefined>,
    { cause, ahead, again, isSilent }: { cause: Cause; ahead?: ReadAhead; again: boolean; isSilent?: true },
  ): Promise<Session[]> {
    const { organisation } = writer.scope().shelf;
    const ids = [...new Set(sessionIds)];
    const prepared = new Map<string, Prepared>();
    for (let stale: readonly string[] = ids; ;) {
      const current = await (stale === ids && ahead ? ahead : this.store.read(organisation, stale));
      // One statement loads the forms of all sessions.
      const formIds = [...current.values()].map(({ formId }) => formId);
      await this.forms.of(organisation, formIds);
      for (const id of stale) {
        const before = current.get(id);
        prepared.set(id, { before, after: await change(before, id) });
      }
      try {
        let stored: Session[] = [];
        await writer.commit(async () => {
          const all = [...prepared.values()];
          const isReplacing = cause === 'delivery' && all.every(({ before, after }) => before && after);
          if (!isReplacing) {
            const versions = await this.store.lock(organisation, ids);
            const moved = ids.filter((id) => versions.get(id) !== prepared.get(id)!.before?.updatedAt);
            if (moved.length > 0) throw new Moved(moved);
          }
          stored = await this.save(all, { cause, again, isReplacing, isSilent, job: writer.job }, writer.scope());
        });
        this.saved.add(stored.length, cause);
        return stored;
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
        stale = error.sessions;
      }
    }
  }

  /**
   * Starts to read the sessions of the next batch while the current one is processed. Call it outside of units of work.
   */
  readAhead(organisation: number, sessionIds: readonly string[]): ReadAhead {
    const read = this.store.read(organisation, sessionIds);
    // The awaiting caller receives the error.
    read.catch(() => undefined);
    return read;
  }

  private async save(
    prepared: readonly Prepared[],
    {
      cause,
      again,
      isReplacing,
      isSilent = false,
      job,
    }: { cause: Cause; again: boolean; isReplacing: boolean; isSilent?: boolean; job: string | null },
    { shelf: { organisation }, author, now }: Scope,
  ): Promise<Session[]> {
    const written: { before: Session | undefined; session: Session }[] = [];
    for (const { before, after } of prepared)
      if (after)
        written.push({ before, session: { ...after, updatedAt: Math.max(now, (before?.updatedAt ?? 0) + 1) } });
    const sessions = written.map(({ session }) => session);
    if (written.length === 0) return sessions;
    const changes = written.flatMap(({ before, session }): ScoreChange[] => {
      // An unsubmitted session has no announced scores.
      if (cause === 'delivery') return [];
      const scores = before ? changedScores(before, session) : [];
      const formMoved = before && before.formId !== session.formId;
      if (!before || (scores.length === 0 && !formMoved)) return [];
      return [
        {
          session: session.id,
          changedAt: session.updatedAt,
          cause,
          author: author?.id ?? null,
          job,
          formBefore: before.formId,
          formAfter: session.formId,
          changes: scores,
        },
      ];
    });
    const tagsChanged = ({ before, session }: (typeof written)[number]) => before?.tags !== session.tags;
    if (isReplacing)
      // One statement compares and changes, which saves a round trip.
      for (const each of written) {
        const seen = { updatedAt: each.before!.updatedAt, tagsChanged: tagsChanged(each) };
        if (!(await this.store.replace(organisation, each.session, seen))) throw new Moved([each.session.sessionId]);
      }
    else
      await this.store.save(
        organisation,
        written.map((each) => ({ session: each.session, isNew: !each.before, tagsChanged: tagsChanged(each) })),
        changes,
      );
    if (isSilent) return sessions;
    const events: SessionEvent[] = written.flatMap(({ before, session }) =>
      sessionEvents(before, session, cause, again),
    );
    await this.events.record(events, organisation, now);
    return sessions;
  }
}

function changedScores(before: Session, after: Session): ScoreChange['changes'] {
  return after.responses.flatMap(({ score }, at) => {
    const earlier = before.responses[at]?.score ?? null;
    return earlier === score ? [] : [{ at, before: earlier, after: score }];
  });
}
