import { isUtf8 } from 'node:buffer';

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];
/** By code of the character; 255 for what is no hexadecimal digit. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[0-9a-f]/i.test(character) ? parseInt(character, 16) : 255;
});

/**
 * The text of a form field as it was sent: percent-encoded UTF-8 with `+` for a space. Undefined for anything else. The
 * same as `decodeURIComponent`, which takes half a second for 5 MB, in which the process does nothing else.
 */
export function formText(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded.replaceAll('+', ' ');
  const bytes = Buffer.from(encoded);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === PLUS) bytes[length++] = SPACE;
    else if (byte !== PERCENT) bytes[length++] = byte;
    else {
      const [high, low] = [DIGITS[bytes[at + 1] ?? 0]!, DIGITS[bytes[at + 2] ?? 0]!];
      if (high > 15 || low > 15) return undefined;
      bytes[length++] = high * 16 + low;
      at += 2;
    }
  }
  const decoded = bytes.subarray(0, length);
  return isUtf8(decoded) ? decoded.toString('utf8') : undefined;
}
