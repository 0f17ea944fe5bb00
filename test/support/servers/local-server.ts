import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, realpath, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port';
import { Keeper } from './keeper';
import type { Data, Program, Recipe, RunningServer } from './recipe';
import { messageOf, errorLine } from './run';

const MAX_START_MS = 120_000;
/** The system allows 107 bytes for the path of a unix socket. This leaves room for the name of the socket. */
const MAX_FOLDER_BYTES = 95;

/** A folder in memory on Linux. */
const MEMORY = '/dev/shm';
/** The data of all servers in a run of the tests need so much memory. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

class PortTaken extends Error {}

/** Runs a program as a server with its own data. */
export async function startLocal(recipe: Recipe, program: Program, data: Data = 'temporary'): Promise<RunningServer> {
  const folder = await temporaryFolder(recipe.kind, data === 'memory' && (await memoryHasRoom()));
  const keeper = new Keeper(['rm', '-rf', folder]);
  try {
    await recipe.fill(program, folder, keeper.watch);
    keeper.forget();
    for (let attempt = 1; ; attempt++) {
      try {
        return await startOnce(recipe, program, folder, data, keeper);
      } catch (error) {
        if (!(error instanceof PortTaken) || attempt === 5) throw error;
      }
    }
  } catch (error) {
    await keeper.close();
    throw error;
  }
}

async function startOnce(
  recipe: Recipe,
  program: Program,
  folder: string,
  data: Data,
  keeper: Keeper,
): Promise<RunningServer> {
  const port = await freePort();
  const command = [...program.command, ...(await recipe.arguments(program, folder, port, data))];
  const url = recipe.url(port);
  let { child, version } = await run(recipe, command, url, folder, keeper);
  const restart = async (signal: NodeJS.Signals) => {
    const ended = once(child, 'exit');
    child.ref();
    process.kill(child.pid!, signal);
    await ended;
    ({ child, version } = await run(recipe, command, url, folder, keeper));
  };
  return { kind: recipe.kind, url, version, from: program.from, stop: () => keeper.close(), restart };
}

async function run(recipe: Recipe, command: readonly string[], url: string, folder: string, keeper: Keeper) {
  const [file = '', ...args] = command;
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'w');
  // Detached like the keeper: ctrl-C must not stop the server under a test that is still ending.
  const child = spawn(file, args, { cwd: folder, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const failed = new Promise<Error>((done) => child.once('error', done));
  if (child.pid === undefined) throw await failed;
  keeper.watch(child.pid);
  child.once('exit', () => keeper.forget());
  const version = await waitUntilReady(recipe, url, folder, child, logFile);
  child.unref();
  return { child, version };
}

async function waitUntilReady(
  recipe: Recipe,
  url: string,
  folder: string,
  child: ChildProcess,
  logFile: string,
): Promise<string> {
  const deadline = Date.now() + MAX_START_MS;
  let reason = 'no answer';
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const log = await readFile(logFile, 'utf8').catch(() => '');
      if (/address already in use|bind on tcp\/ip port/i.test(log)) throw new PortTaken(errorLine(log));
      throw new Error(errorLine(log) || `it ended with code ${child.exitCode ?? child.signalCode}`);
    }
    try {
      const answer = await recipe.ask(url);
      // Another process may have taken the port. Then its server answers, and ours is about to end.
      if (resolve(answer.dataFolder).startsWith(folder)) return answer.version;
      reason = 'another server answers on its port';
    } catch (error) {
      reason = messageOf(error);
    }
    await delay(50);
  }
  throw new Error(`it was not ready after ${MAX_START_MS / 1000} s (${reason})`);
}

async function memoryHasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

/** Creates a temporary folder. Its name contains the process id, which identifies the run that left it. */
async function temporaryFolder(kind: string, inMemory: boolean): Promise<string> {
  for (const parent of [...(inMemory ? [MEMORY] : []), await realpath(tmpdir()), '/tmp']) {
    const start = join(parent, `itembank-${kind}-${process.pid}-`);
    if (Buffer.byteLength(start) + 6 <= MAX_FOLDER_BYTES) return mkdtemp(start);
  }
  throw new Error('the path of the folder for temporary files is too long for a unix socket');
}
