import { type JsonText, type Shelf } from '#kernel';
import { type FormerDocument } from '../../domain/former';
import { type Kind } from '../../domain/record';

/** A pinned document. It never changes, whatever happens to its record. */
export interface Pinned {
  /** Id of the document, and its organisation. */
  document: string;
  organisation: number;
  /** SHA-256 of its canonical form. */
  hash: string;
  body: JsonText;
}

/** A question or feature of an item on a shelf. */
export interface PinnedQuestion extends Pinned {
  reference: string;
  type: string;
}

/** A document of a record, under the requested reference. */
export interface PinnedRecord extends Pinned {
  /** Id of the record. */
  record: string;
  reference: string;
  /** Type code of a widget; null for others. */
  type: string | null;
  extras: JsonText | null;
}

/** An item on a shelf, with its questions in the order of its definition. Unchanged items may be the same object again. */
export interface PinnedItem extends Pinned {
  /** Id of the record, which stays the same when the item is renamed. */
  record: string;
  reference: string;
  /** Null when the caller asked for documents, not for a record. */
  status: string | null;
  /** JSON object with the members that reads return on request, such as `adaptive`; null when there are none. */
  extras: JsonText | null;
  questions: readonly Readonly<PinnedQuestion>[];
  /** References of its features. */
  features: readonly string[];
}

/** All references and documents of a record, present and past. */
export interface RecordPast {
  references: Set<string>;
  /** Ids. */
  documents: Set<string>;
}

/** Content for code that stores what learners were shown, by document instead of by record. */
export abstract class PinnedContent {
  /** The shelf's items with these references, by reference. References compare byte for byte. */
  abstract items(shelf: Shelf, references: readonly string[]): Promise<Map<string, PinnedItem>>;

  /** The shelf's features, by reference. References compare byte for byte. */
  abstract features(shelf: Shelf, references: readonly string[]): Promise<Map<string, PinnedQuestion>>;

  /** An activity of the shelf. */
  abstract activity(shelf: Shelf, reference: string): Promise<Pinned | undefined>;

  /** Existing documents by id. */
  abstract documents(organisation: number, ids: readonly string[]): Promise<Map<string, Pinned>>;

  /** Hashes of existing documents by id. */
  abstract hashes(organisation: number, ids: readonly string[]): Promise<Map<string, string>>;

  /**
   * For each record and hash, the latest document with this hash that any revision of the record has. Finds a record by
   * its present and former references.
   */
  abstract ever(
    organisation: number,
    kind: Kind,
    wanted: readonly { reference: string; hash: string }[],
  ): Promise<PinnedRecord[]>;

  /** All references and documents that a record has or had. A document belongs to only one record. */
  abstract pastOf(organisation: number, record: string): Promise<RecordPast>;

  /** The present references of items that once had one of these references, by the former reference. */
  abstract itemsOnceCalled(organisation: number, references: readonly string[]): Promise<Map<string, string[]>>;

  /** Whether any revision of the item has content that is generated for each learner. */
  abstract wasEverDynamic(organisation: number, record: string): Promise<boolean>;

  /** Stores documents that no record has. Those that exist stay unchanged. Call it inside a unit of work. */
  abstract keep(organisation: number, documents: readonly FormerDocument[]): Promise<void>;
}
