import { type Readable } from 'node:stream';

/** Names a file. Files of different organisations or areas never meet, whatever their keys. */
export interface FileName {
  /** Assets are public: anyone may read them. What jobs make is private: it is read through signed addresses alone. */
  area: 'public' | 'private';
  organisation: number;
  /** A path as `checkSubkey` takes it. Compared exactly. */
  key: string;
}

/** A file that is there. */
export interface StoredFile {
  /** Exactly as it was given. */
  contentType: string;
  /** To be read to its end, or destroyed. */
  content: Readable;
}

/** Where files lie, by name. A file is there as a whole or not at all, always with the type it came with. */
export abstract class AssetFiles {
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

  /** Replaces what was there once the content is complete; content that fails leaves it as it was. */
  abstract write(name: FileName, content: Readable, contentType: string): Promise<void>;

  /** One state of the file, whatever is written meanwhile; undefined when there is none. */
  abstract read(name: FileName): Promise<StoredFile | undefined>;

  /** Of a file that is not there nothing is left to do. */
  abstract remove(name: FileName): Promise<void>;
}
