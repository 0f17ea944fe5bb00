import { Injectable } from '@nestjs/common';
import {
  GenerationReader,
  type Kind,
  type Part,
  type Picked,
  PoolContent,
  PoolPicks,
  Publishing,
  ShelfReader,
  type Skipped,
  type Stage,
} from '#content';
import { JobHandler, type RunningJob, untilCommitted } from '#jobs';
import { Clock, Fault, inParts, type JsonText, type Scope } from '#kernel';
import { type TagQuery } from '#tagging';
import { contentHash } from '../domain/content-hash';
import { type Fill, type TagEntry } from '../domain/pool';
import { changesIn } from './changes';
import { PoolStore } from './ports/pool-store';

/** Type of the jobs that fill pools. */
export const FILL_POOL = 'fill-pool';

const KINDS: readonly Kind[] = ['activity', 'item', 'question', 'feature'];
const PICKED: readonly Picked[] = ['item', 'activity'];
const WIDGETS = ['question', 'feature'] as const;
/** References per lookup, and records per publication. */
const NAME_BATCH_SIZE = 500;
const PUBLISH_BATCH_SIZE = 50;
/** The largest number of items that an error names. */
const MAX_NAMED = 20;

/** The version of the steps. Raise it when they change, so that a fill from an earlier release starts over. */
const PLAN_VERSION = 3;

/** The progress of a fill. */
interface State {
  /** The `PLAN_VERSION` of the release that wrote the checkpoint. */
  plan: number;
  stage: Stage;
  /** When the stage began. */
  begunAt: number;
  /** Name of the present step, `READY` or `SHOWN`, and the progress of the step. */
  step: string;
  after?: string;
  /** The number of records that the present tag entry has found. */
  found: number;
}

/** The name of the state in which all steps are done, but the pool does not show the new generation yet. */
const READY = 'show';
/** The name of the state in which the pool shows the new generation. */
const SHOWN = 'shown';

/** A step of the work, run in batches until `run` returns no `after`. Adds up the counts of its batches. */
interface Step {
  /** The name in checkpoints. */
  name: string;
  run(stage: Stage, after: string | undefined, scope: Scope): Promise<Part>;
  /** The number to which the step adds: records found for a tag entry, records stored, or all records to store. */
  counts?: 'found' | 'done' | 'total';
  /** Resets `found` to zero. */
  resetsFound?: boolean;
  /** Skipped when something has been found. */
  unlessFound?: boolean;
}

/**
 * A job that fills a pool. It selects revisions of the bank as of the start of the job, stores pointers to them in a
 * generation that nobody sees, and then shows that generation. Until then readers see the previous content. A dry run does not show
 * the generation; the next fill discards it.
 */
@Injectable()
export class PoolFilling extends JobHandler<State> {
  override readonly type = FILL_POOL;

  constructor(
    private readonly store: PoolStore,
    private readonly reader: ShelfReader,
    private readonly picks: PoolPicks,
    private readonly content: PoolContent,
    private readonly generations: GenerationReader,
    private readonly publishing: Publishing,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const fill = job.input as Fill;
    const steps = this.steps(fill);
    if (!isResumable(job.state, steps) || job.state.step !== SHOWN) {
      await this.begin(job, fill, steps);
      await untilCommitted(this.clock, job.state!.begunAt, job.signal);
      for (let next = stepOf(job, steps); next < steps.length; next = stepOf(job, steps))
        await this.advance(job, fill, steps[next]!, steps[next + 1]?.name ?? READY);
      const hash = fill.dryRun ? '' : await contentHash(this.generations.entries(job.state!.stage));
      await this.held(job, fill, async (state) => {
        if (!fill.dryRun) await this.store.show(job.organisation, fill.pool, job.id, hash, job.scope.now);
        return { state: { ...state, step: SHOWN }, progress: job.progress };
      });
    }
    return this.results(job, fill);
  }

  /**
   * Reserves the next generation of the pool, unless the job already has it. Discards work of another job, or of
   * another version of the steps.
   */
  private async begin(job: RunningJob<State>, { pool }: Fill, steps: readonly Step[]): Promise<void> {
    const { organisation } = job;
    // This check runs outside of a batch, because an empty batch would count as progress, and so lift the limit of
    // attempts.
    if (isResumable(job.state, steps) && (await this.store.holds(organisation, pool, job.id))) return;
    await job.batch(async () => {
      const begunAt = this.clock.now();
      const asOf = await this.reader.presentMoment([organisation], begunAt);
      const stage = { organisation, pool, asOf, ...(await this.store.stage(organisation, pool, job.id)) };
      const state: State = { plan: PLAN_VERSION, stage, begunAt, step: steps[0]!.name, found: 0 };
      return { state, progress: { done: 0, total: null } };
    });
  }

