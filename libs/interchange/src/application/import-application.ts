import { Injectable } from '@nestjs/common';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { Clock, Fault, type JsonText } from '#kernel';
import { type Import, type Totals } from '../domain/import';
import { type Entry } from '../formats/entry';
import { type Source, Unreadable } from '../formats/source';
import { entriesOf, formatOf } from './format-choice';
import { type CollisionRule, type PlannedEntry, type PlanToFollow } from './import-results';
import { APPLY_IMPORT, type ApplyTask, importOf, scopeOf } from './import-tasks';
import { Importing } from './importing';
import { PlanLines } from './plan-lines';
import { ImportStore } from './ports/import-store';
import { Uploads } from './uploads';

interface State {
  /** The number of processed entries. */
  done: number;
  /** The totals of the plan without the entries that differed. */
  totals: Totals;
  /** Entries that were refused because they would not have got the planned result. */
  differing: number;
  /** The first refused entries. */
  named: { source: string; reference: string }[];
}

const MAX_NAMED_ENTRIES = 50;

/** A job that stores exactly the plan of an import. */
@Injectable()
export class ImportApplication extends JobHandler<State> {
  override readonly type = APPLY_IMPORT;

  constructor(
    private readonly store: ImportStore,
    private readonly uploads: Uploads,
    private readonly importing: Importing,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const found = await importOf(this.store, job.organisation, (job.input as ApplyTask).import);
    try {
      return await this.uploads.read(job.organisation, found, job.signal, async (source) => {
        if (job.state === null) await this.check(job, found, source);
        return this.apply(job, found, source);
      });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Fault('conflict', `The file is not what was planned: ${error.message} (${error.code})`);
    }
  }

  /** @throws Fault when the import would no longer do what was planned. */
  private async check(job: RunningJob<State>, found: Import, source: Source): Promise<void> {
    const format = await formatOf(source, found.format ?? undefined);
    const { onCollision, plan, totals } = found;
    const scope = scopeOf(found, job, (job.input as ApplyTask).readable);
    const options = { onCollision: onCollision as CollisionRule };
    const entries = this.importing.run(source, entriesOf(format, source), options, scope);
    let next = await entries.next();
    for (; !next.done; next = await entries.next()) await job.report({ done: 0, total: total(totals!) });
    if (next.value !== plan)
      throw new Fault(
        'conflict',
        `The bank or the file has changed: the plan would now be ${next.value}, not ${plan}. Nothing was stored; start the import again to see what it would do.`,
      );
  }

  private async apply(job: RunningJob<State>, found: Import, source: Source): Promise<JsonText> {
    const { organisation } = job;
    const content = await this.jobs.fileOf({ organisation, id: found.id });
    // A retry may succeed, because the planning job may be about to end.
    if (!content) throw new Fault('unavailable', 'The plan of the import cannot be read; start the import again.');
    const lines = new PlanLines(content);
    const state: State = structuredClone(job.state) ?? { done: 0, totals: found.totals!, differing: 0, named: [] };
    const progress = (done: number) => ({ done, total: total(found.totals!) });
    const hold = async (status: 'applying' | 'applied', now: number) => {
      const change = { status, error: null, ...(status === 'applied' && { totals: state.totals }) };
      if (!(await this.store.move(organisation, found.id, job.id, change, now)))
        throw new Fault('conflict', 'The import was reverted.');
    };
    const plan: PlanToFollow = {
      done: state.done,
      next: () => lines.next(),
      differs: (entry, planned) => addDiffering(state, entry, planned),
      run: (work) =>
        job.batch(async () => {
          const since = this.clock.now();
          await hold('applying', since);
          const done = await work();
          await this.store.note(organisation, found.id, since);
          return { state: { ...state, done }, progress: progress(done) };
        }),
    };
    try {
      const format = await formatOf(source, found.format ?? undefined);
      const scope = scopeOf(found, job, (job.input as ApplyTask).readable);
      const options = { onCollision: found.onCollision as CollisionRule, apply: true, plan };
      const entries = this.importing.run(source, entriesOf(format, source), options, scope);
      let read = state.done;
      while (!(await entries.next()).done) read++;
      const planned = total(found.totals!);
      if (read < planned)
        throw new Fault(
          'conflict',
          `The file is not what was planned: it has ${read} entries, not ${planned}. The entries that it has are stored; revert the import, and start it again.`,
        );
      await job.batch(async () => {
        await hold('applied', this.clock.now());
        return { state: { ...state, done: planned }, progress: progress(planned) };
      });
    } finally {
      lines.close();
    }
    const { totals, differing, named } = state;
    return JSON.stringify({ plan: found.plan, ...totals, not_as_planned: differing, not_as_planned_entries: named });
  }
}

const total = ({ created, replaced, skipped, refused }: Totals): number => created + replaced + skipped + refused;

function addDiffering(state: State, { source, reference }: Entry, planned: PlannedEntry | undefined): void {
  state.totals = { ...state.totals, refused: state.totals.refused + 1 };
  if (planned) state.totals[planned.result]--;
  state.differing++;
  if (state.named.length < MAX_NAMED_ENTRIES) state.named = [...state.named, { source, reference }];
}
