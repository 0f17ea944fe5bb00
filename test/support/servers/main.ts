/**
 * Starts servers by hand, for experiments or for the benchmarks:
 *
 *   node -r ./test/support/ts.cjs test/support/servers/main.ts mariadb mysql
 *
 * Each line of the output is one server as JSON. Ctrl-C (or SIGTERM) stops them.
 */
import { isServerKind, recipes, startServer } from './servers';
import { messageOf } from './run';

async function main(names: readonly string[]): Promise<void> {
  if (names.length === 0 || !names.every(isServerKind)) {
    throw new Error(`Name the servers to start: ${Object.keys(recipes).join(', ')}.`);
  }
  const signal = Promise.race(['SIGINT', 'SIGTERM'].map((name) => new Promise((done) => process.once(name, done))));
  // Neither a server nor a signal handler keeps the process running.
  const running = setInterval(() => undefined, 60_000);
  const servers = await Promise.all(
    names.map(async (name) => {
      const server = await startServer(name);
      const { kind, url, version, from } = server;
      process.stdout.write(`${JSON.stringify({ kind, url, version, from })}\n`);
      return server;
    }),
  );
  await signal;
  await Promise.all(servers.map((server) => server.stop()));
  clearInterval(running);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