  /** @param next name of the following step. */
  private async advance(job: RunningJob<State>, fill: Fill, step: Step, next: string): Promise<void> {
    await this.held(job, fill, async ({ stage, begunAt, after, ...before }) => {
      const found = step.resetsFound && after === undefined ? 0 : before.found;
      const skipped = step.unlessFound && after === undefined && found > 0;
      const part = skipped ? { count: 0 } : await step.run(stage, after, job.scope);
      const { done, total } = job.progress;
      return {
        state: {
          plan: PLAN_VERSION,
          stage,
          begunAt,
          after: part.after,
          step: part.after === undefined ? next : step.name,
          found: found + (step.counts === 'found' ? part.count : 0),
        },
        progress: {
          done: done + (step.counts === 'done' ? part.count : 0),
          total: step.counts === 'total' ? part.count : total,
        },
      };
    });
  }

  /** Runs a batch if the pool's next generation belongs to this job. */
  private async held(
    job: RunningJob<State>,
    { pool, reference }: Fill,
    work: (state: State) => ReturnType<Parameters<RunningJob<State>['batch']>[0]>,
  ): Promise<void> {
    await job.batch(async () => {
      if (!(await this.store.holds(job.organisation, pool, job.id)))
        throw new Error(`Another job has begun to fill the pool ${JSON.stringify(reference)}.`);
      return work(job.state!);
    });
  }

  private steps({ mode, content, ignoreEmptyAdditional, publish, dryRun = false }: Fill): Step[] {
    const { picks } = this;
    const overlap = ({ shown }: Stage) =>
      mode === 'replace' || shown === 0 ? 'none' : mode === 'refresh' ? 'refresh' : 'keep';
    const named = (kind: Picked, references: readonly string[]) =>
      inParts(references, NAME_BATCH_SIZE).map((part, index): Step => ({
        name: `pick ${kind}s by reference ${index}`,
        run: (stage) => picks.pick(stage, kind, { references: part }),
      }));
    const tagged = (list: string, kinds: readonly Picked[], entries: readonly TagEntry[]) =>
      entries.flatMap((entry, place) =>
        tagSearches(entry, ignoreEmptyAdditional).flatMap(({ tags, unlessFound }, search) =>
          kinds.map((kind, index): Step => ({
            name: `pick ${kind}s by ${list} ${place} ${search}`,
            run: (stage, after) => picks.pick(stage, kind, { tags }, after),
            resetsFound: index === 0 && !unlessFound,
            counts: unlessFound ? undefined : 'found',
            unlessFound,
          })),
        ),
      );
    return [
      ...KINDS.map((kind): Step => ({
        name: `prepare ${kind}s`,
        run: (stage, after) => this.content.prepare(stage, kind, mode === 'replace', after),
      })),
      ...PICKED.map((kind): Step => ({
        name: `forget picked ${kind}s`,
        run: (stage, after) => picks.forget(stage, kind, 'all', after),
      })),
      ...named('item', content.items),
      ...named('activity', content.activities),
      ...tagged('tags', PICKED, content.tags),
      ...tagged('item tags', ['item'], content.itemTags),
      ...tagged('activity tags', ['activity'], content.activityTags),
      { name: 'refuse foreign items', run: (stage, after) => this.refuseForeign(stage, publish, after) },
      {
        name: 'pick items of activities',
        // A refresh changes only what the fill lists.
        run: (stage, after) => picks.pickItems(stage, { publish, unlessHeld: mode === 'refresh' }, after),
      },
      { name: 'count', run: async (stage) => ({ count: await picks.count(stage) }), counts: 'total' },
      ...(publish ? PICKED : []).map((kind): Step => ({
        name: `skip unstored ${kind}s`,
        run: (stage, after) => this.content.skipUnstored(stage, kind, overlap(stage), after),
      })),
      ...(publish ? PICKED : []).map((kind): Step => ({
        name: `publish ${kind}s`,
        run: (stage, after, scope) => this.publish(stage, kind, dryRun, after, scope),
      })),
      {
        name: 'store items',
        run: (stage, after) => this.content.storeItems(stage, overlap(stage), after),
        counts: 'done',
      },
      {
        name: 'store activities',
        run: (stage, after) => this.content.storeActivities(stage, overlap(stage), after),
        counts: 'done',
      },
      ...(mode === 'refresh' ? WIDGETS : []).map((kind): Step => ({
        name: `drop unheld ${kind}s`,
        run: (stage, after) => this.content.dropUnheld(stage, kind, after),
      })),
      ...PICKED.map((kind): Step => ({
        name: `forget stored ${kind}s`,
        run: (stage, after) => picks.forget(stage, kind, 'stored', after),
      })),
      ...KINDS.map((kind): Step => ({
        name: `note changed ${kind}s`,
        run: (stage, after) => this.content.noteChanges(stage, kind, after),
      })),
    ];
  }

