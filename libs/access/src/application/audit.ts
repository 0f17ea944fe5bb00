import { Injectable } from '@nestjs/common';
import { type Scope, type Slice } from '#kernel';
import { type AuditEntry, type AuditQuery, AuditStore, type AuditSubject, type KeptEntry } from './ports/audit-store';

/** Records who changed what, when, and by which operation. */
@Injectable()
export class Audit {
  constructor(private readonly store: AuditStore) {}

  /** Call it inside the unit of work of the change. */
  async record(
    entries: readonly AuditEntry[],
    scope: Pick<Scope, 'shelf' | 'author' | 'operation' | 'now'>,
  ): Promise<void> {
    if (entries.length > 0) await this.store.add(entries, scope);
  }

  /** Entries about these things, oldest first, after the entry with the id `after`, at most `limit`. */
  async about(
    organisation: number,
    subject: AuditSubject,
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<KeptEntry[]> {
    return keys.length === 0 ? [] : this.store.about(organisation, subject, keys, limit, after);
  }

  /** Newest first, in slices. */
  async newest(query: AuditQuery): Promise<Slice<KeptEntry>> {
    return this.store.newest(query);
  }

  /**
   * Erases the details of entries about these things; author, time and operation stay. Returns the number of entries.
   */
  async forget(organisation: number, subject: AuditSubject, keys: readonly string[]): Promise<number> {
    return keys.length === 0 ? 0 : this.store.forget(organisation, subject, keys);
  }
}
