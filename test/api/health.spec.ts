import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { Config } from '#platform';
import { Health } from '#runtime/modules';
import { createWorker } from '../../apps/worker/src/worker';
import { type EmptyDatabase, emptyQueue, engines, queueEngines } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { S3Server } from '../support/s3-server';
import { recipes, startByRecipe } from '../support/servers/servers';
import { serviceOfSuite, startService, TestClock, type TestService } from '../support/service';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const UP = { status: 'up' };
const down = (reason: unknown) => ({ status: 'down', reason });
/** The reason for a connection that breaks, or cannot be opened any more. */
const CONNECTION_LOST: unknown = expect.stringMatching(/^(refused|lost)$/);

interface Ready {
  status: number;
  text: string;
  body: { status: string; dependencies: Record<string, { status: string; reason?: string }> };
}

async function readiness({ url }: { url: string }): Promise<Ready> {
  const response = await fetch(`${url}/health/ready`);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Ready['body'] };
}

/** The answer once its status is the given one. Answers are cached for a moment. */
const when = (service: { url: string }, status: string) =>
  until(async () => {
    const ready = await readiness(service);
    return ready.body.status === status ? ready : undefined;
  });

/** The answer once every check ended within its limit, which a slow machine may miss. */
const inTime = (service: { url: string }) =>
  until(async () => {
    const ready = await readiness(service);
    return Object.values(ready.body.dependencies).every(({ reason }) => reason !== 'timeout') && ready;
  });

describe(`health on ${engines[0]}`, () => {
  const service = serviceOfSuite(() => startService(engines[0]!));

  it('names the dependencies of the service', async () => {
    const { status, body } = await inTime(service);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'ok', dependencies: { database: UP, files: UP } },
    });
  });

  it.each(['live', 'ready'])('is JSON that is not cached at /health/%s, also for HEAD', async (which) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${service.url}/health/${which}`, { method });
      expect([method, response.status]).toEqual([method, 200]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(await response.text()).toMatch(method === 'HEAD' ? /^$/ : /^\{"status":"ok"/);
    }
  });
});

describe('the health of the files', () => {
  let service: TestService | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'itembank-'));
  const environment = { ...process.env };
  afterEach(async () => {
    await service?.close();
    process.env = environment;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is degraded until their folder exists', async () => {
    const place = join(folder, 'place');
    writeFileSync(place, 'a file');
    service = await startService(engines[0]!, { ASSETS_URL: `file:${place}/assets` });
    const { status, body } = await inTime(service);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'degraded', dependencies: { database: UP, files: down('missing') } },
    });
    rmSync(place);
    expect((await when(service, 'ok')).body.dependencies).toEqual({ database: UP, files: UP });
  });

  it('comes from the bucket, which is not asked on every call', async () => {
    const clock = new TestClock(Date.now());
    const bucket = await S3Server.start('/bucket/public/', () => clock.now());
    let asked = 0;
    let refusal: string | undefined = 'AccessDenied';
    bucket.refuses = () => {
      asked++;
      return refusal;
    };
    bucket.setKeysOfProcess();
    try {
      service = await startService(engines[0]!, { ASSETS_URL: `s3://bucket?${bucket.parameters}` });
      expect((await inTime(service)).body).toMatchObject({
        status: 'degraded',
        dependencies: { files: down('denied') },
      });
      refusal = undefined;
      expect((await when(service, 'ok')).body.dependencies.files).toEqual(UP);
      asked = 0;
      for (let call = 0; call < 5; call++) expect((await inTime(service)).body.status).toBe('ok');
      expect(asked).toBe(0);
    } finally {
      await bucket.close();
    }
  });
});

describe.each(engines)('the health of the database, on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  it('is unavailable while its tables cannot be read', async () => {
    expect((await inTime(service)).status).toBe(200);
    await service.database.write('ALTER TABLE migration RENAME TO away', []);
    expect((await when(service, 'unavailable')).status).toBe(503);
    await service.database.write('ALTER TABLE away RENAME TO migration', []);
    expect((await when(service, 'ok')).status).toBe(200);
  });

  it('is degraded for a minute after a write found no room, because reads still work', async () => {
    const { source } = service.database;
    if (engine === 'sqlite') await source.query('PRAGMA max_page_count = 1');
    const noRoom =
      engine === 'sqlite'
        ? `CREATE TABLE large AS SELECT zeroblob(10000000) AS content`
        : `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'no space'`;
    await expect(service.database.write(noRoom, [])).rejects.toMatchObject({ kind: 'unavailable' });
    if (engine === 'sqlite') await source.query('PRAGMA max_page_count = 1000000000');
    const { status, body } = await when(service, 'degraded');
    expect([status, body.dependencies.database]).toEqual([200, down('full')]);
    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    try {
      expect((await inTime(service)).body).toMatchObject({ status: 'ok', dependencies: { database: UP } });
    } finally {
      later.mockRestore();
    }
  });
});

