/**
 * Everything in which the SQL of MySQL, MariaDB and SQLite differs. Statements elsewhere are written once, with `?`
 * for parameters, and take the differing parts from here.
 */
export interface Dialect {
  readonly engine: 'mysql' | 'mariadb' | 'sqlite';
  /** Column types for migrations. */
  readonly types: ColumnTypes;
  /** What follows the closing parenthesis of CREATE TABLE. `narrow`: small rows that are read by primary key. */
  tableOptions(narrow: boolean): string;
  /** The statement that removes an index; MySQL names its table, SQLite does not. */
  dropIndex(table: string, name: string): string;
  /** Locks the rows that a SELECT reads until the transaction ends; empty where a writer is alone anyway. */
  readonly forUpdate: string;
  /**
   * The end of an INSERT that meets existing rows: they get the new values of `columns`. Of an INSERT that is to leave
   * existing rows as they are, give no columns.
   */
  onDuplicate(key: string[], columns: string[]): string;
  /** The end of an INSERT of a number that is added to the one in an existing row. */
  onDuplicateAdd(key: string[], column: string): string;
  /** An aggregate: JSON text of the list of `[a, b, …]` of all rows, null or `[]` when there are none. Unordered. */
  jsonRows(...columns: string[]): string;
  /** A condition: the two columns hold one of `count` pairs of parameters. Uses an index on both. */
  pairs(first: string, second: string, count: number): string;
  /** Keeps the rows that a SELECT reads from being changed, but not from being read so by others. */
  readonly forShare: string;
  /** Written after SELECT: take the tables in the order written. */
  readonly inWrittenOrder: string;
  /** Written after a table: read it by this index. Servers that guess take another when that seems to have fewer rows. */
  byIndex(name: string): string;
  /**
   * The same for SQLite alone, which knows nothing of how many rows there are and likes a key of which it can use the
   * organisation better than an index that it would search for a few values. It refuses a statement whose conditions
   * cannot use the index.
   */
  bySureIndex(name: string): string;
  /** A condition: `column` holds the parameter as a part. Exact in case. */
  contains(column: string): string;
  /** A condition: the two are equal, or both null. */
  isSame(first: string, second: string): string;
  /** A lock was lost to another transaction: the same work may succeed when run again. */
  isDeadlock(error: unknown): boolean;
  /** A row with the same unique key exists. */
  isDuplicate(error: unknown): boolean;
  /** The server did not answer, or is shutting down: not the caller's doing and not a bug. */
  isUnreachable(error: unknown): boolean;
}

export interface ColumnTypes {
  /** A ULID. */
  id: string;
  /** Text compared byte for byte, trailing blanks included, of at most `length` characters. */
  exact(length: number): string;
  /** A SHA-256 in hexadecimal. */
  hash: string;
  /** Text of any length that is stored and handed on, never compared. */
  long: string;
  integer: string;
  /** A number with decimals, in double precision. */
  number: string;
  /** Milliseconds since 1970. */
  time: string;
  flag: string;
  /** One of a few words of at most 24 ASCII characters. */
  word: string;
}

const errorCode = (error: unknown): string => {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  return code ?? driverError?.code ?? '';
};

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'POOL_CLOSED',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_QUERY_INTERRUPTED',
  'ER_CONNECTION_KILLED',
  // A node of a cluster that is not prepared for use (1047), and servers that are read-only while the primary changes.
  'ER_UNKNOWN_COM_ERROR',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_CONNECTION_KILLED',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_ABORTING_CONNECTION',
]);

export function mysqlDialect(engine: 'mysql' | 'mariadb'): Dialect {
  // The two have no common collation that compares bytes and does not pad with blanks.
  const exact = `CHARACTER SET utf8mb4 COLLATE ${engine === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'}`;
  const ascii = 'CHARACTER SET ascii COLLATE ascii_bin';
  return {
    engine,
    types: {
      id: `CHAR(26) ${ascii}`,
      exact: (length) => `VARCHAR(${length}) ${exact}`,
      hash: `CHAR(64) ${ascii}`,
      long: `LONGTEXT ${exact}`,
      integer: 'INT',
      number: 'DOUBLE',
      time: 'BIGINT',
      flag: 'TINYINT',
      word: `VARCHAR(24) ${ascii}`,
    },
    tableOptions: () => `ENGINE=InnoDB DEFAULT ${exact}`,
    dropIndex: (table, name) => `DROP INDEX ${name} ON ${table}`,
    forUpdate: 'FOR UPDATE',
    onDuplicate: (key, columns) =>
      'ON DUPLICATE KEY UPDATE ' +
      (columns.length ? columns.map((column) => `${column} = VALUES(${column})`).join(', ') : `${key[0]} = ${key[0]}`),
    onDuplicateAdd: (_key, column) => `ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`,
    jsonRows: (...columns) => `JSON_ARRAYAGG(JSON_ARRAY(${columns.join(', ')}))`,
    // MariaDB gets no range scan from a row value.
    pairs: (first, second, count) => `(${new Array(count).fill(`(${first} = ? AND ${second} = ?)`).join(' OR ')})`,
    forShare: 'LOCK IN SHARE MODE',
    inWrittenOrder: 'STRAIGHT_JOIN',
    byIndex: (name) => `FORCE INDEX (${name})`,
    bySureIndex: () => '',
    contains: (column) => `INSTR(${column}, ?) > 0`,
    isSame: (first, second) => `${first} <=> ${second}`,
    isDeadlock: (error) => ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT'].includes(errorCode(error)),
    isDuplicate: (error) => errorCode(error) === 'ER_DUP_ENTRY',
    isUnreachable: (error) => UNREACHABLE.has(errorCode(error)),
  };
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  types: {
    id: 'TEXT',
    exact: () => 'TEXT',
    hash: 'TEXT',
    long: 'TEXT',
    integer: 'INTEGER',
    number: 'REAL',
    time: 'INTEGER',
    flag: 'INTEGER',
    word: 'TEXT',
  },
  tableOptions: (narrow) => (narrow ? 'WITHOUT ROWID' : ''),
  dropIndex: (_table, name) => `DROP INDEX ${name}`,
  forUpdate: '',
  onDuplicate: (key, columns) =>
    `ON CONFLICT (${key.join(', ')}) DO ` +
    (columns.length ? `UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}` : 'NOTHING'),
  onDuplicateAdd: (key, column) =>
    `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${column} = ${column} + excluded.${column}`,
  jsonRows: (...columns) => `json_group_array(json_array(${columns.join(', ')}))`,
  // A long OR is too deep an expression here.
  pairs: (first, second, count) => `(${first}, ${second}) IN (VALUES ${new Array(count).fill('(?, ?)').join(', ')})`,
  forShare: '',
  inWrittenOrder: '',
  byIndex: () => '',
  bySureIndex: (name) => `INDEXED BY ${name}`,
  contains: (column) => `INSTR(${column}, ?) > 0`,
  isSame: (first, second) => `${first} IS ${second}`,
  isDeadlock: (error) => errorCode(error).startsWith('SQLITE_BUSY'),
  isDuplicate: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(errorCode(error)),
  isUnreachable: () => false,
};
