import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#kernel';
import { question, several } from '../support/builders';
import { Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { emptyDatabase, type EmptyDatabase, engines } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { json, ServiceProcess, temporaryFolders } from '../support/processes';
import { formBody, RawConnection } from '../support/raw-http';
import { ReadinessProxy } from '../support/readiness-proxy';
import { startService } from '../support/service';
import { until } from '../support/until';

const CALLERS = 6;
const TAGS = 'itembank/tagging/tags';
const folder = temporaryFolders();

for (const engine of engines.filter((each) => each !== 'sqlite').slice(0, 1))
  describe(`a proxy in front of two services on ${engine}`, () => {
    let database: EmptyDatabase;
    let proxy: ReadinessProxy | undefined;
    const services: ServiceProcess[] = [];
    let isOver = false;
    beforeAll(async () => {
      database = await emptyDatabase(engine);
    });
    afterAll(async () => {
      isOver = true;
      await proxy?.close();
      await Promise.all(services.map((service) => service.end('SIGKILL')));
      await database?.drop();
    });

    it('loses no request when one of the services stops', async () => {
      const settings = {
        DATABASE_URL: database.url,
        DATA_DIR: folder(),
        SECRETS_KEY: 'cd'.repeat(32),
      };
      for (const args of [['migrate'], ['organisation', 'create', '1', 'Drained']])
        expect((await commandHere(args, { settings })).code).toBe(0);
      const { key, secret } = await json<{ key: string; secret: string }>(
        commandHere(['consumer', 'create', '--organisation', '1', '--rate-limit', '*=1000000', '--json'], { settings }),
      );
      const start = (SHUTDOWN_DELAY_SECONDS: string) =>
        ServiceProcess.listening({ settings: { ...settings, LOG_LEVEL: 'info', SHUTDOWN_DELAY_SECONDS } });
      services.push(...(await Promise.all(['10', '300'].map(start))));
      const [stopped, other] = services as [ServiceProcess, ServiceProcess];
      proxy = await ReadinessProxy.open([stopped.url, other.url], 100);
      const [first, second] = proxy.upstreams as [(typeof proxy.upstreams)[0], (typeof proxy.upstreams)[0]];
      const client = new Client(proxy.url, key, secret, new SystemClock());

      let calls = 0;
      const failed: string[] = [];
      const caller = async () => {
        while (!isOver) {
          const call = calls++;
          const tags = several(20, (tag) => ({ type: `t-${call % 20}`, name: `${call}-${tag}` }));
          const answer = call % 3 === 0 ? client.set(TAGS, { tags }) : client.get(TAGS, { limit: 20 });
          await answer.then(
            ({ meta, text }) => meta.status || failed.push(text),
            (error) => failed.push(String(error)),
          );
          await sleep(5);
        }
      };
      const callers = several(CALLERS, () => caller());
      const waitForRequests = (upstream: typeof first, before: number) =>
        until(async () => (upstream.requests > before + 50 ? true : undefined));
      await Promise.all([waitForRequests(first, 0), waitForRequests(second, 0)]);
      const ended = stopped.end('SIGTERM');
      await until(async () => (first.isReady ? undefined : true));
      const sentWhenGone = first.requests;
      expect(await ended).toBe(0);
      await waitForRequests(second, second.requests);
      isOver = true;
      await Promise.all(callers);
      expect({ failed: failed.slice(0, 3), sentLater: first.requests - sentWhenGone }).toEqual({
        failed: [],
        sentLater: 0,
      });
      expect(stopped.stderr).toBe('');

      // A second signal skips the delay of five minutes.
      other.send('SIGTERM');
      await until(async () => (second.isReady ? undefined : true));
      expect(await other.end('SIGTERM')).toBe(0);
    });
  });

describe(`a service that stops, on ${engines[0]}`, () => {
  const READY = 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n';

  it('answers for a while, reports that it stops, and closes idle connections', async () => {
    const { service, url, close } = await startService(engines[0]!, { SHUTDOWN_DELAY_SECONDS: '300' });
    const [idle, busy] = [await RawConnection.open(url), await RawConnection.open(url)];
    await idle.write(READY);
    const before = await idle.answer();
    expect([before.status, before.headers.connection]).toEqual([200, 'keep-alive']);
    // The service waits for the rest of the body.
    const arrived = once(service.app.getHttpServer(), 'request');
    const type = 'Content-Type: application/x-www-form-urlencoded';
    await busy.write(`POST /v1/itembank/items HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 2\r\n\r\n`);
    await arrived;
    const hurry = new AbortController();
    const closed = service.close(hurry.signal);
    await idle.write(READY);
    const after = await idle.answer();
    expect([after.status, after.headers.connection, JSON.parse(after.body)]).toEqual([
      503,
      'close',
      { status: 'stopping', dependencies: {} },
    ]);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    hurry.abort();
    await until(async () => (service.app.getHttpServer().listening ? undefined : true));
    await busy.write('a=');
    const last = await busy.answer();
    expect([last.status, last.headers.connection]).toEqual([400, 'close']);
    await closed;
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
    await close();
  });

  it('completes answers that are still being sent', async () => {
    const { client, service, url, close } = await startService(engines[0]!);
    const stimulus = 'x'.repeat(380 * 1024);
    const references = several(50, (index) => `r${index}`);
    for (let from = 0; from < references.length; from += 10) {
      const some = references.slice(from, from + 10);
      const questions = some.map((reference) => question({ reference, data: { type: 'longtext', stimulus } }));
      expectSuccess(await client.set('itembank/questions', { questions }));
    }
    const { type, body } = formBody(client.fields('{}', 'get'));
    // The head has arrived, and most of the body waits to be read.
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    const answer = await fetch(`${url}/v1/itembank/questions`, init);
    const closed = close();
    await until(async () => (service.app.getHttpServer().listening ? undefined : true));
    const { data } = (await answer.json()) as { data: object[] };
    expect(data).toHaveLength(references.length);
    await closed;
  });
});
