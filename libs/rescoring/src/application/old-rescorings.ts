import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Config, LOGGER, type Logger, RegularSweep } from '#platform';
import { RescoringStore } from './ports/rescoring-store';

const DAY_MS = 24 * 60 * 60_000;
const SWEEP_INTERVAL_MS = 60 * 60_000;
/** Number of rows that one unit of work removes. */
const BATCH_SIZE = 1_000;

/** Removes rescorings that nobody has used for as long as jobs are kept. The jobs that named them are gone by then. */
@Injectable()
export class OldRescorings extends RegularSweep {
  constructor(
    private readonly store: RescoringStore,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) log: Logger,
  ) {
    super(SWEEP_INTERVAL_MS, log, 'old rescorings could not be removed');
  }

  protected override async work(): Promise<void> {
    const before = this.clock.now() - this.config.jobRetentionDays * DAY_MS;
    for (const organisation of await this.store.organisations())
      for (let gone = 1; gone > 0 && !this.closing;)
        gone = await this.store.removeOld(organisation, before, BATCH_SIZE);
  }
}
