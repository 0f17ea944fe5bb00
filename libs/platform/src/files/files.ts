import { type Readable } from 'node:stream';

/** Names a file. Files of different owners or areas never meet, whatever their keys. */
export interface FileName {
  /** Anyone may read what is public. What is private is read through signed addresses alone, which expire. */
  area: 'public' | 'private';
  /** At least 1. */
  owner: number;
  /** A path of at most 900 bytes, without empty elements, `.`, `..`, backslashes and control characters. Compared exactly. */
  key: string;
}

/**
 * Private files are saved, but for pages, which are shown: those whose key ends so. Whoever writes one sees to it that
 * nothing in it runs and that it needs nothing from elsewhere.
 */
export const isPage = ({ area, key }: FileName): boolean => area === 'private' && key.endsWith('.html');

/** A file that is there. */
export interface StoredFile {
  /** Exactly as it was given. */
  contentType: string;
  /** To be read to its end, or destroyed. */
  content: Readable;
}

/** What was written. */
export interface Written {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Where files lie, by name. A file is there as a whole or not at all, always with the type it came with. */
export abstract class Files {
  /**
   * An address to which the file can be PUT until `expiresAt` (milliseconds since 1970), as often as wanted and without
   * further credentials. The header Content-Type must be `contentType` exactly. Nothing is asked of the file's place.
   * @throws Fault when no address can be signed for want of credentials.
   */
  abstract uploadAddress(name: FileName, contentType: string, expiresAt: number): Promise<string>;

  /** `//host/path`, at which anyone may read what was last put under a public name, from the moment it is complete. */
  abstract publicAddress(name: FileName): Promise<string>;

  /** An address at which anyone who has it may read the file until `expiresAt`, also a private one. */
  abstract readAddress(name: FileName, expiresAt: number): Promise<string>;

  /**
   * Replaces what was there once the content is complete; content that fails leaves it as it was, and is thrown on. Of
   * content of any length only a few parts are in memory at a time.
   * @throws Fault `unavailable`, with the reason, when the place of files does not take it: it may later.
   */
  abstract write(name: FileName, content: Readable, contentType: string): Promise<Written>;

  /**
   * One state of the file, whatever is written meanwhile; undefined when there is none.
   * @throws Fault `unavailable` when the place of files does not answer.
   */
  abstract read(name: FileName): Promise<StoredFile | undefined>;

  /**
   * How many bytes a file has, without reading it; undefined when there is none.
   * @throws Fault `unavailable` when the place of files does not answer.
   */
  abstract size(name: FileName): Promise<number | undefined>;

  /** Of a file that is not there nothing is left to do. */
  abstract remove(name: FileName): Promise<void>;

  /**
   * Resolves when the place of files is there and does as it is asked, which costs little to ask.
   * @param limit ends the attempt.
   * @throws Error as the system or the place says it.
   */
  abstract check(limit: AbortSignal): Promise<void>;
}

/** A key as the path of an address holds it: nothing in it has a meaning in HTML or CSS, no full stop at its end in a sentence. */
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
