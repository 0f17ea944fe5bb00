/**
 * Everything in which the SQL of MySQL, MariaDB and SQLite differs. Other statements are written once, with `?` for
 * parameters, and take the differing parts from here.
 */
export interface Dialect {
  readonly engine: 'mysql' | 'mariadb' | 'sqlite';
  /** Column types for migrations. */
  readonly types: ColumnTypes;
  /** The text after the closing parenthesis of CREATE TABLE. `narrow`: small rows that are read by primary key. */
  tableOptions(narrow: boolean): string;
  /** The statement that drops an index. MySQL needs the table's name; SQLite does not. */
  dropIndex(table: string, name: string): string;
  /** Locks the rows that a SELECT reads until the transaction ends. Empty on SQLite, which has only one writer. */
  readonly forUpdate: string;
  /**
   * The end of an INSERT that may meet existing rows. Existing rows get the new values of `columns`. Without columns,
   * existing rows stay as they are.
   */
  onDuplicate(key: string[], columns: string[]): string;
  /** The end of an INSERT that adds its number to the number in an existing row. */
  onDuplicateAdd(key: string[], column: string): string;
  /** An aggregate: a JSON list of `[a, b, …]` for all rows, unordered; null or `[]` when there are none. */
  jsonRows(...columns: string[]): string;
  /** A condition: the two columns hold one of `count` pairs of parameters. Can use an index on both columns. */
  pairs(first: string, second: string, count: number): string;
  /** Prevents changes of the rows that a SELECT reads. Others can still read them with the same lock. */
  readonly forShare: string;
  /** A join hint after SELECT: join the tables in the written order. */
  readonly inWrittenOrder: string;
  /** An index hint after a table name. Without it, servers choose another index when that seems to match fewer rows. */
  byIndex(name: string): string;
  /**
   * The same hint, for SQLite only. SQLite has no row counts and prefers a key that starts with the organisation
   * to an index that it would search for a few values. SQLite rejects a statement that cannot use the index.
   */
  bySureIndex(name: string): string;
  /** A condition: `column` contains the parameter. Case-sensitive. */
  contains(column: string): string;
  /** The number at a path of a JSON column; null where there is none, or something else. */
  jsonNumber(column: string, path: string): string;
  /** A condition: both are equal, or both are null. */
  isSame(first: string, second: string): string;
  /**
   * The full-text index of a column of ASCII words. `key`: the last line of CREATE TABLE, with the table's primary key.
   * `statements`: run them after CREATE TABLE.
   */
  fullTextIndex(table: string, key: readonly string[], column: string): { key: string; statements: string[] };
  /**
   * Rows `s` of a table by its full-text index: FROM, the condition that a row matches the parameter, and the score, with
   * the same parameter as often as it has a `?`. The parameter is a text of `fullTextQuery`.
   */
  fullText(table: string, column: string): { from: string; condition: string; score: string };
  /** A query that all terms must meet. The words are letters, digits and `_`. */
  fullTextQuery(terms: readonly FullTextTerm[]): string;
  /** An expression for a text that names all commits of the server. Empty on a server that does not number them. */
  readonly commits: string;
  /** An expression for a replica: 0 once it has all commits of the parameter, or another number after the time. */
  hasCommits(waitSeconds: number): string;
  /** Whether a lock was lost to another transaction. The same work may succeed when it runs again. */
  isDeadlock(error: unknown): boolean;
  /** Whether a row with the same unique key exists. */
  isDuplicate(error: unknown): boolean;
  /** Whether the server did not answer or is shutting down. That is neither the caller's fault nor a bug. */
  isUnreachable(error: unknown): boolean;
  /** Whether the database had no room to write. */
  isFull(error: unknown): boolean;
  /** Whether the user of the database lacks a right, or its file may not be written. */
  isDenied(error: unknown): boolean;
}

/** Words that follow each other in the text. `isPrefix`: the last one may be the beginning of a longer word. */
interface FullTextTerm {
  words: readonly string[];
  isPrefix: boolean;
}

interface ColumnTypes {
  /** A ULID. */
  id: string;
  /** Text of at most `length` characters that is compared byte for byte, including trailing blanks. */
  exact(length: number): string;
  /** A SHA-256 in hexadecimal. */
  hash: string;
  /** Text of any length that is stored and returned but never compared. */
  long: string;
  integer: string;
  /** A double-precision number. */
  number: string;
  /** Milliseconds since 1970. */
  time: string;
  flag: string;
  /** A keyword of at most 24 ASCII characters. */
  word: string;
}

const errorCode = (error: unknown): string => {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  return code ?? driverError?.code ?? '';
};

/** MariaDB's limit of time for a statement, for which the driver has no code. */
const STATEMENT_TIMEOUT = 1969;
const isOutOfTime = (error: unknown): boolean => (error as { errno?: number }).errno === STATEMENT_TIMEOUT;

/** Whether the error left no usable connection. */
const isFatal = (error: unknown): boolean => (error as { fatal?: boolean }).fatal === true;

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
  'ER_QUERY_TIMEOUT',
  'ER_CONNECTION_KILLED',
  // 1047: a cluster node that is not ready. Read-only servers: a primary that is being replaced.
  'ER_UNKNOWN_COM_ERROR',
  // A cluster node that lost the others during COMMIT.
  'ER_ERROR_DURING_COMMIT',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_CONNECTION_KILLED',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_ABORTING_CONNECTION',
]);

