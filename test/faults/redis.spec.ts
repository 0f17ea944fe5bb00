import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { type RunningServer } from '../support/servers/servers';
import { recipes, startByRecipe } from '../support/servers/servers';
import { TcpProxy } from '../support/tcp-proxy';
import { several } from '../support/builders';
import { faultsOn, FULL, Installation, temporaryFolders } from './installation';

const JOBS = FULL ? 500 : 100;

const folder = temporaryFolders();

/** A separate Redis, which can lose all its data. */
const startRedis = () =>
  startByRecipe(recipes.redis, {
    env: { ...process.env, TEST_REDIS_URL: '' },
    cacheFolder: resolve(__dirname, '../../.servers'),
  });

faultsOn('last', `emptying and restarting Redis while ${JOBS} jobs wait`, (engine) => {
  let server: RunningServer;
  let proxy: TcpProxy;
  let installation: Installation;
  beforeAll(async () => {
    server = await startRedis();
    proxy = await TcpProxy.open('127.0.0.1', Number(new URL(server.url).port));
    installation = await Installation.start(engine, folder(), { leaseMs: 3_000, queueUrl: `redis://${proxy.address}` });
  });
  afterAll(async () => {
    await installation?.end();
    await proxy?.close();
    await server?.stop();
  });

  it('loses none of the jobs', async () => {
    const GATE = join(folder(), 'gate');
    await installation.startWorker({ GATE });
    await installation.startWorker({ GATE });
    for (let job = 0; job < JOBS; job++)
      await installation.startJob(
        { steps: 4, pauseMs: 60 },
        { lane: job % 3 ? 'short' : 'bulk', serialKey: job % 10 ? undefined : 'key' },
      );
    const redis = new Redis(server.url);
    await redis.flushall();
    redis.disconnect();
    const before = await installation.jobsByStatus();
    expect(before.queued).toBeGreaterThan(JOBS / 2);
    writeFileSync(GATE, '');
    await proxy.cut();
    await server.stop();
    // Requests that start jobs still succeed during the outage.
    const meanwhile = await Promise.all(several(5, () => installation.startJob({ steps: 1, pauseMs: 0 })));
    server = await startRedis();
    proxy.redirectTo('127.0.0.1', Number(new URL(server.url).port));
    await proxy.restore();
    const { jobsByStatus, faults } = await installation.waitForOutcome();
    expect({ jobsByStatus, faults }).toEqual({ jobsByStatus: { completed: JOBS + meanwhile.length }, faults: [] });
  });
});
