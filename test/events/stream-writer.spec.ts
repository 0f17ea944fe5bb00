import { resolve } from 'node:path';
import { Redis } from 'ioredis';
import { type Event } from '../../libs/events/src/domain/event';
import { type Stream } from '../../libs/events/src/domain/sink';
import { RedisStreamWriter } from '../../libs/events/src/infrastructure/redis-stream-writer';
import { emptyQueue, queueEngines } from '../support/engines';
import { recipes, startByRecipe } from '../support/servers/servers';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

for (const queueEngine of queueEngines.filter((each) => each !== 'in process'))
  describe(`a stream on ${queueEngine}`, () => {
    let redis: Redis;
    let url: string;
    let names = 0;
    beforeAll(() => {
      ({ url } = emptyQueue(queueEngine) as { url: string });
      redis = new Redis(process.env.TEST_REDIS_URL!);
    });
    afterAll(async () => {
      await redis.unlink(...Array.from({ length: names }, (_, index) => nameOf(index + 1)));
      redis.disconnect();
    });

    const nameOf = (count: number) => `${new URL(url).searchParams.get('prefix')}:events é ${count}`;
    const newStream = (maxLength = 1000): Stream => ({
      type: 'stream',
      name: 's',
      kinds: null,
      maxLength,
      stream: nameOf(++names),
    });
    const event = (number: number): Event => ({
      id: '01JZX3M5V2Q4T6W8Y0A1B2C3D4',
      number,
      kind: 'session-scores',
      key: 'sé"s',
      recordedAt: NOW,
      payload: '{"a": "é\\u2028 "}',
    });

    it('gets each event as an entry with the members by which a consumer detects duplicates', async () => {
      const [writer, stream] = [new RedisStreamWriter(url), newStream()];
      for (const number of [1, 2, 1])
        expect(await writer.write(stream, event(number))).toEqual({
          outcome: 'delivered',
          httpStatus: null,
          error: null,
        });
      const entries = await redis.xrange(stream.stream, '-', '+');
      const fields = (number: string) => [
        'id',
        '01JZX3M5V2Q4T6W8Y0A1B2C3D4',
        'number',
        number,
        'kind',
        'session-scores',
        'key',
        'sé"s',
        'timestamp',
        '2026-01-02T03:04:05.000Z',
        'payload',
        '{"a": "é\\u2028 "}',
      ];
      expect(entries.map(([, each]) => each)).toEqual(['1', '2', '1'].map(fields));
      await writer.close();
    });

    it('keeps about the configured number of entries', async () => {
      const [writer, stream] = [new RedisStreamWriter(url), newStream(100)];
      for (let number = 1; number <= 1000; number++) await writer.write(stream, event(number));
      const length = await redis.xlen(stream.stream);
      expect(length).toBeGreaterThanOrEqual(100);
      // Redis removes whole blocks, of 100 entries by default.
      expect(length).toBeLessThan(300);
      await writer.close();
    });

    it('is reported as unreachable when its key holds another type', async () => {
      const [writer, stream] = [new RedisStreamWriter(url), newStream()];
      await redis.set(stream.stream, 'x');
      expect(await writer.write(stream, event(1))).toMatchObject({
        outcome: 'unreachable',
        httpStatus: null,
        error: expect.stringContaining('WRONGTYPE'),
      });
      await writer.close();
    });

    it('is unreachable while Redis is down, and reachable when it is back', async () => {
      const target = new URL(process.env.TEST_REDIS_URL!);
      const proxy = await TcpProxy.open(target.hostname, Number(target.port));
      const [writer, stream] = [new RedisStreamWriter(`redis://${proxy.address}`), newStream()];
      expect((await writer.write(stream, event(1))).outcome).toBe('delivered');
      await proxy.cut();
      const answers = [await writer.write(stream, event(2)), await writer.write(stream, event(2))];
      expect(answers.map(({ outcome }) => outcome)).toContain('unreachable');
      await proxy.restore();
      for (let tries = 0; (await writer.write(stream, event(3))).outcome !== 'delivered'; tries++)
        expect(tries).toBeLessThan(50);
      await writer.close();
      await proxy.close();
    });

    it('goes to the new primary at the same address when the server has become a replica', async () => {
      const env = { ...process.env, TEST_REDIS_URL: '' };
      const former = await startByRecipe(recipes.redis, { env, cacheFolder: resolve(__dirname, '../../.servers') });
      const target = new URL(process.env.TEST_REDIS_URL!);
      const proxy = await TcpProxy.open('127.0.0.1', Number(new URL(former.url).port));
      const [writer, stream] = [new RedisStreamWriter(`redis://${proxy.address}`), newStream()];
      try {
        expect((await writer.write(stream, event(1))).outcome).toBe('delivered');
        // The open connection stays with the former primary.
        proxy.redirectTo(target.hostname, Number(target.port));
        const admin = new Redis(former.url);
        await admin.replicaof(target.hostname, Number(target.port));
        admin.disconnect();
        expect(await writer.write(stream, event(2))).toMatchObject({ outcome: 'unreachable' });
        await until(async () => (await writer.write(stream, event(2))).outcome === 'delivered' || undefined);
        expect(await redis.xlen(stream.stream)).toBe(1);
      } finally {
        await writer.close();
        await proxy.close();
        await former.stop();
      }
    });
  });
