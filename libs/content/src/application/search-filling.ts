import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger, OutageLog } from '#platform';
import { SearchIndex } from './ports/search-index';

const INTERVAL_MS = 1_000;
/** Records of one unit of work. */
const BATCH_SIZE = 50;
/**
 * A process that uses more of its time during a batch also has callers to answer. Indexing alone uses a third of it, because
 * it waits for the server. With an embedded database it uses all, and callers have to wait.
 */
const BUSY_SHARE = 0.7;
/** How many times as long as a batch the pause after it is, in a busy process. */
const PAUSE_FACTOR = 3;

/** Indexes waiting records in the background. */
@Injectable()
export class SearchFilling implements OnApplicationShutdown {
  private stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly index: SearchIndex,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Polls for waiting records every second. */
  start(): void {
    this.running ??= this.run();
  }

  /** Ends after the batch in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.stopping = new AbortController();
    this.running = undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const outage = new OutageLog(this.log, 'records that wait for the search index could not be indexed');
    while (!signal.aborted) {
      try {
        for (let records = 1; records > 0 && !signal.aborted;) records = await this.fillBatch(signal);
        outage.worked();
      } catch (error) {
        outage.failed(error);
      }
      // A random pause keeps processes from polling at the same time.
      await sleep(INTERVAL_MS * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Indexes a batch, and lets callers work before the next one. */
  private async fillBatch(signal: AbortSignal): Promise<number> {
    const [began, before] = [performance.now(), performance.eventLoopUtilization()];
    const records = await this.index.fill(BATCH_SIZE);
    const pauseMs = (performance.now() - began) * PAUSE_FACTOR;
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    return records;
  }

  /** Indexes all waiting records of all banks at once. */
  async fillAll(progress: (records: number) => void = () => undefined): Promise<void> {
    for (let records = 1; records > 0;) {
      records = await this.index.fill(BATCH_SIZE);
      progress(records);
    }
  }

  /**
   * Indexes all items of a bank again, from their documents. Until an item is indexed again, searches find it as before.
   */
  async reindex(organisation: number, progress: (records: number) => void): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      after = await this.index.forget(organisation, after, BATCH_SIZE);
      await this.fillAll(progress);
    }
  }
}
