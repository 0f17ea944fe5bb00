import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Seals short texts, such as consumer secrets, for storage: AES-256-GCM with a key derived from the configured one.
 * A sealed text is `v1.<iv>.<tag>.<data>`, each part base64url without padding. Sealing a text twice gives different
 * results.
 */
export class SecretBox {
  // This is a #private field, so that logs and inspections of the object do not show it.
  readonly #key: Buffer;
  readonly #sealingKey: Buffer;

  /** @throws Error when the key does not have 32 bytes */
  constructor(key: Buffer) {
    if (key.length !== KEY_BYTES) throw new Error(`The secret key must have ${KEY_BYTES} bytes; it has ${key.length}.`);
    this.#key = Buffer.from(key);
    this.#sealingKey = this.#expand(`itembank/seal/${VERSION}`);
  }

  /** @param context the owner of the text, such as the consumer key. It is not stored, and opening needs it again. */
  seal(text: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#sealingKey, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(`${VERSION}.${context}`, 'utf8'));
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [VERSION, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
  }

  /** @throws Error when the sealed text was changed, or was sealed with another key or for another context */
  open(sealed: string, context: string): string {
    const [version, ...parts] = sealed.split('.');
    const [iv, tag, data] = parts.map((part) => Buffer.from(part, 'base64url'));
    const wellFormed =
      version === VERSION &&
      parts.length === 3 &&
      iv!.length === IV_BYTES &&
      tag!.length === TAG_BYTES &&
      // Node ignores characters that are not base64url. Accept only the one canonical spelling of these bytes.
      [iv!, tag!, data!].every((bytes, index) => bytes.toString('base64url') === parts[index]);
    if (!wellFormed) throw new Error(`The sealed text is not of the form ${VERSION}.<iv>.<tag>.<data>.`);
    const decipher = createDecipheriv(CIPHER, this.#sealingKey, iv!, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(`${VERSION}.${context}`, 'utf8'));
    decipher.setAuthTag(tag!);
    try {
      return Buffer.concat([decipher.update(data!), decipher.final()]).toString('utf8');
    } catch {
      throw new Error('The sealed text does not open: another key, another context, or the text was changed.');
    }
  }

  /**
   * Derives a 32-byte key for another purpose (HKDF-SHA256). It is deterministic and reveals nothing about other keys.
   */
  derive(purpose: string): Buffer {
    return this.#expand(`itembank/purpose/${purpose}`);
  }

  #expand(info: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, Buffer.alloc(0), Buffer.from(info, 'utf8'), KEY_BYTES));
  }
}

/** 16 uniformly random characters of [A-Za-z0-9]. */
export function newConsumerKey(): string {
  return Array.from({ length: 16 }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');
}

/** 40 lower-case hex digits: 160 random bits. */
export function newConsumerSecret(): string {
  return randomBytes(20).toString('hex');
}
