/** The kind of an error. The API's `faults.ts` maps each kind to its code and HTTP status. */
export type FaultKind =
  | 'missing' // 20000 a mandatory member is absent
  | 'length' // 20001 a text or list has a length that is not allowed
  | 'too-many' // 20002 more entries than allowed
  | 'type' // 20003 a value has the wrong type
  | 'value' // 20004 a value is not supported
  | 'schema' // 20009 JSON that cannot be read or does not fit
  | 'conflict' // 20011 conflicts with the present state
  | 'no-endpoint' // 20012
  | 'item-unknown' // 20013
  | 'tag-unknown' // 20014
  | 'tag-type-unknown' // 20015
  | 'session-unknown' // 20016 a session that does not exist, or is another user's
  | 'duplicate' // 30000 an entry that exists already
  | 'reference-unknown' // 30001 a referenced record does not exist
  | 'items-not-unique' // 30003
  | 'method' // 40001 an HTTP method other than POST
  | 'no-organisation' // 40002
  | 'no-rights' // 40003
  | 'security-missing' // 41000
  | 'signature-length' // 41001
  | 'consumer-unknown' // 41002
  | 'signature' // 41003
  | 'timestamp' // 41004
  | 'domain' // 41005
  | 'expires-format' // 41006
  | 'expired' // 41007
  | 'token' // 41003, HTTP 401: a session's token is missing, unknown or expired
  | 'service-disabled' // 41008
  | 'consumer-inactive' // 41009
  | 'too-many-requests' // 42000
  | 'dataset-type-unknown' // 44000
  | 'dataset-empty' // 50000 there are no data for the dataset
  | 'too-large' // 20001, HTTP 413
  | 'unavailable'; // 10000, HTTP 503: a server that this one needs does not answer

/** One place in a request that is wrong. `at` is a JSON pointer: `/items/1/reference`. */
export interface FaultDetail {
  kind: FaultKind;
  message: string;
  at?: string;
}

/**
 * The only error that callers see. Any other error is a bug and answers 500.
 * `message` says what is wrong and what would be right; `at` says where.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  /** All faults found, including the first; never empty. */
  readonly details: FaultDetail[];

  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly at?: string,
    details?: FaultDetail[],
    /** Seconds after which the same request may succeed. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.details = details ?? [{ kind, message, at }];
  }

  static of(details: FaultDetail[]): Fault {
    const first = details[0]!;
    return new Fault(first.kind, first.message, first.at, details);
  }
}
