import { Injectable } from '@nestjs/common';
import { ShelfReader } from '#content';
import { type FiledResults, type Job, JobHandler, Jobs, type RunningJob, untilCommitted } from '#jobs';
import { Clock, Fault, type Scope, type Shelf } from '#kernel';
import { LongReads } from '#platform';
import { Pools } from '#pools';
import { type ExportNote } from '../formats/format';
import { shownNote } from '../formats/note';
import { type Selection } from './bank-reader';
import { Exporting } from './exporting';
import { packageOf, WRITERS } from './package-file';

export interface ExportRequest {
  /** Name of a format that is written. */
  format: string;
  selection: Selection;
  /** Reference of a pool to read; absent: the item bank. */
  pool?: string;
}

interface Task extends ExportRequest {
  /** The moment of the item bank; absent for a pool. */
  asOf?: number;
}

/** The largest number of notes in the results. */
const MAX_NOTES = 50;

/** Writes a bank, a pool, or a part of them to a package: a job. */
@Injectable()
export class Exports extends JobHandler {
  override readonly type = 'export-bank';

  constructor(
    private readonly jobs: Jobs,
    private readonly reader: ShelfReader,
    private readonly exporting: Exporting,
    private readonly pools: Pools,
    private readonly clock: Clock,
    private readonly longReads: LongReads,
  ) {
    super();
  }

  /** Starts the job; returns its reference. The bank is read as it stands now, or at the moment of the shelf. */
  async start(request: ExportRequest, scope: Scope): Promise<string> {
    const { organisation, asOf } = scope.shelf;
    const input: Task =
      request.pool === undefined
        ? { ...request, asOf: asOf ?? (await this.reader.presentMoment([organisation], scope.now)) }
        : request;
    const about = { subject: request.pool, input: JSON.stringify(input) };
    return this.jobs.start({ type: this.type, lane: 'bulk', ...about }, scope);
  }

  /** The jobs that are exports, newest first. */
  async find(organisation: number, references: readonly string[]): Promise<Job[]> {
    const limit = Math.max(references.length, 1);
    const { entries } = await this.jobs.find([organisation], { references, limit });
    return entries.filter(({ type }) => type === this.type);
  }

  override async run(job: RunningJob): Promise<FiledResults> {
    const { asOf } = job.input as Task;
    if (asOf !== undefined) await untilCommitted(this.clock, asOf, job.signal);
    return this.longReads.run(() => this.write(job));
  }

  private async write(job: RunningJob): Promise<FiledResults> {
    const { format: name, selection, asOf } = job.input as Task;
    const format = WRITERS.find((each) => each.name === name);
    if (!format) throw new Fault('value', `This version of the service does not write the format ${name}.`);
    const shelf = await this.shelf(job);
    const notes: ReturnType<typeof shown>[] = [];
    let noted = 0;
    const note = (each: ExportNote) => {
      if (noted++ < MAX_NOTES) notes.push(shown(each));
    };
    let records = 0;
    const onRecord = () => job.report({ done: ++records, total: null });
    const files = this.exporting.files(format, shelf, selection, note, onRecord);
    let count = 0;
    const zip = packageOf(files, asOf ?? this.clock.now(), () => void count++);
    const file = await job.writeFile(zip, 'application/zip');
    await job.report({ done: records, total: records });
    // A pool keeps what it showed before its last filling, and no more.
    if (shelf.pool && (await this.shelf(job)).pool!.oldest > shelf.pool.generation)
      throw new Fault('unavailable', 'The pool was filled twice while it was exported.');
    const moment = asOf === undefined ? {} : { as_of: new Date(asOf).toISOString() };
    return {
      files: [file],
      members: JSON.stringify({ format: name, ...moment, num_files: count, num_notes: noted, notes }),
    };
  }

  private async shelf(job: RunningJob): Promise<Shelf> {
    const { pool, asOf } = job.input as Task;
    const { organisation } = job;
    if (pool !== undefined) return { organisation, pool: await this.pools.shelf(organisation, pool) };
    return { organisation, asOf };
  }
}

const shown = (note: ExportNote) => ({ reference: note.reference, ...shownNote(note) });