  private async publish(
    stage: Stage,
    kind: Picked,
    dryRun: boolean,
    after: string | undefined,
    scope: Scope,
  ): Promise<Part> {
    const found = await this.picks.unpublished(stage, kind, PUBLISH_BATCH_SIZE, after);
    const ids = dryRun ? found.ids : await this.publishing.publish(kind, found.references, scope);
    await this.picks.published(stage, kind, ids);
    return { count: ids.length, after: found.after };
  }

  private async refuseForeign(stage: Stage, publish: boolean, after: string | undefined): Promise<Part> {
    const { activities, after: next } = await this.picks.foreignItems(stage, publish, after);
    const [first] = activities;
    if (first)
      throw new Fault(
        'conflict',
        `The activity ${JSON.stringify(first.reference)} has items of other item banks: ${someOf(first.items)}. A pool holds content of one item bank.`,
      );
    return { count: 0, after: next };
  }

  private async results(job: RunningJob<State>, { content }: Fill): Promise<JsonText> {
    const { stage } = job.state!;
    const {
      activity: activities,
      item: items,
      question: questions,
      feature: features,
    } = await this.generations.stored(stage);
    const skipped: { type: Picked; reference: string; why: string }[] = [];
    for (const [kind, references] of [
      ['activity', content.activities],
      ['item', content.items],
    ] as const)
      for (const part of inParts(references, NAME_BATCH_SIZE))
        for (const reference of await this.picks.unknown(stage, kind, part))
          skipped.push({ type: kind, reference, why: `there is no ${kind} of this reference` });
    let known = 0;
    for await (const some of this.picks.skipped(stage)) {
      known += some.length;
      skipped.push(...some.map(({ kind, reference, why }) => ({ type: kind, reference, why: REASONS[why] })));
    }
    return JSON.stringify({
      stored: { activities, items, questions, features },
      unchanged: (job.progress.total ?? 0) - activities - items - known,
      skipped,
      changes: await changesIn(this.generations, { ...stage, from: stage.shown, to: stage.generation }),
    });
  }
}

const REASONS: Record<Skipped['why'], string> = {
  unpublished: 'it is unpublished',
  archived: 'it is archived',
  'name-taken': 'the pool holds another one under this reference',
  'items-missing': 'not all of its items are in the pool under their present references',
  'named-by-activity':
    'an activity of the pool names another item by this reference, or this item by an earlier one; list the activity too',
};

/** Whether the fill can resume from a checkpoint: it has the version of this plan and one of its steps. */
function isResumable(state: State | null, steps: readonly Step[]): state is State {
  return state?.plan === PLAN_VERSION && (isDone(state) || steps.some(({ name }) => name === state.step));
}

const isDone = ({ step }: State): boolean => step === READY || step === SHOWN;

/** The index of the present step; the length of the list when all are done. */
function stepOf({ state }: RunningJob<State>, steps: readonly Step[]): number {
  return isDone(state!) ? steps.length : steps.findIndex(({ name }) => name === state!.step);
}

/** The searches of an entry. `ignoreEmpty` adds a search without the additional tags, in case they find nothing. */
function tagSearches(
  { required, additional }: TagEntry,
  ignoreEmpty: boolean,
): { tags: TagQuery; unlessFound: boolean }[] {
  const tags: TagQuery = { all: required, either: additional, none: [] };
  const search = { tags, unlessFound: false };
  if (!ignoreEmpty || additional.length === 0 || required.length === 0) return [search];
  return [search, { tags: { ...tags, either: [] }, unlessFound: true }];
}

function someOf(references: readonly string[]): string {
  const named = references.slice(0, MAX_NAMED).map((reference) => JSON.stringify(reference));
  const more = references.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
