import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access } from '#access';
import { Clock, Fault } from '#kernel';
import { type TimeView } from '../domain/clock';
import { extended, timeOf } from '../domain/attempt-time';
import { type SupervisorAction, type SupervisorRule } from '../domain/supervision';
import { AttemptChanges } from './attempt-changes';
import { Saves } from './saves';
import { type Page, tooMany } from './tokens';

export interface SupervisionAnswer {
  /** The permitted actions. */
  actions: readonly SupervisorAction[];
  time: TimeView;
}

/** The number of passwords that the pages of one session may try within 5 s. */
const MAX_TRIES = 5;

/** Carries out the actions of supervisors, who prove themselves by the password of the signed request (decision 124). */
@Injectable()
export class Supervisions {
  constructor(
    private readonly access: Access,
    private readonly changes: AttemptChanges,
    private readonly saves: Saves,
    private readonly clock: Clock,
  ) {}

  /** Checks the password, and does nothing else. */
  async unlock(page: Page, password: string): Promise<SupervisionAnswer> {
    const { actions } = await this.checked(page, password);
    return this.changes.changeOpen(page, async (attempt) => ({ actions, time: timeOf(attempt, this.clock.now()) }));
  }

  /** Gives the learner more time, in the whole test and in the section of the current item. */
  async extend(page: Page, password: string, seconds: number): Promise<SupervisionAnswer> {
    const { actions } = await this.checked(page, password, 'extend');
    return this.changes.changeOpen(page, async (attempt) => {
      if (attempt.maxTime === null) throw new Fault('value', 'The test has no time limit that could be extended.');
      const next = extended(attempt, seconds);
      await this.changes.store(page, next, attempt);
      return { actions, time: timeOf(next, this.clock.now()) };
    });
  }

  /** Ends the session with the status Discarded. */
  async discard(page: Page, password: string): Promise<SupervisionAnswer> {
    const { actions } = await this.checked(page, password, 'discard');
    return this.changes.changeOpen(page, async (attempt) => {
      await this.saves.discard(page, attempt);
      return { actions, time: timeOf(attempt, this.clock.now()) };
    });
  }

  private async checked(
    { organisation, sessionId, terms: { supervisor } }: Page,
    password: string,
    action?: SupervisorAction,
  ): Promise<SupervisorRule> {
    if (!supervisor)
      throw new Fault('no-rights', 'This test has no supervisor: config.administration of its request sets none.');
    const { allowed, resetMs } = await this.access.takeOf(
      `delivery supervisor ${organisation} ${sessionId}`,
      MAX_TRIES,
    );
    if (!allowed) throw tooMany(`the pages of one session may try ${MAX_TRIES} passwords`, resetMs);
    const hash = createHash('sha256').update(password).digest();
    if (!timingSafeEqual(hash, Buffer.from(supervisor.hash, 'hex')))
      throw new Fault('no-rights', 'This is not the password of the supervisor.', '/password');
    if (action && !supervisor.actions.includes(action))
      throw new Fault('no-rights', `config.administration.options of the request does not allow ${action}.`);
    return supervisor;
  }
}
