import { Inject, Injectable } from '@nestjs/common';
import { Consumers } from '#access';
import { Clock } from '#kernel';
import { LOGGER, type Logger, RegularSweep } from '#platform';
import { GRACE_MS } from '../domain/clock';
import { Overtaken } from './attempt-changes';
import { AttemptStore } from './ports/attempt-store';
import { Saves } from './saves';

const SWEEP_INTERVAL_MS = 60_000;
/** How many rows one unit of work removes. */
const BATCH_SIZE = 1_000;
/** How many sessions are read at a time. */
const SUBMIT_BATCH_SIZE = 50;

/** Removes expired tokens, and submits tests whose time is over. */
@Injectable()
export class Sweeps extends RegularSweep {
  constructor(
    private readonly store: AttemptStore,
    private readonly saves: Saves,
    private readonly consumers: Consumers,
    private readonly clock: Clock,
    @Inject(LOGGER) log: Logger,
  ) {
    super(SWEEP_INTERVAL_MS, log, 'expired tests and tokens could not be read or removed');
  }

  protected override async work(): Promise<void> {
    for (const { id: organisation } of await this.consumers.organisations()) {
      await this.submitOverdue(organisation);
      for (let gone = 1; gone > 0 && !this.closing;)
        gone = await this.store.removeEnded(organisation, this.clock.now(), BATCH_SIZE);
    }
  }

  /** A test that cannot be submitted stops no other. The next sweep tries it again. */
  private async submitOverdue(organisation: number): Promise<void> {
    const before = this.clock.now() - GRACE_MS;
    let left = 0;
    for (let isFull = true; isFull && !this.closing;) {
      const overdue = await this.store.overdue(organisation, before, SUBMIT_BATCH_SIZE, left);
      isFull = overdue.length === SUBMIT_BATCH_SIZE;
      for (const attempt of overdue)
        try {
          await this.saves.submitOverdue(organisation, attempt);
        } catch (error) {
          left++;
          if (!(error instanceof Overtaken))
            this.log.warn(
              { err: error, organisation, session: attempt.sessionId },
              'an expired test could not be submitted',
            );
        }
    }
  }
}
