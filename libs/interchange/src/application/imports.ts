import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { type Job, Jobs } from '#jobs';
import { Fault, type JsonText, place, type Position, type Scope, type Slice, UnitOfWork } from '#kernel';
import { type Import, isMoving, type ShownStatus } from '../domain/import';
import { type CollisionRule } from './import-results';
import { ImportStore, type NamedRecord, type UploadedFile } from './ports/import-store';
import { APPLY_IMPORT, type ApplyTask, PLAN_IMPORT, type PlanTask, REVERT_JOB, type RevertTask } from './import-tasks';
import { type UploadAddress, Uploads } from './uploads';

interface ImportRequest {
  /** Key of an uploaded file. */
  key: string;
  /** Name of the format; absent: recognised from the content. */
  format?: string;
  onCollision: CollisionRule;
}

/** An import as callers see it. */
export interface ShownImport extends Omit<Import, 'status'> {
  status: ShownStatus;
  /** Why its job failed. */
  failure: { code: string; message: string } | null;
  /** The results of the planning job, with the address of the plan. Null when they have been removed. */
  planned: JsonText | null;
}

/** The number of records that a message names. */
const MAX_NAMED_RECORDS = 20;
/** The number of changed records to read. One more than a message names shows that there are others. */
export const CHANGED_BATCH_SIZE = MAX_NAMED_RECORDS + 1;
/** The form of all keys and references. */
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const HASH = /^[0-9a-f]{64}$/;

