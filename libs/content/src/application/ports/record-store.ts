import { type JsonText, type Scope } from '#kernel';
import { type Document } from '../../domain/document';
import { type Family, type Kind, type Status } from '../../domain/record';
import { type WorkflowPlace } from '../../domain/workflow-state';

/** A record of the bank, for writers. */
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
  extras: JsonText | null;
  tagSetId: string | null;
  /** In the order in which they were set. */
  tagIds: readonly string[];
  createdBy: string | null;
  updatedAt: number;
  /** Id of the list of held records; null when the record holds nothing. */
  holdingId: string | null;
}

/** A record with the body of its document. */
export interface WholeRecord extends CurrentRecord {
  body: JsonText;
}

/** The source of a copied or restored revision: its record and its start. */
export interface Origin {
  id: string;
  at: number;
}

/** The new state of a record. */
export interface RecordChange {
  /** Absent for a new record. */
  before?: CurrentRecord;
  kind: Kind;
  reference: string;
  /** The beginning of the title in folded case, for sorting. */
  titleKey: string;
  type: string | null;
  status: Status | null;
  /** Absent: unchanged; null: no workflow. */
  workflow?: WorkflowPlace | null;
  /** Absent: unchanged; a new record gets a copy of its origin's document. */
  document?: Document;
  tagSetId: string | null;
  tagIds: readonly string[];
  /** Ids of the records of the bank that this one holds, in order. Absent: unchanged. */
  holds?: readonly string[];
  /** The revision that this one was made from. */
  origin?: Origin;
}

/** A record that other records refer to. */
export interface HeldRecord {
  id: string;
  kind: Kind;
  type: string | null;
  updatedAt: number;
}

/** Records of an item bank, for writers. All calls need a unit of work. */
export abstract class RecordStore {
  /**
   * The existing records of the references, locked until the unit of work ends. Sees the state that the previous writer
   * left. References compare byte for byte. Reads no bodies: they are long, and a writer replaces them.
   */
  abstract lock(
    organisation: number,
    family: Family,
    references: readonly string[],
  ): Promise<Map<string, CurrentRecord>>;

  /** The same with bodies, for copying. Others may take the same lock, and nobody can change the records. */
  abstract share(
    organisation: number,
    family: Family,
    references: readonly string[],
  ): Promise<Map<string, WholeRecord>>;

  /** The existing records of the references, locked against changes until the unit of work ends. */
  abstract hold(organisation: number, family: Family, references: readonly string[]): Promise<Map<string, HeldRecord>>;

  /** Records that hold one of the given ones, locked. At most `limit`. */
  abstract lockHolders(organisation: number, heldIds: readonly string[], limit: number): Promise<WholeRecord[]>;

  /** Records of a kind that carry a tag, by id, after the id `after`. At most `limit`. Not locked. */
  abstract carriers(
    organisation: number,
    kind: Kind,
    tagId: string,
    limit: number,
    after?: string,
  ): Promise<{ id: string; reference: string }[]>;

  /** The number of records that hold one of the given ones. */
  abstract countHolders(organisation: number, heldIds: readonly string[]): Promise<number>;

  /**
   * Stores the changes. Each becomes a new revision that begins now and ends the revision before. All changes begin at
   * the same moment, strictly later than all earlier revisions, whatever the clock says. An unchanged body keeps its
   * document. The number of statements does not depend on the number of changes. Returns the ids of the records in the
   * order of the changes.
   */
  abstract save(changes: readonly RecordChange[], scope: Scope): Promise<string[]>;
}
