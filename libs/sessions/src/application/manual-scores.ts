import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { type JsonText, type Scope, throwAny, UnitOfWork } from '#kernel';
import { type GivenScore, withScores, wrongScores } from '../domain/manual-scoring';
import { type NamedSession, wronglyNamed } from '../domain/naming';
import { type Session } from '../domain/session';
import { Forms } from './forms';
import { ResponseScoring } from './response-scoring';
import { SessionStore } from './ports/session-store';
import { SessionChanges } from './session-changes';

/** A session with the scores that a person gives. */
interface ScoredSession extends NamedSession {
  responses: GivenScore[];
}

/** The input of the job. */
type Task = (Omit<ScoredSession, 'userId'> & { round?: string })[];

interface State {
  /** How many of the sessions are done. */
  done: number;
  updated: number;
  unchanged: number;
  refused: { session_id: string; message: string }[];
}

/** Sessions in one batch. */
const BATCH_SIZE = 50;

/** Scores responses by hand: a job writes the scores. */
@Injectable()
export class ManualScores extends JobHandler<State> {
  override readonly type = 'update-response-scores';

  constructor(
    private readonly jobs: Jobs,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly store: SessionStore,
    private readonly forms: Forms,
    private readonly marking: ResponseScoring,
    private readonly changes: SessionChanges,
  ) {
    super();
  }

  /**
   * Starts the job; returns its reference.
   * @throws Fault that lists everything wrong: 20016 for sessions that do not exist or belong to another user, 30001
   * for unknown responses, 30000 for repeated names, 20004 for invalid scores. Then no job is started.
   */
  async start(sessions: readonly ScoredSession[], scope: Scope): Promise<string> {
    const stored = await this.store.read(
      scope.shelf.organisation,
      sessions.map(({ sessionId }) => sessionId),
    );
    const scores = sessions.flatMap(({ sessionId, responses }, index) => {
      const session = stored.get(sessionId);
      return session ? wrongScores(session, responses, `/sessions/${index}`) : [];
    });
    throwAny([...wronglyNamed(sessions, stored, '/sessions'), ...scores]);
    const input: Task = sessions.map(({ sessionId, responses }) => ({ sessionId, responses }));
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      return this.jobs.start({ type: this.type, lane: 'short', input: JSON.stringify(input) }, scope);
    });
  }

  /**
   * Starts the job that gives a response the score from the settled marks of a round. Call it in the unit of work
   * that settles them. The jobs of an answer run one after another. The job ignores a session that no longer exists.
   */
  async startSettled(
    { sessionId, score, round, answer }: { sessionId: string; score: GivenScore; round: string; answer: string },
    scope: Scope,
  ): Promise<string> {
    const input: Task = [{ sessionId, responses: [score], round }];
    const serialKey = `marking-${answer}`;
    return this.jobs.start({ type: this.type, lane: 'short', serialKey, input: JSON.stringify(input) }, scope);
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const task = job.input as Task;
    const state = () => job.state ?? { done: 0, updated: 0, unchanged: 0, refused: [] };
    while (state().done < task.length) await this.update(job, task, state());
    const { updated, unchanged, refused } = state();
    return JSON.stringify({ updated, unchanged, refused });
  }

  private async update(job: RunningJob<State>, task: Task, { done, ...before }: State): Promise<void> {
    const part = task.slice(done, done + BATCH_SIZE);
    const places = new Map(part.map(({ sessionId }, index) => [sessionId, done + index]));
    /** The outcome of each score; a text says why it was refused. */
    const outcomes = new Map<string, 'updated' | 'unchanged' | { refused: string }>();
    const change = async (session: Session | undefined, sessionId: string): Promise<Session | undefined> => {
      const at = places.get(sessionId)!;
      const { responses, round } = task[at]!;
      // The session may have changed since the job was started.
      const [fault] = session ? wrongScores(session, responses, `/sessions/${at}`) : [];
      const after = session && !fault ? await this.scored(session, responses, round, job) : undefined;
      outcomes.set(sessionId, fault ? { refused: fault.message } : after ? 'updated' : 'unchanged');
      return after;
    };
    const ids = [...places.keys()];
    await this.changes.apply(job, ids, change, { cause: 'manual' }, () => {
      const count = (outcome: string) => ids.filter((id) => outcomes.get(id) === outcome).length;
      const refused = ids.flatMap((id) => {
        const outcome = outcomes.get(id)!;
        return typeof outcome === 'string' ? [] : [{ session_id: id, message: outcome.refused }];
      });
      const state: State = {
        done: done + part.length,
        updated: before.updated + count('updated'),
        unchanged: before.unchanged + count('unchanged'),
        refused: [...before.refused, ...refused],
      };
      return { state, progress: { done: state.done, total: task.length } };
    });
  }

  /** Undefined when the score is already the same. */
  private async scored(
    session: Session,
    given: readonly GivenScore[],
    round: string | undefined,
    { organisation, scope: { author, now }, id: job }: RunningJob<State>,
  ): Promise<Session | undefined> {
    const form = (await this.forms.of(organisation, [session.formId])).get(session.formId)!;
    const { responses, takenBack } = withScores(session, given, { now, author: author?.id ?? null, job, round });
    const after = await this.marking.marked({ ...session, responses }, form, takenBack, {
      now,
      job,
      overwriteManual: true,
    });
    return after.responses.every((response, at) => response === session.responses[at]) ? undefined : after;
  }
}
