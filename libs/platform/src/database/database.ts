import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { Fault, UnitOfWork } from '#kernel';
import { questionMarks, type SqlPart } from './conditions';
import { type Dialect } from './dialect';
import { tracedDatabase } from '../tracing/traced-database';
import { NoTracing, type Tracing } from '../tracing/tracing';
import {
  type Connections,
  connectSource,
  openMysql,
  openSqlite,
  type Opened,
  optionsOf,
  type OwnConnection,
  type Parameter,
  untilFree,
} from './engines';

export { type Parameter };

/** How often a unit of work runs before it gives up after deadlocks and duplicate natural keys. */
const ATTEMPTS = 8;
/** Below the limit of SQLite, 32,766 parameters per statement. */
const MAX_PARAMETERS = 30_000;
const DELETE_BATCH_SIZE = 10_000;
/** Below MariaDB's default limit of 16 MB per statement. */
const MAX_CHARACTERS = 5_000_000;
const MAX_BYTES_PER_CHARACTER = 3;

/** Reads rows from another server. Undefined: it cannot, and the caller reads them here. */
export type ReadsElsewhere = (sql: string, parameters: readonly Parameter[]) => Promise<unknown[] | undefined>;

interface Transaction {
  connection: OwnConnection;
  /** Run after the commit. */
  effects: (() => void)[];
}

/** How long a database counts as full after it had no room for a statement. */
const FULL_MS = 60_000;

/**
 * The database. Statements use `?` for parameters and are the same on every engine except for what {@link Dialect}
 * provides. Inside `run`, all statements use its transaction, wherever in the call tree they are issued.
 */
export class Database extends UnitOfWork {
  private readonly current = new AsyncLocalStorage<Transaction>();
  /** Reads rows from another server, within `readingFrom`. */
  private readonly elsewhere = new AsyncLocalStorage<ReadsElsewhere | undefined>();
  /** An embedded database has one write connection; transactions queue for it. */
  private turn: Promise<unknown> = Promise.resolve();
  /** The number of transactions that hold or wait for the write connection. */
  private turns = 0;

  /** The last refusal of a statement because the database had no room. */
  private full: { error: unknown; at: number } | undefined;

  private constructor(
    private readonly opened: Opened,
    /** Migrations use the first one. */
    private readonly sources: readonly [DataSource, ...DataSource[]],
  ) {
    super();
  }

  /**
   * A database over connected data sources.
   * @param reader the second connection of an embedded database.
   */
  static async over(source: DataSource, reader?: DataSource, tracing: Tracing = new NoTracing()): Promise<Database> {
    const opened = reader ? openSqlite(source, reader) : await openMysql(source);
    return new Database(tracedDatabase(opened, tracing), reader ? [source, reader] : [source]);
  }

  /**
   * Opens a database without the framework, for single checks and for tests.
   * @param url `file:PATH` for an embedded SQLite file, `mysql://USER:PASSWORD@HOST:PORT/NAME` for MySQL or MariaDB.
   * @param connections The largest number of connections to a server.
   */
  static async open(url: string, connections = 10): Promise<Database> {
    const options = optionsOf(url, connections);
    const source = await connectSource(options);
    let reader: DataSource | undefined;
    try {
      if (url.startsWith('file:')) reader = await connectSource(options);
      return await Database.over(source, reader);
    } catch (error) {
      await reader?.destroy();
      await source.destroy();
      throw error;
    }
  }

  get dialect(): Dialect {
    return this.opened.dialect;
  }

