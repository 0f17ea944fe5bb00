import { type JsonText, type Position, type Slice } from '#kernel';
import { type TagName } from '#tagging';
import { type Family, type Kind, type Status } from '../../domain/record';

/** A revision without its document. */
export interface RevisionFacts {
  recordId: string;
  /** The record's present reference. */
  presentReference: string;
  /** The record's reference at that time. */
  reference: string;
  /** Milliseconds since 1970, strictly rising with each revision of a record. Callers use it as the revision number. */
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
  /** The revision that this one was copied or restored from. */
  origin: { reference: string; beganAt: number } | null;
}

/** The state of a record from a moment on. */
export interface Revision extends RevisionFacts {
  body: JsonText;
  extras: JsonText | null;
}

export interface RevisionQuery {
  kind: Kind;
  /** Present references of the records. */
  references: readonly string[];
  /** Bounds for the start of a revision, in milliseconds, inclusive. */
  from?: number;
  to?: number;
  ascending: boolean;
  limit: number;
  after?: Position;
}

/** Reads the revisions of the records of the bank. */
export abstract class HistoryReader {
  /** All revisions of the record that has this reference now, oldest first; undefined when there is none. */
  abstract revisions(organisation: number, family: Family, reference: string): Promise<Revision[] | undefined>;

  /** Sorted by start, then by record. `after` is set only when another slice exists. */
  abstract find(organisation: number, query: RevisionQuery): Promise<Slice<RevisionFacts>>;

  /**
   * The existing revisions, unordered, each with the record's present revision.
   * @param wanted the record's present reference and the revision's start.
   */
  abstract whole(
    organisation: number,
    kind: Kind,
    wanted: readonly { reference: string; beganAt: number }[],
  ): Promise<(Revision & { present: number })[]>;

  /** Present references of the items that each revision of an activity held, in order, by record. */
  abstract held(
    organisation: number,
    revisions: readonly Pick<RevisionFacts, 'recordId' | 'beganAt'>[],
  ): Promise<Map<string, string[]>>;
}
