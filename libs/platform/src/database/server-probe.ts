import { type Connection, type ConnectionOptions, createConnection, type Pool } from 'mysql2';
import { reasonOf } from '../health/reason';

/** Checks whether a database server answers, over one connection outside the pool. */
export class ServerProbe {
  private connection: Connection | undefined;

  /** @param table a table that always exists. */
  constructor(
    private readonly pool: Pool,
    private readonly table: string,
  ) {}

  /**
   * Resolves when the server answers. Connects on the first call, and again after a failure.
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
        // A cluster node that refuses queries still answers those that read no table.
        connection.query(`SELECT 1 FROM ${this.table} LIMIT 1`, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      this.close();
      // The server may have restarted since the last check. Then a new connection works.
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
    // The connection may also end between two checks.
    const forget = () => {
      if (this.connection === connection) this.connection = undefined;
    };
    for (const event of ['end', 'error']) connection.on(event, forget);
    return connection;
  }
}
