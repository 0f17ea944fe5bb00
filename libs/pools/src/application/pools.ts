import { Injectable } from '@nestjs/common';
import { Audit, Authors } from '#access';
import { GenerationReader } from '#content';
import { Jobs } from '#jobs';
import {
  checkRevisions,
  Fault,
  newId,
  place,
  type PoolShelf,
  refuseRepeated,
  type Scope,
  throwAny,
  type Slice,
  UnitOfWork,
} from '#kernel';
import { type Fill, type Pool, type PoolStatus } from '../domain/pool';
import { changesIn, type PoolChanges } from './changes';
import { FILL_POOL } from './filling';
import { type FilledPool, type PoolListing, PoolStore, type ShownFill } from './ports/pool-store';

/** A pool as `set` and `update` take it. Absent members keep their values in `update` and get defaults in `set`. */
export interface PoolInput extends Omit<Fill, 'pool'> {
  name?: string;
  description?: string | null;
  status?: PoolStatus;
  /** The pool must have this revision; 0: it must not exist. */
  ifRevision?: number;
}

/** A pool and its fill job. */
export interface Filling {
  reference: string;
  job: string;
}

/** Item pools: named copies of content that change only when they are filled again. */
@Injectable()
export class Pools {
  constructor(
    private readonly store: PoolStore,
    private readonly generations: GenerationReader,
    private readonly jobs: Jobs,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly audit: Audit,
  ) {}

  async find(listing: PoolListing): Promise<Slice<Pool>> {
    return this.store.find(listing);
  }

  /** The number of pools that show content with each of the tags, by their ids. */
  async tagged(organisation: number, tagIds: readonly string[]): Promise<Map<string, number>> {
    return this.store.tagged(organisation, tagIds);
  }

  /**
   * The content that a pool shows now.
   * @param at the place of the pool in the request.
   * @throws Fault 30001 when the pool does not exist.
   */
  async shelf(organisation: number, reference: string, at = '/item_pool_id'): Promise<PoolShelf> {
    const shelf = await this.store.shelf(organisation, reference);
    if (!shelf) throw unknown(reference, at);
    return shelf;
  }

  /**
   * The last fills of a pool that can be compared, newest first.
   * @throws Fault 30001 when the pool does not exist.
   */
  async fills(organisation: number, reference: string): Promise<ShownFill[]> {
    return this.store.fills(organisation, await this.shelf(organisation, reference, '/reference'));
  }

  /**
   * Compares two fills of a pool.
   * @param from reference of the job of the earlier fill.
   * @param to that of the later one; absent: the last fill.
   * @throws Fault 30001 when the pool or a fill does not exist, 20004 when `to` is the earlier fill.
   */
  async changes(organisation: number, reference: string, from: string, to?: string): Promise<PoolChanges> {
    const pool = await this.shelf(organisation, reference, '/reference');
    const fills = await this.store.fills(organisation, pool);
    const indexOf = (job: string, at: string) => {
      const index = fills.findIndex((fill) => fill.job === job);
      if (index < 0)
        throw new Fault(
          'reference-unknown',
          `${place(at)}: the item pool ${JSON.stringify(reference)} has no fill ${JSON.stringify(job)} that can be compared; itembank/pools/fills lists those that can.`,
          at,
        );
      return index;
    };
    const earlier = indexOf(from, '/from');
    const later = to === undefined ? 0 : indexOf(to, '/to');
    if (later > earlier) throw new Fault('value', `${place('/to')} must not be an earlier fill than from.`, '/to');
    return changesIn(this.generations, {
      organisation,
      pool: pool.id,
      from: fills[earlier]!.generation,
      to: fills[later]!.generation,
    });
  }

  /** The fills of a pool that wait or run, in their order, without dry runs. */
  async openFills({ organisation, id }: { organisation: number; id: string }): Promise<Fill[]> {
    const inputs = await this.jobs.openInputs(organisation, serialKeyOf(id));
    return inputs.map((input) => JSON.parse(input) as Fill).filter(({ dryRun }) => !dryRun);
  }

  /**
   * Creates or changes the pools, and starts a fill job for each. A dry run starts the jobs alone, for existing pools.
   * @param which `existing`: rejects a pool that does not exist.
   * @throws Fault 30000 for a repeated reference, 30001 for a pool that does not exist, 20011 for a pool with another
   *   revision than expected.
   */
  async fill(
    inputs: readonly PoolInput[],
    which: 'any' | 'existing',
    scope: Scope,
    dryRun = false,
  ): Promise<Filling[]> {
    refuseRepeated(inputs.map(({ reference }, index) => ({ reference, at: `/pools/${index}/reference` })));
    const { organisation } = scope.shelf;
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const references = inputs.map(({ reference }) => reference);
      const existing = await this.store.lock(organisation, references);
      checkRevisions(
        inputs.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: `/pools/${index}` })),
        existing,
      );
      if (which === 'existing' || dryRun)
        throwAny(
          inputs.flatMap(({ reference }, index) =>
            existing.has(reference) ? [] : unknown(reference, `/pools/${index}/reference`).details,
          ),
        );
      const pools = inputs.map((input) => {
        const before = existing.get(input.reference);
        const { name, description, status, ifRevision: _, ...fill } = input;
        const facts = {
          id: before?.id ?? newId(scope.now),
          reference: input.reference,
          name: name ?? before?.name ?? '',
          description: description === undefined ? (before?.description ?? null) : description,
          status: status ?? before?.status ?? ('published' as const),
          updatedAt: before ? Math.max(scope.now, before.updatedAt + 1) : scope.now,
        };
        return { before, facts, fill: { ...fill, pool: facts.id, ...(dryRun && { dryRun }) } satisfies Fill };
      });
      const jobs = await this.jobs.startAll(
        pools.map(({ facts, fill }) => ({
          type: FILL_POOL,
          lane: 'bulk',
          serialKey: serialKeyOf(fill.pool),
          subject: facts.reference,
          input: JSON.stringify(fill),
        })),
        scope,
      );
      if (dryRun) return pools.map(({ facts }, index) => ({ reference: facts.reference, job: jobs[index]! }));
      const filled = pools.map(({ before, facts }, index) => ({ before, after: { ...facts, job: jobs[index]! } }));
      await this.store.add(
        organisation,
        filled.filter(({ before }) => !before).map(({ after }) => after),
      );
      await this.store.replace(
        organisation,
        filled.filter(({ before }) => before).map(({ after }) => after),
      );
      await this.audit.record(
        filled.map(({ before, after }) => ({
          subject: 'pool',
          key: after.reference,
          detail: { ...(before ? { before: shown(before) } : {}), after: { ...shown(after), job: after.job } },
        })),
        scope,
      );
      return filled.map(({ after }) => ({ reference: after.reference, job: after.job }));
    });
  }
}

const serialKeyOf = (pool: string): string => `pool ${pool}`;

function unknown(reference: string, at: string): Fault {
  return new Fault('reference-unknown', `${place(at)}: there is no item pool ${JSON.stringify(reference)}.`, at);
}

function shown({ name, description, status }: Pick<FilledPool, 'name' | 'description' | 'status'>) {
  return { name, description, status };
}
