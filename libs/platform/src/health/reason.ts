/** What keeps a server or a folder from doing its work, in a word that anybody may read: no address, no name, no user. */
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

/** By the codes and names of errors of Node, of the drivers and of S3, and by the words that errors of Redis begin with. */
const REASONS: Record<Reason, readonly string[]> = {
  busy: ['ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS', 'SlowDown', 'ServiceUnavailable'],
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
  full: ['ENOSPC', 'EDQUOT', 'OOM'],
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

/** What passes without anybody changing a setting. */
const PASSES: ReadonlySet<Reason> = new Set(['busy', 'lost', 'refused', 'starting', 'timeout', 'unknown-host']);

/** Why something that was asked failed. */
export function reasonOf(error: unknown): Reason {
  const { code, driverError, name, message, cause } = error as Error & { code?: unknown; driverError?: unknown };
  for (const word of [code, name, message?.split(/[\s:]/, 1)[0]]) {
    const reason = typeof word === 'string' ? REASON_OF.get(word) : undefined;
    if (reason) return reason;
  }
  const beneath = driverError ?? cause;
  return beneath instanceof Error ? reasonOf(beneath) : 'failing';
}

/** Whether it is worth asking again later: a server that is not there yet, unlike a password that is wrong. */
export function passesByItself(error: unknown): boolean {
  return PASSES.has(reasonOf(error));
}
