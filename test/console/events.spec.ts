import { ROLES } from '#people';
import { type Browser, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { Receiver } from '../support/receiver';
import { startService, type TestService } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { until } from '../support/until';
import { DAY } from '../support/time';

const KINDS = ['session-status', 'session-scores', 'session-lifecycle', 'learner-erased'];
const QUARTER_HOUR = 15 * 60_000;

describe.each(anEngine(__filename))('operators and the receivers of events on %s', (engine) => {
  let service: TestService;
  let operator: Browser;
  let operatorId: string;
  const receiver = new Receiver();
  beforeAll(async () => {
    await receiver.listen();
    service = await startService(engine, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HTTP: 'true' });
    await writeSessionBank(service.client);
  });
  beforeEach(async () => {
    const { person, browser } = await signedIn(service, ['operator']);
    [operator, operatorId] = [browser, person.id];
  });
  afterAll(async () => {
    await service?.close();
    await receiver.close();
  });

  const send = (method: string, path: string, body?: unknown, by = operator) =>
    by.send(method, `/console/events/${path}`, body);
  const sinks = async () => (await send('GET', '1/sinks')).body.sinks as { name: string; dead: number }[];
  const named = async (name: string) => (await sinks()).find((sink) => sink.name === name);

  it('add and remove a webhook; its secret is shown once, and the audit names the operator', async () => {
    const url = `${receiver.url}?a`;
    const { status, body, text } = await send('POST', '1/webhooks', { name: 'grades', url, kinds: ['session-scores'] });
    expect([status, body]).toEqual([201, { name: 'grades', secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) }]);
    const list = await send('GET', '1/sinks');
    expect(list.body).toEqual({
      sinks: [expect.objectContaining({ name: 'grades', type: 'webhook', url, kinds: ['session-scores'], dead: 0 })],
      kinds: KINDS,
      has_streams: false,
    });
    expect(list.text).not.toContain(body.secret);
    expect(text).toContain(body.secret);
    const again = await send('POST', '1/webhooks', { name: 'grades', url, kinds: KINDS });
    expect([again.status, again.body.meta.errors[0].pointer]).toEqual([expect.any(Number), '/name']);
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect((await send('DELETE', '1/webhooks/grades')).status).toBe(204);
    expect(await named('grades')).toBeUndefined();
    expect((await send('DELETE', '1/webhooks/grades')).status).toBe(400);
    const rows = await service.database.rows<{ detail: string }>(
      `SELECT operation, author_id, detail FROM audit WHERE subject = 'webhook' ORDER BY id`,
    );
    expect(rows).toMatchObject([
      { operation: 'create webhook', author_id: operatorId },
      { operation: 'remove webhook', author_id: operatorId },
    ]);
    for (const { detail } of rows) expect(detail).not.toContain('whsec_');
  });

  it('see deliveries that were given up with their failed attempts, and deliver them again', async () => {
    receiver.behaviour = () => 400;
    await send('POST', '1/webhooks', { name: 'late', url: receiver.url, kinds: ['session-status'] });
    await submit(service, [wholeSession('given-up')]);
    await until(async () => {
      service.clock.advance(DAY);
      return (await service.database.row(`SELECT number FROM event_delivery WHERE status = 'dead'`)) ? true : undefined;
    });
    ({ browser: operator } = await signedIn(service, ['operator']));
    const { body: dead } = await send('GET', '1/dead?sink=late');
    expect(dead[0]).toMatchObject({ sink: 'late', kind: 'session-status', key: 'given-up' });
    const { body: failed } = await send('GET', '1/failed?sink=late');
    expect(failed[0]).toMatchObject({ sink: 'late', outcome: 'refused', http_status: 400, event: dead[0].event });
    expect((await send('GET', '1/dead?sink=other')).body).toEqual([]);

    receiver.behaviour = () => 204;
    const before = receiver.received.length;
    const { status, body } = await send('POST', '1/redeliveries', { sink: 'late' });
    expect([status, body]).toEqual([200, { deliveries: dead.length }]);
    await until(async () => (receiver.received.length > before ? true : undefined));
    expect(receiver.received.at(-1)!.event.key).toBe('given-up');
    await until(async () => ((await service.database.row('SELECT 1 FROM event_delivery')) ? undefined : true));
    expect((await named('late'))!.dead).toBe(0);
    expect((await send('POST', '1/redeliveries', { sink: 'late' })).body).toEqual({ deliveries: 0 });
    const named2 = await send('POST', '1/redeliveries', { sink: 'late', events: [dead[0].event] });
    expect(named2.body).toEqual({ deliveries: 1 });
    await until(async () => (receiver.received.length > before + dead.length ? true : undefined));
  });

  it('pause a receiver, which gets its events after it resumes; the audit names the operator', async () => {
    receiver.behaviour = () => 204;
    const pausedAt = async () => ((await named('late')) as unknown as { paused_at: string | null }).paused_at;
    expect((await send('PATCH', '1/webhooks/late', { paused: true })).status).toBe(204);
    expect((await send('PATCH', '1/webhooks/late', { paused: true })).status).toBe(204);
    expect(await pausedAt()).toBe(new Date(service.clock.now()).toISOString());
    const before = receiver.received.length;
    await submit(service, [wholeSession('paused')]);
    await until(async () =>
      (await service.database.row('SELECT 1 FROM event WHERE number IS NULL')) ? undefined : true,
    );
    expect(receiver.received).toHaveLength(before);
    expect((await send('PATCH', '1/webhooks/late', { paused: false })).status).toBe(204);
    expect(await pausedAt()).toBeNull();
    await until(async () => (receiver.received.some(({ event }) => event.key === 'paused') ? true : undefined));
    const rows = await service.database.rows(
      `SELECT operation, author_id FROM audit WHERE operation IN ('pause webhook', 'resume webhook') ORDER BY id`,
    );
    expect(rows).toMatchObject([
      { operation: 'pause webhook', author_id: operatorId },
      { operation: 'resume webhook', author_id: operatorId },
    ]);
    for (const path of ['1/webhooks/nobody', '1/streams/late'])
      expect([path, (await send('PATCH', path, { paused: true })).status]).toEqual([path, 400]);
    for (const paused of [undefined, null, 'true', 1]) {
      const { status, body } = await send('PATCH', '1/webhooks/late', { paused });
      expect([status, body.meta.errors[0].pointer]).toEqual([400, '/paused']);
    }
  });

  it.each<[string, string, object, string]>([
    ['an address that is not allowed', 'webhooks', { url: 'http://192.0.2.1/' }, '/url'],
    ['an address that is not a URL', 'webhooks', { url: 'x' }, '/url'],
    ['an address that is a number', 'webhooks', { url: 1 }, '/url'],
    ['a long address', 'webhooks', { url: `https://example.org/${'x'.repeat(2_000)}` }, '/url'],
    ['a name with a slash', 'webhooks', { name: 'a/b' }, '/name'],
    ['a name of 65 letters', 'webhooks', { name: 'x'.repeat(65) }, '/name'],
    ['no kinds', 'webhooks', { kinds: [] }, '/kinds'],
    ['an unknown kind', 'webhooks', { kinds: ['all'] }, '/kinds'],
    ['kinds that are text', 'webhooks', { kinds: 'session-status' }, '/kinds'],
    ['a stream without a length', 'streams', { stream: 'a', max_length: null }, '/max_length'],
    ['a stream of 0 entries', 'streams', { stream: 'a', max_length: 0 }, '/max_length'],
    ['a stream with a line break', 'streams', { stream: 'a\nb', max_length: 1 }, '/stream'],
    ['an unknown receiver', 'redeliveries', { sink: 'nobody' }, '/sink'],
    ['events that are not ids', 'redeliveries', { sink: 'late', events: [1] }, '/events'],
    ['no events', 'redeliveries', { sink: 'late', events: [] }, '/events'],
  ])('refuses %s and says where', async (_, path, wrong, pointer) => {
    const before = await sinks();
    const { status, body } = await send('POST', `1/${path}`, { name: 'n', url: receiver.url, kinds: KINDS, ...wrong });
    expect([status, body.meta.errors[0].pointer]).toEqual([400, pointer]);
    expect(await sinks()).toEqual(before);
  });

  it('cannot add a stream without Redis', async () => {
    const stream = { name: 's', stream: 'events', max_length: 10, kinds: KINDS };
    const { status, body } = await send('POST', '1/streams', stream);
    expect([status, body.meta.message]).toEqual([400, expect.stringContaining('Redis')]);
  });

  it('need a fresh confirmation to add and remove receivers', async () => {
    service.clock.advance(QUARTER_HOUR + 1);
    const before = await sinks();
    for (const [method, path] of [
      ['POST', '1/webhooks'],
      ['POST', '1/streams'],
      ['DELETE', '1/webhooks/late'],
    ] as const) {
      const answer = await send(method, path, method === 'POST' ? { name: 'n' } : undefined);
      expect(answer.body.meta.message).toContain('Confirm');
    }
    expect(await sinks()).toEqual(before);
  });

  it.each([...ROLES.filter((role) => role !== 'operator'), 'operator elsewhere'] as const)(
    'everything is refused to a %s',
    async (role) => {
      const { browser } = await signedIn(service, role === 'operator elsewhere' ? { 2: ['operator'] } : [role]);
      const before = await sinks();
      for (const [method, path, body] of [
        ['GET', '1/sinks'],
        ['GET', '1/dead'],
        ['GET', '1/failed'],
        ['POST', '1/webhooks', { name: 'n', url: receiver.url, kinds: KINDS }],
        ['POST', '1/streams', { name: 'n', stream: 's', max_length: 1, kinds: KINDS }],
        ['DELETE', '1/webhooks/late'],
        ['POST', '1/redeliveries', { sink: 'late' }],
        ['PATCH', '1/webhooks/late', { paused: true }],
        ['GET', '99999999999/sinks'],
        ['GET', 'x/sinks'],
      ] as const)
        expect([path, (await send(method, path, body, browser)).status]).toEqual([path, 403]);
      expect(await sinks()).toEqual(before);
    },
  );
});
