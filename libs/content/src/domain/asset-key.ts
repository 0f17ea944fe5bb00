import { lookup } from 'mime-types';
import { Fault, nameOfCharacter, place } from '#kernel';

/** The largest length of a subkey, in UTF-16 units. */
export const SUBKEY_LENGTH = 700;
/** S3 allows keys of 1024 bytes. This leaves room for the prefix. */
const SUBKEY_BYTES = 900;

export const MEDIA_TYPE_LENGTH = 255;

/** A media type of RFC 9110: `type/subtype`, with parameters whose values are tokens or quoted. */
const MEDIA_TYPE =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *; *[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\\x00-\x1f\x7f-\uffff]*"))*$/;

/** The type of a file with an unknown extension. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Checks a caller's name for an asset. The name is unique in the organisation, and the public address ends with it.
 * @param at JSON pointer to it in the request.
 */
export function checkSubkey(subkey: string, at: string): void {
  if (subkey.length === 0 || subkey.length > SUBKEY_LENGTH)
    throw new Fault('length', `${place(at)} must have 1 to ${SUBKEY_LENGTH} characters; it has ${subkey.length}.`, at);
  const bytes = Buffer.byteLength(subkey);
  if (bytes > SUBKEY_BYTES)
    throw new Fault('length', `${place(at)} may take ${SUBKEY_BYTES} bytes in UTF-8; it takes ${bytes}.`, at);
  const wrong = whatIsWrong(subkey);
  if (wrong) throw new Fault('value', `${place(at)} ${wrong}; send a path such as images/map.png.`, at);
}

/** Whether the text is a valid subkey. */
export function isSubkey(subkey: string): boolean {
  return (
    subkey.length > 0 &&
    subkey.length <= SUBKEY_LENGTH &&
    Buffer.byteLength(subkey) <= SUBKEY_BYTES &&
    whatIsWrong(subkey) === undefined
  );
}

function whatIsWrong(subkey: string): string | undefined {
  const foreign = /[\\\p{Cc}]/u.exec(subkey);
  if (foreign) return `holds ${nameOfCharacter(foreign[0])} (character ${foreign.index + 1})`;
  if (subkey.startsWith('/')) return 'begins with a slash';
  if (subkey.endsWith('/')) return 'ends with a slash';
  const elements = subkey.split('/');
  if (elements.includes('')) return 'holds two slashes in a row';
  const relative = elements.find((element) => element === '.' || element === '..');
  return relative && `has the path element ${relative}`;
}

export function checkMediaType(type: string, at: string): void {
  if (type.length > MEDIA_TYPE_LENGTH)
    throw new Fault('length', `${place(at)} may have ${MEDIA_TYPE_LENGTH} characters; it has ${type.length}.`, at);
  if (!MEDIA_TYPE.test(type))
    throw new Fault(
      'value',
      `${place(at)} must be a media type such as image/png; it is ${JSON.stringify(type.slice(0, 60))}.`,
      at,
    );
}

/** The media type for the extension of a subkey. */
export function mediaTypeOf(subkey: string): string {
  // A leading dot does not begin an extension.
  const extension = /[^/]\.([^./]+)$/.exec(subkey)?.[1];
  return (extension !== undefined && lookup(extension)) || UNKNOWN_TYPE;
}
