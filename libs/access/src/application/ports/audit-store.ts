import { type Scope } from '#kernel';

/** One change of something that is not a document and so has no revisions. */
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
    | 'event_stream';
  key: string;
  /** What changed; never a secret. */
  detail: Record<string, unknown>;
}

/** An entry as it is stored. */
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

  /** Entries about these things, oldest first, behind the one with the id `after`, at most `limit`. */
  abstract about(
    organisation: number,
    subject: AuditEntry['subject'],
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<KeptEntry[]>;

  /** Of entries about these things only who did something, when and by which operation stays; returns how many there were. */
  abstract forget(organisation: number, subject: AuditEntry['subject'], keys: readonly string[]): Promise<number>;
}
