import { sep } from 'node:path';
import { Fault } from '#kernel';
import { type Config } from '#platform';

type Settings = Pick<Config, 'host' | 'port' | 'operationsHost' | 'operationsPort' | 'databaseUrl' | 'dataDir'>;

const FILE_CALLS = ['mkdir', 'open', 'rename', 'rm', 'unlink', 'write'];

/** Codes of a write to an open file, whose path Node.js does not tell. The last one is a limit of the system. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const WHY: Record<string, string> = {
  EACCES: 'permission denied',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/** Says in one message why a program could not start or work, and how to mend that. */
export function sayFailure(error: unknown, settings?: Settings): string {
  const { code = '', syscall = '', path, message } = error as NodeJS.ErrnoException;
  // The message of a fault is for callers of the API. The server that cannot be reached is in its cause.
  if (error instanceof Fault)
    return (settings && error.cause ? ofDatabase(error.cause as DatabaseError, settings) : undefined) ?? message;
  if (path === undefined && NO_ROOM.includes(code))
    return `A file cannot be written, because its disk has no room (${code}); make some.`;
  if (path !== undefined && FILE_CALLS.includes(syscall)) {
    const why = `${path} cannot be used (${WHY[code] ?? code})`;
    // Commands also read and write files that the caller names.
    if (settings && path !== settings.dataDir && !path.startsWith(settings.dataDir + sep)) return `${why}.`;
    return `${why}; make it writable, or choose another folder with DATA_DIR.`;
  }
  const known = settings && (ofDatabase(error as DatabaseError, settings) ?? ofAddress(error as ListenError, settings));
  return known ?? (message || code || String(error));
}

interface DatabaseError extends NodeJS.ErrnoException {
  /** Set by the driver of database servers when the connection is unusable. */
  fatal?: boolean;
  /** TypeORM stores the driver's error here. */
  driverError?: NodeJS.ErrnoException;
}

function ofDatabase(error: DatabaseError, { databaseUrl }: Settings): string | undefined {
  const code = error.code ?? error.driverError?.code ?? '';
  const message = error.message || code;
  if (databaseUrl.startsWith('file:')) {
    const file = databaseUrl.slice('file:'.length);
    if (message.includes('Unable to open') || code === 'SQLITE_CANTOPEN')
      return `The database file ${file} cannot be opened; make sure that it is a writable file, or choose another with DATABASE_URL.`;
    if (code === 'SQLITE_NOTADB')
      return `${file} is not an SQLite database; move it away, or choose another file with DATABASE_URL.`;
    if (code === 'SQLITE_READONLY') return `The database file ${file} cannot be written; make it writable.`;
    if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE')
      return `The database file ${file} cannot grow; make room on its disk, or choose another with DATABASE_URL.`;
    if (message.includes('no such table')) return NO_TABLES;
    return undefined;
  }
  switch (code) {
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_DBACCESS_DENIED_ERROR':
      return `The database server refuses this user (${message}); see the user and password in DATABASE_URL.`;
    case 'ER_TABLEACCESS_DENIED_ERROR':
    case 'ER_COLUMNACCESS_DENIED_ERROR':
    case 'ER_SPECIFIC_ACCESS_DENIED_ERROR':
      return `The database server refuses a right to this user (${message}); grant it, or name another user in DATABASE_URL.`;
    case 'ER_BAD_DB_ERROR':
      return `${message}; create the database on the server, or name another in DATABASE_URL.`;
    case 'ER_NO_DB_ERROR':
      return 'DATABASE_URL names no database; write it as mysql://USER:PASSWORD@HOST:PORT/NAME.';
    case 'ER_NO_SUCH_TABLE':
      return NO_TABLES;
  }
  if (!error.fatal && code !== 'ETIMEDOUT') return undefined;
  return `The database server ${hostOf(databaseUrl)} cannot be reached (${message}); start it, or name another in DATABASE_URL.`;
}

const NO_TABLES = 'The database lacks tables of this version; run the command migrate first.';

/** The host of a URL, without user and password. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'of the settings';
}

interface ListenError extends NodeJS.ErrnoException {
  address?: string;
  /** Absent: any free port. */
  port?: number;
  /** Set when a host name is not found. */
  hostname?: string;
}

function ofAddress(error: ListenError, settings: Settings): string | undefined {
  const { code = '', syscall = '', address, hostname } = error;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const isOther = error.port === undefined ? (address ?? hostname) !== settings.host : error.port !== settings.port;
  const isForOperators = isOther && settings.operationsPort !== undefined;
  const [prefix, host, port] = isForOperators
    ? ['OPERATIONS_', settings.operationsHost, settings.operationsPort]
    : ['', settings.host, settings.port];
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program; stop that one, or choose another port with ${prefix}PORT.`;
    case 'EACCES':
      return `Listening on port ${port} is not permitted; choose one above 1023 with ${prefix}PORT.`;
    default:
      return `${prefix}HOST ${host} is not an address of this machine (${code}); 127.0.0.1 accepts only this machine, and 0.0.0.0 listens on all its addresses.`;
  }
}
