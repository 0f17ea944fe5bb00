import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { checkRevisions, Faults, place, refuseRepeated, type Scope, UnitOfWork } from '#kernel';
import { type TagName, Tags } from '#tagging';
import { type RecordChange, RecordStore } from './ports/record-store';
import { type Effect, effectsOf, type SetOptions, uniqueIds } from './writing';

export interface Retag {
  reference: string;
  tags: TagName[];
  ifRevision?: number;
}

/** Changes only the tags of records. */
@Injectable()
export class Retagging {
  constructor(
    private readonly records: RecordStore,
    private readonly tags: Tags,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws Fault for records that do not exist. Then no record changes. */
  async retag(
    family: 'item' | 'activity',
    entries: readonly Retag[],
    how: 'replace' | 'append',
    scope: Scope,
    options: SetOptions = {},
  ): Promise<Effect[]> {
    let effects: Effect[] = [];
    const list = family === 'item' ? 'items' : 'activities';
    refuseRepeated(entries.map(({ reference }, index) => ({ reference, at: `/${list}/${index}/reference` })));
    const tags = entries.flatMap((entry) => entry.tags);
    const known = await this.tags.lookUp(scope.shelf.organisation, tags);
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const ids = await this.tags.ensure(tags, known, scope);
      const references = entries.map(({ reference }) => reference).sort();
      const current = await this.records.lock(scope.shelf.organisation, family, references);
      const faults = new Faults();
      for (const [index, { reference }] of entries.entries()) {
        if (current.has(reference)) continue;
        const at = `/${list}/${index}/reference`;
        const kind = family === 'item' ? 'item-unknown' : 'reference-unknown';
        faults.add(kind, `${place(at)}: there is no ${family} ${JSON.stringify(reference)}.`, at);
      }
      faults.throwAny();
      const lists = entries.map((entry) => {
        const added = uniqueIds(entry.tags, ids);
        return how === 'replace' ? added : [...new Set([...current.get(entry.reference)!.tagIds, ...added])];
      });
      checkRevisions(
        entries.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: `/${list}/${index}` })),
        current,
      );
      const sets = await this.tags.sets(lists, scope, current.values());
      const changes = entries.map(({ reference }, index): RecordChange => {
        const before = current.get(reference)!;
        return { ...before, before, tagSetId: sets[index]!, tagIds: lists[index]! };
      });
      const { changed, ...found } = effectsOf(changes, options);
      ({ effects } = found);
      await this.records.save(changed, scope);
    });
    return effects;
  }
}
