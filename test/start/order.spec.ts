import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '#platform';
import { lookForRedis, StoppedWaiting, untilDatabase, untilRedis } from '#runtime';
import { emptyDatabase, type EmptyDatabase, emptyQueue, type Engine, engines, queueEngines } from '../support/engines';
import { ServiceProcess, type Settings, temporaryFolders, WORKER } from '../support/processes';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const folder = temporaryFolders();
const SECRETS_KEY = 'ab'.repeat(32);

/** Returns the messages in the log of a process that contain the words. */
const messagesIn = ({ stdout }: ServiceProcess, words: string) =>
  [...stdout.matchAll(/"msg":"([^"]*)"/g)].map(([, message]) => message!).filter((message) => message.includes(words));

/** Gives the database server and Redis addresses at which nothing listens yet. */
async function openUnreachableServers(database: EmptyDatabase) {
  const behind = [database.url, emptyQueue('redis').url!].map((url) => new URL(url)) as [URL, URL];
  const [sql, redis] = (await Promise.all(
    behind.map(({ hostname, port }) => TcpProxy.open(hostname, Number(port))),
  )) as [TcpProxy, TcpProxy];
  await Promise.all([sql.cut(), redis.cut()]);
  const settings: Settings = {
    DATABASE_URL: database.url.replace(behind[0].host, sql.address),
    QUEUE_URL: `redis://${redis.address}${behind[1].search}`,
    SECRETS_KEY,
    DATA_DIR: folder(),
    OPERATIONS_PORT: '0',
    // Each of the programs may start much later than the others.
    START_WAIT_SECONDS: '300',
  };
  return { sql, redis, settings };
}

const [engine] = engines.filter((each) => each !== 'sqlite') as (Engine | undefined)[];
if (engine && queueEngines.includes('redis'))
  describe(`a program that starts before ${engine} and Redis`, () => {
    let database: EmptyDatabase;
    let servers: Awaited<ReturnType<typeof openUnreachableServers>>;
    const processes: ServiceProcess[] = [];
    beforeAll(async () => {
      database = await emptyDatabase(engine);
      servers = await openUnreachableServers(database);
    });
    afterEach(async () => {
      await Promise.all(processes.splice(0).map((each) => each.end('SIGKILL')));
    });
    afterAll(async () => {
      await Promise.all([servers?.sql.close(), servers?.redis.close()]);
      await database?.drop();
    });

    const startProgram = (main?: string) => {
      const settings = { ...servers.settings, SHUTDOWN_DELAY_SECONDS: '300' };
      const begun = new ServiceProcess({ settings, cwd: folder() }, main);
      processes.push(begun);
      return begun;
    };
    const health = async ({ operationsUrl }: ServiceProcess, which: 'live' | 'ready') => {
      const response = await fetch(`${operationsUrl}/health/${which}`);
      return { status: response.status, body: (await response.json()) as { status: string } };
    };
    /** On a slow machine, a server may miss the limit of a check. */
    const untilReady = (of: ServiceProcess, as: string) =>
      until(async () => {
        const { status, body } = await health(of, 'ready');
        return status === 200 && body.status === as;
      });

    it('waits for its servers, logs this once, and then works', async () => {
      const { sql, redis, settings } = servers;
      const [api, worker] = [startProgram(), startProgram(WORKER)];
      const migrating = new ServiceProcess({ settings, cwd: folder() }, 'apps/cli/src/main.ts', ['migrate']);
      processes.push(migrating);
      const waiting = `waiting for the database server ${sql.address} (refused), for up to 300 s`;
      await Promise.all([api, worker].map((each) => each.hasLogged(waiting)));
      await until(async () => migrating.stderr.includes(waiting));
      for (const each of [api, worker]) {
        expect(await health(each, 'live')).toMatchObject({ status: 200 });
        expect(await health(each, 'ready')).toMatchObject({ status: 503, body: { status: 'starting' } });
      }
      // Each program tries again in this time.
      await sleep(1_500);
      await sql.restore();
      await api.hasLogged('listening');
      const waitingForRedis = `waiting for the Redis server ${redis.address} (refused), for up to 300 s`;
      await worker.hasLogged(waitingForRedis);
      await untilReady(api, 'degraded');
      await until(async () => (await fetch(`${api.url}/health/ready`)).status === 200);
      await redis.restore();
      await worker.hasLogged('jobs are taken');
      await untilReady(worker, 'ok');

      const there = `the database server ${sql.address} is there`;
      expect(messagesIn(api, 'database server')).toEqual([waiting, there]);
      expect(messagesIn(api, 'Redis server')).toEqual([
        `going on without the Redis server ${redis.address} until it can be reached`,
      ]);
      expect(messagesIn(worker, ' server ')).toEqual([
        waiting,
        there,
        waitingForRedis,
        `the Redis server ${redis.address} is there`,
      ]);
      expect(await migrating.ended).toBe(0);
      expect(migrating.stdout).toMatch(/The database is up to date\.\n$/);
      const lines = migrating.stderr.split('\n').filter((line) => line.startsWith('itembank: '));
      expect(lines).toEqual([`itembank: ${waiting}`, `itembank: ${there}`]);
      // SIGINT skips the delay, because no proxy has to notice the end. A worker has no delay.
      expect(await Promise.all([api.end('SIGINT'), worker.end('SIGTERM')])).toEqual([0, 0]);
      expect([api.stderr, worker.stderr]).toEqual(['', '']);
    });

    it('ends at once when it gets a signal while it waits', async () => {
      await servers.sql.cut();
      const waiting = startProgram(WORKER);
      await waiting.hasLogged(`waiting for the database server ${servers.sql.address} (refused), for up to 300 s`);
      expect(await waiting.end('SIGTERM')).toBe(0);
      expect(waiting.stderr).toBe('');
    });
  });

