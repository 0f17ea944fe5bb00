import { Injectable } from '@nestjs/common';
import { type FiledResults, JobHandler, type RunningJob } from '#jobs';
import { Fault, type JsonObject, type JsonText } from '#kernel';
import { type Form, Forms, type ScoreChange, type Session, SessionChanges } from '#sessions';
import {
  type StoredRescoring,
  type RescoringOutcome,
  type RescoringStatus,
  RescoringStore,
  type RescoringWork,
  type SessionRescoring,
} from './ports/rescoring-store';
import { type Outcome, RescoringReport } from './rescoring-report';

/** The input of the job. */
export interface StoredTask {
  /** Id of the rescoring. */
  rescoring: string;
}

interface State {
  /** Number of processed sessions. */
  done: number;
  /** Present after the last session. */
  outcome?: Outcome;
}

/** The next state of a session, or the reason why there is none. */
export type Step = { after: Session; fingerprint: string } | { reason: NonNullable<SessionRescoring['reason']> };

/** A batch of the rescoring's sessions, and the state of those that change. */
interface Slice {
  sessions: SessionRescoring[];
  planned: (SessionRescoring & { work: RescoringWork })[];
  current: ReadonlyMap<string, Session>;
}

const BATCH_SIZE = 50;

/** Applies planned or former scores to the sessions of a rescoring. */
@Injectable()
export abstract class StoredRescoringJob extends JobHandler<State> {
  /** Processes the sessions with this outcome. */
  protected abstract readonly from: RescoringOutcome;
  /** The new outcomes of changed and of unchanged sessions. */
  protected abstract readonly to: { changed: RescoringOutcome; left: RescoringOutcome };
  /** The status of the rescoring after the last session. */
  protected abstract readonly ended: RescoringStatus;
  protected abstract readonly cause: ScoreChange['cause'];

  constructor(
    private readonly forms: Forms,
    private readonly changes: SessionChanges,
    private readonly rescorings: RescoringStore,
    private readonly report: RescoringReport,
  ) {
    super();
  }

  protected abstract step(
    before: Session | undefined,
    planned: SessionRescoring & { work: RescoringWork },
    forms: ReadonlyMap<string, Form>,
    job: RunningJob,
  ): Step;

  protected abstract members(outcome: Outcome): JsonObject;

  /** @throws Fault when the rescoring must not continue. */
  protected check(_rescoring: StoredRescoring): void {}

  override async run(job: RunningJob<State>): Promise<JsonText | FiledResults> {
    const { rescoring: id } = job.input as StoredTask;
    const rescoring = await this.rescorings.find(job.organisation, id);
    if (!rescoring) throw removed();
    this.check(rescoring);
    await this.goThrough(job, rescoring);
    const members = { plan: rescoring.hash, ...this.members(job.state!.outcome!) };
    return this.report.sessions(job, id, rescoring.sessions, members);
  }

  private async goThrough(job: RunningJob<State>, { id, sessions: total }: StoredRescoring): Promise<void> {
    const { report } = this;
    let ahead = this.readAhead(job, id, job.state?.done ?? 0);
    while ((job.state?.done ?? 0) < total) {
      const slice = await ahead;
      if (slice.sessions.length === 0) throw removed();
      const done = slice.sessions.at(-1)!.position + 1;
      ahead = this.readAhead(job, id, done);
      await this.batch(job, id, slice, { done, total });
    }
    if (job.state?.outcome) return;
    const outcome = await report.outcome(job.organisation, id);
    await job.batch(async () => {
      await this.checkHeld(job, id, this.ended);
      return { state: { done: total, outcome }, progress: { done: total, total } };
    });
  }

  /** Starts to read the next batch while the current one is processed. */
  private readAhead(job: RunningJob<State>, id: string, from: number): Promise<Slice> {
    const { rescorings, changes } = this;
    const read = async (): Promise<Slice> => {
      const sessions = await rescorings.sessions(job.organisation, id, from, BATCH_SIZE);
      const planned = sessions.flatMap((each) =>
        each.outcome === this.from && each.work ? [{ ...each, work: each.work }] : [],
      );
      const ids = planned.map(({ sessionId }) => sessionId);
      return { sessions, planned, current: await changes.readAhead(job.organisation, ids) };
    };
    const slice = read();
    // The awaiting caller receives the error.
    slice.catch(() => undefined);
    return slice;
  }

  private async batch(
    job: RunningJob<State>,
    id: string,
    { planned, current }: Slice,
    progress: { done: number; total: number },
  ): Promise<void> {
    const { forms, changes, rescorings } = this;
    const { organisation } = job;
    const bySession = new Map(planned.map((each) => [each.sessionId, each]));
    const needed = planned.flatMap(({ work }) => [work.formBefore, work.formAfter]);
    const known = await forms.of(organisation, needed);
    const marks = new Map<string, Omit<SessionRescoring, 'work'>>();
    const change = async (before: Session | undefined, sessionId: string): Promise<Session | undefined> => {
      const { work: _, ...session } = bySession.get(sessionId)!;
      const step = this.step(before, bySession.get(sessionId)!, known, job);
      if ('reason' in step) {
        marks.set(sessionId, { ...session, outcome: this.to.left, reason: step.reason });
        return undefined;
      }
      const { fingerprint, after } = step;
      marks.set(sessionId, { ...session, outcome: this.to.changed, reason: null, fingerprint });
      return after;
    };
    const how = { cause: this.cause, ahead: Promise.resolve(current) };
    await changes.apply(job, [...bySession.keys()], change, how, async () => {
      await this.checkHeld(job, id);
      await rescorings.mark(organisation, id, [...marks.values()]);
      return { state: { done: progress.done }, progress };
    });
  }

  /** @throws Fault when another job works on the rescoring. */
  private async checkHeld(job: RunningJob, id: string, ended?: RescoringStatus): Promise<void> {
    const { rescorings } = this;
    const { organisation } = job;
    if (ended !== undefined) {
      const to = { status: ended, job: job.id };
      if (await rescorings.move(organisation, id, job.id, to, job.scope.now)) return;
    }
    const rescoring = await rescorings.find(organisation, id);
    if (!rescoring) throw removed();
    if (rescoring.job !== job.id)
      throw new Fault('conflict', `The job ${rescoring.job} has taken over this rescoring, so this job has stopped.`);
  }
}

function removed(): Fault {
  return new Fault(
    'conflict',
    'The rescoring was removed because nobody used it for a long time; ask for a new dry run.',
  );
}
