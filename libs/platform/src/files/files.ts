import { type Readable } from 'node:stream';

/** The name of a file. Names with different owners or areas are always different files. */
export interface FileName {
  /** Anyone may read public files. Private files are read only through signed addresses, which expire. */
  area: 'public' | 'private';
  /** At least 1. */
  owner: number;
  /**
   * A path of at most 900 bytes, without empty elements, `.`, `..`, backslashes and control characters. Case-sensitive.
   */
  key: string;
}

/**
 * Browsers show private files with this ending as pages and save all other private files. The writer of a page makes
 * sure that it runs no scripts and loads nothing from elsewhere.
 */
export const isPage = ({ area, key }: FileName): boolean => area === 'private' && key.endsWith('.html');

/** A file that exists, opened for reading. */
export interface StoredFile {
  /** Exactly as the uploader gave it. */
  contentType: string;
  /** The caller reads it to its end or destroys it. */
  content: Readable;
}

/** The size and hash of a written file. */
export interface Written {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** A store of files by name. A file exists completely or not at all, always with the content type of its upload. */
export abstract class Files {
  /**
   * An address to which the file can be PUT until `expiresAt` (milliseconds since 1970), any number of times and
   * without further credentials. The header Content-Type must be exactly `contentType`. Sends no request to the store.
   * @throws Fault when credentials for signing are missing.
   */
  abstract uploadAddress(name: FileName, contentType: string, expiresAt: number): Promise<string>;

  /** `//host/path`, at which anyone may read the latest complete upload of a public file. */
  abstract publicAddress(name: FileName): Promise<string>;

  /** An address at which anyone who has it may read the file, even a private one, until `expiresAt`. */
  abstract readAddress(name: FileName, expiresAt: number): Promise<string>;

  /**
   * Replaces the file once the content is complete. When the content fails, keeps the old file and rethrows the error.
   * Holds only a few parts of the content in memory at a time.
   * @throws Fault `unavailable`, with the reason, when the store does not accept the file now.
   */
  abstract write(name: FileName, content: Readable, contentType: string): Promise<Written>;

  /**
   * Reads one state of the file, even while the file is being replaced; undefined when there is none.
   * @throws Fault `unavailable` when the store does not answer.
   */
  abstract read(name: FileName): Promise<StoredFile | undefined>;

  /**
   * The size of a file in bytes, without reading it; undefined when there is none.
   * @throws Fault `unavailable` when the store does not answer.
   */
  abstract size(name: FileName): Promise<number | undefined>;

  /** Does nothing when the file does not exist. */
  abstract remove(name: FileName): Promise<void>;

  /**
   * Resolves when the store exists and accepts the credentials. Cheap.
   * @param limit ends the attempt.
   * @throws Error of the system or the store.
   */
  abstract check(limit: AbortSignal): Promise<void>;
}

/**
 * A key escaped for the path of an address. It is safe in HTML and CSS, and its last full stop does not end a sentence.
 */
export function encodedKey(key: string): string {
  return key
    .split('/')
    .map((element) =>
      encodeURIComponent(element).replace(
        /[!'()*]|\.$/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');
}
