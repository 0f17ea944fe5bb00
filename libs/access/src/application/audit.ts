import { Inject, Injectable } from '@nestjs/common';
import { type Scope } from '#kernel';
import { type AuditEntry, AuditStore } from './ports/audit-store';

/** Who changed what, when and by which operation. */
@Injectable()
export class Audit {
  constructor(@Inject(AuditStore) private readonly store: AuditStore) {}

  /** Call inside the unit of work of the change. */
  async record(
    entries: readonly AuditEntry[],
    scope: Pick<Scope, 'shelf' | 'author' | 'operation' | 'now'>,
  ): Promise<void> {
    if (entries.length > 0) await this.store.add(entries, scope);
  }
}
