import { Inject, Injectable } from '@nestjs/common';
import { Consumers } from '#access';
import { Clock } from '#kernel';
import { LOGGER, type Logger, RegularSweep } from '#platform';
import { AttemptStore } from './ports/attempt-store';
import { Saves } from './saves';

const SWEEP_INTERVAL_MS = 60_000;
/** How many rows one unit of work removes. */
const BATCH_SIZE = 1_000;
/** How many sessions one sweep submits. */
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
    super(SWEEP_INTERVAL_MS, log, 'expired tests could not be submitted, or expired tokens removed');
  }

  protected override async work(): Promise<void> {
    for (const { id: organisation } of await this.consumers.organisations()) {
      for (let late = 1; late > 0 && !this.closing;)
        late = await this.saves.submitOverdue(organisation, SUBMIT_BATCH_SIZE);
      for (let gone = 1; gone > 0 && !this.closing;)
        gone = await this.store.removeEnded(organisation, this.clock.now(), BATCH_SIZE);
    }
  }
}
