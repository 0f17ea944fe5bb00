import { type JsonText, type Shelf } from '#kernel';
import { type Kind } from '../../domain/record';

/** A document that is pinned: it never changes, whatever becomes of the record that it was taken from. */
export interface Pinned {
  /** Id of the document, and the organisation that it belongs to. */
  document: string;
  organisation: number;
  /** SHA-256 of its canonical form. */
  hash: string;
  body: JsonText;
}

/** A question or feature of an item, as it stands on a shelf. */
export interface PinnedQuestion extends Pinned {
  reference: string;
  type: string;
}

/** A document of a record, under the reference by which it was asked for. */
export interface PinnedRecord extends Pinned {
  /** Id of the record. */
  record: string;
  reference: string;
  /** Type code of a widget; null for others. */
  type: string | null;
  extras: JsonText | null;
}

/** An item as it stands on a shelf, with its questions in the order in which its definition shows them. */
export interface PinnedItem extends Pinned {
  /** Id of the record, which stays the same when the item is renamed. */
  record: string;
  reference: string;
  /** Null where documents were asked for, not a record. */
  status: string | null;
  /** JSON object with the members that reads return when asked, `adaptive` among them; null when there are none. */
  extras: JsonText | null;
  questions: PinnedQuestion[];
  /** References of its features. */
  features: string[];
}

/** By what a record can be known, whatever it is called now. */
export interface RecordPast {
  references: Set<string>;
  /** Ids. */
  documents: Set<string>;
}

/** Content for whoever keeps what was shown: by its documents, rather than by its records. */
export abstract class PinnedContent {
  /** The items of these references that the shelf shows, by reference. References compare byte for byte. */
  abstract items(shelf: Shelf, references: readonly string[]): Promise<Map<string, PinnedItem>>;

  /** Features of the shelf, by reference. References compare byte for byte. */
  abstract features(shelf: Shelf, references: readonly string[]): Promise<Map<string, PinnedQuestion>>;

  /** An activity of the shelf. */
  abstract activity(shelf: Shelf, reference: string): Promise<Pinned | undefined>;

  /** Documents by their ids; those that do not exist are left out. */
  abstract documents(organisation: number, ids: readonly string[]): Promise<Map<string, Pinned>>;

  /** The hashes of documents, by their ids; those that do not exist are left out. */
  abstract hashes(organisation: number, ids: readonly string[]): Promise<Map<string, string>>;

  /**
   * Of each record and hash, the latest document of this hash that the record has, or had in any revision, where there is
   * one. A record is found by its reference and by those that it had before it was renamed.
   */
  abstract ever(
    organisation: number,
    kind: Kind,
    wanted: readonly { reference: string; hash: string }[],
  ): Promise<PinnedRecord[]>;

  /** The references and the documents that a record has, or had in any revision. A document is of one record only. */
  abstract pastOf(organisation: number, record: string): Promise<RecordPast>;

  /** What items are called now that once had another reference, this one: at most a few. */
  abstract itemsOnceCalled(organisation: number, reference: string): Promise<string[]>;

  /** Whether the item has, or had in any revision, content that is made anew for each learner. */
  abstract wasEverDynamic(organisation: number, record: string): Promise<boolean>;
}
