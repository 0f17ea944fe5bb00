import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { Fault } from '#kernel';

import type { SecurityFields } from './security';

/** `current`: `$02$` + 64 hex digits, HMAC-SHA256. `legacy`: 64 hex digits, SHA-256 with the secret among the parts. */
export type SignatureScheme = 'current' | 'legacy';

/** The signed parts of a call. `request` and `action` are the exact texts received; empty and absent are equal. */
interface SignedParts {
  security: Omit<SecurityFields, 'signature'>;
  request?: string;
  action?: string;
}

export interface SignedRequest extends SignedParts {
  security: SecurityFields;
}

const CURRENT_PREFIX = '$02$';
const HEX_LENGTH = 64;

/**
 * The signature that a client sends: 68 characters (`current`) or 64 (`legacy`), in lower-case hex.
 * Signs a present but empty `expires` or `userId` as an empty part, as all SDKs except Node do. Leave it out to sign
 * without the part.
 */
export function sign(parts: SignedParts, secret: string, scheme: SignatureScheme): string {
  const hex = digest(parts, secret, scheme, true).toString('hex');
  return scheme === 'current' ? CURRENT_PREFIX + hex : hex;
}

/**
 * Returns normally when the request was signed with one of the secrets. Hex digits may have either case.
 * Takes constant time, whichever secret fits and whatever differs.
 * Accepts both treatments of a present but empty `expires` or `userId`: dropped, or signed as an empty part.
 * @param secrets every secret that is valid now; several during a rotation
 * @param options.legacyAllowed whether an operator marked the consumer for the legacy scheme
 * @throws Fault `signature-length` for an unknown scheme or length, `signature` for a signature that does not match
 */
export function verify(
  signed: SignedRequest,
  secrets: readonly string[],
  { legacyAllowed }: { legacyAllowed: boolean },
): void {
  const { signature } = signed.security;
  const scheme = schemeOf(signature);
  if (scheme === 'legacy' && !legacyAllowed) {
    throw signatureFault(
      'This is a legacy signature (64 hex digits, SHA-256), which this consumer may not use. Sign with HMAC-SHA256 ' +
        '($02$, any client release since mid-2023), or have an operator allow legacy signatures for this consumer.',
    );
  }
  // Characters that are not hex digits decode to fewer than 32 bytes, which match nothing.
  const sent = Buffer.from(signature.slice(-HEX_LENGTH), 'hex');
  const { expires, userId } = signed.security;
  const readings = expires === '' || userId === '' ? [true, false] : [true];
  let matches = false;
  for (const secret of secrets) {
    for (const keepEmpty of readings) {
      const expected = digest(signed, secret, scheme, keepEmpty);
      const equal = sent.length === expected.length && timingSafeEqual(sent, expected);
      matches = equal || matches;
    }
  }
  if (!matches || isShifted(signed)) {
    throw signatureFault(
      'The signature does not match. Check that the secret belongs to this consumer_key; that the exact text of the ' +
        'field request was signed, byte for byte as sent; that action was signed if and only if it is sent; and that ' +
        'domain, timestamp, expires and user_id were signed with the values in security.',
    );
  }
}

/** The 32-byte digest of the joined parts. `keepEmpty`: keep an empty `expires` or `userId` as an empty part. */
function digest(parts: SignedParts, secret: string, scheme: SignatureScheme, keepEmpty: boolean): Buffer {
  const { consumerKey, domain, timestamp, expires, userId } = parts.security;
  const optional = [expires, userId].filter((part) => part !== undefined && (keepEmpty || part !== ''));
  const head = [consumerKey, domain, timestamp, ...optional, ...(scheme === 'legacy' ? [secret] : [])];
  const hash = scheme === 'legacy' ? createHash('sha256') : createHmac('sha256', secret);
  hash.update(head.join('_'));
  // Joining the rest too would copy the whole request.
  for (const part of [parts.request, parts.action]) if (part) hash.update('_').update(part);
  return hash.digest();
}

function schemeOf(signature: string): SignatureScheme {
  if (signature.startsWith(CURRENT_PREFIX) && signature.length === CURRENT_PREFIX.length + HEX_LENGTH) return 'current';
  if (!signature.startsWith('$') && signature.length === HEX_LENGTH) return 'legacy';
  throw new Fault(
    'signature-length',
    `security.signature must be ${CURRENT_PREFIX} followed by ${HEX_LENGTH} hex digits ` +
      `(${CURRENT_PREFIX.length + HEX_LENGTH} characters); ` +
      `it begins with ${JSON.stringify(signature.slice(0, CURRENT_PREFIX.length))} and has ${signature.length} characters.`,
    '/security/signature',
  );
}

/**
 * Whether `user_id` ends with the request and the action of a write. The joined text would then equal that of the
 * write, so a replayed signature could turn the write into a read. In the legacy scheme the secret separates the parts.
 */
function isShifted({ security, request, action }: SignedParts): boolean {
  return !request && !action && /[}\]]\s*_(set|update|delete)$/.test(security.userId ?? '');
}

function signatureFault(message: string): Fault {
  return new Fault('signature', message, '/security/signature');
}
