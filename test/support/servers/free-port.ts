import { createServer } from 'node:net';

/** Ports already returned by this process, so that two servers never get the same one. */
const usedPorts = new Set<number>();

/** A free port of 127.0.0.1. Another process may still take it; the caller then asks again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await unusedPort();
    if (usedPorts.has(port)) continue;
    usedPorts.add(port);
    return port;
  }
}

function unusedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
