import { type Scope } from '#kernel';

/** A change of something that has no revisions, because it is not a document. */
export interface AuditEntry {
  subject:
    | 'tag'
    | 'consumer'
    | 'organisation'
    | 'workflow'
    | 'pool'
    | 'session'
    | 'learner'
    | 'tag_hierarchy'
    | 'player_template'
    | 'base_template'
    | 'webhook'
    | 'event_stream'
    | 'person';
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

export abstract class AuditStore {
  abstract add(
    entries: readonly AuditEntry[],
    scope: Pick<Scope, 'shelf' | 'author' | 'operation' | 'now'>,
  ): Promise<void>;

  /** Entries about these things, oldest first, after the entry with the id `after`, at most `limit`. */
  abstract about(
    organisation: number,
    subject: AuditEntry['subject'],
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<KeptEntry[]>;

  /**
   * Erases the details of entries about these things; author, time and operation stay. Returns the number of entries.
   */
  abstract forget(organisation: number, subject: AuditEntry['subject'], keys: readonly string[]): Promise<number>;
}
