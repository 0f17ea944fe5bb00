import { History } from '#content';
import { SystemClock } from '#kernel';
import { Database } from '#platform';
import { signal } from '../contracts/ports';
import { newQuestion } from '../support/bank';
import { item, newReference, question, several } from '../support/builders';
import { type Answer, Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { type EmptyDatabase, engines } from '../support/engines';
import { EMPTY_SUCCESS, SUCCESS, failure } from '../support/failure';
import { migratedDatabase } from '../support/migrated-database';
import { json, type Place, ServiceProcess, temporaryFolders } from '../support/processes';
import { serviceOfSuite, startService } from '../support/service';

const ITEMS = 'itembank/items';
const CALLS = 20;
const isReplay = ({ meta }: Answer) => 'idempotent_replay' in meta;
const withKey = (key: string, request: object) => ({ ...request, meta: { idempotency_key: key } });

describe.each(engines)('concurrent calls with one idempotency key on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine, { DATABASE_CONNECTIONS: '4' }));
  const { client } = service;
  let widget: string;

  beforeAll(async () => {
    widget = await newQuestion(client);
  });

  const revisionsOf = (reference: string) =>
    service.service.app.get(History, { strict: false }).of(1, 'item', reference);
  const newItem = (title: string, reference: string) => ({
    items: [item([widget], { reference, title, tags: { Keyed: [title] } })],
  });

  it.each(['is new', 'exists'])('set an item that %s once, and all get the same answer', async (which) => {
    for (let round = 0; round < 3; round++) {
      const reference = newReference('raced');
      if (which === 'exists')
        expect(await client.set(ITEMS, newItem('before', reference))).toMatchObject(EMPTY_SUCCESS);
      const request = withKey(newReference('key'), newItem('raced', reference));
      const answers = await Promise.all(several(CALLS, () => client.set(ITEMS, request)));
      for (const answer of answers) expect(answer).toMatchObject(EMPTY_SUCCESS);
      expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
      expect(await revisionsOf(reference)).toHaveLength(which === 'exists' ? 2 : 1);
    }
  });

  it('duplicate an item once, and all get the same copy', async () => {
    const reference = newReference('original');
    expect(await client.set(ITEMS, newItem(reference, reference))).toMatchObject(EMPTY_SUCCESS);
    const request = withKey(newReference('key'), { items: [{ reference }] });
    const answers = await Promise.all(several(CALLS, () => client.set(`${ITEMS}/duplicate`, request)));
    const [copy] = new Set(
      answers.map(({ data }) => (data as Record<string, { reference: string }>)[reference]!.reference),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, meta: { records: 1 }, data: { [reference]: { reference: copy } } });
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    const found = await client.get(ITEMS, { tags: [{ type: 'Keyed', name: reference }] });
    expect(found.data.map((each: { reference: string }) => each.reference).sort()).toEqual([copy, reference].sort());
  });

  it('restore a revision once', async () => {
    const reference = newReference('restored');
    for (const title of ['first', 'second'])
      expect(await client.set(ITEMS, newItem(title, reference))).toMatchObject(EMPTY_SUCCESS);
    const [{ beganAt: revision } = { beganAt: 0 }] = await revisionsOf(reference);
    const request = withKey(newReference('key'), { items: [{ reference, revision }] });
    const answers = await Promise.all(several(CALLS, () => client.set('itembank/history/restore', request)));
    for (const answer of answers) expect(answer).toMatchObject(SUCCESS);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await revisionsOf(reference)).toHaveLength(3);
  });

  it('succeed for one of different requests; the others are refused and change nothing', async () => {
    const key = newReference('key');
    const references = several(CALLS, () => newReference('raced'));
    const answers = await Promise.all(
      references.map((reference) => client.set(ITEMS, withKey(key, newItem('raced', reference)))),
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [index, reference] of references.entries()) {
      const won = index === winner;
      expect(answers[index]).toMatchObject(won ? EMPTY_SUCCESS : failure(20011));
      const found = await client.get(ITEMS, { references: [reference] });
      expect([reference, found.meta.records]).toEqual([reference, won ? 1 : 0]);
    }
  });

  it('leave the key unused when all are refused, so that a corrected call succeeds', async () => {
    const key = newReference('key');
    const reference = newReference('raced');
    const wrong = withKey(key, { items: [item(['nowhere'], { reference })] });
    const answers = await Promise.all(several(CALLS, () => client.set(ITEMS, wrong)));
    for (const answer of answers) expect(answer).toMatchObject(failure(30001));
    const answer = await client.set(ITEMS, withKey(key, newItem('corrected', reference)));
    expect(answer).toMatchObject(EMPTY_SUCCESS);
    expect(isReplay(answer)).toBe(false);
    expect(await revisionsOf(reference)).toHaveLength(1);
  });

  it('store the key with the first valid request among invalid ones', async () => {
    const key = newReference('key');
    const reference = newReference('raced');
    const right = withKey(key, newItem('right', reference));
    const wrong = withKey(key, { items: [item(['nowhere'], { reference })] });
    const answers = await Promise.all(several(CALLS, (index) => client.set(ITEMS, index % 3 ? wrong : right)));
    for (const [index, answer] of answers.entries()) {
      if (index % 3 === 0) expect(answer).toMatchObject(EMPTY_SUCCESS);
      else expect([30001, 20011]).toContain(answer.meta.code);
    }
    expect(answers.filter((answer) => answer.status === 200 && !isReplay(answer))).toHaveLength(1);
    expect(await revisionsOf(reference)).toHaveLength(1);
  });

  it('all succeed, without a visible deadlock, when calls with other keys write the same items and tags', async () => {
    const references = several(10, () => newReference('raced'));
    const keys = several(6, () => newReference('key'));
    const requests = keys.map((key, index) =>
      withKey(key, {
        items: (index % 2 ? references : [...references].reverse()).map((reference) =>
          item([widget], { reference, title: key, tags: { [newReference('Type')]: [key], Shared: [key] } }),
        ),
      }),
    );
    const answers = await Promise.all(
      several(keys.length * 4, (index) => client.set(ITEMS, requests[index % keys.length]!)),
    );
    for (const answer of answers) expect(answer).toMatchObject(EMPTY_SUCCESS);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(keys.length);
    for (const reference of references) expect(await revisionsOf(reference)).toHaveLength(keys.length);
  });

  it('wait for the first call without blocking other callers of the database', async () => {
    const reference = newReference('held');
    expect(await client.set(ITEMS, newItem('before', reference))).toMatchObject(EMPTY_SUCCESS);
    const isHeld = signal();
    const mayRelease = signal();
    const { database } = service;
    const holder = database.run(async () => {
      await database.rows(`SELECT id FROM bank_record WHERE reference = ? ${database.dialect.forUpdate}`, [reference]);
      isHeld.give();
      await mayRelease.promise;
    });
    await isHeld.promise;
    const request = withKey(newReference('key'), newItem('after', reference));
    const waiting = several(CALLS, () => client.set(ITEMS, request));
    // If each waiting call held a connection, none would be left for these reads.
    const others = await Promise.all(several(10, () => client.get(ITEMS, { references: [reference] })));
    for (const { data } of others) expect(data).toMatchObject([{ title: 'before' }]);
    mayRelease.give();
    await holder;
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(EMPTY_SUCCESS);
    expect(await revisionsOf(reference)).toHaveLength(2);
  });
});

