import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SystemClock } from '#kernel';
import { question } from '../support/builders';
import { type Answer, Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { emptyDatabase, type EmptyDatabase, emptyQueue, engines, queueEngines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { json, ServiceProcess, type Settings, temporaryFolders } from '../support/processes';
import { answerOf, exchange, formBody, headBytes, phpBody, postChunked, RawConnection } from '../support/raw-http';
import { scrape } from '../support/scrape';
import { until } from '../support/until';

const PATH = 'itembank/questions';
const BEGUN = 'a thread answers large calls';
const LOST = 'the thread for large calls ended; they are answered without it';
const MB = 1024 * 1024;
const UNAVAILABLE = 10000;
const folder = temporaryFolders();

/** Takes 300 KB at the least. */
const large = (references: readonly string[], stimulus = '') => ({
  questions: references.map((reference) =>
    question({ reference, data: { type: 'longtext', stimulus: stimulus + 'x'.repeat(300 * 1024) } }),
  ),
});

/** Priorities of the threads of a process, each once. */
function niceOf(pid: number): number[] {
  const stats = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8'));
  // The name of a thread, in brackets, may hold anything.
  const nices = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]));
  return [...new Set(nices)].sort((a, b) => a - b);
}

/** Settings of a service whose thread fails once there is the file. */
const failingBy = (file: string): Settings => ({
  NODE_OPTIONS: `--require ${resolve(__dirname, '../support/thread-that-fails.cjs')}`,
  FAIL_THREAD: file,
});