/** Imports of uploaded files: planned first, then applied as planned, and reverted as a whole. */
@Injectable()
export class Imports {
  constructor(
    private readonly store: ImportStore,
    private readonly uploads: Uploads,
    private readonly jobs: Jobs,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  uploadAddress(name: string, scope: Scope): Promise<UploadAddress> {
    return this.uploads.address(name, scope);
  }

  /**
   * Starts a job that plans the import, and stores no content. Returns the reference of both the job and the import.
   * @throws Fault 30001 for a key that was not given out, 20011 when nothing was uploaded there.
   */
  async start({ key, format, onCollision }: ImportRequest, scope: Scope): Promise<string> {
    const { organisation } = scope.shelf;
    await this.fileOf(organisation, key);
    if (!(await this.uploads.exists(organisation, key)))
      throw new Fault('conflict', `${place('/key')}: the file has not been uploaded yet, or is gone.`, '/key');
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const { name } = await this.fileOf(organisation, key);
      const input = JSON.stringify({ readable: [...scope.readable] } satisfies PlanTask);
      const id = await this.jobs.start({ type: PLAN_IMPORT, lane: 'bulk', subject: name, input }, scope);
      const added = { id, status: 'planning', job: id, file: key, format: format ?? null, onCollision } as const;
      await this.store.add(organisation, { ...added, plan: null, totals: null, error: null, changedAt: scope.now });
      return id;
    });
  }

  /** Newest first. The address of a plan is valid for an hour. */
  async find(
    organisation: number,
    query: { references?: readonly string[]; limit: number; after?: Position },
  ): Promise<Slice<ShownImport>> {
    const { entries, after } = await this.store.find(organisation, query);
    const references = [...new Set(entries.flatMap(({ id, job }) => [id, job]))];
    const limit = references.length;
    const found = limit === 0 ? [] : (await this.jobs.find([organisation], { references, limit })).entries;
    const jobs = new Map(found.map((job) => [job.id, job]));
    return { entries: entries.map((each) => shown(each, jobs)), after };
  }

  /**
   * Starts the job that stores exactly what was planned; returns its reference. Does not start a second job. A halted
   * job continues where it stopped.
   * @throws Fault 30001 for an import that does not exist, 20011 when it has no plan or another one, or was reverted.
   */
  async apply({ reference, plan }: { reference: string; plan: string }, scope: Scope): Promise<string> {
    return this.handOver(reference, scope, async (found) => {
      const { status, job } = found;
      if (status === 'reverting')
        throw conflict('/reference', 'the import is being reverted; itembank/imports shows how that ends');
      if (status === 'reverted') throw conflict('/reference', 'the import was reverted; start another one');
      if (status === 'planning' || status === 'refused' || found.plan === null)
        throw conflict('/reference', 'the import has no plan; itembank/imports shows its status');
      if (!HASH.test(plan) || found.plan !== plan)
        throw conflict('/plan', `the plan of the import is ${found.plan}; look at that one`);
      if (status !== 'planned') return { job, isBegun: true };
      const input: ApplyTask = { import: found.id, readable: [...scope.readable] };
      return { job: await this.begin(APPLY_IMPORT, found, input, scope), status: 'applying' };
    });
  }

  /**
   * Starts the job that reverts the import; returns its reference.
   * @throws Fault 30001 for an import that does not exist, 20011 when it was not applied, and when records that it
   *   wrote were changed since: the message names them.
   */
  async revert(reference: string, scope: Scope): Promise<string> {
    return this.handOver(reference, scope, async (found) => {
      const { id, status, job, plan } = found;
      if (status === 'reverting' || status === 'reverted') return { job, isBegun: true };
      if ((status !== 'applied' && status !== 'applying') || plan === null)
        throw conflict('/reference', 'the import was not applied, so there is nothing to revert');
      refuseChanged(await this.store.changed(scope.shelf.organisation, id, CHANGED_BATCH_SIZE));
      const input: RevertTask = { import: id, before: { status, job } };
      return { job: await this.begin(REVERT_JOB, found, input, scope), status: 'reverting' };
    });
  }

  private async fileOf(organisation: number, key: string): Promise<UploadedFile> {
    const file = ULID.test(key) ? await this.store.file(organisation, key) : undefined;
    if (!file)
      throw new Fault(
        'reference-unknown',
        `${place('/key')}: no such file is known; itembank/upload/imports gives an address to upload one.`,
        '/key',
      );
    return file;
  }

  /** Jobs of one import run one after another. The last one that was requested works on it. */
  private async handOver(
    reference: string,
    scope: Scope,
    next: (found: Import) => Promise<{ job: string } & ({ isBegun: true } | { status: 'applying' | 'reverting' })>,
  ): Promise<string> {
    const { organisation } = scope.shelf;
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const found = ULID.test(reference) ? await this.store.lock(organisation, reference) : undefined;
      if (!found)
        throw new Fault(
          'reference-unknown',
          `${place('/reference')}: there is no import ${JSON.stringify(reference)} in organisation ${organisation}.`,
          '/reference',
        );
      const { job, ...then } = await next(found);
      if ('status' in then)
        await this.store.move(organisation, found.id, found.job, { status: then.status, job, error: null }, scope.now);
      else await this.goOn(organisation, job);
      return job;
    });
  }

  private begin(type: string, { id, name }: Import, input: object, scope: Scope): Promise<string> {
    const about = { subject: name, input: JSON.stringify(input) };
    return this.jobs.start({ type, lane: 'bulk', serialKey: `import ${id}`, ...about }, scope);
  }

  private async goOn(organisation: number, id: string): Promise<void> {
    const { entries } = await this.jobs.find([organisation], { references: [id], status: ['halted'], limit: 1 });
    if (entries.length > 0) await this.jobs.retry({ organisation, id });
  }
}

/** @throws Fault 20011 that names the records. */
export function refuseChanged(records: readonly NamedRecord[]): void {
  if (records.length === 0) return;
  const named = records
    .slice(0, MAX_NAMED_RECORDS)
    .map(({ kind, reference }) => `${kind} ${JSON.stringify(reference)}`);
  const more = records.length > MAX_NAMED_RECORDS ? ' and others' : '';
  throw conflict('/reference', `changed since the import, so nothing was reverted: ${named.join(', ')}${more}`);
}

function conflict(at: string, message: string): Fault {
  return new Fault('conflict', `${place(at)}: ${message}.`, at);
}

function shown({ status, ...rest }: Import, jobs: ReadonlyMap<string, Job>): ShownImport {
  const job = jobs.get(rest.job);
  // Callers can read the plan only after its job has ended.
  const isOpen = status === 'planned' && jobs.has(rest.id) && jobs.get(rest.id)!.status !== 'completed';
  const isHalted = (isMoving(status) || isOpen) && (job === undefined || job.status === 'halted');
  return {
    ...rest,
    status: isHalted ? 'halted' : isOpen ? 'planning' : status,
    failure: isHalted && job?.error ? { code: job.error.kind ?? 'internal', message: job.error.message } : null,
    planned: jobs.get(rest.id)?.results ?? null,
  };
}
