import { Injectable } from '@nestjs/common';
import { type Kind, Publishing, Restoration } from '#content';
import { JobHandler, type RunningJob } from '#jobs';
import { Clock, Fault, type JsonText, type Scope } from '#kernel';
import { type Outcome, OUTCOMES } from '../domain/import';
import { importOf, REVERT_JOB, type RevertTask } from './import-tasks';
import { CHANGED_BATCH_SIZE, refuseChanged } from './imports';
import { ImportStore, type RecordToRevert } from './ports/import-store';

interface State {
  done: number;
}

/** The order of the revert: items need their widgets, and activities need their items. */
const KINDS: readonly Kind[] = ['question', 'feature', 'item', 'activity'];
const BATCH_SIZE = 50;

/** A job that reverts what an import wrote. */
@Injectable()
export class ImportReversal extends JobHandler<State> {
  override readonly type = REVERT_JOB;

  constructor(
    private readonly store: ImportStore,
    private readonly restoration: Restoration,
    private readonly publishing: Publishing,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const { organisation } = job;
    const { id } = await importOf(this.store, organisation, (job.input as RevertTask).import);
    if (job.state === null) await this.check(job, id);
    const before = await this.store.outcomes(organisation, id);
    const total = [...before.values()].reduce((sum, count) => sum + count, 0);
    const hold = async (status: 'reverting' | 'reverted') => {
      if (!(await this.store.move(organisation, id, job.id, { status }, this.clock.now())))
        throw new Fault('conflict', 'Another job works on this import.');
    };
    for (const kind of KINDS) {
      let next: string | undefined = '';
      while (next !== undefined) {
        const after: string = next;
        await job.batch(async () => {
          await hold('reverting');
          const records = await this.store.pending(organisation, id, kind, after, BATCH_SIZE);
          const settled = records.map((record) => ({ ...record, outcome: outcomeOf(record) }));
          await this.takeBack(kind, settled, job.scope);
          await this.store.settle(organisation, id, settled);
          next = records.length === BATCH_SIZE ? records.at(-1)!.id : undefined;
          const done = (job.state?.done ?? 0) + records.length;
          return { state: { done }, progress: { done, total } };
        });
      }
    }
    await job.batch(async () => {
      await hold('reverted');
      return { state: { done: total }, progress: { done: total, total } };
    });
    const outcomes = await this.store.outcomes(organisation, id);
    return JSON.stringify(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcomes.get(outcome) ?? 0])));
  }

  /** @throws Fault when records changed while the job waited, after it has restored the import's former status. */
  private async check(job: RunningJob<State>, id: string): Promise<void> {
    const { before } = job.input as RevertTask;
    const changed = await this.store.changed(job.organisation, id, CHANGED_BATCH_SIZE);
    try {
      refuseChanged(changed);
    } catch (refusal) {
      const error = { code: 'conflict', message: (refusal as Fault).message, at: '' };
      if (before)
        await job.batch(async () => {
          await this.store.move(job.organisation, id, job.id, { ...before, error }, this.clock.now());
          // The state stays null, so that a retry makes this check too.
          return { state: job.state!, progress: job.progress };
        });
      throw refusal;
    }
  }

  private async takeBack(
    kind: Kind,
    records: readonly (RecordToRevert & { outcome: Outcome })[],
    scope: Scope,
  ): Promise<void> {
    const those = (wanted: Outcome) => records.filter(({ outcome }) => outcome === wanted);
    const restored = those('restored').map(({ reference, before }) => ({ reference, revision: before! }));
    if (restored.length > 0) await this.restoration.restore({ [kind]: restored }, scope).catch(readAgain);
    const created = those('archived').map(({ reference }) => reference);
    if (kind === 'item' || kind === 'activity') await this.publishing.archive(kind, created, scope);
  }
}

/**
 * @param error of a restoration.
 * @throws Fault that makes the job try again with the present records, if somebody changed or renamed one; otherwise the error.
 */
function readAgain(error: unknown): never {
  if (!(error instanceof Fault) || !['conflict', 'reference-unknown'].includes(error.kind)) throw error;
  throw new Fault('unavailable', `Somebody changed a record while it was being reverted: ${error.message}`);
}

/** New questions and features stay: nothing shows them once their items are archived. */
function outcomeOf({ kind, before, isChanged }: RecordToRevert & { isChanged: boolean }): Outcome {
  if (isChanged) return 'changed';
  if (before !== null) return 'restored';
  return kind === 'item' || kind === 'activity' ? 'archived' : 'kept';
}
