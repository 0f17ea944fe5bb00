import { newId } from '#kernel';
import { Client } from '../support/client';
import { engines, queueEngines } from '../support/engines';
import { essayRequest, writeEssayItem } from '../support/essays';
import { temporaryFolders } from '../support/processes';
import { type Programs, startPrograms } from '../support/programs';
import { RawConnection } from '../support/raw-http';
import { scrape } from '../support/scrape';
import { until } from '../support/until';

/** Texts in the data of requests. No line of the log may contain them. */
const ANSWER = 'zebra-answer';
const PERSON = 'zebra-person';
const FORBIDDEN = /zebra/;

interface Line {
  level: number;
  time: string;
  msg: string;
  [field: string]: unknown;
}

const folder = temporaryFolders();
/** Uses a server if there is one, because servers quote their input in errors. */
const engine = engines.at(-1)!;
const queueEngine = queueEngines.at(-1)!;

describe(`the log on ${engine}, with a queue ${queueEngine}`, () => {
  let programs: Programs;
  let client: Client;
  beforeAll(async () => {
    programs = await startPrograms(engine, queueEngine, folder(), { LOG_LEVEL: 'trace', OPERATIONS_PORT: '0' });
    ({ client } = programs);
    await writeEssayItem(client);
  });
  afterAll(() => programs?.end());

  const output = () => [programs.api, programs.worker].map((each) => (each ? each.stdout + each.stderr : '')).join('');
  /** Returns all lines except those that a start prints for people. */
  const lines = (): Line[] =>
    [programs.api, programs.worker].flatMap((each) => {
      if (!each) return [];
      expect(each.stderr).toBe('');
      // The last line may not be complete yet.
      const all = each.stdout.split('\n').slice(0, -1);
      const listening = all.findIndex((text) => text.includes('"msg":"listening"'));
      return all.filter((text, at) => at > listening || text.startsWith('{')).map((text) => JSON.parse(text) as Line);
    });
  const waitForLine = (matches: (line: Line) => boolean) => until(async () => lines().find(matches));
  const lineOf = (requestId: string | null | undefined, msg: string) =>
    waitForLine((each) => each.request_id === requestId && each.msg === msg);

  it('reports a request and its job, with the details that an operator needs', async () => {
    const { meta, data, headers } = await client.set('sessions', await essayRequest(client, ANSWER));
    expect(meta.message ?? '').toBe('');
    const request = headers.get('x-request-id');
    expect(await lineOf(request, 'request')).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      msg: 'request',
      request_id: request,
      operation: 'set sessions',
      consumer: client.key,
      organisation: 1,
      status: 200,
      ms: expect.any(Number),
    });
    const job = { job: data.job_reference, type: 'save-sessions', organisation: 1, attempt: 1, request_id: request };
    expect(await lineOf(request, 'job begins')).toMatchObject({ ...job, waited_ms: expect.any(Number) });
    const jobEnd = { outcome: 'completed', ms: expect.any(Number), done: 1 };
    expect(await lineOf(request, 'job completed')).toMatchObject({ ...job, ...jobEnd });
  });

  it('says where each program serves its metrics', async () => {
    const shown = lines().flatMap(({ operations_url: url }) => (typeof url === 'string' ? [url] : []));
    const all = await Promise.all(shown.map((url) => scrape(url)));
    expect(all).toHaveLength(programs.worker ? 2 : 1);
    const worked = all.filter(({ value }) => value('itembank_job_entries_total', { type: 'save-sessions' }) > 0);
    const asked = all.filter(
      ({ value }) => value('itembank_http_request_duration_seconds_count', { operation: 'set sessions' }) > 0,
    );
    expect([worked.length, asked.length]).toEqual([1, 1]);
    expect(worked[0] === asked[0]).toBe(!programs.worker);
    for (const { types } of all) expect(types.has('itembank_job_queue_depth')).toBe(true);
  });

  it('names the claimed consumer of a call only if that consumer exists', async () => {
    const forged = await new Client(client.baseUrl, client.key, 'zebra-secret', clockOf(client)).get('itembank/items');
    const known = await lineOf(forged.headers.get('x-request-id'), 'request');
    expect(known).toMatchObject({ operation: 'get itembank/items', claimed_consumer: client.key, code: 41003 });
    expect(known).not.toHaveProperty('consumer');
    // This caller mixed up key and secret.
    const mixed = await new Client(client.baseUrl, client.secret, client.key, clockOf(client)).get('itembank/items');
    expect(await lineOf(mixed.headers.get('x-request-id'), 'request')).not.toHaveProperty('claimed_consumer');
  });

  it("does not let a caller's line break begin a new line", async () => {
    const forged = '"}\n{"level":60,"msg":"forged"}\r\n\u0085\u2028{"msg":"forged"}';
    const sent = [
      await client.call('itembank/items', `get${forged}`, {}),
      await client.get('itembank/items', { item_pool_id: `pool${forged}` }),
      await client.get('itembank/items', { references: [forged], meta: { user: { id: forged } } }),
      await client.send(`/v1/itembank/items${encodeURIComponent(forged)}`, { method: 'POST' }),
      await new Client(client.baseUrl, `key${forged}`, 'x', clockOf(client)).get('itembank/items'),
    ];
    const raw = await RawConnection.open(client.baseUrl);
    await raw.write('POST /v1/itembank\x0b/items"}\x01{"msg":"forged"} HTTP/1.1\r\nHost: x\r\n\r\n');
    await raw.closed().catch(() => undefined);
    raw.close();
    for (const { headers } of sent) await lineOf(headers.get('x-request-id'), 'request');
    for (const { msg, level } of lines()) expect([msg, level]).not.toEqual([expect.stringContaining('forged'), 60]);
    expect(lines().filter(({ msg }) => msg.includes('forged'))).toEqual([]);
    // The log contains the encoded address, as it arrived.
    const path = (await lineOf(sent[3]!.headers.get('x-request-id'), 'request')).path as string;
    expect(path).toMatch(/^\/v1\/itembank\/items[\w%.\-{}:,]+$/);
  });

  it('repeats nothing from rejected requests', async () => {
    const refused = [
      await client.set('sessions', await essayRequest(client, { deep: [ANSWER] }, { status: ANSWER })),
      await client.set('sessions', await essayRequest(client, ANSWER, { session_id: `${ANSWER}!`, user_id: [PERSON] })),
      await client.call('sessions', 'set', `{"data": [{"responses": "${ANSWER}`),
      await client.post('sessions', { security: `{"signature":"${ANSWER}`, request: ANSWER, action: 'set' }),
      await client.send('sessions', { method: 'POST', body: ANSWER }),
      await client.set('itembank/items', { items: [{ reference: 'x', definition: ANSWER }], meta: { user: PERSON } }),
    ];
    for (const { status, headers } of refused) {
      expect(status).toBe(400);
      expect(await lineOf(headers.get('x-request-id'), 'request')).toMatchObject({ status: 400 });
    }
  });

  it('repeats nothing from the input of failed jobs', async () => {
    const { database } = programs.behind;
    const job = async (input: string) => {
      const now = Date.now();
      const id = newId(now);
      await database.insert(
        'job',
        [
          'organisation_id',
          'id',
          'type',
          'lane',
          'status',
          'input',
          'operation',
          'token',
          'done',
          'attempts',
          'available_at',
          'due_at',
        ],
        [[1, id, 'save-sessions', 'short', 'queued', input, 'set sessions', 0, 0, 0, now, now]],
      );
      return waitForLine((each) => each.job === id && each.level >= 40);
    };
    expect(await job(`{"sessions":["${ANSWER}": 1]}`)).toMatchObject({ err: { type: 'SyntaxError' } });
    expect(await job(JSON.stringify({ submissions: ANSWER }))).toMatchObject({ err: { type: 'TypeError' } });
  });

  it('repeats nothing of values that a database rejected', async () => {
    const { database } = programs.behind;
    await database.write('CREATE UNIQUE INDEX planted ON session (organisation_id, user_id)');
    const one = { user_id: PERSON };
    const first = await client.set('sessions', await essayRequest(client, ANSWER, one));
    await lineOf(first.headers.get('x-request-id'), 'job completed');
    const second = await client.set('sessions', await essayRequest(client, ANSWER, one));
    const failed = await lineOf(second.headers.get('x-request-id'), 'job failed and will be tried again');
    // MySQL quotes the duplicate value.
    expect(failed.err).toMatchObject({
      message: expect.stringMatching(/Duplicate entry …$|UNIQUE constraint failed/),
    });

    await database.write('ALTER TABLE document RENAME TO document_gone');
    const user = { id: PERSON, firstname: PERSON, lastname: PERSON, email: `${PERSON}@example.org` };
    const question = { reference: 'lost', type: 'longtextV2', data: { stimulus: ANSWER } };
    const broken = await client.set('itembank/questions', { questions: [question], meta: { user } });
    expect(broken).toMatchObject({ status: 500, meta: { code: 10000 } });
    const { err, ...known } = await lineOf(broken.meta.request_uuid, 'request failed');
    expect(known).toMatchObject({ operation: 'set itembank/questions', consumer: client.key, organisation: 1 });
    expect(JSON.stringify(err)).toMatch(/document/);
  });

  it('contains none of these texts and no secret, in any line of any program', async () => {
    await programs.end();
    expect(lines().length).toBeGreaterThan(20);
    expect(output()).not.toMatch(FORBIDDEN);
    expect(output()).not.toContain(client.secret);
    expect(output()).not.toMatch(/"?signature"?:/);
    for (const signature of signatures) expect(output()).not.toContain(signature);
    expect(signatures.length).toBeGreaterThan(10);
  });
});

const signatures: string[] = [];
const fields = Client.prototype.fields;
beforeAll(() => {
  jest.spyOn(Client.prototype, 'fields').mockImplementation(function (this: Client, ...given) {
    const made = fields.apply(this, given);
    signatures.push((JSON.parse(made.security!) as { signature: string }).signature);
    return made;
  });
});
afterAll(() => jest.restoreAllMocks());

const clockOf = (client: Client) => (client as unknown as { clock: ConstructorParameters<typeof Client>[3] }).clock;
