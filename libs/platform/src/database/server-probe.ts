import { type Connection, type ConnectionOptions, createConnection, type Pool } from 'mysql2';
import { reasonOf } from '../health/reason';

/** Asks a database server whether it answers, over one connection beside a pool that leads to the same server. */
export class ServerProbe {
  private connection: Connection | undefined;

  /** @param table one that is always there. */
  constructor(
    private readonly pool: Pool,
    private readonly table: string,
  ) {}

  /**
   * Resolves when it answers. Connects when it is first asked, and anew after a failure.
   * @param limit ends the attempt.
   */
  async check(limit: AbortSignal): Promise<void> {
    const wasOpen = this.connection !== undefined;
    const connection = (this.connection ??= this.open());
    let giveUp = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        giveUp = () => reject(limit.reason as Error);
        limit.addEventListener('abort', giveUp);
        // A node of a cluster that refuses queries still answers those that read no table.
        connection.query(`SELECT 1 FROM ${this.table} LIMIT 1`, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      this.close();
      // The server may have been away since it was last asked, and be there again.
      if (!wasOpen || limit.aborted || reasonOf(error) !== 'lost') throw error;
    } finally {
      limit.removeEventListener('abort', giveUp);
    }
    if (!this.connection) await this.check(limit);
  }

  close(): void {
    this.connection?.destroy();
    this.connection = undefined;
  }

  private open(): Connection {
    const { config } = this.pool as unknown as { config: { connectionConfig: ConnectionOptions } };
    const { host, port, user, password, database, ssl, connectTimeout } = config.connectionConfig;
    const connection = createConnection({ host, port, user, password, database, ssl, connectTimeout });
    // It may end while nobody asks.
    const forget = () => {
      if (this.connection === connection) this.connection = undefined;
    };
    for (const event of ['end', 'error']) connection.on(event, forget);
    return connection;
  }
}