const [engine] = engines.filter((each) => each !== 'sqlite');
if (engine && queueEngines.includes('redis'))
  describe(`large calls to an API with workers, on ${engine}`, () => {
    let database: EmptyDatabase;
    let settings: Settings;
    const services: ServiceProcess[] = [];
    beforeAll(async () => {
      database = await emptyDatabase(engine);
      settings = {
        ...{ DATABASE_URL: database.url, QUEUE_URL: emptyQueue('redis').url!, DATA_DIR: folder() },
        ...{ SECRETS_KEY: 'cd'.repeat(32), OPERATIONS_PORT: '0', MAX_BODY_BYTES: String(4 * MB) },
      };
      for (const args of [['migrate'], ['organisation', 'create', '1', 'Large']])
        expect((await commandHere(args, { settings })).code).toBe(0);
    });
    afterEach(async () => {
      await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
    });
    afterAll(async () => {
      await database?.drop();
    });

    const consumer = async (limit: string) => {
      const args = ['consumer', 'create', '--organisation', '1', '--rate-limit', limit, '--json'];
      return json<{ key: string; secret: string }>(commandHere(args, { settings }));
    };
    /** A service whose thread is there, for large calls of the client. */
    const started = async (more: Settings = {}, limit = '*=1000000') => {
      const [service, { key, secret }] = await Promise.all([
        ServiceProcess.listening({ settings: { ...settings, ...more } }),
        consumer(limit),
      ]);
      services.push(service);
      const client = new Client(service.url, key, secret, new SystemClock());
      const other = await consumer('*=1000000');
      // The first one has it begin, and is not kept waiting for that.
      expectSuccess(
        await new Client(service.url, other.key, other.secret, new SystemClock()).set(PATH, large(['first'])),
      );
      await service.hasLogged(BEGUN);
      return { service, client };
    };
    const lines = ({ stdout }: ServiceProcess) =>
      stdout
        .split('\n')
        // What is said to people is not for programs.
        .filter((line) => line !== '' && !line.startsWith('Itembank answers at '))
        .map((line) => JSON.parse(line) as Record<string, unknown>);

    /** A large set of which all is sent but the rest. */
    const begun = async (service: ServiceProcess, client: Client) => {
      const { type, body } = formBody(client.fields(JSON.stringify(large(['begun'])), 'set'));
      const late = await RawConnection.open(service.url);
      await late.write(
        headBytes(`/v1/${PATH}`, { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) }),
      );
      await late.write(body.slice(0, -1000));
      return { late, rest: body.slice(-1000) };
    };

    it('are answered as others are, and seen as others are', async () => {
      const { service, client } = await started();
      const answers: Answer[] = [];
      const told = async (answer: Promise<Answer>) => {
        answers.push(await answer);
        return answers.at(-1)!;
      };
      expectSuccess(await told(client.set(PATH, large(['a', 'b'], 'one '))));
      const read = await told(client.get(PATH, { references: ['a', 'b'] }));
      expect(read.data.map(({ data }: { data: { stimulus: string } }) => data.stimulus.slice(0, 5))).toEqual([
        'one x',
        'one x',
      ]);
      // What is wrong with it is said as of a small one.
      for (const many of [{}, { padding: 'x'.repeat(MB) }]) {
        expectFailure(
          await told(client.get(PATH, { limit: 'many', ...many })),
          400,
          20003,
          /^limit must be a whole number/,
        );
        const forged = client.fields(JSON.stringify(many), 'get', { signature: 'f'.repeat(64) });
        expectFailure(await told(client.post(PATH, forged)), 403, 41003);
      }
      // In another encoding, and in chunks of which nobody knows how many come.
      const fields = client.fields(JSON.stringify(large(['c'], 'in chunks ')), 'set');
      for (const { type, body } of [formBody(fields), phpBody(fields)])
        expectSuccess(
          await told(
            exchange(service.url, ...postChunked(`/v1/${PATH}`, { 'Content-Type': type }, body, 1000)).then(answerOf),
          ),
        );
      const subkeys = { subkeys: ['picture.png'], padding: 'x'.repeat(300 * 1024) };
      expect((await told(client.get('itembank/upload/assets', subkeys))).text).toContain(service.url);
      // Under a key, at the same time: one does it, the other repeats its answer.
      const once = { ...large(['d']), meta: { idempotency_key: 'once' } };
      const [first, second] = await Promise.all([told(client.set(PATH, once)), told(client.set(PATH, once))]);
      expect([first, second].map((answer) => answer.text.includes('idempotent_replay')).sort()).toEqual([false, true]);

      const logged = await until(async () => {
        const found = lines(service).filter(({ msg }) => msg === 'request');
        return found.length > answers.length ? found : undefined;
      });
      const ids = answers.map(({ headers }) => headers.get('x-request-id'));
      expect(logged.map(({ request_id }) => request_id).sort()).toEqual([...ids, logged[0]!.request_id].sort());
      const { samples } = await scrape(service.operationsUrl);
      /** Of the main thread, and of the other. */
      const sums = (metric: string) =>
        [undefined, 'large'].map((thread) =>
          samples
            .filter(({ name, labels }) => name === metric && labels.thread === thread)
            .reduce((sum, sample) => sum + sample.value, 0),
        );
      // The first large one and the three small ones, and all others.
      expect(sums('itembank_http_requests_total')).toEqual([4, answers.length - 3]);
      expect(sums('itembank_http_requests_in_flight')).toEqual([0, 0]);
      expect(sums('itembank_database_connections_max')).toEqual([10, 10]);
      expect(sums('nodejs_version_info')).toEqual([1, 1]);
      expect(sums('process_start_time_seconds')).toEqual([expect.closeTo(Date.now() / 1000, -4), 0]);
      // Where processors are short the others come first.
      expect(niceOf(service.pid)).toEqual([0, 10]);
      expect(service.stderr).toBe('');
    });

    it('count with others against the limit of their consumer', async () => {
      const { client } = await started({}, `set ${PATH}=3`);
      const answers: Answer[] = [];
      for (const questions of [large(['e']), { questions: [question()] }, large(['e']), large(['e'])])
        answers.push(await client.set(PATH, questions));
      answers.push(await client.set(PATH, { questions: [question()] }));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0', '0']);
    });

    it('are refused when they are too large, whether or not all has been sent', async () => {
      const { service, client } = await started();
      const { type, body } = formBody(client.fields(JSON.stringify({ padding: 'x'.repeat(5 * MB) }), 'get'));
      const head = { 'Content-Type': type };
      const announced = await RawConnection.open(service.url);
      await announced.write(headBytes(`/v1/${PATH}`, { ...head, 'Content-Length': String(body.length) }));
      expectFailure(answerOf(await announced.answer()), 413, 20001, /larger than 4194304 bytes/);
      announced.close();
      const chunked = await RawConnection.open(service.url);
      const parts = postChunked(`/v1/${PATH}`, head, body, 64 * 1024);
      for (const part of parts.slice(0, -2)) await chunked.write(part);
      expectFailure(answerOf(await chunked.answer()), 413, 20001, /larger than 4194304 bytes/);
      // The rest is taken, and the connection serves another call.
      for (const part of parts.slice(-2)) await chunked.write(part);
      await chunked.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      expect((await chunked.answer()).status).toBe(200);
      chunked.close();
      // One that breaks off is in the log like any other.
      const broken = await RawConnection.open(service.url);
      await broken.write(headBytes(`/v1/${PATH}`, { ...head, 'Content-Length': String(MB) }));
      await broken.write(body.slice(0, MB / 2));
      broken.close();
      await until(async () => lines(service).find(({ status, path }) => status === 400 && path === `/v1/${PATH}`));
      expectSuccess(await client.set(PATH, large(['f'])));
      expect(service.stderr).toBe('');
    });

    it('end with the service, when they are answered', async () => {
      const { service, client } = await started({ LOG_LEVEL: 'info' });
      const { late, rest } = await begun(service, client);
      const ended = service.end('SIGTERM');
      await service.hasLogged('stopping');
      await late.write(rest);
      const answer = await late.answer();
      expectSuccess(answerOf(answer));
      expect(answer.headers.connection).toBe('close');
      expect(await ended).toBe(0);
      expect(lines(service).map(({ request_id }) => request_id)).toContain(answer.headers['x-request-id']);
      expect(service.stderr).toBe('');
    });

    it('are answered with 503 when the thread ends in the middle, and the next ones as before', async () => {
      const sign = join(folder(), 'sign');
      const { service, client } = await started({
        ...failingBy(sign),
      });
      const { late, rest } = await begun(service, client);
      writeFileSync(sign, '');
      const answer = await late.answer();
      expectFailure(
        answerOf(answer),
        503,
        UNAVAILABLE,
        /^What answered this request ended meanwhile; .* Send it again\.$/,
      );
      expect(answer.headers['retry-after']).toBe('10');
      rmSync(sign);
      // What had not arrived by then is taken, and the connection serves another call.
      await late.write(rest);
      await late.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      expect((await late.answer()).status).toBe(200);
      late.close();
      // Without the thread, then by a new one, which is there when who was told so comes again.
      expectSuccess(await client.set(PATH, large(['h'])));
      await until(async () => (lines(service).filter(({ msg }) => msg === BEGUN).length === 2 ? true : undefined));
      expectSuccess(await client.set(PATH, large(['h'])));
      const errors = () => lines(service).filter(({ level }) => level === 50);
      expect(errors()).toMatchObject([{ msg: LOST }]);
      // It is missed as well when it ends with nothing to do.
      writeFileSync(sign, '');
      await until(async () => (errors().length === 2 ? true : undefined));
      expectSuccess(await client.set(PATH, large(['h'])));
      expect(errors()).toMatchObject([{ msg: LOST }, { msg: LOST }]);
      const { value } = await scrape(service.operationsUrl);
      expect(value('itembank_http_requests_total', { operation: 'unknown', status: '503', code: '10000' })).toBe(1);
    });

    it('are answered with 503 when the thread hangs, and the next ones as before', async () => {
      const sign = join(folder(), 'sign');
      const { service, client } = await started(failingBy(sign));
      const { late } = await begun(service, client);
      writeFileSync(sign, 'hang');
      // Meanwhile others are answered.
      expectSuccess(await client.set(PATH, { questions: [question()] }));
      await service.hasLogged(LOST);
      expectFailure(answerOf(await late.answer()), 503, UNAVAILABLE, /^What answered this request ended meanwhile/);
      late.close();
      rmSync(sign);
      expect(lines(service).filter(({ level }) => level === 50)).toMatchObject([
        { msg: LOST, err: { message: 'The thread gave no sign of life for 15 s.' } },
      ]);
      expectSuccess(await client.set(PATH, large(['i'])));
    }, 60_000);
  });
