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
    | 'tag_hierarchy'
    | 'player_template'
    | 'base_template'
    | 'webhook'
    | 'event_stream';
  key: string;
  /** What changed; never a secret. */
  detail: Record<string, unknown>;
}

export abstract class AuditStore {
  abstract add(
    entries: readonly AuditEntry[],
    scope: Pick<Scope, 'shelf' | 'author' | 'operation' | 'now'>,
  ): Promise<void>;
}
