import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { type Scope } from '#kernel';
import { FAMILY, type Status } from '../domain/record';
import { type CurrentRecord, RecordStore } from './ports/record-store';

/** Changes the status of content of the bank, and nothing else. Call it inside a unit of work, with at most 50 references. */
@Injectable()
export class Publishing {
  constructor(
    private readonly records: RecordStore,
    private readonly authors: Authors,
  ) {}

  /**
   * Publishes the unpublished records. Returns the ids of all records that are published now, including those that were
   * before.
   */
  async publish(kind: 'item' | 'activity', references: readonly string[], scope: Scope): Promise<string[]> {
    const found = await this.change(kind, references, ['unpublished'], 'published', scope);
    return found.filter(({ status }) => status !== 'archived').map(({ id }) => id);
  }

  async archive(kind: 'item' | 'activity', references: readonly string[], scope: Scope): Promise<void> {
    await this.change(kind, references, ['published', 'unpublished'], 'archived', scope);
  }

  /** Returns the records as they were. */
  private async change(
    kind: 'item' | 'activity',
    references: readonly string[],
    from: readonly Status[],
    to: Status,
    scope: Scope,
  ): Promise<CurrentRecord[]> {
    if (references.length === 0) return [];
    await this.authors.ensure(scope);
    const found = await this.records.lock(scope.shelf.organisation, FAMILY[kind], [...references].sort());
    const changed = [...found.values()].filter(({ status }) => from.includes(status!));
    await this.records.save(
      changed.map((before) => ({
        before,
        kind,
        reference: before.reference,
        titleKey: before.titleKey,
        type: before.type,
        status: to,
        tagSetId: before.tagSetId,
        tagIds: before.tagIds,
      })),
      scope,
    );
    return [...found.values()];
  }
}