export function mysqlDialect(engine: 'mysql' | 'mariadb'): Dialect {
  // The two servers share no collation that compares bytes and does not pad with blanks.
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
    // MariaDB does no range scan for a row value.
    pairs: (first, second, count) => `(${new Array(count).fill(`(${first} = ? AND ${second} = ?)`).join(' OR ')})`,
    forShare: 'LOCK IN SHARE MODE',
    inWrittenOrder: 'STRAIGHT_JOIN',
    byIndex: (name) => `FORCE INDEX (${name})`,
    bySureIndex: () => '',
    contains: (column) => `INSTR(${column}, ?) > 0`,
    jsonNumber: (column, path) => `CAST(JSON_VALUE(${column}, '${path}') AS DOUBLE)`,
    isSame: (first, second) => `${first} <=> ${second}`,
    // The server numbers the rows itself, in a hidden column.
    fullTextIndex: (table, key, column) => ({
      key: `PRIMARY KEY (${key.join(', ')}), FULLTEXT INDEX ${table}_${column} (${column})`,
      statements: [],
    }),
    fullText: (table, column) => {
      const match = `MATCH (s.${column}) AGAINST (? IN BOOLEAN MODE)`;
      return { from: `${table} s`, condition: match, score: match };
    },
    fullTextQuery: (terms) =>
      terms
        .map(({ words, isPrefix }) =>
          words.length > 1 ? `+"${words.join(' ')}"` : `+${words[0]!}${isPrefix ? '*' : ''}`,
        )
        .join(' '),
    commits:
      engine === 'mariadb' ? '@@GLOBAL.gtid_binlog_pos' : "IF(@@GLOBAL.gtid_mode = 'ON', @@GLOBAL.gtid_executed, '')",
    hasCommits: (waitSeconds) =>
      engine === 'mariadb' ? `MASTER_GTID_WAIT(?, ${waitSeconds})` : `WAIT_FOR_EXECUTED_GTID_SET(?, ${waitSeconds})`,
    isDeadlock: (error) => ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT'].includes(errorCode(error)),
    isDuplicate: (error) => errorCode(error) === 'ER_DUP_ENTRY',
    isUnreachable: (error) => UNREACHABLE.has(errorCode(error)) || isOutOfTime(error) || isFatal(error),
    isFull: (error) => ['ER_DISK_FULL', 'ER_DISK_FULL_NOWAIT', 'ER_RECORD_FILE_FULL'].includes(errorCode(error)),
    isDenied: (error) => /^ER_(TABLE|COLUMN|SPECIFIC_)ACCESS_DENIED_ERROR$/.test(errorCode(error)),
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
  // SQLite limits the depth of expressions, and a long OR exceeds it.
  pairs: (first, second, count) => `(${first}, ${second}) IN (VALUES ${new Array(count).fill('(?, ?)').join(', ')})`,
  forShare: '',
  inWrittenOrder: '',
  byIndex: () => '',
  bySureIndex: (name) => `INDEXED BY ${name}`,
  contains: (column) => `INSTR(${column}, ?) > 0`,
  jsonNumber: (column, path) => `json_extract(${column}, '${path}')`,
  isSame: (first, second) => `${first} IS ${second}`,
  // The index finds rows by their number, which has to survive VACUUM, so it is a column.
  fullTextIndex: (table, key, column) => {
    const index = `${table}_${column}`;
    const added = `INSERT INTO ${index} (rowid, ${column}) VALUES (new.number, new.${column});`;
    const removed = `INSERT INTO ${index} (${index}, rowid, ${column}) VALUES ('delete', old.number, old.${column});`;
    return {
      key: `number INTEGER PRIMARY KEY, UNIQUE (${key.join(', ')})`,
      statements: [
        `CREATE VIRTUAL TABLE ${index} USING fts5(${column}, content='${table}', content_rowid='number',
          tokenize="ascii tokenchars '_'")`,
        `CREATE TRIGGER ${index}_insert AFTER INSERT ON ${table} BEGIN ${added} END`,
        `CREATE TRIGGER ${index}_update AFTER UPDATE ON ${table} BEGIN ${removed} ${added} END`,
        `CREATE TRIGGER ${index}_delete AFTER DELETE ON ${table} BEGIN ${removed} END`,
      ],
    };
  },
  fullText: (table, column) => ({
    from: `${table}_${column} CROSS JOIN ${table} s ON s.number = ${table}_${column}.rowid`,
    condition: `${table}_${column} MATCH ?`,
    score: `-${table}_${column}.rank`,
  }),
  fullTextQuery: (terms) =>
    terms.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`).join(' AND '),
  // Embedded databases have no replicas.
  commits: "''",
  hasCommits: () => '1',
  isDeadlock: (error) => errorCode(error).startsWith('SQLITE_BUSY'),
  isDuplicate: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(errorCode(error)),
  isUnreachable: () => false,
  // The second one: a limit of the system or a quota.
  isFull: (error) => ['SQLITE_FULL', 'SQLITE_IOERR_WRITE'].includes(errorCode(error)),
  isDenied: (error) => errorCode(error).startsWith('SQLITE_READONLY'),
};
