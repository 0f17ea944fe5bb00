import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../test/support/servers/free-port';
import { Client } from './load';
import { type Caller } from './requests';

const ROOT = resolve(__dirname, '..');
const run = promisify(execFile);

/** For {@link newConsumer}. */
export const WITHOUT_LIMIT = ['--rate-limit', '*=1000000'];

/** The options of Node.js on the page for operators. Floors get the same ones. */
const NODE_OPTIONS = '--max-semi-space-size=64';

/** A program of ours that answers on a port of this machine. */
export interface Running {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** @param program arguments of `node`, from the root of the repository. */
export async function start(program: string[], environment: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NODE_OPTIONS,
      ...environment,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  void ended.then(() => children.delete(child));
  const stop = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
  };
  for (const until = Date.now() + 180_000; ; await delay(50)) {
    if (child.exitCode !== null) throw new Error(`${program.at(-1)} ended with code ${child.exitCode}.`);
    try {
      (await Client.open(port)).close();
      return { port, pid: child.pid!, stop };
    } catch (error) {
      if (Date.now() < until) continue;
      await stop();
      throw error;
    }
  }
}

/** The output of a program that ends by itself. */
export async function output(program: string[], environment: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
  });
  return stdout;
}

/** Creates a consumer of organisation 1. `more`: further options of the command. */
export async function newConsumer(environment: Record<string, string>, ...more: string[]): Promise<Caller> {
  const create = ['dist/apps/cli/src/main.js', 'consumer', 'create', '--organisation', '1', '--json', ...more];
  const { key, secret } = JSON.parse(await output(create, environment)) as Caller;
  return { key, secret, domain: 'localhost' };
}

/** Resident memory of a process in megabytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** Processor time of a process so far in milliseconds, to 10 ms. Only Linux reports it. */
export function processorMilliseconds(pid: number): number {
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return NaN;
  }
}
