import { type FaultKind } from '#kernel';

/** HTTP status and wire code of each kind of fault. */
export const FAULTS: Record<FaultKind, { status: number; code: number }> = {
  missing: { status: 400, code: 20000 },
  length: { status: 400, code: 20001 },
  'too-many': { status: 400, code: 20002 },
  type: { status: 400, code: 20003 },
  value: { status: 400, code: 20004 },
  schema: { status: 400, code: 20009 },
  conflict: { status: 409, code: 20011 },
  'no-endpoint': { status: 404, code: 20012 },
  'item-unknown': { status: 400, code: 20013 },
  'tag-unknown': { status: 400, code: 20014 },
  'tag-type-unknown': { status: 400, code: 20015 },
  'session-unknown': { status: 400, code: 20016 },
  duplicate: { status: 400, code: 30000 },
  'reference-unknown': { status: 400, code: 30001 },
  'items-not-unique': { status: 400, code: 30003 },
  method: { status: 405, code: 40001 },
  'no-organisation': { status: 403, code: 40002 },
  'no-rights': { status: 403, code: 40003 },
  'security-missing': { status: 400, code: 41000 },
  'signature-length': { status: 403, code: 41001 },
  'consumer-unknown': { status: 403, code: 41002 },
  signature: { status: 403, code: 41003 },
  timestamp: { status: 403, code: 41004 },
  domain: { status: 403, code: 41005 },
  'expires-format': { status: 400, code: 41006 },
  expired: { status: 400, code: 41007 },
  token: { status: 401, code: 41003 },
  'service-disabled': { status: 403, code: 41008 },
  'consumer-inactive': { status: 403, code: 41009 },
  'too-many-requests': { status: 429, code: 42000 },
  'dataset-type-unknown': { status: 400, code: 44000 },
  'dataset-empty': { status: 400, code: 50000 },
  'too-large': { status: 413, code: 20001 },
  unavailable: { status: 503, code: 10000 },
};

/** Any other error is a bug. */
export const BUG = { status: 500, code: 10000 };
