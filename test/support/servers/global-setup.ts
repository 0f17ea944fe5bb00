import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './chromium';
import { findPhp } from './php';
import { isServerKind, recipes, type RunningServer, startServer } from './servers';

const NO_SERVERS = ['sqlite', 'chromium'];

/** Jest runs setup and teardown in one process, so this passes the servers from one to the other. */
const shared = globalThis as typeof globalThis & { itembankTestServers?: RunningServer[] };

/**
 * Starts the engines of TEST_ENGINES. sqlite and the in-process queue need no server. `chromium` is the browser for
 * questions.
 */
export default async function startRequestedServers(): Promise<void> {
  const requested = (process.env.TEST_ENGINES || 'sqlite,mariadb,mysql,redis,chromium')
    .split(',')
    .map((name) => name.trim());
  const unknown = requested.filter((name) => !NO_SERVERS.includes(name) && !isServerKind(name));
  if (unknown.length > 0) {
    const known = [...NO_SERVERS, ...Object.keys(recipes)].join(', ');
    throw withoutStack(new Error(`TEST_ENGINES names ${unknown.join(', ')}, but must be a comma list of ${known}.`));
  }
  // All at once: where they are unpacked from packages, each of them waits for downloads.
  const [programs, servers] = await Promise.all([
    Promise.allSettled(requested.includes('chromium') ? [findAndPrintChromium(), findPhpIfThere()] : []),
    Promise.allSettled(requested.filter(isServerKind).map(startAndPrint)),
  ]);
  const running = servers.filter((result) => result.status === 'fulfilled').map((result) => result.value);
  const failed = [...programs, ...servers].find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(running.map((server) => server.stop()));
    throw withoutStack(failed.reason);
  }
  shared.itembankTestServers = running;
  // Test workers start later and inherit this environment.
  for (const server of running) process.env[recipes[server.kind].variable] = server.url;
  // The folder in which the first suite leaves a migrated database for the others: see migrated-database.ts.
  process.env.TEST_MIGRATED = mkdtempSync(join(tmpdir(), 'itembank-migrated-'));
  // Each suite appends a line for the reporter: see closing-line.js.
  process.env.TEST_PROCESSOR_TIMES = join(process.env.TEST_MIGRATED, 'processor-times');
  writeFileSync(process.env.TEST_PROCESSOR_TIMES, '');
}

export async function stopStartedServers(): Promise<void> {
  const running = shared.itembankTestServers ?? [];
  delete shared.itembankTestServers;
  rmSync(process.env.TEST_MIGRATED!, { recursive: true, force: true });
  await Promise.all(running.map((server) => server.stop()));
}

async function findAndPrintChromium(): Promise<void> {
  const { path, version, from } = await findChromium().catch((error: unknown) => {
    throw withoutStack(error);
  });
  process.env.TEST_CHROMIUM = path;
  process.stderr.write(`${version}, ${from}\n`);
}

/** Without PHP, the tests skip the page for PHP in docs/delivery.md. */
async function findPhpIfThere(): Promise<void> {
  process.env.TEST_PHP ??= await findPhp().catch(() => '');
}

async function startAndPrint(kind: RunningServer['kind']): Promise<RunningServer> {
  const begin = performance.now();
  const server = await startServer(kind, 'memory');
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  process.stderr.write(`${recipes[kind].label} ${server.version}, ${server.from}, ready in ${seconds} s\n`);
  return server;
}

/** Removes the stack trace. The message already says what to do. */
function withoutStack(error: unknown): unknown {
  if (error instanceof Error) error.stack = '';
  return error;
}
