import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { OwnRateWindows } from '../../libs/access/src/infrastructure/own-rate-windows';
import { RedisRateWindows } from '../../libs/access/src/infrastructure/redis-rate-windows';
import { several } from '../support/builders';
import { emptyQueue, queueEngines } from '../support/engines';
import { freePort } from '../support/servers/free-port';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { NOW } from './ports';
import { rateWindowsContract } from './rate-windows';

describe('rate windows in memory', () => rateWindowsContract(async () => new OwnRateWindows()));

/** Collects the log messages about an outage and its end. */
function openLog() {
  const messages: string[] = [];
  const log = pino({}, { write: (line: string) => void messages.push((JSON.parse(line) as { msg: string }).msg) });
  return { log, messages };
}

if (queueEngines.includes('redis')) {
  const { log: unread } = openLog();
  /** On a slow machine, Redis may take longer than calls usually wait. */
  const open = (url: string, log = unread) => new RedisRateWindows(url, log, 2_000);

  describe('rate windows in Redis', () => {
    rateWindowsContract(async () => open(emptyQueue('redis').url!));

    it('count calls of all processes', async () => {
      const url = emptyQueue('redis').url!;
      const processes = several(3, () => open(url));
      const taken = await Promise.all(several(30, (index) => processes[index % 3]!.take('k', 10, NOW + index)));
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
      expect(new Set(taken.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)).size).toBe(10);
      const elsewhere = open(emptyQueue('redis').url!);
      expect((await elsewhere.take('k', 10, NOW)).remaining).toBe(9);
      await Promise.all([...processes, elsewhere].map((each) => each.close()));
    });

    it('ask Redis also when the process is busy for longer than a call waits', async () => {
      const url = emptyQueue('redis').url!;
      const { log: own, messages } = openLog();
      // It waits for a second.
      const [one, other] = [new RedisRateWindows(url, own, 40), open(url)];
      await one.take('k', 5, NOW);
      await other.take('k', 5, NOW);
      const taken = one.take('k', 5, NOW);
      // By now the call is sent.
      await new Promise(setImmediate);
      for (const over = performance.now() + 1_500; performance.now() < over;);
      expect([(await taken).remaining, messages]).toEqual([2, []]);
      await Promise.all([one, other].map((each) => each.close()));
    });

    it('remember a refusal until its time is over, without asking Redis again', async () => {
      const url = emptyQueue('redis').url!;
      const windows = open(url);
      const redis = new Redis(process.env.TEST_REDIS_URL!);
      await windows.take('k', 1, NOW);
      expect(await windows.take('k', 1, NOW + 1_000)).toEqual({ allowed: false, remaining: 0, resetMs: 4_000 });
      // A process that asks Redis now starts with an empty window.
      await redis.del(await redis.keys(`*${new URL(url).searchParams.get('prefix')}*`));
      expect(await windows.take('k', 1, NOW + 4_999)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
      expect((await windows.take('k', 2, NOW + 4_999)).allowed).toBe(true);
      expect((await windows.take('k', 2, NOW + 5_000)).allowed).toBe(true);
      redis.disconnect();
      await windows.close();
    });

    it('expire in Redis', async () => {
      const url = emptyQueue('redis').url!;
      const windows = open(url);
      await windows.take('k', 10, NOW);
      await windows.close();
      const redis = new Redis(process.env.TEST_REDIS_URL!);
      const keys = await redis.keys(`*${new URL(url).searchParams.get('prefix')}*`);
      const expiry = await Promise.all(keys.map((key) => redis.pttl(key)));
      redis.disconnect();
      expect(keys).toHaveLength(1);
      expect(expiry[0]).toBeGreaterThan(0);
    });
  });

  describe('an unreachable Redis', () => {
    it('lets each process count in memory, and is logged once', async () => {
      const { log: own, messages } = openLog();
      const windows = new RedisRateWindows(`redis://127.0.0.1:${await freePort()}`, own);
      for (let call = 0; call < 8; call++) {
        const taken = await windows.take('k', 5, NOW);
        expect(taken).toEqual({ allowed: call < 5, remaining: Math.max(4 - call, 0), resetMs: 5_000 });
        await sleep(call === 3 ? 1_100 : 20);
      }
      expect(messages).toEqual([expect.stringMatching('each process counts calls for itself')]);
      await windows.close();
    });

    it('keeps the counts, and shares them again once it is reachable', async () => {
      const address = new URL(emptyQueue('redis').url!);
      const server = await TcpProxy.open(address.hostname, Number(address.port));
      address.host = server.address;
      const { log: own, messages } = openLog();
      const [one, other] = [open(address.href, own), open(address.href)];
      try {
        expect((await one.take('k', 5, NOW)).remaining).toBe(4);
        expect((await one.take('k', 5, NOW)).remaining).toBe(3);
        expect((await other.take('k', 5, NOW)).remaining).toBe(2);
        await server.cut();
        // Counts the two calls of this process, but not those of the other one.
        await until(async () => ((await one.take('z', 5, NOW), messages.length > 0) ? true : undefined));
        expect((await one.take('k', 5, NOW)).remaining).toBe(2);
        await server.restore();
        await until(async () => ((await one.take('y', 1_000, NOW), messages.length > 1) ? true : undefined));
        expect((await one.take('k', 5, NOW)).remaining).toBe(1);
        expect(messages).toEqual([
          expect.stringMatching('each process counts calls for itself'),
          'rate limits are shared through Redis again',
        ]);
      } finally {
        await Promise.all([one.close(), other.close()]);
        await server.close();
      }
    });

    it('does not delay calls when it keeps connections open without answering', async () => {
      const address = new URL(emptyQueue('redis').url!);
      const server = await TcpProxy.open(address.hostname, Number(address.port));
      address.host = server.address;
      const { log: own, messages } = openLog();
      const windows = new RedisRateWindows(address.href, own);
      try {
        expect((await windows.take('k', 5, NOW)).remaining).toBe(4);
        server.freeze();
        const taken = await Promise.all(several(6, () => windows.take('k', 5, NOW)));
        expect(taken.filter(({ allowed }) => allowed)).toHaveLength(4);
        expect(messages).toHaveLength(1);
      } finally {
        await windows.close();
        await server.close();
      }
    });
  });
}
