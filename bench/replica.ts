import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReplicatingServer } from '../test/support/servers/replicated';
import { type Engine, note } from './databases';
import { fill, untilCompleted } from './datasets';
import { type Environment, withApi, withInstallation, withService } from './installation';
import { ask } from './load';
import { markdownTable } from './measure';
import { newConsumer, output, processorMilliseconds } from './processes';
import { prepare } from './requests';
import { seed } from './seed';
import { activityId } from './session-seed';

const NAME = 'itembank_bench';
const CLI = 'dist/apps/cli/src/main.js';

interface Servers {
  primary: ReplicatingServer;
  replica: ReplicatingServer;
}

/**
 * Measures how much processor time a replica takes off the primary: for a dataset, an export of the bank, and `verify`,
 * each without and with DATABASE_READ_URL.
 */
export async function replica({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const [items, sessions] = quick ? [1_000, 2_000] : [20_000, 50_000];
  const rows: string[][] = [];
  for (const engine of engines) rows.push(...(await measureEngine(engine, items, sessions)));
  console.log(`${items} items, ${sessions} sessions of 20 responses; Node ${process.version}\n`);
  const head = ['long read', 'engine', 'DATABASE_READ_URL', 'primary, s of processor', 'replica', 'seconds'];
  console.log(markdownTable(head, rows));
}

async function measureEngine(engine: Engine, items: number, sessions: number): Promise<string[][]> {
  const servers = {
    primary: await ReplicatingServer.start(engine, 1),
    replica: await ReplicatingServer.start(engine, 2),
  };
  const close = async () => void (await Promise.all([servers.primary.stop(), servers.replica.stop()]));
  const opened = Promise.resolve({ url: `${servers.primary.url}/${NAME}`, close });
  return withInstallation(opened, async (_, environment) => {
    await servers.replica.follow(servers.primary);
    await servers.primary.ask(`CREATE DATABASE ${NAME}`);
    await withService(environment, (_app, database) => seed(database, items));
    await fill(environment, sessions);
    await servers.replica.waitForAllOf(servers.primary);
    const rows: string[][] = [];
    for (const [name, read] of Object.entries(reads(environment.DATA_DIR!)))
      for (const url of ['', `${servers.replica.url}/${NAME}`]) {
        const row = await measureRead(servers, () => read({ ...environment, DATABASE_READ_URL: url }));
        note(`${engine}: ${name}: ${row.join(', ')}`);
        rows.push([name, engine, url === '' ? 'not set' : 'the replica', ...row]);
      }
    return rows;
  });
}

type Read = (environment: Environment) => Promise<unknown>;

const reads = (folder: string): Record<string, Read> => ({
  'dataset of an activity': dataset,
  'export of the bank': (environment) =>
    output([CLI, 'export', join(folder, `${randomBytes(4).toString('hex')}.zip`)], environment),
  verify,
});

/** The seeded bank contains contradictions. The command lists them, and exits with 1. */
async function verify(environment: Environment): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'verify'], { env: { ...process.env, ...environment }, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code > 1) throw new Error(`verify ended with ${code}.`);
}

async function dataset(environment: Environment): Promise<void> {
  const caller = await newConsumer(environment);
  await withApi(environment, async (service) => {
    const request = { dataset_type: 'activity-analysis-by-question', dataset_id: activityId(0) };
    const { data } = await ask(service.port, prepare(caller, 'set', request, 'jobs/reports/datasets'));
    await untilCompleted(service.port, caller, (data as unknown as { job_reference: string }).job_reference);
  });
}

/** Returns the processor time of each server, and the duration, in seconds. */
async function measureRead({ primary, replica: other }: Servers, read: () => Promise<unknown>): Promise<string[]> {
  const pids = [await pidOf(primary), await pidOf(other)];
  const before = pids.map(processorMilliseconds);
  const began = performance.now();
  await read();
  const seconds = (performance.now() - began) / 1000;
  const processor = pids.map((pid, which) => (processorMilliseconds(pid) - before[which]!) / 1000);
  return [...processor, seconds].map((each) => each.toFixed(1));
}

async function pidOf(server: ReplicatingServer): Promise<number> {
  const [row] = await server.ask('SELECT @@pid_file AS file');
  return Number(readFileSync(String(row!.file), 'utf8'));
}
