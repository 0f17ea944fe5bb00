import { Fault, type FaultDetail } from '#kernel';

/** The members of a request's `security` object, decoded. The signature covers them in this order. */
export interface SecurityFields {
  consumerKey: string;
  domain: string;
  /** UTC, `YYYYMMDD-HHMM`. */
  timestamp: string;
  /** UTC, `YYYYMMDD-HHMM`. An empty text means absent, but it may have been signed as an empty part. */
  expires?: string;
  /** An empty text means absent, but it may have been signed as an empty part. */
  userId?: string;
  signature: string;
}

interface SignatureWindow {
  /** How long a signature without `expires` is valid after its timestamp, in ms. */
  maxAgeMs: number;
  /** How far in the future a timestamp may lie, in ms. Ruby clients are up to 12 minutes ahead. */
  maxAheadMs: number;
}

const MINUTE_MS = 60_000;
const FORMAT = 'YYYYMMDD-HHMM in UTC, for example 20260102-0304';
const MANDATORY = ['consumer_key', 'domain', 'timestamp', 'signature'] as const;
const OPTIONAL = ['expires', 'user_id'] as const;

/**
 * Reads the JSON text of the field `security`. An empty or null mandatory member is missing; a null optional member is
 * absent. Unknown members are ignored, because the Node SDK sends them. If a member occurs several times, the last one
 * counts.
 * @throws Fault `security-missing` that names every member that is missing or is not a text.
 */
export function readSecurity(text: string | undefined): SecurityFields {
  const members = parseMembers(text);
  const details: FaultDetail[] = [];
  const missing: string[] = MANDATORY.filter((name) => isAbsent(members[name]) || members[name] === '');
  for (const name of missing) {
    details.push({ kind: 'security-missing', message: `security.${name} is missing.`, at: `/security/${name}` });
  }
  const mistyped = [...MANDATORY, ...OPTIONAL].filter((n) => !isAbsent(members[n]) && typeof members[n] !== 'string');
  for (const name of mistyped) {
    const hint = name === 'timestamp' || name === 'expires' ? `: ${FORMAT}` : '';
    const message = `security.${name} must be a text${hint}; it is ${nameOfType(members[name])}.`;
    details.push({ kind: 'security-missing', message, at: `/security/${name}` });
  }
  if (details.length > 0) {
    const messages = missing.length > 0 ? [`Missing in security: ${missing.join(', ')}.`] : [];
    messages.push(...details.slice(missing.length).map((detail) => detail.message));
    throw new Fault('security-missing', messages.join(' '), details[0]!.at, details);
  }
  const texts = members as Record<string, string | null | undefined>;
  return {
    consumerKey: texts.consumer_key!,
    domain: texts.domain!,
    timestamp: texts.timestamp!,
    expires: texts.expires ?? undefined,
    userId: texts.user_id ?? undefined,
    signature: texts.signature!,
  };
}

/**
 * Rejects a request outside the validity of its signature: from `maxAheadMs` before its timestamp to `maxAgeMs` after
 * it, both ends included. `expires` replaces the end.
 * @param now the server's time in ms since 1970
 * @throws Fault `timestamp` (malformed, too old, too far ahead), `expires-format`, `expired`
 */
export function checkWindow(
  security: Pick<SecurityFields, 'timestamp' | 'expires' | 'userId'>,
  now: number,
  { maxAgeMs, maxAheadMs }: SignatureWindow,
): void {
  const timestamp = parseTimestamp(security.timestamp);
  if (timestamp === undefined) {
    const message = `security.timestamp must be ${FORMAT}; the server's time is ${formatTimestamp(now)}.`;
    throw new Fault('timestamp', message, '/security/timestamp');
  }
  const expires = security.expires ? parseTimestamp(security.expires) : undefined;
  if (security.expires && expires === undefined) {
    throw new Fault('expires-format', `security.expires must be ${FORMAT}.`, '/security/expires');
  }
  if (timestamp > now + maxAheadMs || (expires === undefined && timestamp < now - maxAgeMs)) {
    const earliest = formatTimestamp(Math.ceil((now - maxAgeMs) / MINUTE_MS) * MINUTE_MS);
    const latest = formatTimestamp(now + maxAheadMs);
    throw new Fault(
      'timestamp',
      `security.timestamp ${security.timestamp} lies too far in the ${timestamp > now ? 'future' : 'past'}: ` +
        `the server's time is ${formatTimestamp(now)} (UTC); timestamps from ${earliest} to ${latest} are accepted` +
        (timestamp > now ? '.' : ', older ones only until a signed security.expires.'),
      '/security/timestamp',
    );
  }
  const end = expires ?? shiftedExpires(security.userId, timestamp);
  if (end !== undefined && now > end) {
    throw new Fault(
      'expired',
      `The request expired at ${formatTimestamp(end)}; the server's time is ${formatTimestamp(now)} (UTC).`,
      '/security/expires',
    );
  }
}