const servers = engines.filter((engine) => engine !== 'sqlite');
const redisAsked = queueEngines.includes('redis');
if (servers.length > 0 && redisAsked)
  describe.each(servers)('health on %s and Redis', (engine) => {
    let empty: EmptyDatabase;
    let database: TcpProxy;
    let redis: TcpProxy;
    let service: TestService;
    let worker: Awaited<ReturnType<typeof createWorker>>;
    beforeAll(async () => {
      empty = await migratedDatabase(engine);
      const behind = new URL(empty.url);
      database = await TcpProxy.open(behind.hostname, Number(behind.port));
      const queue = new URL(emptyQueue('redis').url!);
      redis = await TcpProxy.open(queue.hostname, Number(queue.port));
      service = await startService(engine, {
        DATABASE_URL: empty.url.replace(behind.host, database.address),
        DATABASE_CONNECTIONS: '2',
        QUEUE_URL: `redis://${redis.address}${queue.search}`,
      });
      worker = await createWorker(Config.read({ ...service.settings, LOG_LEVEL: 'silent' }));
    });
    afterAll(async () => {
      await worker?.close();
      await service?.close();
      await Promise.all([database?.close(), redis?.close()]);
      await empty?.drop();
    });

    const ofWorker = async () => {
      const { status, body } = await worker.get(Health, { strict: false }).readiness();
      return { status, body: JSON.parse(body) as Ready['body'] };
    };
    const whenWorker = (status: string) =>
      until(async () => {
        const ready = await ofWorker();
        return ready.body.status === status ? ready : undefined;
      });
    const ALL = { database: UP, redis: UP, files: UP };

    it('names all three', async () => {
      expect((await inTime(service)).body).toEqual({ status: 'ok', dependencies: ALL });
      expect(await whenWorker('ok')).toEqual({ status: 200, body: { status: 'ok', dependencies: ALL } });
    });

    it('reports servers as up that were away between two checks', async () => {
      await Promise.all([database.cut(), redis.cut()]);
      await Promise.all([database.restore(), redis.restore()]);
      // The earlier answer is no longer cached.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await inTime(service)).body).toEqual({ status: 'ok', dependencies: ALL });
    });

    it('is degraded for an API without Redis, which can still answer, and unavailable for such a worker', async () => {
      await redis.cut();
      const { status, body } = await when(service, 'degraded');
      expect({ status, dependencies: body.dependencies }).toEqual({
        status: 200,
        dependencies: { ...ALL, redis: down(CONNECTION_LOST) },
      });
      const tags = { tags: [{ type: 'Subject', name: 'History' }] };
      expect((await service.client.set('itembank/tagging/tags', tags)).meta.status).toBe(true);
      expect(await whenWorker('unavailable')).toMatchObject({
        status: 503,
        body: { dependencies: { ...ALL, redis: down(CONNECTION_LOST) } },
      });
      await redis.restore();
      expect((await when(service, 'ok')).body.dependencies).toEqual(ALL);
      expect((await whenWorker('ok')).status).toBe(200);
    });

    it('says that Redis has a full memory or is read-only, although it answers', async () => {
      const own = await startByRecipe(recipes.redis, {
        env: { ...process.env, TEST_REDIS_URL: '' },
        cacheFolder: resolve(__dirname, '../../.servers'),
      });
      const shared = new URL(emptyQueue('redis').url!);
      const admin = new Redis(own.url);
      try {
        redis.redirectTo('127.0.0.1', Number(new URL(own.url).port));
        await redis.cut();
        await redis.restore();
        expect((await when(service, 'ok')).body.dependencies).toEqual(ALL);
        await admin.config('SET', 'maxmemory', '100kb');
        const full = { status: 'degraded', dependencies: { ...ALL, redis: down('full') } };
        expect((await when(service, 'degraded')).body).toEqual(full);
        await admin.config('SET', 'maxmemory', '0');
        await when(service, 'ok');
        await admin.replicaof(shared.hostname, Number(shared.port));
        const readOnly = { status: 'degraded', dependencies: { ...ALL, redis: down('read-only') } };
        expect((await when(service, 'degraded')).body).toEqual(readOnly);
      } finally {
        admin.disconnect();
        redis.redirectTo(shared.hostname, Number(shared.port));
        await redis.cut();
        await redis.restore();
        await own.stop();
      }
      await when(service, 'ok');
    });

    it('is unavailable without the database, and does not show its address and user', async () => {
      await database.cut();
      const { status, body, text } = await when(service, 'unavailable');
      expect({ status, dependencies: body.dependencies }).toEqual({
        status: 503,
        dependencies: { ...ALL, database: down(CONNECTION_LOST) },
      });
      const { username } = new URL(empty.url);
      for (const secret of [username, '127.0.0.1', database.address.split(':')[1]!]) expect(text).not.toContain(secret);
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
      expect((await whenWorker('unavailable')).body.dependencies.database).toEqual(down(CONNECTION_LOST));
      await database.restore();
      expect((await when(service, 'ok')).status).toBe(200);
      await whenWorker('ok');
    });

    it('answers even when the servers do not', async () => {
      database.freeze();
      redis.freeze();
      const { status, body } = await when(service, 'unavailable');
      expect([status, body.dependencies.database]).toEqual([503, down('timeout')]);
      await until(async () =>
        (await readiness(service)).body.dependencies.redis!.reason === 'timeout' ? true : undefined,
      );
      await Promise.all([database.cut(), redis.cut()]);
      await Promise.all([database.restore(), redis.restore()]);
      await when(service, 'ok');
    });

    it('is good while all connections of the process are busy', async () => {
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      const all = service.database;
      const busy = [1, 2].map(() => all.run(async () => void (await all.rows('SELECT 1'), await ended)));
      let answered = false;
      const waiting = all.rows('SELECT 1').then(() => (answered = true));
      try {
        for (let call = 0; call < 3; call++) {
          expect((await inTime(service)).body.dependencies.database).toEqual(UP);
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        expect(answered).toBe(false);
      } finally {
        end();
        await Promise.all([...busy, waiting]);
      }
    });
  });