describe('waiting at the start', () => {
  /** The logged lines. */
  let lines: string[];
  const log = {
    info: (_fields: object, line: string) => void lines.push(line),
    warn: (_fields: object, line: string) => void lines.push(line),
  };
  beforeEach(() => {
    lines = [];
  });
  const configOf = (settings: Settings) => Config.read({ SECRETS_KEY, DATA_DIR: folder(), ...settings });
  const outcomeOf = async (waiting: Promise<void>) => {
    const error = await waiting.then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    return { message: error?.message, lines };
  };

  it('happens only for servers', async () => {
    await untilDatabase(configOf({}), log);
    expect(lines).toEqual([]);
  });

  it('ends after its time limit, or on a signal', async () => {
    const config = configOf({ DATABASE_URL: 'mysql://me:tellnobody@127.0.0.1:1/x', START_WAIT_SECONDS: '5' });
    expect(await outcomeOf(untilDatabase(config, log))).toEqual({
      message: expect.stringContaining('ECONNREFUSED') as string,
      lines: ['waiting for the database server 127.0.0.1:1 (refused), for up to 5 s'],
    });
    await expect(untilDatabase(config, log, AbortSignal.abort())).rejects.toBeInstanceOf(StoppedWaiting);
  });

  it('includes unknown hosts, because containers get their names when they start', async () => {
    const config = configOf({ QUEUE_URL: 'redis://nowhere.invalid:6379', START_WAIT_SECONDS: '5' });
    const { message } = await outcomeOf(untilRedis(config, log));
    expect(message).toMatch(/^The Redis server nowhere\.invalid:6379 cannot be reached .* QUEUE_URL\.$/);
    expect(lines).toEqual(['waiting for the Redis server nowhere.invalid:6379 (unknown-host), for up to 5 s']);
  });

  for (const each of engines.filter((one) => one !== 'sqlite'))
    it(`is skipped for a wrong setting of ${each}`, async () => {
      const { url, drop } = await emptyDatabase(each);
      try {
        const wrongUser = configOf({ DATABASE_URL: url.replace(/\/\/[^@]*@/, '//nobody:tellnobody@') });
        expect(await outcomeOf(untilDatabase(wrongUser, log))).toMatchObject({
          message: expect.stringContaining('Access denied') as string,
          lines: [],
        });
        const wrongName = configOf({ DATABASE_URL: `${url}_not` });
        expect(await outcomeOf(untilDatabase(wrongName, log))).toMatchObject({
          message: expect.stringContaining('Unknown database') as string,
          lines: [],
        });
      } finally {
        await drop();
      }
    });

  if (queueEngines.includes('redis'))
    it('is skipped for a wrong setting of Redis', async () => {
      const QUEUE_URL = emptyQueue('redis').url!.replace('//', '//nobody:tellnobody@');
      const noDatabase = emptyQueue('redis').url!.replace('?', '/999999?');
      for (const look of [untilRedis, lookForRedis]) {
        const { message } = await outcomeOf(look(configOf({ QUEUE_URL }), log));
        expect(message).toMatch(/^The Redis server \S+ refuses this user \(WRONGPASS.*QUEUE_URL\.$/);
        expect(message).not.toContain('tellnobody');
        const other = await outcomeOf(look(configOf({ QUEUE_URL: noDatabase }), log));
        expect(other.message).toMatch(/^The Redis server \S+ answers with an error \(ERR DB index .*QUEUE_URL\.$/);
      }
      expect(lines).toEqual([]);
    });
});
