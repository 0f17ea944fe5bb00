import { type JsonText, type Scope } from '#kernel';
import { type Document } from '../../domain/document';
import { type Family, type Kind, type Status } from '../../domain/record';
import { type WorkflowPlace } from '../../domain/workflow-state';

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
  tagIds: readonly string[];
  createdBy: string | null;
  updatedAt: number;
  /** The list of what it holds; null when it holds nothing. */
  holdingId: string | null;
}

/** A revision from which another was made: its record, and the moment at which it began. */
export interface Origin {
  id: string;
  at: number;
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
  /** Absent: it stays as it is; null: in no workflow. */
  workflow?: WorkflowPlace | null;
  /** Absent: the document stays; a new record gets a copy of the one that its origin has. */
  document?: Document;
  tagSetId: string | null;
  tagIds: readonly string[];
  /** Ids of the records of the bank that this one holds, in order. Absent: they stay. */
  holds?: readonly string[];
  /** The revision from which this one was made. */
  origin?: Origin;
}

/** What is known of a record that others refer to. */
export interface HeldRecord {
  id: string;
  kind: Kind;
  type: string | null;
  updatedAt: number;
}

/** Records of an item bank, for writers. All calls stand inside a unit of work. */
export abstract class RecordStore {
  /**
   * Those of the references that exist, locked until the unit of work ends and as the writer before left them.
   * References compare byte for byte. `share`: others can lock them so too, and nobody can change them.
   */
  abstract lock(
    organisation: number,
    family: Family,
    references: readonly string[],
    how?: 'update' | 'share',
  ): Promise<Map<string, CurrentRecord>>;

  /** Those of the references that exist, kept from being changed until the unit of work ends. */
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
