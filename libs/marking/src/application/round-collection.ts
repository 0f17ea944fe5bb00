import { Injectable } from '@nestjs/common';
import { JobHandler, type RunningJob } from '#jobs';
import { type JsonText, newId } from '#kernel';
import { type SessionFilter, SessionReader, type SessionRecord, SessionStore } from '#sessions';
import { type MarkingRound } from '../domain/marking-round';
import { MarkingStore, type RoundAnswer } from './ports/marking-store';

/** The input of the job. The round has the same reference as the job. */
export interface CollectionTask extends Pick<MarkingRound, 'question'> {
  filter: SessionFilter;
  /** Whether the round includes answers that have a score. */
  withScored: boolean;
}

interface State {
  after: string | null;
  sessions: number;
  answers: number;
}

export const COLLECT_ANSWERS = 'collect-marking-round';

/** The number of sessions in one batch. */
const BATCH_SIZE = 50;

/**
 * Collects the answers of a marking round from any number of sessions, and then opens the round. Stops when somebody
 * closes the round.
 */
@Injectable()
export class RoundCollection extends JobHandler<State> {
  override readonly type = COLLECT_ANSWERS;

  constructor(
    private readonly store: MarkingStore,
    private readonly reader: SessionReader,
    private readonly sessions: SessionStore,
  ) {
    super();
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const task = job.input as CollectionTask;
    while (await this.collect(job, task)) {
      // The next batch.
    }
    const { sessions, answers } = job.state!;
    return JSON.stringify({ marking_round: job.id, sessions, answers });
  }

  /** Returns whether there may be more sessions. */
  private async collect(job: RunningJob<State>, task: CollectionTask): Promise<boolean> {
    const { organisation } = job;
    const { after, sessions, answers } = job.state ?? { after: null, sessions: 0, answers: 0 };
    const found = await this.reader.inOrder(
      organisation,
      task.filter,
      { direction: 'asc', after: after ?? undefined },
      BATCH_SIZE,
      { responses: true },
    );
    const isLast = found.length < BATCH_SIZE;
    let isCollecting = false;
    await job.batch(async () => {
      const ids = found.map(({ sessionId }) => sessionId);
      // Skips sessions that were erased meanwhile, so that the round gets none of their answers.
      const locked = await this.sessions.lock(organisation, ids);
      const { now } = job.scope;
      const here = found.filter(({ sessionId }) => locked.has(sessionId));
      isCollecting = isLast
        ? await this.store.move(organisation, job.id, ['collecting'], 'open', now)
        : (await this.store.shared(organisation, job.id))?.status === 'collecting';
      if (!isCollecting) return { state: { after, sessions, answers }, progress: { done: sessions, total: sessions } };
      const added = here.flatMap((session) => answersOf(session, task, now));
      await this.store.addAnswers(organisation, job.id, added);
      const done = sessions + found.length;
      const state = { after: found.at(-1)?.id ?? after, sessions: done, answers: answers + added.length };
      return { state, progress: { done, total: isLast ? done : done + BATCH_SIZE } };
    });
    return isCollecting && !isLast;
  }
}

function answersOf(
  { sessionId, responses = [] }: SessionRecord,
  { question, withScored }: CollectionTask,
  now: number,
): Pick<RoundAnswer, 'id' | 'sessionId' | 'responseId'>[] {
  return responses
    .filter(
      ({ questionReference, response, score }) =>
        questionReference === question && response !== null && (withScored || score === null),
    )
    .map(({ responseId }) => ({ id: newId(now), sessionId, responseId }));
}
