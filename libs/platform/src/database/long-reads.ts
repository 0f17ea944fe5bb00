import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../config/config';
import { reasonOf } from '../health/reason';
import { LOGGER, type Logger } from '../logging';
import { type Counter, Metrics } from '../metrics/metrics';
import { Database, type ReadsElsewhere } from './database';
import { openReading } from './engines';

/** Receives warnings: the log of a program or the terminal of a command. */
interface Log {
  warn(fields: object, line: string): void;
}

type Replica = Awaited<ReturnType<typeof openReading>>;

/** How long a replica may take to catch up. */
const CATCH_UP_SECONDS = 10;

/** Why a long read goes to the primary although there is a replica; a label of the metric. */
type Refusal = 'behind' | 'unnumbered' | 'schema' | 'unreachable';

const MESSAGES: Record<Refusal, string> = {
  behind: `the replica of DATABASE_READ_URL is more than ${CATCH_UP_SECONDS} s behind, or follows another server`,
  unnumbered: 'the server of DATABASE_URL numbers no commits: it needs a binary log with GTIDs',
  schema: 'the database of DATABASE_READ_URL has the schema of another version',
  unreachable: 'the replica of DATABASE_READ_URL cannot be read',
};

/** Reads that take long, from a replica of the database if there is one (decision 101). */
@Injectable()
export class LongReads {
  private readonly url: string | undefined;
  private readonly counter: Counter;

  constructor(
    { databaseReadUrl }: Config,
    private readonly database: Database,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.url = databaseReadUrl;
    this.counter = metrics.counter({
      name: 'itembank_long_reads_total',
      help: 'Long reads with DATABASE_READ_URL: from the replica, or why not.',
      labels: ['outcome'],
    });
  }

  /**
   * Runs `work`. Its reads outside of units of work may come from the replica, which then has everything that was
   * committed before the call. After the first read that the replica refuses, all reads come from the primary, so that
   * time never goes backwards.
   * @param log receives a warning when the replica cannot serve the reads.
   */
  async run<T>(work: () => Promise<T>, log: Log = this.log): Promise<T> {
    const replica = this.url === undefined ? undefined : await this.open(this.url, log);
    if (!replica) return work();
    let isUsable = true;
    const read: ReadsElsewhere = async (sql, parameters) => {
      if (!isUsable) return undefined;
      try {
        return await replica.rows(sql, parameters);
      } catch (error) {
        if (isUsable) this.refused('unreachable', log, error);
        isUsable = false;
        return undefined;
      }
    };
    try {
      const result = await this.database.readingFrom(read, work);
      if (isUsable) this.counter.add(1, 'replica');
      return result;
    } finally {
      replica.close();
    }
  }

  private async open(url: string, log: Log): Promise<Replica | undefined> {
    const { dialect } = this.database;
    const { commits } = (await this.database.row<{ commits: string }>(`SELECT ${dialect.commits} AS commits`))!;
    if (commits === '') return this.refused('unnumbered', log);
    let replica: Replica | undefined;
    try {
      replica = await openReading(url);
      const [wait] = await replica.rows(`SELECT ${dialect.hasCommits(CATCH_UP_SECONDS)} AS late`, [commits]);
      const isLate = Number((wait as { late: number | string }).late) !== 0;
      if (!isLate && (await this.hasSameSchema(replica))) return replica;
      this.refused(isLate ? 'behind' : 'schema', log);
    } catch (error) {
      this.refused('unreachable', log, error);
    }
    replica?.close();
    return undefined;
  }

  private async hasSameSchema(replica: Replica): Promise<boolean> {
    const applied = 'SELECT name FROM migration ORDER BY name';
    return isDeepStrictEqual(await replica.rows(applied, []), await this.database.rows(applied));
  }

  private refused(why: Refusal, log: Log, error?: unknown): undefined {
    this.counter.add(1, why);
    const reason = error === undefined ? {} : { err: error, reason: reasonOf(error) };
    log.warn(reason, `${MESSAGES[why]}; a long read goes to the primary`);
  }
}
