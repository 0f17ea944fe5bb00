import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type INestApplicationContext } from '@nestjs/common';
import { type Job, JOB_STATUSES, Jobs, JobsModule, type JobStatus } from '#jobs';
import { listLimit, organisationId } from '../options';
import { iso, plain, printJson, printLine, printTable } from '../print';
import { ProgressDisplay, progressOf } from '../progress';
import { organisationsOf, withServices } from '../services';

/** The interval between two reads of a watched job. */
const POLL_INTERVAL_MS = 500;

interface ListOptions {
  organisation?: number;
  status?: JobStatus[];
  limit: number;
  json?: true;
}

export function add(program: Command): void {
  const jobs = program.command('jobs');

  jobs
    .command('list')
    .description('Lists jobs, newest first.')
    .option('--organisation <id>', 'only those of this organisation', organisationId)
    .addOption(new Option('--status <status...>', 'only those with one of these statuses').choices(JOB_STATUSES))
    .option('--limit <number>', 'how many at most', listLimit, 20)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank jobs list --status queued running --limit 100')
    .action(async ({ organisation, status, limit, json }: ListOptions) => {
      const list = async (all: Jobs, organisations: readonly number[]) => all.find(organisations, { status, limit });
      const { entries } = await withJobs(list, organisation);
      if (json) printJson(entries.map(view));
      else
        printTable(
          ['REFERENCE', 'ORGANISATION', 'TYPE', 'STATUS', 'PROGRESS', 'CREATED'],
          entries.map((job) => [
            job.id,
            String(job.organisation),
            job.type,
            job.status,
            progressOf(job),
            iso(job.createdAt),
          ]),
        );
    });

  const one = (name: string, description: string) =>
    jobs
      .command(name)
      .description(description)
      .argument('<reference>', 'job_reference from the answer that started the job')
      .addHelpText('after', `\nExample:\n  itembank jobs ${name} 01JZX3M5V2Q4T6W8Y0A1B2C3D4`);

  one('show', 'Shows a job and its results.')
    .option('--json', 'print JSON')
    .action(async (reference: string, { json }: { json?: true }) => {
      const job = await withJobs((all, organisations) => found(all, organisations, reference));
      if (json) printJson(view(job));
      else print(job);
    });

  one('cancel', 'Halts a waiting or running job. Its effects so far stay.').action(async (reference: string) => {
    await withJobs(async (all, organisations) => all.cancel(await found(all, organisations, reference)));
    printLine(`Job ${reference} is cancelled. If it runs, it stops within seconds.`);
  });

  one('retry', 'Continues a halted job where it stopped.').action(async (reference: string) => {
    await withJobs(async (all, organisations) => all.retry(await found(all, organisations, reference)));
    printLine(`Job ${reference} is queued again. It continues where it stopped.`);
  });

  one(
    'watch',
    'Shows the progress of a job until it ends. Exits with 0 when it is completed, with 1 when it is halted.',
  ).action(async (reference: string) => {
    const { status, error } = await withJobs((all, organisations) => watch(all, organisations, reference));
    if (status === 'halted') throw new Error(`Job ${reference} is halted: ${plain(error?.message ?? '')}`);
  });
}

/** @param work receives the jobs and the wanted organisation, or all of them. */
function withJobs<T>(
  work: (jobs: Jobs, organisations: readonly number[]) => Promise<T>,
  organisation?: number,
): Promise<T> {
  const of = async (services: INestApplicationContext) =>
    work(services.get(Jobs, { strict: false }), await organisationsOf(services, organisation));
  return withServices(of, { contexts: () => [JobsModule] });
}

/** @throws Error for a reference that no job of any organisation has. */
async function found(jobs: Jobs, organisations: readonly number[], reference: string): Promise<Job> {
  const { entries } = await jobs.find(organisations, { references: [reference], limit: 1 });
  const [job] = entries;
  if (!job) throw new Error(`There is no job ${plain(reference)}.`);
  return job;
}

/** Waits until the job has ended, and returns it. */
async function watch(jobs: Jobs, organisations: readonly number[], reference: string): Promise<Job> {
  const display = new ProgressDisplay(process.stdout);
  try {
    for (;;) {
      const job = await found(jobs, organisations, reference);
      display.show(job);
      if (job.completedAt !== null) return job;
      await sleep(POLL_INTERVAL_MS);
    }
  } finally {
    display.end();
  }
}

function view(job: Job) {
  return {
    reference: job.id,
    organisation: job.organisation,
    type: job.type,
    status: job.status,
    created_at: iso(job.createdAt),
    completed_at: job.completedAt === null ? null : iso(job.completedAt),
    progress: { done: job.progress.done, total: job.progress.total },
    failed_attempts: job.attempts,
    held_by: job.holder && { worker: job.holder.worker, since: iso(job.holder.since) },
    error: job.error && { kind: job.error.kind, message: job.error.message },
    results: parsed(job),
  };
}

const parsed = ({ results }: Job): unknown => (results === null ? null : (JSON.parse(results) as unknown));

function print(job: Job): void {
  const lines: [name: string, text: string | null][] = [
    ['reference', job.id],
    ['organisation', String(job.organisation)],
    ['type', job.type],
    ['status', job.status],
    ['progress', progressOf(job)],
    ['held by', job.holder && `worker ${job.holder.worker} since ${iso(job.holder.since)}`],
    ['created', iso(job.createdAt)],
    ['ended', job.completedAt === null ? null : iso(job.completedAt)],
    ['failed attempts', job.attempts === 0 ? null : String(job.attempts)],
    ['error', job.error && plain(job.error.message)],
  ];
  for (const [name, text] of lines) if (text !== null) printLine(`${name.padEnd(16)}${text}`);
  if (job.results === null) return;
  printLine('results');
  printJson(parsed(job));
}
