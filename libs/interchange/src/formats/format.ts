import { type Json } from '#kernel';
import { type ContentRecord, type Entry, type SetupRecord } from './entry';
import { type Note } from './note';
import { type Source } from './source';

/** A record that an export writes. */
export interface Outgoing {
  reference: string;
  record: ContentRecord;
  /** Whether the item is unchanged since its import, so that the export can return its source. */
  isAsImported?: boolean;
}

/** A tag, hierarchy, workflow or pool that an export writes. */
export interface OutgoingSetup {
  reference: string;
  record: SetupRecord;
}

/** A file of an exported package. */
export interface PackageFile {
  path: string;
  /** The parts of the content, in order. Read it to its end before the next file. */
  content: AsyncIterable<string | Buffer>;
}

/** Reports that the format cannot hold a record unchanged. */
export interface ExportNote extends Note {
  reference: string;
}

/** A file of the bank that an exported record uses. */
export interface StoredAsset {
  /** A name for packages. Equal names mean equal content. */
  name: string;
  read(): Promise<Buffer>;
}

/** The functions and records that a writer gets. */
export interface WriteContext {
  /** Replaces the addresses of the bank's own files in a text or in data. */
  withAssets<T extends Json>(value: T, replace: (asset: StoredAsset) => string): Promise<T>;
  note(note: ExportNote): void;
  /** Empty unless the export is of a whole bank. Formats that cannot hold these records ignore them. */
  setup: {
    /** Tags, hierarchies and workflows. */
    beforeItems: AsyncIterable<OutgoingSetup>;
    /** Pools. */
    afterItems: AsyncIterable<OutgoingSetup>;
  };
}

/**
 * A format in which banks are exchanged. Formats are pure: bytes in, entries and notes out, and back. They open no file, no
 * database and no connection.
 */
export interface Format {
  /** As callers name it: `moodle-xml`. */
  readonly name: string;
  /** Whether the source looks like this format. Looks at names and at the beginnings of files. */
  recognises(source: Source): Promise<boolean>;
  /**
   * The entries in the order of the source, items before the activities that hold them. A bad question becomes a
   * refused entry.
   * @throws Unreadable when nothing can be read.
   */
  read(source: Source): AsyncIterable<Entry>;
  /** Absent when the format is only read. */
  write?(records: AsyncIterable<Outgoing>, context: WriteContext): AsyncIterable<PackageFile> | Iterable<PackageFile>;
}
