import { type Position, type Scope, type Slice } from '#kernel';
import { type SqlPart } from '#platform';

/** The kinds of things that have no revisions, because they are not documents. */
export const AUDIT_SUBJECTS = [
  'tag',
  'tag_hierarchy',
  'workflow',
  'pool',
  'player_template',
  'base_template',
  'session',
  'learner',
  'person',
  'consumer',
  'organisation',
  'webhook',
  'event_stream',
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** A change of something that has no revisions. */
export interface AuditEntry {
  subject: AuditSubject;
  key: string;
  /** The changes; never a secret. */
  detail: Record<string, unknown>;
}

/** A stored entry. */
export interface KeptEntry extends AuditEntry {
  id: string;
  operation: string;
  author: string | null;
}

/** Entries of an organisation that meet all conditions; organisation 0 is the installation. An empty list matches nothing. */
export interface AuditPart {
  organisation: number;
  /** Absent: all subjects. */
  subject?: AuditSubject;
  keys?: readonly string[];
  /** Null: entries without an author. */
  authors?: readonly (string | null)[];
  operations?: readonly string[];
  /** A SELECT of keys, or of authors, for which a list would have no bound. */
  keysIn?: SqlPart;
  authorsIn?: SqlPart;
}

export interface AuditQuery {
  /** Entries of any of these parts, which are at most 50. No entry may belong to two parts. */
  parts: readonly AuditPart[];
  /** The first and the last millisecond. */
  from?: number;
  to?: number;
  limit: number;
  after?: Position;
}

export abstract class AuditStore {
  abstract add(
    entries: readonly AuditEntry[],
    scope: Pick<Scope, 'shelf' | 'author' | 'operation' | 'now'>,
  ): Promise<void>;

  /** Entries about these things, oldest first, after the entry with the id `after`, at most `limit`. */
  abstract about(
    organisation: number,
    subject: AuditSubject,
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<KeptEntry[]>;

  /** Newest first, in slices. */
  abstract newest(query: AuditQuery): Promise<Slice<KeptEntry>>;

  /**
   * Erases the details of entries about these things; author, time and operation stay. Returns the number of entries.
   */
  abstract forget(organisation: number, subject: AuditSubject, keys: readonly string[]): Promise<number>;
}
