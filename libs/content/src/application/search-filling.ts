import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#platform';
import { SearchIndex } from './ports/search-index';

const INTERVAL_MS = 5_000;
/** Items of one unit of work. */
const BATCH_SIZE = 20;

/** Indexes the items that wait for it, beside everything else. */
@Injectable()
export class SearchFilling implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private filling: Promise<void> | undefined;
  private closing = false;

  constructor(
    private readonly index: SearchIndex,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.filling ??= this.fill().finally(() => (this.filling = undefined));
    }, INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    await this.filling;
  }

  /** Never rejects. */
  private async fill(): Promise<void> {
    try {
      await this.fillAll();
    } catch (error) {
      this.log.warn({ err: error }, 'items could not be indexed for search');
    }
  }

  /** Indexes all items that wait, of all banks. */
  async fillAll(progress: (items: number) => void = () => undefined): Promise<void> {
    for (let full = true; full && !this.closing;) {
      const items = await this.index.fill(BATCH_SIZE);
      progress(items);
      full = items === BATCH_SIZE;
    }
  }

  /** Reads the documents of all items of a bank again, and indexes them anew. They are found as before meanwhile. */
  async reindex(organisation: number, progress: (items: number) => void): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined && !this.closing;) {
      after = await this.index.forget(organisation, after, BATCH_SIZE);
      await this.fillAll(progress);
    }
  }
}
