import { type Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { Clock, grouped, newId } from '#kernel';
import { type FileName, Files, LOGGER, type Logger } from '#platform';
import { type Job, type JobReference } from '../domain/job';
import { type JobFile } from '../domain/job-file';
import { type BegunFile, JobFileStore } from './ports/job-file-store';
import { type Claim } from './ports/job-store';

/** How long an address of results is valid. Each read of the job gives a new one. */
const ADDRESS_MS = 60 * 60_000;

/** An attempt that lost its job removes its file. If it cannot, the sweep removes the file after this time. */
const LEFT_OVER_MS = 60 * 60_000;
const SWEEP_INTERVAL_MS = 10 * 60_000;
const BATCH_SIZE = 100;

/**
 * Files that jobs make: large results and packages. Each attempt writes a file of its own, and a row names the valid file.
 */
@Injectable()
export class JobFiles {
  private sweptAt = -Infinity;

  constructor(
    private readonly files: Files,
    private readonly store: JobFileStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Writes a file for the holder of the claim. The file counts only once it is published. */
  async write(
    { organisation, id: job, token }: Claim,
    content: Readable,
    contentType: string,
    name?: string,
  ): Promise<JobFile> {
    const now = this.clock.now();
    const file: BegunFile = { organisation, job, id: newId(now), contentType, ...(name === undefined ? {} : { name }) };
    try {
      await this.store.begin(file, token, now + LEFT_OVER_MS);
      return { ...file, ...(await this.files.write(fileNameOf(file), content, contentType)) };
    } catch (error) {
      content.destroy();
      await this.discard(file);
      throw error;
    }
  }

  /** Adds the file to those that the job shows. Call in the unit of work that ends the job. */
  async publish(file: JobFile): Promise<void> {
    await this.store.publish(file);
  }

  /** Removes a file that nobody will see. If that fails, the sweep removes it later. */
  async discard(file: BegunFile): Promise<void> {
    try {
      await this.files.remove(fileNameOf(file));
      await this.store.remove([file]);
    } catch (error) {
      this.log.warn(
        { err: error, job: file.job, file: file.id },
        'a file of a job could not be removed; the sweep will retry',
      );
    }
  }

  /** Returns the jobs. The results of those with files contain the addresses of the files. */
  async addressed(jobs: readonly Job[]): Promise<Job[]> {
    const completed = await this.store.ofJobs(jobs.filter(({ status }) => status === 'completed'));
    const files = grouped(completed.map((file) => [`${file.organisation} ${file.job}`, file]));
    const shown = async (job: Job): Promise<Job> => {
      const its = files.get(`${job.organisation} ${job.id}`);
      return its ? { ...job, results: await this.results(its, job.results) } : job;
    };
    return Promise.all(jobs.map(shown));
  }

  /** The content of the first file that the job shows; undefined when there is none. */
  async content(job: JobReference): Promise<Readable | undefined> {
    const [file] = await this.store.ofJobs([job]);
    return file && (await this.files.read(fileNameOf(file)))?.content;
  }

  /** Removes, every ten minutes, files that attempts left behind and files of removed jobs. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    if (now - this.sweptAt < SWEEP_INTERVAL_MS) return;
    this.sweptAt = now;
    let removed = 0;
    for (let full = true; full;) {
      const files = await this.store.leftOver(now, BATCH_SIZE);
      for (const file of files) await this.files.remove(fileNameOf(file));
      await this.store.remove(files);
      removed += files.length;
      full = files.length === BATCH_SIZE;
    }
    if (removed > 0) this.log.info({ files: removed }, 'leftover files of jobs were removed');
  }

  private async results(files: readonly JobFile[], members: string | null): Promise<string> {
    const shown = await Promise.all(files.map((file) => this.shown(file)));
    return JSON.stringify({
      ...(files.some(({ name }) => name !== undefined) ? { files: shown } : shown[0]),
      ...(JSON.parse(members ?? '{}') as object),
    });
  }

  private async shown(file: JobFile): Promise<object> {
    // Addresses expire at whole seconds.
    const expiresAt = Math.floor((this.clock.now() + ADDRESS_MS) / 1000) * 1000;
    const { name, contentType, bytes, sha256 } = file;
    return {
      ...(name === undefined ? {} : { name }),
      address: await this.files.readAddress(fileNameOf(file), expiresAt),
      expires_at: new Date(expiresAt).toISOString(),
      content_type: contentType,
      bytes,
      sha256,
    };
  }
}

/** A browser saves the file under the last part of this name. */
export function fileNameOf({ organisation, job, id, contentType, name }: BegunFile): FileName {
  const extension = { 'application/zip': 'zip', 'application/json': 'json' }[contentType] ?? 'bin';
  return { area: 'private', owner: organisation, key: `jobs/${job}/${id}/${name ?? `${job}.${extension}`}` };
}
