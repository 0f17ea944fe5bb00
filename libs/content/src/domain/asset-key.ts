import { lookup } from 'mime-types';
import { Fault, place } from '#kernel';

/** UTF-16 units of a subkey. */
export const SUBKEY_LENGTH = 700;
/** S3 takes keys of 1024 bytes; this leaves room for what stands before. */
const SUBKEY_BYTES = 900;

export const MEDIA_TYPE_LENGTH = 255;

/** What RFC 9110 calls a media type: `type/subtype`, and parameters whose values are tokens or quoted. */
const MEDIA_TYPE =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *; *[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\\x00-\x1f\x7f-\uffff]*"))*$/;

/** A file whose extension says nothing. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * The name that a caller gives an asset, unique in its organisation; it is the end of the public address.
 * @param at JSON pointer to it in the request.
 */
export function checkSubkey(subkey: string, at: string): void {
  if (subkey.length === 0 || subkey.length > SUBKEY_LENGTH)
    throw new Fault('length', `${place(at)} must have 1 to ${SUBKEY_LENGTH} characters; it has ${subkey.length}.`, at);
  const bytes = Buffer.byteLength(subkey);
  if (bytes > SUBKEY_BYTES)
    throw new Fault('length', `${place(at)} may take ${SUBKEY_BYTES} bytes in UTF-8; it takes ${bytes}.`, at);
  const wrong = whatIsWrong(subkey);
  if (wrong) throw new Fault('value', `${place(at)} ${wrong}; right is a path such as images/map.png.`, at);
}

/** Whether an asset can have the subkey. */
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
  if (foreign) return `holds ${JSON.stringify(foreign[0])} (character ${foreign.index + 1})`;
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

/** The media type that the extension of a subkey stands for. */
export function mediaTypeOf(subkey: string): string {
  // A name that only begins with a dot has no extension.
  const extension = /[^/]\.([^./]+)$/.exec(subkey)?.[1];
  return (extension !== undefined && lookup(extension)) || UNKNOWN_TYPE;
}
