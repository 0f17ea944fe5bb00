import { type FaultKind } from '#kernel';
import { BUG, FAULTS } from '../../http/faults';

/** Faults of operations. The delivery service has tokens and faults of its own. */
type OperationFault = Exclude<FaultKind, 'token'>;

/** The meaning of each kind of fault for callers. */
const MEANINGS: Record<OperationFault, string> = {
  missing: 'A mandatory member is absent.',
  length: 'The length of a text or a list is not allowed.',
  'too-many': 'A list has more entries than allowed.',
  type: 'A value has the wrong type.',
  value: 'A value is not supported.',
  schema: 'The request cannot be read, or has wrong values.',
  conflict: 'The request conflicts with the current state.',
  'no-endpoint': 'The operation does not exist.',
  'item-unknown': 'An item that is named does not exist.',
  'tag-unknown': 'A tag in the request does not exist, or not in this place.',
  'tag-type-unknown': 'A tag type in the request does not exist, or not in this place.',
  'session-unknown': 'A session in the request does not exist, or belongs to another user.',
  duplicate: 'An entry already exists, or occurs twice.',
  'reference-unknown': 'A record in the request does not exist.',
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
  'too-many-requests': 'Too many requests; `Retry-After` contains the time to wait.',
  'dataset-type-unknown': 'There are no datasets of this type.',
  'dataset-empty': 'The subject of the dataset does not exist, or has no completed sessions.',
  'too-large': 'The body is too large.',
  unavailable: 'A server that this one needs does not answer; the same request may succeed later.',
};

interface FaultCode {
  status: number;
  code: number;
  meaning: string;
}

/** Every way in which a call can fail, by status and code. */
export function faultCodes(): FaultCode[] {
  const kinds = Object.keys(MEANINGS) as OperationFault[];
  return [
    ...kinds.map((kind) => ({ ...FAULTS[kind], meaning: MEANINGS[kind] })),
    { ...BUG, meaning: 'An internal error; the log of the service contains it under `request_uuid`.' },
  ].sort((a, b) => a.status - b.status || a.code - b.code);
}
