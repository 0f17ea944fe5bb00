import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { newId } from '#kernel';
import { BullmqQueue } from '../../libs/jobs/src/infrastructure/bullmq-queue';
import { InProcessQueue } from '../../libs/jobs/src/infrastructure/in-process-queue';
import { emptyQueue, queueEngines } from '../support/engines';
import { freePort } from '../support/servers/free-port';
import { recipes, startByRecipe } from '../support/servers/servers';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { jobQueueContract } from './job-queue';
import { NOW, signal } from './ports';

const none = () => undefined;

describe('the in-process queue', () =>
  jobQueueContract(() => {
    const queue = new InProcessQueue();
    return { producer: queue, consumers: [queue] };
  }));

const message = () => ({ organisation: 1, id: newId(NOW), lane: 'short' as const, token: 0, priority: 1 });

if (queueEngines.includes('redis')) {
  describe('the queue on Redis', () => {
    jobQueueContract(() => {
      const url = emptyQueue('redis').url!;
      const [producer, ...consumers] = [1, 2, 3].map(() => new BullmqQueue(url, none));
      return { producer: producer!, consumers };
    });

    it('keeps no messages of jobs that ran', async () => {
      const url = emptyQueue('redis').url!;
      const queue = new BullmqQueue(url, none);
      const messages = [message(), message(), message()];
      let ran = 0;
      queue.consume('short', 2, async () => void ran++);
      await queue.push(messages);
      await until(async () => (ran === 3 ? true : undefined));
      await queue.close();
      const redis = new Redis(process.env.TEST_REDIS_URL!);
      const keys = await redis.keys(`*${new URL(url).searchParams.get('prefix')}*`);
      redis.disconnect();
      expect(keys.filter((key) => messages.some(({ id }) => key.includes(id)))).toEqual([]);
    });

    it('separates installations that share a server', async () => {
      const [one, two] = [emptyQueue('redis').url!, emptyQueue('redis').url!].map((url) => new BullmqQueue(url, none));
      const ran: string[] = [];
      two!.consume('short', 1, async ({ id }) => void ran.push(id));
      const [first, second] = [message(), message()];
      await one!.push([first]);
      await two!.push([second]);
      await until(async () => (ran.length > 0 ? true : undefined));
      expect(ran).toEqual([second.id]);
      await Promise.all([one!.close(), two!.close()]);
    });
  });

  describe('a Redis that takes no writes', () => {
    const env = { ...process.env, TEST_REDIS_URL: '' };
    const start = () => startByRecipe(recipes.redis, { env, cacheFolder: resolve(__dirname, '../../.servers') });

    it('is left for the new primary at the same address when it has become a replica', async () => {
      const [former, next] = [await start(), await start()];
      const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
      const proxy = await TcpProxy.open('127.0.0.1', portOf(former));
      const queue = new BullmqQueue(`redis://${proxy.address}`, none);
      try {
        const ran: string[] = [];
        queue.consume('short', 1, async ({ id }) => void ran.push(id));
        const [first, second] = [message(), message()];
        await queue.push([first]);
        await until(async () => ran.includes(first.id) || undefined);
        // The open connections stay with the former primary.
        proxy.redirectTo('127.0.0.1', portOf(next));
        const redis = new Redis(former.url);
        await redis.replicaof('127.0.0.1', portOf(next));
        redis.disconnect();
        await until(async () => {
          await queue.push([second]).catch(none);
          return ran.includes(second.id) || undefined;
        });
        expect(ran).toEqual([first.id, second.id]);
      } finally {
        await queue.close();
        await proxy.close();
        await former.stop();
        await next.stop();
      }
    });

    it('rejects pushes while its memory is full, and carries them when there is room again', async () => {
      const server = await start();
      const queue = new BullmqQueue(server.url, none);
      const redis = new Redis(server.url);
      try {
        const ran: string[] = [];
        queue.consume('short', 1, async ({ id }) => void ran.push(id));
        const [first, second] = [message(), message()];
        await queue.push([first]);
        await until(async () => ran.includes(first.id) || undefined);
        await redis.config('SET', 'maxmemory', '100kb');
        await expect(queue.push([second])).rejects.toThrow('OOM');
        await redis.config('SET', 'maxmemory', '0');
        await queue.push([second]);
        await until(async () => ran.includes(second.id) || undefined);
        expect(ran).toEqual([first.id, second.id]);
      } finally {
        redis.disconnect();
        await queue.close();
        await server.stop();
      }
    });
  });

  describe('an unreachable Redis', () => {
    it('does not affect a process that pushes nothing', async () => {
      const reported: Error[] = [];
      const queue = new BullmqQueue(`redis://127.0.0.1:${await freePort()}`, (error) => reported.push(error));
      await queue.push([]);
      await sleep(100);
      await queue.close();
      expect(reported).toEqual([]);
      await expect(queue.push([message()])).rejects.toThrow('closed');
    });

    it('rejects pushes, and does not prevent closing', async () => {
      const reported: Error[] = [];
      const queue = new BullmqQueue(`redis://127.0.0.1:${await freePort()}`, (error) => reported.push(error));
      queue.consume('short', 1, async () => undefined);
      await expect(queue.push([message()])).rejects.toThrow('Redis cannot be reached');
      // The queue does not log each attempt during an outage.
      expect(reported).toHaveLength(1);
      await queue.close();
      await expect(queue.push([message()])).rejects.toThrow();
    });

    it('does not prevent its queue from closing after a running job has ended', async () => {
      const env = { ...process.env, TEST_REDIS_URL: '' };
      const server = await startByRecipe(recipes.redis, { env, cacheFolder: resolve(__dirname, '../../.servers') });
      const queue = new BullmqQueue(server.url, none);
      const begun = signal();
      const mayEnd = signal();
      let ended = false;
      queue.consume('short', 1, async () => {
        begun.give();
        await mayEnd.promise;
        ended = true;
      });
      await queue.push([message()]);
      await begun.promise;
      await server.stop();
      const closing = queue.close().then(() => expect(ended).toBe(true));
      mayEnd.give();
      await closing;
    });
  });
}
