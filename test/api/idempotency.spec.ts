import { Idempotency } from '#access';
import { History } from '#content';
import { newQuestion } from '../support/bank';
import { item, newReference, question, several } from '../support/builders';
import { type Answer, type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { DAY } from '../support/time';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';
import { statementsDuring } from '../support/statements';

const ITEMS = 'itembank/items';
const TAGS = 'itembank/items/tags';
const POINTER = '/meta/idempotency_key';

describe.each(anEngine(__filename))('idempotency keys on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let widget: string;

  beforeAll(async () => {
    widget = await newQuestion(client);
  });

  const withKey = <Request extends object>(key: unknown, request: Request) => ({
    ...request,
    meta: { idempotency_key: key },
  });
  const oneItem = (title = 'An item', reference = newReference('keyed')) => ({
    items: [item([widget], { reference, title })],
  });
  const titlesOf = async (reference: string) => {
    const revisions = await service.service.app.get(History, { strict: false }).of(1, 'item', reference);
    return revisions.map(({ body }) => (JSON.parse(body) as { title: string }).title);
  };
  const storedKeys = async () => {
    const rows = await service.database.rows<{ k: string }>('SELECT idempotency_key AS k FROM kept_answer');
    return rows.map(({ k }) => k).sort();
  };

  /** Waits until the removal of expired keys that an earlier call began is over. */
  const sweepToEnd = () => service.get(Idempotency)['sweeping'];
  const keysAfterSweep = () => sweepToEnd().then(storedKeys);

  /** Checks that the answer equals the earlier one, except for the time and the mark of a replay. */
  function expectReplay(answer: Answer, first: Answer): void {
    expectSuccess(answer);
    expect(answer.data).toEqual(first.data);
    const { timestamp: _, ...before } = first.meta;
    expect(before).not.toHaveProperty('idempotent_replay');
    expect(answer.meta).toEqual({ ...before, timestamp: expect.any(Number) as number, idempotent_replay: true });
  }

  function expectConflict(answer: Answer): void {
    expectFailure(answer, 409, 20011, /meta\.idempotency_key .* another request/);
    expect(answer.meta.errors).toMatchObject([{ code: 20011, pointer: POINTER }]);
  }

  it('return the first answer to a repeated request, without a second effect', async () => {
    const key = newReference('key');
    const request = withKey(key, oneItem('<b onclick="x()">once</b>'));
    const { reference } = request.items[0]!;
    request.items[0]!.metadata = { acknowledgements: '<b onclick="x()">bold</b>' };
    const first = await client.set(ITEMS, request);
    expectSuccess(first);
    // Additional members of meta are repeated too.
    expect(first.meta.sanitised).toBe(1);
    service.clock.advance(1000);
    // The item changes meanwhile.
    expectSuccess(await client.set(ITEMS, oneItem('later', reference)));
    const before = await stateOf(service.database);
    service.clock.advance(1000);
    for (let again = 0; again < 3; again++) {
      const answer = await client.set(ITEMS, request);
      expectReplay(answer, first);
      expect(answer.meta.timestamp).toBe(Math.floor(service.clock.now() / 1000));
    }
    expect(await stateOf(service.database)).toBe(before);
    expect(await titlesOf(reference)).toHaveLength(2);
    expect((await client.get(ITEMS, { references: [reference] })).data).toMatchObject([{ title: 'later' }]);
  });

  it('keep an update from being applied twice', async () => {
    const request = oneItem();
    expectSuccess(await client.set(ITEMS, request));
    const { reference } = request.items[0]!;
    const append = withKey(newReference('key'), { items: [{ reference, tags: { Level: ['One'] } }] });
    const first = await client.update(TAGS, append);
    expectSuccess(first);
    expectSuccess(await client.set(TAGS, { items: [{ reference, tags: {} }] }));
    expectReplay(await client.update(TAGS, append), first);
    expect((await client.get(ITEMS, { references: [reference] })).data).toMatchObject([{ tags: {} }]);
  });

  it('identify a request by its content, not by its notation or path', async () => {
    const key = newReference('key');
    const reference = newReference('keyed');
    const inner = `"reference":"${reference}","definition":{"widgets":[{"reference":"${widget}"}]}`;
    const first = await client.call(
      ITEMS,
      'set',
      `{"meta":{"idempotency_key":"${key}"},"items":[{${inner},"title":"é","adaptive":{"difficulty":1}}]}`,
    );
    expectSuccess(first);
    const other = `{ "items" : [ { "adaptive": {"difficulty": 1.0}, "title": "\\u00e9",\n ${inner} } ], "meta": {"idempotency_key":"${key}"} }`;
    expectReplay(await client.call(ITEMS, 'set', other), first);
    expectReplay(await client.call(`/v2023.1.LTS/${ITEMS}/`, 'set', other), first);
    expect(await titlesOf(reference)).toEqual(['é']);
  });

  it('reject a different request with the same key, and keep the first answer', async () => {
    const key = newReference('key');
    const reference = newReference('keyed');
    const request = withKey(key, { items: [{ reference, tags: { A: ['1'] } }] });
    expectSuccess(await client.set(ITEMS, oneItem('An item', reference)));
    const first = await client.set(TAGS, request);
    expectSuccess(first);
    const before = await stateOf(service.database);
    // The same body for another operation, then bodies with one difference each.
    expectConflict(await client.update(TAGS, request));
    for (const changed of [
      { ...request, items: [{ reference, tags: { A: ['2'] } }] },
      { ...request, items: [{ reference, tags: { A: ['1'] }, unknown: null }] },
      { ...request, items: [] },
      { ...request, organisation_id: 1 },
      { ...request, meta: { ...request.meta, user: { id: 'ada' } } },
    ])
      expectConflict(await client.set(TAGS, changed));
    expectConflict(await client.set('itembank/questions', withKey(key, { questions: [question()] })));
    expect(await stateOf(service.database)).toBe(before);
    expectReplay(await client.set(TAGS, request), first);
  });

  it('distinguish requests by the order of list elements', async () => {
    const key = newReference('key');
    const items = several(2, () => item([widget]));
    expectSuccess(await client.set(ITEMS, withKey(key, { items })));
    expectConflict(await client.set(ITEMS, withKey(key, { items: [...items].reverse() })));
  });

  it('belong to one consumer and one organisation', async () => {
    const grants = [1, 2].map((organisation) => ({
      organisation,
      access: 'write' as const,
      primary: organisation === 1,
    }));
    const [one, other] = [await service.consumer({ grants }), await service.consumer({ grants })];
    const key = newReference('key');
    const request = withKey(key, { questions: [question()] });
    const elsewhere = { ...withKey(key, { questions: [question()] }), organisation_id: 2 };
    const send = (as: Client, what: object) => as.set('itembank/questions', what);
    for (const answer of [await send(one, request), await send(other, request), await send(one, elsewhere)]) {
      expectSuccess(answer);
      expect(answer.meta).not.toHaveProperty('idempotent_replay');
    }
    expect((await send(one, request)).meta).toHaveProperty('idempotent_replay', true);
    expect((await send(one, elsewhere)).meta).toHaveProperty('idempotent_replay', true);
    expectConflict(await send(one, { ...elsewhere, questions: [] }));
    // The right to the organisation is checked before the key.
    expectFailure(await send(await service.consumer(), elsewhere), 403, 40003);
  });

  it('are free after each failure, so that the corrected request can use them', async () => {
    const key = newReference('key');
    const good = withKey(key, oneItem());
    const { reference } = good.items[0]!;
    const before = await stateOf(service.database);
    const refused: [code: number, request: object][] = [
      [20000, withKey(key, {})],
      [20003, { ...good, items: [7] }],
      [30000, { ...good, items: [good.items[0], good.items[0]] }],
      // This fault is found inside the unit of work.
      [30001, { ...good, items: [{ ...item(['nowhere']), reference }] }],
      [20013, { ...good, items: [{ ...good.items[0], new_reference: 'renamed' }] }],
      [40003, { ...good, organisation_id: 2 }],
    ];
    for (const [code, request] of [...refused, ...refused])
      expect((await client.set(ITEMS, request)).meta).toMatchObject({ status: false, code });
    expect(await stateOf(service.database)).toBe(before);
    const first = await client.set(ITEMS, good);
    expectSuccess(first);
    expect(first.meta).not.toHaveProperty('idempotent_replay');
    expectReplay(await client.set(ITEMS, good), first);
    expect(await titlesOf(reference)).toHaveLength(1);
  });

  it('are stored for 24 hours, and then free', async () => {
    const key = newReference('key');
    const request = withKey(key, oneItem('first'));
    const { reference } = request.items[0]!;
    const first = await client.set(ITEMS, request);
    service.clock.advance(DAY - 1);
    expectReplay(await client.set(ITEMS, request), first);
    expectConflict(await client.set(ITEMS, withKey(key, oneItem('second', reference))));
    service.clock.advance(1);
    const second = withKey(key, oneItem('second', reference));
    const renewed = await client.set(ITEMS, second);
    expectSuccess(renewed);
    expect(renewed.meta).not.toHaveProperty('idempotent_replay');
    // For another 24 hours, the key belongs to the second request.
    service.clock.advance(DAY - 1);
    expectReplay(await client.set(ITEMS, second), renewed);
    expectConflict(await client.set(ITEMS, request));
    expect(await titlesOf(reference)).toEqual(['first', 'second']);
  });

  describe('in a request', () => {
    const send = (meta: string) => client.call('itembank/tagging/tags', 'set', `{"tags":[],"meta":${meta}}`);
    const sendKey = (key: unknown) => send(JSON.stringify({ idempotency_key: key }));

    beforeAll(sweepToEnd);

    it.each([
      ['a number', '7', 20003, /must be text/],
      ['true', 'true', 20003, /must be text/],
      ['a list', '["a"]', 20003, /must be text/],
      ['an empty list', '[]', 20003, /must be text/],
      ['an object', '{"a":1}', 20003, /must be text/],
      ['empty', '""', 20001, /1 to 255 characters; it has 0/],
      ['too long', `"${'x'.repeat(256)}"`, 20001, /1 to 255 characters; it has 256/],
      ['very long', `"${'x'.repeat(1_000_000)}"`, 20001, /1 to 255 characters/],
      ['with a line break', '"a\\nb"', 20004, /holds "\\n" \(character 2\)/],
      ['with a tab', '"a\\tb"', 20004, /character 2/],
      ['with a DEL', '"\\u007f"', 20004, /character 1/],
      ['with a C1 control', '"ab\\u0085"', 20004, /character 3/],
      ['with a line separator', '"a\\u2028"', 20004, /character 2/],
      ['with U+0000', '"a\\u0000"', 20004, /U\+0000/],
      ['with half a surrogate pair', '"a\\ud83d"', 20004, /surrogate/],
    ])('are rejected when %s', async (_, json, code, message) => {
      const before = await stateOf(service.database);
      const answer = await send(`{"idempotency_key":${json}}`);
      expectFailure(answer, 400, code, message);
      expect(answer.meta.errors).toMatchObject([{ code, pointer: POINTER }]);
      expect(await stateOf(service.database)).toBe(before);
    });

    it('may be any printable text, and are compared byte for byte', async () => {
      const keys = ['a', 'A', ' a', 'a ', ' ', 'á', 'a\u0301', 'ß', 'ss', '%', '_', '?', "'", '"', '\\', "'; --", '`'];
      keys.push('😀', '\u202e', '{}', 'null', '__proto__', 'constructor', 'x'.repeat(255), '😀'.repeat(127));
      for (const key of keys) {
        const answer = await sendKey(key);
        expectSuccess(answer);
        expect([key, answer.meta]).not.toMatchObject([key, { idempotent_replay: true }]);
      }
      for (const key of keys)
        expect([key, (await sendKey(key)).meta]).toMatchObject([key, { idempotent_replay: true }]);
      expect(await storedKeys()).toEqual(expect.arrayContaining(keys));
    });

    it('are absent when null, whatever else meta contains', async () => {
      const before = await storedKeys();
      for (const meta of ['{"idempotency_key":null}', '{"Idempotency_Key":"x"}', '{"key":"x"}', '[]', 'null'])
        for (let again = 0; again < 2; again++) {
          const answer = await send(meta);
          expectSuccess(answer);
          expect(answer.meta).not.toHaveProperty('idempotent_replay');
        }
      expect(await storedKeys()).toEqual(before);
    });

    it('are ignored in reads', async () => {
      const before = await stateOf(service.database);
      for (const key of ['x', 7, '', [], 'x'.repeat(300)])
        for (const limit of [1, 2]) {
          const answer = await client.get(ITEMS, withKey(key, { limit }));
          expectSuccess(answer);
          expect(answer.meta).not.toHaveProperty('idempotent_replay');
        }
      expect(await stateOf(service.database)).toBe(before);
    });
  });

  it('work for large requests', async () => {
    const key = newReference('key');
    const items = several(50, () => item([widget], { note: `"\\ é😀${'x'.repeat(50_000)}` }));
    const request = withKey(key, { items });
    const first = await client.set(ITEMS, request);
    expectReplay(await client.set(ITEMS, request), first);
    items[49]!.note = `${items[49]!.note as string}y`;
    expectConflict(await client.set(ITEMS, request));
  });

  it('cost three statements for any number of entries; requests without a key cost none', async () => {
    // Excludes the regular reads of the consumer every two seconds.
    const statementsOf = async (request: object) =>
      (await statementsDuring(service.database, async () => expectSuccess(await client.set(ITEMS, request)))).filter(
        (sql) => !/FROM consumer\w* WHERE consumer_key IN/.test(sql),
      );
    // Starts the minute in which nothing is swept.
    expectSuccess(await client.set(ITEMS, withKey(newReference('key'), { items: [] })));
    for (const count of [1, 50]) {
      const items = several(count, () => item([widget]));
      await statementsOf({ items });
      const without = await statementsOf({ items });
      const keyed = await statementsOf(withKey(newReference('key'), { items }));
      expect(without.filter((sql) => sql.includes('kept_answer'))).toEqual([]);
      expect(keyed.filter((sql) => sql.includes('kept_answer'))).toHaveLength(3);
      expect(keyed.filter((sql) => !sql.includes('kept_answer'))).toEqual(without);
    }
  });

  describe('when the database fails', () => {
    /** Makes the database reject one kind of statement on stored answers while `work` runs. */
    async function refusing(event: 'UPDATE' | 'DELETE', work: () => Promise<void>): Promise<void> {
      const body =
        engine === 'sqlite'
          ? `BEGIN SELECT RAISE(ABORT, 'refused'); END`
          : `FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'`;
      await service.database.source.query(`CREATE TRIGGER refusing BEFORE ${event} ON kept_answer ${body}`);
      try {
        await work();
      } finally {
        await service.database.source.query('DROP TRIGGER refusing');
      }
    }

    it('have no effect and stay free if the answer cannot be stored', async () => {
      const request = withKey(newReference('key'), oneItem());
      const { reference } = request.items[0]!;
      await refusing('UPDATE', async () => {
        const before = await storedKeys();
        for (let again = 0; again < 2; again++) expectFailure(await client.set(ITEMS, request), 500, 10000);
        expect(await storedKeys()).toEqual(before);
        expect((await client.get(ITEMS, { references: [reference] })).data).toEqual([]);
      });
      const first = await client.set(ITEMS, request);
      expectSuccess(first);
      expect(first.meta).not.toHaveProperty('idempotent_replay');
      expect(await titlesOf(reference)).toHaveLength(1);
    });

    it('do not disturb callers if expired keys cannot be removed', async () => {
      expectSuccess(await client.set(ITEMS, withKey(newReference('key'), oneItem())));
      service.clock.advance(2 * DAY);
      await refusing('DELETE', async () => {
        const before = await storedKeys();
        expectSuccess(await client.set(ITEMS, withKey('while refused', oneItem())));
        for (let others = 0; others < 10; others++) expectSuccess(await client.set(ITEMS, oneItem()));
        expect(await storedKeys()).toEqual([...before, 'while refused'].sort());
      });
      // The sweep is tried again.
      service.clock.advance(60_000);
      expectSuccess(await client.set(ITEMS, withKey('afterwards', oneItem())));
      expect(await keysAfterSweep()).toEqual(['afterwards', 'while refused']);
    });
  });

  it('are removed with their answers within a minute of calls after they expired', async () => {
    const call = async (key: string) => {
      const statements = await statementsDuring(service.database, async () => {
        expectSuccess(await client.set(ITEMS, withKey(key, { items: [] })));
      });
      return { sweeps: statements.some((sql) => /GROUP BY organisation_id/.test(sql)) };
    };
    service.clock.advance(2 * DAY);
    expect(await call('one')).toEqual({ sweeps: true });
    expect(await keysAfterSweep()).toEqual(['one']);
    service.clock.advance(59_999);
    expect(await call('two')).toEqual({ sweeps: false });
    service.clock.advance(1);
    expect(await call('three')).toEqual({ sweeps: true });
    await sweepToEnd();
    // One expires before the others.
    service.clock.advance(DAY - 60_000);
    expect(await call('four')).toEqual({ sweeps: true });
    expect(await keysAfterSweep()).toEqual(['four', 'three', 'two']);
  });
});
