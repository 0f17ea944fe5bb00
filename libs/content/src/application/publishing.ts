import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { type Scope } from '#kernel';
import { FAMILY } from '../domain/record';
import { RecordStore } from './ports/record-store';

/** Publishes unpublished content of the bank without any other change. */
@Injectable()
export class Publishing {
  constructor(
    private readonly records: RecordStore,
    private readonly authors: Authors,
  ) {}

  /**
   * Publishes the unpublished records. Returns the ids of all records that are published now, including those that were
   * before. Call it inside a unit of work, with at most 50 references.
   */
  async publish(kind: 'item' | 'activity', references: readonly string[], scope: Scope): Promise<string[]> {
    if (references.length === 0) return [];
    await this.authors.ensure(scope);
    const found = await this.records.lock(scope.shelf.organisation, FAMILY[kind], [...references].sort());
    const unpublished = [...found.values()].filter(({ status }) => status === 'unpublished');
    await this.records.save(
      unpublished.map((before) => ({
        before,
        kind,
        reference: before.reference,
        titleKey: before.titleKey,
        type: before.type,
        status: 'published',
        tagSetId: before.tagSetId,
        tagIds: before.tagIds,
      })),
      scope,
    );
    return [...found.values()].filter(({ status }) => status !== 'archived').map(({ id }) => id);
  }
}
