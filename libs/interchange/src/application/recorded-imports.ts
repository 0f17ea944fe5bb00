import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, newId, UnitOfWork } from '#kernel';
import { authorOf, type Totals } from '../domain/import';
import { type CollisionRule } from './import-results';
import { ImportStore } from './ports/import-store';

/** An import that its caller runs itself, without a job. */
export interface DirectImport {
  organisation: number;
  /** A ULID. */
  id: string;
  /** Name of what is imported, for people. */
  name: string;
  format: string;
  onCollision: CollisionRule;
}

const MAX_NAME_LENGTH = 100;

/** Records imports that run without a job, so that they can be listed and reverted like others. */
@Injectable()
export class RecordedImports {
  constructor(
    private readonly store: ImportStore,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Runs a unit of work that stores entries, and records what it wrote. The first one also adds the import. */
  async run(direct: DirectImport, work: () => Promise<unknown>): Promise<void> {
    const { organisation, id } = direct;
    await this.work.run(async () => {
      const since = this.clock.now();
      if (!(await this.store.lock(organisation, id))) await this.add(direct, since);
      await work();
      await this.store.note(organisation, id, since);
    });
  }

  /** @param plan hash of the results. */
  async end({ organisation, id }: DirectImport, plan: string, totals: Totals): Promise<void> {
    await this.store.move(organisation, id, id, { status: 'applied', plan, totals }, this.clock.now());
  }

  /** The import counts as applied from its first unit of work on. So it can be reverted even if it was interrupted. */
  private async add({ organisation, id, name, format, onCollision }: DirectImport, now: number): Promise<void> {
    const file = newId(now);
    await this.store.addFile(organisation, { id: file, name: [...name].slice(0, MAX_NAME_LENGTH).join('') });
    await this.store.add(organisation, {
      id,
      status: 'applied',
      // Uses its own id instead, because no job runs it.
      job: id,
      file,
      format,
      onCollision,
      // A placeholder until the import ends, because an import without a plan counts as being removed.
      plan: createHash('sha256').update(authorOf(id)).digest('hex'),
      totals: null,
      error: null,
      changedAt: now,
    });
  }
}
