import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { JobRunner, Jobs } from '#jobs';
import { Config } from '#platform';
import { JobStore } from '../../libs/jobs/src/application/ports/job-store';
import { apiWith } from './applications';
import { expectSuccess } from './failure';
import { type TestService } from './service';
import { until } from './until';
import { parseLines } from './ndjson';

/** An import as a caller reads it. */
export interface ReadImport {
  reference: string;
  status: string;
  plan: string;
  totals: Record<string, unknown>;
  plan_file: { address: string };
  error: { code: string; message: string } | null;
  job_reference: string;
}

/** A line of a plan. */
export interface PlanLine {
  source: string;
  reference: string;
  kind: string | null;
  result: string;
  notes: { code: string; severity: string; consequence: string }[];
}

interface EndedJob {
  status: string;
  results: unknown;
  error?: { message: string };
}

/** Imports as a caller makes them: upload, plan, apply. */
export class Importer {
  constructor(private readonly service: TestService) {}

  /** Uploads a file and returns its key. */
  async upload(name: string, content: string | Buffer): Promise<string> {
    const answer = await this.service.client.get('itembank/upload/imports', { name });
    expectSuccess(answer);
    const { key, upload, content_type: type } = answer.data as Record<'key' | 'upload' | 'content_type', string>;
    const sent = await fetch(upload, { method: 'PUT', headers: { 'Content-Type': type }, body: content });
    expect(sent.status).toBe(200);
    return key;
  }

  /** Returns the reference of the import. */
  async start(name: string, content: string | Buffer, more: object = {}): Promise<string> {
    return this.startWith(await this.upload(name, content), more);
  }

  async startWith(key: string, more: object = {}): Promise<string> {
    const answer = await this.service.client.set('itembank/imports', { key, ...more });
    expectSuccess(answer);
    const { reference } = answer.data as { reference: string };
    expect(answer.data).toEqual({ reference, job_reference: reference });
    return reference;
  }

  async read(reference: string): Promise<ReadImport> {
    const answer = await this.service.client.get('itembank/imports', { references: [reference] });
    expectSuccess(answer);
    return (answer.data as ReadImport[])[0]!;
  }

  /** The import once its plan is made, or its job ended otherwise. */
  async settled(reference: string): Promise<ReadImport> {
    return until(async () => {
      const found = await this.read(reference);
      return found.status !== 'planning' && found;
    });
  }

  async planned(name: string, content: string | Buffer, more: object = {}): Promise<ReadImport> {
    const planned = await this.settled(await this.start(name, content, more));
    expect([planned.status, planned.error]).toEqual(['planned', null]);
    return planned;
  }

  /** Starts to apply the plan; returns the reference of the job. */
  async begin({ reference, plan }: ReadImport): Promise<string> {
    const answer = await this.service.client.set('itembank/imports/apply', { reference, plan });
    expectSuccess(answer);
    return answer.data.job_reference;
  }

  /** Applies the plan; returns the results of the job. */
  async apply(planned: ReadImport): Promise<unknown> {
    return this.results(await this.begin(planned));
  }

  /** Imports a file; returns the import. */
  async applied(content: string | Buffer, name = 'bank.ndjson', more: object = {}): Promise<ReadImport> {
    const planned = await this.planned(name, content, more);
    await this.apply(planned);
    return this.read(planned.reference);
  }

  async ended(job: string): Promise<EndedJob> {
    return this.service.client.ended(job);
  }

  /** The results of a job that must complete. */
  async results(job: string): Promise<unknown> {
    const ended = await this.ended(job);
    expect([ended.status, ended.error]).toEqual(['completed', undefined]);
    return ended.results;
  }

  async plan({ plan_file: { address } }: ReadImport): Promise<PlanLine[]> {
    return parseLines(await (await fetch(address)).text());
  }

  /**
   * Begins to apply the plan, and stops the job runner once the job has stored something, so that its jobs are handed
   * back. Returns the reference of the job.
   */
  async beginAndStop(planned: ReadImport): Promise<string> {
    const store = this.service.get(JobStore);
    const checkpoint = store.checkpoint.bind(store);
    const stopped = new Promise<void>((resolve) => {
      store.checkpoint = async (claim, state, progress) => {
        const isHeld = await checkpoint(claim, state, progress);
        if (progress.done > 0) resolve(this.service.get(JobRunner).stop({ graceMs: 0 }));
        return isHeld;
      };
    });
    const job = await this.begin(planned);
    await stopped;
    const { entries } = await this.service.get(Jobs).find([1], { references: [job], limit: 1 });
    const { status, progress, error } = entries[0]!;
    expect([status, error]).toEqual(['queued', null]);
    expect([progress.done > 0, progress.done < progress.total!]).toEqual([true, true]);
    return job;
  }

  /** Starts a second service that takes the jobs, like another process. Returns a function that ends it. */
  async takeJobsElsewhere(): Promise<() => Promise<void>> {
    const { clock, service } = this.service;
    const intervals = { leaseMs: 30_000, heartbeatMs: 10_000, sweepMs: 50, reenqueueMs: 60_000 };
    const app = await apiWith(service.app.get(Config), { clock, intervals });
    await app.init();
    // Makes jobs that were handed back due for the sweep.
    clock.advance(60_000);
    app.get(JobRunner, { strict: false }).start({ concurrency: 2 });
    return async () => {
      await app.get(JobRunner, { strict: false }).stop({ graceMs: 0 });
      await app.close();
    };
  }
}

/** A single-choice question whose first option is right. */
export const choice = (reference: string, stimulus = 'Which?', type = 'mcq') => ({
  reference,
  type,
  data: {
    type,
    stimulus,
    options: [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ],
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['a'] } },
  },
});

/** The line of an item with one such question, as a file of the service's own format has it. */
export const itemLine = (reference: string, stimulus?: string, more: object = {}) => ({
  kind: 'item',
  reference,
  title: `Title of ${reference}`,
  widgets: [choice(`${reference}_1`, stimulus)],
  ...more,
});

/** A zip of these files. */
export function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const made = new ZipFile();
  for (const [path, content] of Object.entries(files)) made.addBuffer(Buffer.from(content as string), path);
  made.end();
  return buffer(made.outputStream);
}

/** A zip with a path that no library would write. */
export async function zipWithPath(path: string): Promise<Buffer> {
  const placeholder = 'p'.repeat(path.length);
  const bytes = await zipOf({ [placeholder]: 'x' });
  return Buffer.from(bytes.toString('latin1').replaceAll(placeholder, path), 'latin1');
}
