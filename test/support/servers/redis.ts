import { mkdir } from 'node:fs/promises';
import { Redis } from 'ioredis';
import type { Answer, Recipe } from './recipe';
import { dataFolder } from './sql-server';

/** Connects once, asks, and disconnects. Fails at once when there is no server. */
async function withConnection<T>(url: string, ask: (redis: Redis) => Promise<T>): Promise<T> {
  // Checked here, because the client accepts any text as the name of a host or socket.
  if (!/^rediss?:\/\//.test(url)) throw new Error('it is not an address of Redis');
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 });
  let refused: Error | undefined;
  redis.on('error', (error) => (refused = error));
  const late = setTimeout(() => redis.disconnect(), 5000);
  try {
    await redis.connect();
    return await ask(redis);
  } catch (error) {
    throw refused ?? error;
  } finally {
    clearTimeout(late);
    redis.disconnect();
  }
}

async function ask(url: string): Promise<Answer> {
  return withConnection(url, async (redis) => {
    const info = await redis.info('server');
    // A foreign server may hide its settings.
    const [, dataFolder = ''] = (await redis.config('GET', 'dir').catch(() => [])) as string[];
    return { version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? '', dataFolder };
  });
}

export const redis: Recipe = {
  kind: 'redis',
  label: 'Redis',
  variable: 'TEST_REDIS_URL',
  address: 'the address (redis://user:password@host:port) of a server that may be written to',
  programs: ['redis-server'],
  versionArguments: ['--version'],
  recognises: (version) => /^(Redis server v=)?\d+\.\d+\.\d+/.test(version),
  debianPackage: { name: 'redis-server', suite: 'own', program: 'usr/bin/redis-server' },
  fill: async (_program, folder) => void (await mkdir(dataFolder(folder))),
  arguments: async (_program, folder, port) => [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    dataFolder(folder),
    // The data need not survive the server.
    '--save',
    '',
    '--appendonly',
    'no',
    '--daemonize',
    'no',
  ],
  url: (port) => `redis://127.0.0.1:${port}`,
  ask,
  checkRights: (url) =>
    withConnection(url, async (client) => {
      const key = `itembank-rights-${process.pid}-${Date.now()}`;
      await client.set(key, '1', 'EX', 10);
      await client.del(key);
    }),
  containerPort: 6379,
};
