import { type JsonText, type Position, type Slice } from '#kernel';
import { type TagName } from '#tagging';
import { type Family, type Kind, type Status } from '../../domain/record';

/** What is known of a revision without looking into its document. */
export interface RevisionFacts {
  recordId: string;
  /** The reference that the record has now. */
  presentReference: string;
  /** The one that it had then. */
  reference: string;
  /** Milliseconds since 1970, rising strictly with each revision of a record: its number for callers. */
  beganAt: number;
  /** Null: no author was named. */
  author: string | null;
  operation: string;
  status: Status | null;
  workflowId: string | null;
  workflowState: string | null;
  documentHash: string;
  /** In their present case. */
  tags: TagName[];
  /** The revision that this one was copied from or restored. */
  origin: { reference: string; beganAt: number } | null;
}

/** What a record was from a moment on. */
export interface Revision extends RevisionFacts {
  body: JsonText;
  extras: JsonText | null;
}

export interface RevisionQuery {
  kind: Kind;
  /** References that the records have now. */
  references: readonly string[];
  /** Bounds of the moment at which a revision began. Milliseconds, both inclusive. */
  from?: number;
  to?: number;
  ascending: boolean;
  limit: number;
  after?: Position;
}

/** The revisions of the records of the bank. */
export abstract class HistoryReader {
  /** All revisions of the record that has this reference now, oldest first; undefined when there is none. */
  abstract revisions(organisation: number, family: Family, reference: string): Promise<Revision[] | undefined>;

  /** Sorted by the moment at which they began, then by record. `after` is set exactly when another slice exists. */
  abstract find(organisation: number, query: RevisionQuery): Promise<Slice<RevisionFacts>>;

  /**
   * Those of the revisions that exist, in no order, each with the record's present revision.
   * @param wanted the reference that the record has now, and the moment at which the revision began.
   */
  abstract whole(
    organisation: number,
    kind: Kind,
    wanted: readonly { reference: string; beganAt: number }[],
  ): Promise<(Revision & { present: number })[]>;

  /** The present references of the items that each of the revisions of activities held, in their order, by record. */
  abstract held(
    organisation: number,
    revisions: readonly Pick<RevisionFacts, 'recordId' | 'beganAt'>[],
  ): Promise<Map<string, string[]>>;
}
