import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Config, LOGGER, type Logger, RegularSweep } from '#platform';
import { ImportStore } from './ports/import-store';
import { Uploads } from './uploads';

const DAY_MS = 24 * 60 * 60_000;
const SWEEP_INTERVAL_MS = 60 * 60_000;
/** Rows that one unit of work removes. */
const BATCH_SIZE = 1_000;
const FILES_BATCH_SIZE = 100;

/** Removes imports that nobody has used for as long as jobs are kept, and files that no import uses any more. */
@Injectable()
export class OldImports extends RegularSweep {
  constructor(
    private readonly store: ImportStore,
    private readonly uploads: Uploads,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) log: Logger,
  ) {
    super(SWEEP_INTERVAL_MS, log, 'old imports could not be removed');
  }

  protected override async work(): Promise<void> {
    const before = this.clock.now() - this.config.jobRetentionDays * DAY_MS;
    for (const organisation of await this.store.organisations()) {
      for (let gone = 1; gone > 0 && !this.closing;)
        gone = await this.store.removeOld(organisation, before, BATCH_SIZE);
      for (let count = FILES_BATCH_SIZE; count === FILES_BATCH_SIZE && !this.closing;)
        count = await this.removeFiles(organisation, before);
    }
  }

  private async removeFiles(organisation: number, before: number): Promise<number> {
    const keys = await this.store.unusedFiles(organisation, before, FILES_BATCH_SIZE);
    for (const key of keys) await this.uploads.remove(organisation, key);
    await this.store.removeFiles(organisation, keys);
    return keys.length;
  }
}
