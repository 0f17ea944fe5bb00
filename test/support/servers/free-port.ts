import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Systems take the ports of outgoing connections, and of servers that ask for any port, from higher ranges. So nothing
 * else takes one of these while its server is away for a moment.
 */
const [FIRST, END] = [10_000, 32_768];

/** Ports already returned by this process, so that two servers never get the same one. */
const usedPorts = new Set<number>();

/** A free port of 127.0.0.1. Another process of the tests may still take it; the caller then asks again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (usedPorts.has(port)) continue;
    usedPorts.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
