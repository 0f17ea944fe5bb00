import { Injectable } from '@nestjs/common';
import { timeView } from '../domain/clock';
import { AttemptStore } from './ports/attempt-store';

const BATCH_SIZE = 200;

/** Erases and exports what pages stored about learners. */
@Injectable()
export class AttemptRecords {
  constructor(private readonly store: AttemptStore) {}

  /** Removes all data of the learner in the caller's unit of work; returns the number of attempts. */
  async erase(organisation: number, user: string): Promise<number> {
    return this.store.eraseOf(organisation, user);
  }

  /** The stored records of the learner. The member `record` of each names its type. */
  async *lines(organisation: number, user: string): AsyncGenerator<{ record: string } & Record<string, unknown>> {
    for (let after = ''; ;) {
      const attempts = await this.store.attemptsOf(organisation, user, BATCH_SIZE, after);
      for (const attempt of attempts) {
        const { sessionId, plan, startedAt, saveNumber, currentItem, elapsed, checks, submittedAt } = attempt;
        const { max_time, limit_type } = timeView(attempt, startedAt);
        yield {
          record: 'attempt',
          session_id: sessionId,
          user_id: user,
          activity_id: plan.activityId,
          started: iso(startedAt),
          max_time,
          limit_type,
          extension_seconds: plan.extension ?? 0,
          sections: plan.sections?.map(({ items, maxTime, extension = 0, enteredAt }) => ({
            items,
            max_time: maxTime,
            extension_seconds: extension,
            entered_after_ms: enteredAt,
          })),
          paused: attempt.pausedAt && iso(attempt.pausedAt),
          paused_ms: attempt.pausedMs,
          save_number: saveNumber,
          current_item: currentItem,
          elapsed_seconds: elapsed,
          checks,
          submitted: submittedAt && iso(submittedAt),
          metadata: plan.metadata,
        };
      }
      if (attempts.length < BATCH_SIZE) break;
      after = attempts.at(-1)!.sessionId;
    }
    for (const { sessionId, endsAt } of await this.store.permissionsOf(organisation, user))
      yield { record: 'delivery-token', session_id: sessionId, user_id: user, ends: iso(endsAt) };
  }
}

const iso = (time: number): string => new Date(time).toISOString();
