import { Injectable } from '@nestjs/common';
import { Fault, UnitOfWork } from '#kernel';
import { LiveSessions, Refused, type Session } from '#sessions';
import { type Attempt } from '../domain/attempt';
import { badToken, Stale } from '../domain/faults';
import { DeliveredContent } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';
import { type Page } from './tokens';

/** Identifies a session and its user. */
export type Owner = Pick<Page, 'organisation' | 'sessionId' | 'userId'>;

/** Another call changed the attempt meanwhile. */
export class Overtaken extends Error {}

const MAX_ATTEMPTS = 8;

/** Changes attempts whose pages may call several times at once. Each change applies to the attempt that it has read. */
@Injectable()
export class AttemptChanges {
  constructor(
    private readonly attempts: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly delivered: DeliveredContent,
    private readonly work: UnitOfWork,
  ) {}

  /** Calls `act` with the attempt of a page. Calls it again, with the attempt as it is then, when `act` was overtaken. */
  async change<T>(page: Page, act: (attempt: Attempt) => Promise<T>): Promise<T> {
    refuseUnstored(page);
    for (let count = 1; ; count++) {
      const attempt = count === 1 ? page.attempt : await this.attempts.find(page.organisation, page.sessionId);
      if (!attempt || attempt.userId !== page.userId)
        throw badToken('The session of this token no longer exists, because its learner was erased.');
      try {
        return await act(attempt);
      } catch (error) {
        if (error instanceof Refused) throw new Fault('conflict', `The session was not saved: ${error.message}.`);
        if (!(error instanceof Overtaken)) throw error;
        if (count === MAX_ATTEMPTS)
          throw new Fault(
            'unavailable',
            'Too many calls for one session at once; send it again.',
            undefined,
            undefined,
            1,
          );
      }
    }
  }

  /** Does the same as `change`, but refuses a session that has ended. */
  async changeOpen<T>(page: Page, act: (attempt: Attempt) => Promise<T>): Promise<T> {
    return this.change(page, async (attempt) => {
      if (attempt.submittedAt !== null) throw await this.over(page, attempt, OVER);
      return act(attempt);
    });
  }

  /** Stores the attempt alone, as its next version. @throws as `replace` */
  async store(owner: Owner, attempt: Attempt, before: Attempt): Promise<void> {
    await this.work.run(() => this.replace(owner, { ...attempt, version: before.version + 1 }, before));
  }

  /** @throws Overtaken when the attempt has changed since `before` was read. */
  async replace({ organisation }: Owner, attempt: Attempt, before: Attempt): Promise<void> {
    if (!(await this.attempts.replace(organisation, attempt, before))) throw new Overtaken();
  }

  /** Makes the fault of `stale` for a session that has ended. */
  over(page: Owner, attempt: Attempt, message: string, session?: Session): Promise<Stale> {
    return this.stale(page, attempt, message, session, true);
  }

  /**
   * The refusal of a save, with the stored answers.
   * @param session as stored, if known.
   * @throws Overtaken when the attempt has changed since it was read. The caller then reads it again.
   */
  async stale(page: Owner, attempt: Attempt, message: string, session?: Session, isOver = false): Promise<Stale> {
    const now = await this.attempts.find(page.organisation, page.sessionId);
    if (now?.version !== attempt.version) throw new Overtaken();
    const present = session ?? (await this.sessions.find(page.organisation, page.sessionId));
    const stored = present
      ? await this.delivered.responses(await this.delivered.taken(page.organisation, attempt, present))
      : {};
    return new Stale(message, stored, attempt.saveNumber, isOver);
  }
}

export const OVER = 'The session has ended and accepts no further answers.';
export const endedAs = ({ status }: Session): string =>
  `The session is already ${status} and accepts no further answers.`;

function refuseUnstored({ terms }: Page): void {
  if (terms.unstored)
    throw new Fault(
      'value',
      `Nothing is stored of a ${terms.type === 'local_practice' ? 'local_practice' : 'preview'}; only submit_practice is saved.`,
    );
  if (terms.state === 'review')
    throw new Fault('value', 'This page was signed for a review; a session is saved by the page that takes it.');
}
