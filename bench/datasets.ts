import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { JobRunner } from '#jobs';
import { type Engine, note, openEmptyDatabase } from './databases';
import { type Environment, withApi, withInstallation, withService } from './installation';
import { ask } from './load';
import { markdownTable } from './measure';
import { newConsumer, processorMilliseconds, residentMegabytes } from './processes';
import { type Caller, prepare } from './requests';
import { activityId, submitSessions, itemReference, multiply, seedContent, untilDone } from './session-seed';

/** Memory that the process may use above its idle level. */
const MAX_MEGABYTES = 300;
const BASE = 1_000;
const ACTIVITY = activityId(0);
/** Pause before measuring the idle memory. */
const SETTLED_MS = 3_000;

const DATASETS = [
  ['activity-analysis-by-question', ACTIVITY],
  ['ibk-analysis-by-question', itemReference(0)],
  ['activity-summary-by-group', ACTIVITY],
] as const;

/** Measures datasets of many sessions with 20 responses: their time, and their memory above that of an idle service. */
export async function datasets({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const sessions = quick ? 10_000 : 100_000;
  const rows: string[][] = [];
  for (const engine of engines)
    await withInstallation(openEmptyDatabase(engine), async (_, environment) => {
      await fill(environment, sessions);
      for (const [type, id] of DATASETS) rows.push(await measureDataset(engine, environment, type, id));
    });
  console.log(`${sessions} sessions of 20 responses; Node ${process.version}\n`);
  const head = [
    'dataset',
    'engine',
    'seconds',
    'Node, s of processor',
    'idle, MB',
    'most, MB',
    'above idle, MB',
    'goal',
  ];
  console.log(markdownTable(head, rows));
}

export const fill = (environment: Environment, sessions: number): Promise<void> =>
  withService(environment, async (app, database) => {
    await seedContent(app);
    const runner = app.get(JobRunner, { strict: false });
    const jobs = await submitSessions(app, BASE);
    runner.start({ concurrency: 4 });
    await untilDone(app, jobs);
    await runner.stop({ graceMs: 1_000 });
    await multiply(database, BASE, sessions);
    await database.write('UPDATE session SET activity_id = ?', [ACTIVITY]);
  });

/** Measures a dataset in a new process, which is both API and worker. */
async function measureDataset(engine: Engine, environment: Environment, type: string, id: string): Promise<string[]> {
  const caller = await newConsumer(environment);
  return withApi(environment, async (service) => {
    await delay(SETTLED_MS);
    const idle = await residentMegabytes(service.pid);
    const [began, processor] = [performance.now(), processorMilliseconds(service.pid)];
    const request = prepare(caller, 'set', { dataset_type: type, dataset_id: id }, 'jobs/reports/datasets');
    const { data } = (await ask(service.port, request)) as unknown as { data: { job_reference: string } };
    await untilCompleted(service.port, caller, data.job_reference);
    const seconds = (performance.now() - began) / 1000;
    const peak = peakMegabytes(service.pid);
    note(`${engine}: ${type} in ${seconds.toFixed(0)} s, ${(peak - idle).toFixed(0)} MB above idle`);
    return [
      type,
      engine,
      seconds.toFixed(1),
      ((processorMilliseconds(service.pid) - processor) / 1000).toFixed(1),
      idle.toFixed(0),
      peak.toFixed(0),
      (peak - idle).toFixed(0),
      `< ${MAX_MEGABYTES}`,
    ];
  });
}

export async function untilCompleted(port: number, caller: Caller, reference: string): Promise<void> {
  for (;;) {
    const { data } = await ask(port, prepare(caller, 'get', { references: [reference] }, 'jobs'));
    const [job] = data as { status: string; error?: { message: string } }[];
    if (job?.status === 'completed') return;
    if (job?.status === 'halted') throw new Error(`The job was halted: ${job.error?.message}`);
    await delay(500);
  }
}

/** The peak memory of a process. Only Linux reports it. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? NaN) / 1024;
}
