import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { checkRevisions, Fault, Faults, MANUAL_USER, type Position, type Scope, type Slice, UnitOfWork } from '#kernel';
import { MAX_ADDRESS, MAX_VIEWS, type SavedView } from '../domain/saved-view';
import { SavedViewStore } from './ports/saved-view-store';

interface ViewInput {
  reference: string;
  screen: string;
  name: string;
  isShared: boolean;
  address: object;
  ifRevision?: number;
}

/** Named filters of lists, shared in an organisation or private to an author. */
@Injectable()
export class SavedViews {
  constructor(
    private readonly store: SavedViewStore,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  /** The shared views of the organisation, and those of the author of the scope. */
  async find(
    { shelf: { organisation }, author }: Scope,
    { screen, limit, after }: { screen?: string; limit: number; after?: Position },
  ): Promise<Slice<SavedView>> {
    const [last] = (after ?? []) as [string?];
    const owner = author?.id ?? MANUAL_USER;
    const found = await this.store.find({ organisation, owner, screen, after: last, limit: limit + 1 });
    const entries = found.slice(0, limit);
    return found.length > limit ? { entries, after: [entries.at(-1)!.reference] } : { entries };
  }

  /**
   * Adds or replaces the views, all or none.
   * @throws Fault for a view of somebody else, for too many views, and for a view with another revision than expected.
   */
  async set(inputs: readonly ViewInput[], scope: Scope): Promise<void> {
    const faults = new Faults();
    const seen = new Set<string>();
    const ready = inputs.map((input, index) => {
      const at = `/views/${index}`;
      const address = JSON.stringify(input.address);
      faults.collect(() => {
        if (seen.has(input.reference))
          throw new Fault(
            'duplicate',
            `views[${index}].reference: ${JSON.stringify(input.reference)} is there twice.`,
            `${at}/reference`,
          );
        if (address.length > MAX_ADDRESS)
          throw new Fault(
            'length',
            `views[${index}].address has ${address.length} characters as JSON; at most ${MAX_ADDRESS} are allowed.`,
            `${at}/address`,
          );
      });
      seen.add(input.reference);
      return { ...input, address, at };
    });
    faults.throwAny();
    const { organisation } = scope.shelf;
    const owner = scope.author?.id ?? MANUAL_USER;
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const existing = await this.store.lock(organisation, [...seen]);
      this.refuseOthers(existing, ready, owner);
      checkRevisions(ready, existing);
      const added = ready.filter(({ reference }) => existing.get(reference)?.owner !== owner).length;
      if (added > 0 && (await this.store.count(organisation, owner)) + added > MAX_VIEWS)
        throw new Fault('too-many', `One author keeps at most ${MAX_VIEWS} views; delete some first.`, '/views');
      await this.store.put(
        organisation,
        ready.map(({ reference, screen, name, isShared, address }) => {
          const before = existing.get(reference);
          const updatedAt = before ? Math.max(scope.now, before.updatedAt + 1) : scope.now;
          return { reference, screen, owner, isShared, name, address, updatedAt };
        }),
      );
    });
  }

  /**
   * Deletes the views, all or none.
   * @throws Fault for a view that does not exist or belongs to somebody else.
   */
  async remove(references: readonly string[], scope: Scope): Promise<void> {
    const { organisation } = scope.shelf;
    const owner = scope.author?.id ?? MANUAL_USER;
    await this.work.run(async () => {
      const existing = await this.store.lock(organisation, references);
      const entries = references.map((reference, index) => ({ reference, at: `/references/${index}` }));
      const unknown = new Faults();
      for (const { reference, at } of entries)
        unknown.collect(() => {
          const view = existing.get(reference);
          if (!view || (!view.isShared && view.owner !== owner))
            throw new Fault('reference-unknown', `There is no view ${JSON.stringify(reference)}.`, at);
        });
      unknown.throwAny();
      this.refuseOthers(existing, entries, owner);
      await this.store.remove(organisation, references);
    });
  }

  /** All views that an author saved. */
  async everywhere(owner: string): Promise<(SavedView & { organisation: number })[]> {
    return this.store.everywhere(owner);
  }

  /** Removes the views that only this author sees. Call it inside a unit of work. */
  async forget(owner: string): Promise<void> {
    await this.store.forget(owner);
  }

  private refuseOthers(
    existing: ReadonlyMap<string, SavedView>,
    entries: readonly { reference: string; at: string }[],
    owner: string,
  ): void {
    const faults = new Faults();
    for (const { reference, at } of entries)
      faults.collect(() => {
        const view = existing.get(reference);
        if (view && view.owner !== null && view.owner !== owner)
          throw new Fault(
            'conflict',
            `The view ${JSON.stringify(reference)} belongs to somebody else. Save yours under another reference.`,
            at,
          );
      });
    faults.throwAny();
  }
}
