import { createServer } from 'node:net';

/** Ports given out by this process: two servers that start side by side must not be given the same one. */
const givenOut = new Set<number>();

/** A port of 127.0.0.1 that nothing listens on. Another process may still take it first; the caller then asks again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await unusedPort();
    if (givenOut.has(port)) continue;
    givenOut.add(port);
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
