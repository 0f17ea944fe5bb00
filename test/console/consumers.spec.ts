import { setTimeout as sleep } from 'node:timers/promises';
import { Consumers } from '#access';
import { type Browser, signedIn } from '../support/browser';
import { Client } from '../support/client';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { HOUR } from '../support/time';

const GOOD = { label: 'Player', domains: ['example.org', '*.example.org'], organisation: 1, access: 'read' };

describe.each(anEngine(__filename))('operators and consumers on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let operator: Browser;
  let operatorId: string;
  beforeEach(async () => {
    const { person, browser } = await signedIn(service, ['operator']);
    [operator, operatorId] = [browser, person.id];
  });

  const send = (method: string, path: string, body?: unknown) =>
    operator.send(method, `/console/consumers${path}`, body);
  const codeOf = async (key: string, secret: string) => {
    // A change of a consumer acts within two seconds.
    await sleep(2_001);
    service.clock.advance(6_000);
    return (await new Client(service.url, key, secret, service.clock).get('itembank/items')).meta.code;
  };
  const made = async () =>
    (await send('POST', '', { ...GOOD, domains: ['localhost'] })).body as { key: string; secret: string };

  it('an operator creates a consumer, and sees its secret only this once', async () => {
    const { status, body } = await send('POST', '', GOOD);
    expect([status, body]).toEqual([
      201,
      { key: expect.stringMatching(/^\w{16}$/), secret: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ]);
    const { body: all, text } = await send('GET', '');
    expect(all).toContainEqual({
      key: body.key,
      label: 'Player',
      status: 'active',
      domains: ['example.org', '*.example.org'],
      features: [],
      rate_limits: {},
      legacy_signatures: false,
      grants: [{ organisation: 1, access: 'read', primary: true }],
    });
    expect(text).not.toContain(body.secret);
    expect(text).not.toContain(service.client.secret);
  });

  it('an operator disables and enables a consumer', async () => {
    const { key, secret } = await made();
    expect((await send('PATCH', `/${key}`, { status: 'disabled' })).status).toBe(204);
    expect(await codeOf(key, secret)).toBe(41009);
    expect((await send('PATCH', `/${key}`, { status: 'active' })).status).toBe(204);
    expect(await codeOf(key, secret)).toBeUndefined();
  });

  it('an operator creates a new secret, and the old one stays valid for the given hours', async () => {
    const { key, secret } = await made();
    const { status, body } = await send('POST', `/${key}/secrets`, { overlap_hours: 1 });
    expect([status, body.key]).toEqual([201, key]);
    expect(body.secret).not.toBe(secret);
    expect([await codeOf(key, secret), await codeOf(key, body.secret)]).toEqual([undefined, undefined]);
    service.clock.advance(HOUR);
    expect([await codeOf(key, secret), await codeOf(key, body.secret)]).toEqual([41003, undefined]);
  });

  it('the audit log names the operator', async () => {
    const { key } = await made();
    await send('POST', `/${key}/secrets`, { overlap_hours: 0 });
    await send('PATCH', `/${key}`, { status: 'disabled' });
    const rows = await service.database.rows(
      `SELECT operation, author_id FROM audit WHERE subject = 'consumer' AND subject_key = ? ORDER BY id`,
      [key],
    );
    expect(rows).toEqual(
      ['create consumer', 'rotate secret', 'disable consumer'].map((operation) => ({
        operation,
        author_id: operatorId,
      })),
    );
  });

  it.each<[string, object, string]>([
    ['no label', { label: '' }, '/label'],
    ['a long label', { label: 'x'.repeat(256) }, '/label'],
    ['a label that is a number', { label: 1 }, '/label'],
    ['domains that are text', { domains: 'example.org' }, '/domains'],
    ['null among the domains', { domains: [null] }, '/domains'],
    ['a domain with a scheme', { domains: ['example.org', 'https://example.org'] }, '/domains/1'],
    ['a domain with a port', { domains: ['example.org:80'] }, '/domains/0'],
    ['a list among the domains', { domains: [['example.org']] }, '/domains'],
    ['101 domains', { domains: new Array(101).fill('example.org') }, '/domains'],
    ['an organisation that is text', { organisation: '1' }, '/organisation'],
    ['a foreign organisation', { organisation: 2 }, '/organisation'],
    ['an organisation that does not exist', { organisation: 99 }, '/organisation'],
    ['an organisation with a number that is too large', { organisation: 1e300 }, '/organisation'],
    ['an unknown access', { access: 'own' }, '/access'],
    ['no access', { access: undefined }, '/access'],
  ])('a new consumer with %s is refused with the place of the fault', async (_, wrong, pointer) => {
    const before = await service.get(Consumers).list();
    const { status, body } = await send('POST', '', { ...GOOD, ...wrong });
    expect([400, 403]).toContain(status);
    expect(body.meta.errors[0].pointer).toBe(pointer);
    expect(await service.get(Consumers).list()).toEqual(before);
  });

  it.each([-1, 0.5, 721, '1', null, [1], undefined, 1e400])(
    'a new secret with an overlap of %p hours is refused',
    async (overlap_hours) => {
      expect((await send('POST', `/${service.client.key}/secrets`, { overlap_hours })).status).toBe(400);
    },
  );

  it('an operator neither sees nor changes consumers that may call other organisations', async () => {
    const foreign = await service.consumerOf([2, 'write']);
    const both = await service.consumerOf([1, 'write'], [2, 'read']);
    const none = await service.consumer({ grants: [] });
    const { body } = await send('GET', '');
    const keys = body.map(({ key }: { key: string }) => key);
    for (const key of [foreign.key, both.key, none.key, 'nobody', '%00', "'"]) {
      expect(keys).not.toContain(key);
      for (const [method, path, sent] of [
        ['PATCH', `/${key}`, { status: 'disabled' }],
        ['PUT', `/${key}/rate-limits`, { rate_limits: [] }],
        ['POST', `/${key}/secrets`, { overlap_hours: 0 }],
      ] as const) {
        const { status, body: answer } = await send(method, path, sent);
        expect([status, answer.meta.code]).toEqual([400, 30001]);
      }
    }
    expect(await codeOf(foreign.key, foreign.secret)).toBeUndefined();
    const everywhere = (await signedIn(service, { 1: ['operator'], 2: ['operator'] })).browser;
    const all = (await everywhere.send('GET', '/console/consumers')).body.map(({ key }: { key: string }) => key);
    expect(all).toEqual(expect.arrayContaining([foreign.key, both.key]));
  });

  it('an operator sets the limits of a consumer, which replace earlier ones and apply to its calls', async () => {
    const { key, secret } = await made();
    const limits = [
      { pattern: 'get itembank/*', limit: 1 },
      { pattern: '*', limit: 7 },
    ];
    expect((await send('PUT', `/${key}/rate-limits`, { rate_limits: limits })).status).toBe(204);
    const stored = async () =>
      (await send('GET', '')).body.find((consumer: { key: string }) => consumer.key === key).rate_limits;
    expect(await stored()).toEqual({ 'get itembank/*': 1, '*': 7 });
    expect(await codeOf(key, secret)).toBeUndefined();
    const client = new Client(service.url, key, secret, service.clock);
    expect((await client.get('itembank/items')).status).toBe(429);
    const [row] = await service.database.rows<{ operation: string; author_id: string }>(
      `SELECT operation, author_id FROM audit WHERE subject = 'consumer' AND subject_key = ? ORDER BY id DESC LIMIT 1`,
      [key],
    );
    expect(row).toEqual({ operation: 'set rate limits', author_id: operatorId });
    expect((await send('PUT', `/${key}/rate-limits`, { rate_limits: [] })).status).toBe(204);
    expect(await stored()).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['no list', {}, '/rate_limits'],
    ['a pattern that matches nothing', [{ pattern: 'read items', limit: 1 }], '/rate_limits/0/pattern'],
    ['a pattern that is a number', [{ pattern: 1, limit: 1 }], '/rate_limits/0/pattern'],
    ['a pattern that changes all objects', [{ pattern: '__proto__', limit: 1 }], '/rate_limits/0/pattern'],
    ['a limit below 0', [{ pattern: '*', limit: -1 }], '/rate_limits/0/limit'],
    ['a fraction', [{ pattern: '*', limit: 0.5 }], '/rate_limits/0/limit'],
    ['a limit that is too large', [{ pattern: '*', limit: 1e300 }], '/rate_limits/0/limit'],
    ['no limit', [{ pattern: '*', limit: null }], '/rate_limits/0/limit'],
    [
      'a pattern twice',
      [
        { pattern: '*', limit: 1 },
        { pattern: '*', limit: 2 },
      ],
      '/rate_limits/1/pattern',
    ],
    ['null among the limits', [null], '/rate_limits/0'],
    ['101 limits', new Array(101).fill({ pattern: '*', limit: 1 }), '/rate_limits'],
  ])('limits with %s are refused with the place of the fault', async (_, rate_limits, pointer) => {
    const { key } = await made();
    const { status, body } = await send('PUT', `/${key}/rate-limits`, { rate_limits });
    expect([status, body.meta.errors[0].pointer]).toEqual([400, pointer]);
  });

  it.each(['gone', null, 1, ['active'], undefined])('the status %p is refused', async (status) => {
    expect((await send('PATCH', `/${service.client.key}`, { status })).status).toBe(400);
  });
});
