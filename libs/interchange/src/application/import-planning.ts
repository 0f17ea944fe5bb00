import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FiledResults, JobHandler, type RunningJob } from '#jobs';
import { Clock, type JsonText } from '#kernel';
import { type Import } from '../domain/import';
import { type Source, Unreadable } from '../formats/source';
import { entriesOf, formatOf } from './format-choice';
import { type CollisionRule, type Written } from './import-results';
import { importOf, PLAN_IMPORT, type PlanTask, scopeOf } from './import-tasks';
import { ImportCount } from './import-totals';
import { Importing } from './importing';
import { planLine } from './plan-lines';
import { type ImportChange, ImportStore } from './ports/import-store';
import { Uploads } from './uploads';

const NDJSON = 'application/x-ndjson';

/** A job that works out what an import would do. It writes the plan to a file, and stores nothing in the bank. */
@Injectable()
export class ImportPlanning extends JobHandler {
  override readonly type = PLAN_IMPORT;

  constructor(
    private readonly store: ImportStore,
    private readonly uploads: Uploads,
    private readonly importing: Importing,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run(job: RunningJob): Promise<JsonText | FiledResults> {
    const found = await importOf(this.store, job.organisation, job.id);
    try {
      return await this.uploads.read(job.organisation, found, job.signal, (source) => this.plan(job, found, source));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const { code, message, at } = error;
      await this.end(job, { status: 'refused', error: { code, message, at } });
      return JSON.stringify({ status: 'refused', error: { code, message, at } });
    }
  }

  private async plan(job: RunningJob, found: Import, source: Source): Promise<FiledResults> {
    const format = await formatOf(source, found.format ?? undefined);
    const { readable } = job.input as PlanTask;
    const options = { onCollision: found.onCollision as CollisionRule };
    const count = new ImportCount();
    let done = 0;
    const tell = async (written: Written) => {
      count.add(written);
      await job.report({ done: ++done, total: null });
    };
    const entries = this.importing.run(source, entriesOf(format, source), options, scopeOf(found, job, readable));
    let plan = '';
    const lines = async function* () {
      for (;;) {
        const next = await entries.next();
        if (next.done) return void (plan = next.value);
        await tell(next.value);
        yield `${planLine(next.value)}\n`;
      }
    };
    const file = await job.writeFile(Readable.from(lines()), NDJSON, 'plan.ndjson');
    const { totals } = count;
    const error = { code: 'nothing-found', message: 'Nothing could be read; the plan says why.', at: found.name };
    const end = count.readable > 0 ? ({ status: 'planned', plan } as const) : ({ status: 'refused', error } as const);
    await this.end(job, { ...end, format: format.name, totals });
    return { files: [file], members: JSON.stringify({ ...end, format: format.name, ...totals }) };
  }

  /** Changes nothing if another job has taken over the import, and this attempt is only a late repetition. */
  private async end(job: RunningJob, change: ImportChange): Promise<void> {
    const { done } = job.progress;
    await job.batch(async () => {
      await this.store.move(job.organisation, job.id, job.id, change, this.clock.now());
      return { state: null, progress: { done, total: done } };
    });
  }
}
