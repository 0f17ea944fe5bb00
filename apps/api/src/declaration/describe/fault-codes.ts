import { type FaultKind } from '#kernel';
import { BUG, FAULTS } from '../../http/faults';

/** What each kind of fault means to a caller. */
/** Of the operations: pages that are taken have tokens, and errors of their own. */
type OperationFault = Exclude<FaultKind, 'token'>;

const MEANINGS: Record<OperationFault, string> = {
  missing: 'A mandatory member is absent.',
  length: 'A text or a list has a length that is not allowed.',
  'too-many': 'A list holds more entries than allowed.',
  type: 'A value has the wrong type.',
  value: 'A value is not supported.',
  schema: 'The request cannot be read, or does not fit.',
  conflict: 'The request conflicts with the present state.',
  'no-endpoint': 'There is no such operation, or it is not built yet.',
  'item-unknown': 'An item that is named does not exist.',
  'tag-unknown': 'A tag that is named does not exist, or not there.',
  'tag-type-unknown': 'A tag type that is named does not exist, or not there.',
  'session-unknown': 'A session that is named does not exist, or is of another user.',
  duplicate: 'An entry exists already, or is named twice.',
  'reference-unknown': 'A record that is referred to does not exist.',
  'items-not-unique': 'An activity names an item twice.',
  method: 'The HTTP method is not POST.',
  'no-organisation': 'The consumer has no item bank.',
  'no-rights': 'The consumer lacks the rights on this item bank.',
  'security-missing': '`security` or a member of it is absent.',
  'signature-length': 'The signature has the wrong length.',
  'consumer-unknown': 'There is no such consumer.',
  signature: 'The signature does not match.',
  timestamp: 'The timestamp is malformed, too old, or too far in the future.',
  domain: 'The domain is not registered for the consumer.',
  'expires-format': '`expires` is not of the form `YYYYMMDD-HHMM`.',
  expired: '`expires` has passed.',
  'service-disabled': 'The service is disabled for the consumer.',
  'consumer-inactive': 'The consumer is not active.',
  'too-many-requests': 'Too many requests; `Retry-After` says when to come back.',
  'dataset-type-unknown': 'There are no datasets of this type.',
  'dataset-empty': 'What the dataset is to be of does not exist, or has no completed session.',
  'too-large': 'The body is larger than the service takes.',
  unavailable: 'A server behind this one does not answer; the same request may succeed later.',
};

export interface FaultCode {
  status: number;
  code: number;
  meaning: string;
}

/** Every way in which a call can fail, by status and code. */
export function faultCodes(): FaultCode[] {
  const kinds = Object.keys(MEANINGS) as OperationFault[];
  return [
    ...kinds.map((kind) => ({ ...FAULTS[kind], meaning: MEANINGS[kind] })),
    { ...BUG, meaning: 'An internal error; the log of the service has it under `request_uuid`.' },
  ].sort((a, b) => a.status - b.status || a.code - b.code);
}
