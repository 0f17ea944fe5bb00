/** Why a server or folder does not work. Anybody may read this word, so it reveals no addresses, names or users. */
export type Reason =
  | 'busy'
  | 'denied'
  | 'failing'
  | 'full'
  | 'lost'
  | 'missing'
  | 'read-only'
  | 'refused'
  | 'starting'
  | 'timeout'
  | 'unknown-host';

/** The reasons with their errors: codes and names from Node.js, the drivers and S3, and first words of errors of Redis. */
const REASONS: Record<Reason, readonly string[]> = {
  busy: [
    'ER_CON_COUNT_ERROR',
    'ER_TOO_MANY_USER_CONNECTIONS',
    'ER_USER_LIMIT_REACHED',
    'SlowDown',
    'ServiceUnavailable',
  ],
  denied: [
    'ER_ACCESS_DENIED_ERROR',
    'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
    'ER_DBACCESS_DENIED_ERROR',
    'ER_HOST_NOT_PRIVILEGED',
    'WRONGPASS',
    'NOAUTH',
    'NOPERM',
    'EACCES',
    'EPERM',
    'AccessDenied',
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'CredentialsProviderError',
  ],
  failing: [],
  full: [
    'ENOSPC',
    'EDQUOT',
    'OOM',
    'ER_DISK_FULL',
    'ER_DISK_FULL_NOWAIT',
    'ER_RECORD_FILE_FULL',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
  ],
  lost: ['ER_CONNECTION_KILLED', 'ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'ECONNABORTED'],
  missing: ['ER_BAD_DB_ERROR', 'ER_NO_DB_ERROR', 'ENOENT', 'ENOTDIR', 'EEXIST', 'NoSuchBucket'],
  'read-only': ['EROFS', 'READONLY', 'SQLITE_READONLY', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE'],
  refused: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'],
  starting: ['ER_SERVER_SHUTDOWN', 'ER_UNKNOWN_COM_ERROR', 'LOADING', 'MASTERDOWN'],
  timeout: ['ETIMEDOUT', 'TimeoutError'],
  'unknown-host': ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'],
};

const REASON_OF = new Map(
  (Object.keys(REASONS) as Reason[]).flatMap((reason) => REASONS[reason].map((word) => [word, reason] as const)),
);

/** Reasons that may pass without a change of settings. */
const PASSES: ReadonlySet<Reason> = new Set(['busy', 'lost', 'refused', 'starting', 'timeout', 'unknown-host']);

/** Classifies the error of a failed call. */
export function reasonOf(error: unknown): Reason {
  const { code, driverError, name, message, cause } = error as Error & { code?: unknown; driverError?: unknown };
  for (const word of [code, name, message?.split(/[\s:]/, 1)[0]]) {
    const reason = typeof word === 'string' ? REASON_OF.get(word) : undefined;
    if (reason) return reason;
  }
  const beneath = driverError ?? cause;
  return beneath instanceof Error ? reasonOf(beneath) : 'failing';
}

/** Whether a retry may help: yes for a server that is not up yet, no for a wrong password. */
export function passesByItself(error: unknown): boolean {
  return PASSES.has(reasonOf(error));
}
