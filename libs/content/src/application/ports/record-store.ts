import { type JsonText, type Scope } from '#kernel';
import { type Document } from '../../domain/document';
import { type Family, type Kind, type Status } from '../../domain/record';

/** A record of the bank as a writer sees it. */
export interface CurrentRecord {
  id: string;
  kind: Kind;
  reference: string;
  titleKey: string;
  type: string | null;
  status: Status | null;
  workflowId: string | null;
  workflowState: string | null;
  documentId: string;
  documentHash: string;
  body: JsonText;
  extras: JsonText | null;
  tagSetId: string | null;
  /** In the order in which they were set. */
  tagIds: string[];
  createdBy: string | null;
  updatedAt: number;
}

/** What a record is to be from now on. */
export interface RecordChange {
  /** Absent for a new record. */
  before?: CurrentRecord;
  kind: Kind;
  reference: string;
  /** Folded beginning of the title, for sorting. */
  titleKey: string;
  type: string | null;
  status: Status | null;
  /** Absent: the document stays. */
  document?: Document;
  tagSetId: string | null;
  tagIds: readonly string[];
  /** Ids of the records of the bank that this one holds, in order. Absent: they stay. */
  holds?: readonly string[];
}

/** What is known of a record that others refer to. */
export interface HeldRecord {
  id: string;
  kind: Kind;
  type: string | null;
}

/** Records of an item bank, for writers. All calls stand inside a unit of work. */
export abstract class RecordStore {
  /**
   * Those of the references that exist, locked until the unit of work ends and as the writer before left them.
   * References compare byte for byte.
   */
  abstract lock(
    organisation: number,
    family: Family,
    references: readonly string[],
  ): Promise<Map<string, CurrentRecord>>;

  /** Those of the references that exist, kept from being renamed until the unit of work ends. */
  abstract hold(organisation: number, family: Family, references: readonly string[]): Promise<Map<string, HeldRecord>>;

  /** Records that hold one of the given ones, locked. At most `limit`. */
  abstract lockHolders(organisation: number, heldIds: readonly string[], limit: number): Promise<CurrentRecord[]>;

  /** How many records hold one of the given ones. */
  abstract countHolders(organisation: number, heldIds: readonly string[]): Promise<number>;

  /**
   * Stores the changes, each as a new revision that begins now and ends the one before. Now is one moment for all,
   * strictly later than the revisions before, whatever the clock says. A body that did not change keeps its document.
   * The number of statements does not depend on the number of changes. Returns the ids of the records in the order of
   * the changes.
   */
  abstract save(changes: readonly RecordChange[], scope: Scope): Promise<string[]>;
}