describe.each(engines)('idempotency keys across several processes on %s', (engine) => {
  const folder = temporaryFolders();
  const services: ServiceProcess[] = [];
  let empty: EmptyDatabase;
  let place: Place;
  let database: Database;
  let clients: Client[];

  beforeAll(async () => {
    empty = await migratedDatabase(engine);
    place = {
      settings: { DATABASE_URL: empty.url, DATA_DIR: folder(), SECRETS_KEY: 'cd'.repeat(32), LOG_LEVEL: 'info' },
    };
    expect((await commandHere(['organisation', 'create', '1', 'Shared'], place)).code).toBe(0);
    const { key, secret } = await json<{ key: string; secret: string }>(
      commandHere(['consumer', 'create', '--organisation', '1', '--rate-limit', '*=1000000', '--json'], place),
    );
    services.push(...(await Promise.all([ServiceProcess.listening(place), ServiceProcess.listening(place)])));
    clients = services.map(({ url }) => new Client(url, key, secret, new SystemClock()));
    database = await Database.open(empty.url);
    const made = question({ reference: 'q' });
    expect(await clients[0]!.set('itembank/questions', { questions: [made] })).toMatchObject(EMPTY_SUCCESS);
  });
  afterAll(async () => {
    for (const service of services) await service.end('SIGKILL');
    await database?.close();
    await empty?.drop();
  });

  /** The number of revisions of the items with each reference. */
  async function revisions(references: readonly string[]): Promise<number[]> {
    const rows = await database.rows<{ reference: string; n: number }>(
      'SELECT reference, COUNT(*) AS n FROM revision WHERE organisation_id = 1 GROUP BY reference',
    );
    const counts = new Map(rows.map(({ reference, n }) => [reference, Number(n)]));
    return references.map((reference) => counts.get(reference) ?? 0);
  }

  it('let a call take effect once when it goes to all processes at once', async () => {
    for (let round = 0; round < 5; round++) {
      const reference = newReference('shared');
      const request = withKey(newReference('key'), { items: [item(['q'], { reference, tags: { New: [reference] } })] });
      const answers = await Promise.all(several(CALLS, (index) => clients[index % 2]!.set(ITEMS, request)));
      for (const answer of answers) expect(answer).toMatchObject(EMPTY_SUCCESS);
      expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
      expect(await revisions([reference])).toEqual([1]);
    }
  });

  it('let callers repeat all calls safely after a process was killed', async () => {
    const sets = several(100, () => {
      const references = several(5, () => newReference('killed'));
      return {
        references,
        request: withKey(newReference('key'), { items: references.map((reference) => item(['q'], { reference })) }),
      };
    });
    const [killed, other] = clients as [Client, Client];
    let answered = 0;
    const left = [...sets];
    const write = async () => {
      for (let set; (set = left.shift());) {
        expect(await killed.set(ITEMS, set.request)).toMatchObject(EMPTY_SUCCESS);
        if (++answered === 30) void services[0]!.end('SIGKILL');
      }
    };
    const outcomes = await Promise.allSettled(several(4, write));
    expect(outcomes.map(({ status }) => status)).toEqual(new Array(4).fill('rejected'));
    // A call in progress may have taken effect or not. The answer to its repetition shows which.
    let replays = 0;
    for (const { request } of sets) {
      const answer = await other.set(ITEMS, request);
      expect(answer).toMatchObject(EMPTY_SUCCESS);
      if (isReplay(answer)) replays++;
    }
    expect(replays).toBeGreaterThanOrEqual(answered);
    expect(replays).toBeLessThan(sets.length);
    const all = sets.flatMap(({ references }) => references);
    expect(await revisions(all)).toEqual(new Array(all.length).fill(1));
  });
});