  /** Whether a unit of work is open here. */
  get isInUnitOfWork(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** Numbers of busy connections and of statements and transactions that wait for one. */
  get connections(): Connections {
    return (
      this.opened.connections?.() ?? {
        max: 2,
        open: 2,
        inUse: Math.min(this.turns, 1),
        waiting: Math.max(this.turns - 1, 0),
      }
    );
  }

  /** Only for migrations. */
  get source(): DataSource {
    return this.sources[0];
  }

  /** Resolves when no transaction has or waits for the write connection of an embedded database. */
  async idle(): Promise<void> {
    await this.turn.catch(() => undefined);
  }

  /** Closes its data sources too, unless their owner has closed them. */
  async close(): Promise<void> {
    await this.idle();
    this.opened.close();
    for (const source of this.sources) if (source.isInitialized) await source.destroy();
    // Otherwise every promise in the process would keep passing the context on.
    this.current.disable();
    this.elsewhere.disable();
  }

  /**
   * Resolves when the database answers, and has not refused a statement of this process for want of room in the last minute.
   * Uses a connection of its own, so that it works while all others are busy. It writes nothing: a server without room
   * may still have some for a small row.
   * @param limit ends the attempt.
   * @throws Error of the driver.
   */
  async check(limit: AbortSignal): Promise<void> {
    await this.opened.check(limit);
    if (this.full && performance.now() - this.full.at < FULL_MS) throw this.full.error;
  }

  /** Runs a SELECT and returns its rows. */
  async rows<T>(sql: string, parameters: readonly Parameter[] = []): Promise<T[]> {
    this.refuseTooLong(parameters, escapedBytes, 'What is asked for');
    if (!this.isInUnitOfWork) {
      const rows = await this.elsewhere.getStore()?.(sql, parameters);
      if (rows) return rows as T[];
    }
    try {
      return (await (this.current.getStore()?.connection ?? this.opened.reader).rows(sql, parameters)) as T[];
    } catch (error) {
      throw this.translated(error);
    }
  }

  async row<T>(sql: string, parameters: readonly Parameter[] = []): Promise<T | undefined> {
    return (await this.rows<T>(sql, parameters))[0];
  }

  /** Runs `work`, whose reads outside of units of work come from `elsewhere`. Absent: they come from here. */
  readingFrom<T>(elsewhere: ReadsElsewhere | undefined, work: () => Promise<T>): Promise<T> {
    return this.elsewhere.run(elsewhere, work);
  }

  /** Runs a statement that writes. Opens a transaction when none is open. Returns the number of changed rows. */
  async write(sql: string, parameters: readonly Parameter[] = []): Promise<number> {
    // The driver sends such long texts beside the statement and does not escape them.
    this.refuseTooLong(parameters, Buffer.byteLength, 'What is to be stored');
    const open = this.current.getStore();
    if (open) return open.connection.write(sql, parameters);
    if (this.dialect.engine === 'sqlite') return this.run(() => this.write(sql, parameters));
    return this.untilDone(() => this.alone(sql, parameters));
  }

  /**
   * Inserts all `rows` with one INSERT, or with several when they are very many or very large. Does nothing for no
   * rows. `tail` follows VALUES; see `Dialect.onDuplicate`.
   */
  async insert(table: string, columns: readonly string[], rows: readonly Parameter[][], tail = ''): Promise<void> {
    if (rows.length === 0) return;
    const parts = inParts(rows);
    if (parts.length > 1)
      return this.run(async () => {
        for (const part of parts) await this.insert(table, columns, part, tail);
      });
    if (rows.length === 1) this.refuseTooLong(rows[0]!, escapedBytes, 'One record of the request');
    const marks = `(${questionMarks(columns.length)})`;
    // `flat` is twenty times slower.
    const parameters: Parameter[] = [];
    for (const row of rows) parameters.push(...row);
    await this.write(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks}${`, ${marks}`.repeat(rows.length - 1)} ${tail}`,
      parameters,
    );
  }

  /** Deletes rows that meet `condition` and have one of the values in `column`. Deletes nothing for no values. */
  async remove(table: string, condition: SqlPart, column: string, values: readonly Parameter[]): Promise<void> {
    await this.run(async () => {
      for (let from = 0; from < values.length; from += DELETE_BATCH_SIZE) {
        const part = values.slice(from, from + DELETE_BATCH_SIZE);
        await this.write(
          `DELETE FROM ${table} WHERE ${condition.sql} AND ${column} IN (${questionMarks(part.length)})`,
          [...condition.parameters, ...part],
        );
      }
    });
  }

  /** A server closes the connection when a statement is too long, which looks like a server that is down. */
  private refuseTooLong(parameters: readonly Parameter[], bytesOf: (text: string) => number, what: string): void {
    const longest = this.opened.longestStatement;
    if (longest === undefined) return;
    let characters = 1000;
    for (const value of parameters) if (typeof value === 'string') characters += value.length;
    if (characters * MAX_BYTES_PER_CHARACTER <= longest) return;
    let bytes = 1000;
    for (const value of parameters) if (typeof value === 'string') bytes += bytesOf(value);
    if (bytes > longest)
      throw new Fault(
        'too-large',
        `${what} takes ${bytes} bytes in the database, whose server takes at most ${longest} (max_allowed_packet); an operator can raise it.`,
      );
  }

  override async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return work();
    return this.untilDone(() => (this.dialect.engine === 'sqlite' ? this.takeTurn(work) : this.transaction(work)));
  }

  private async untilDone<T>(attempted: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attempted();
      } catch (error) {
        const again = this.dialect.isDeadlock(error) || this.dialect.isDuplicate(error);
        if (!again || attempt === ATTEMPTS) throw this.translated(error);
        await sleep(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  override afterCommit(effect: () => void): void {
    const open = this.current.getStore();
    if (open) open.effects.push(effect);
    else effect();
  }

  /** A server commits a single statement by itself. BEGIN and COMMIT would only add round trips. */
  private async alone(sql: string, parameters: readonly Parameter[]): Promise<number> {
    const connection = await this.opened.connect();
    let usable = true;
    try {
      return await connection.write(sql, parameters);
    } catch (error) {
      usable = !this.dialect.isUnreachable(error);
      throw error;
    } finally {
      await connection.release(usable);
    }
  }

  private takeTurn<T>(work: () => Promise<T>): Promise<T> {
    this.turns++;
    const result = this.turn
      .catch(() => undefined)
      .then(() => this.transaction(work))
      .finally(() => this.turns--);
    this.turn = result;
    return result;
  }

  private async transaction<T>(work: () => Promise<T>): Promise<T> {
    const connection = await this.opened.connect();
    let ended = false;
    try {
      await this.begin(connection);
      try {
        const effects: (() => void)[] = [];
        const result = await this.current.run({ connection, effects }, work);
        await connection.write('COMMIT', []);
        ended = true;
        for (const effect of effects) effect();
        return result;
      } catch (error) {
        // A server that takes no writes may be a former primary. A new connection may lead to the new one.
        ended =
          !this.dialect.isUnreachable(error) &&
          (await connection.write('ROLLBACK', []).then(
            () => true,
            () => false,
          ));
        throw error;
      }
    } finally {
      await connection.release(ended);
    }
  }

  private async begin(connection: OwnConnection): Promise<void> {
    if (this.dialect.engine === 'sqlite') await untilFree(() => connection.write('BEGIN IMMEDIATE', []));
    else await connection.write('START TRANSACTION', []);
  }

  private translated(error: unknown): unknown {
    if (error instanceof Fault) return error;
    if (this.dialect.isUnreachable(error))
      return unavailable('The database cannot be reached at the moment; send the request again later.', error, 1);
    if (!this.current.getStore() && this.dialect.isDeadlock(error))
      return unavailable('Too many writers at once on the same content; send the request again.', error, 1);
    if (this.dialect.isFull(error)) {
      this.full = { error, at: performance.now() };
      return unavailable('The database has no room to store this; an operator has to make some.', error);
    }
    if (this.dialect.isDenied(error))
      return unavailable('The service lacks a right in the database; an operator has to grant it.', error);
    return error;
  }
}

/** `cause` is for the log. */
function unavailable(message: string, cause: unknown, retryAfter?: number): Fault {
  const fault = new Fault('unavailable', message, undefined, undefined, retryAfter);
  fault.cause = cause;
  return fault;
}

/** Splits rows into lists that fit into one statement each. A row that is too large gets a list of its own. */
function inParts(rows: readonly Parameter[][]): Parameter[][][] {
  const parts: Parameter[][][] = [];
  let parameters = Infinity;
  let characters = 0;
  for (const row of rows) {
    let size = 0;
    for (const value of row) if (typeof value === 'string') size += value.length;
    parameters += row.length;
    characters += size;
    if (parameters > MAX_PARAMETERS || characters > MAX_CHARACTERS) {
      parts.push([]);
      [parameters, characters] = [row.length, size];
    }
    parts.at(-1)!.push(row);
  }
  return parts;
}

/** Bytes of a text in a statement. Quotes and backslashes, which are frequent in JSON, take two. */
function escapedBytes(text: string): number {
  let bytes = Buffer.byteLength(text);
  for (let at = 0; at < text.length; at++) if (ESCAPED.has(text.charCodeAt(at))) bytes++;
  return bytes;
}

const ESCAPED = new Set([...'\0\b\t\n\r\x1a"\'\\'].map((character) => character.charCodeAt(0)));