/**
 * Rejects a domain that is not registered for the consumer. Compares hosts without case, a final dot and **ports**,
 * both in the request and in the list: `localhost:8080` equals `localhost`. Clients send either `host` or `hostname` of
 * a browser's location, and no registered domain has a port. The check ignores the host of the connection itself.
 * @param allowed hosts, `*.example.org` (every name below `example.org`, not itself) or `*` (any)
 * @throws Fault `domain`; the message does not list the registered domains
 */
export function checkDomain(domain: string, allowed: readonly string[]): void {
  const host = hostOf(domain);
  const matches = isRegistered(host, allowed);
  // `host_TIMESTAMP` as domain and `expires` as timestamp would give the same signed text as the original request.
  if (!matches || /_\d{8}-\d{4}/.test(host)) {
    throw new Fault(
      'domain',
      `The domain ${JSON.stringify(domain.slice(0, 255))} is not registered for this consumer. ` +
        'Sign with a registered domain, or have an operator add this one.',
      '/security/domain',
    );
  }
}

/** Whether a host matches one of the registered ones. @param host as `hostOfOrigin` returns it. */
export function isRegistered(host: string, allowed: readonly string[]): boolean {
  return allowed.map(hostOf).some((entry) => {
    if (entry === '*') return true;
    if (entry.startsWith('*.')) return host.length >= entry.length && host.endsWith(entry.slice(1));
    return host === entry;
  });
}

/** The time after signing within which a page may send its start request. */
const PAGE_WINDOW_MS = 3 * 60 * MINUTE_MS;

/**
 * Rejects a request that was not signed within three hours of now, whatever `expires` says. @throws Fault `timestamp`
 */
export function checkPageWindow({ timestamp }: Pick<SecurityFields, 'timestamp'>, now: number): void {
  if (Math.abs(now - parseTimestamp(timestamp)!) <= PAGE_WINDOW_MS) return;
  throw new Fault(
    'timestamp',
    `security.timestamp ${timestamp} is not within three hours of the server's time, ${formatTimestamp(now)} (UTC). ` +
      'Sign anew each time the page is loaded.',
    '/security/timestamp',
  );
}

/** How long a page may go on with a test whose request has no `expires`. */
const PAGE_PERMISSION_MS = 7 * 24 * 60 * MINUTE_MS;

/** The end of a page's permission: `expires`, else 7 days after its timestamp. Milliseconds since 1970. */
export function endOf({ timestamp, expires }: Pick<SecurityFields, 'timestamp' | 'expires'>): number {
  return (expires ? parseTimestamp(expires) : undefined) ?? parseTimestamp(timestamp)! + PAGE_PERMISSION_MS;
}

/** Rejects a page whose host differs from the signed domain; ports do not count. @throws Fault `domain` */
export function checkOrigin(origin: string | undefined, domain: string): void {
  const host = origin === undefined ? undefined : hostOfOrigin(origin);
  if (host !== undefined && host === hostOf(domain)) return;
  throw new Fault(
    'domain',
    origin === undefined
      ? 'The request has no header Origin, which browsers send for a page; send the request from a page.'
      : `The page is of ${JSON.stringify(origin.slice(0, 255))}, but the signed domain is ${JSON.stringify(domain.slice(0, 255))}; ` +
          'sign with the host that serves the page.',
    '/security/domain',
  );
}

/** The host in the header `Origin`; undefined when it names none, such as `null`. */
export function hostOfOrigin(origin: string): string | undefined {
  const authority = /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
  return authority === undefined ? undefined : hostOf(authority);
}

/** Formats `ms` since 1970 as a security time: UTC `YYYYMMDD-HHMM`, without seconds. */
export function formatTimestamp(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 16).replace(':', '')}`;
}

/** The ms since 1970 of a UTC `YYYYMMDD-HHMM`; undefined for another form or a minute that does not exist. */
export function parseTimestamp(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number];
  const ms = Date.UTC(year, month - 1, day, hour, minute);
  return formatTimestamp(ms) === text ? ms : undefined;
}

/**
 * The time with which `user_id` begins, if it lies after the timestamp. It ends the validity like `expires`, because
 * somebody who captured a request with an early `expires` could send that text as `user_id`: both give the same signed
 * text.
 */
function shiftedExpires(userId: string | undefined, timestamp: number): number | undefined {
  const time = /^\d{8}-\d{4}(?=_|$)/.exec(userId ?? '')?.[0];
  const ms = time === undefined ? undefined : parseTimestamp(time);
  return ms !== undefined && ms >= timestamp ? ms : undefined;
}

function parseMembers(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') throw unreadable('is missing');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('is not valid JSON');
  }
  // PHP clients write an empty object as `[]`.
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable(`is ${nameOfType(value)} instead of a JSON object`);
  }
  return value as Record<string, unknown>;
}

function unreadable(what: string): Fault {
  const message = `The field security ${what}: send the JSON text of an object with ${MANDATORY.join(', ')}.`;
  return new Fault('security-missing', message, '/security');
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The host in lower case, without port and final dot. IPv6 addresses have a port only after brackets. */
function hostOf(domain: string): string {
  const text = domain.trim().toLowerCase();
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(text);
  if (bracketed) return bracketed[1]!;
  return text.replace(/^([^:]*):\d*$/, '$1').replace(/\.$/, '');
}
