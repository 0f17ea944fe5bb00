import { Consumers, formatTimestamp, sign } from '#access';
import { type Answer, Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { phpBody } from '../support/raw-http';
import { serviceOfSuite, startService } from '../support/service';
import { DAY, MINUTE } from '../support/time';

const ITEMS = 'itembank/items';

describe.each(anEngine(__filename))('security on %s', (engine) => {
  // The service's clock stands at 2026-01-02 03:04:05 UTC.
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const at = (offset: number) => formatTimestamp(service.clock.now() + offset);
  const read = (overrides: Parameters<Client['fields']>[2], as = client): Promise<Answer> =>
    as.post(ITEMS, as.fields('{"limit":1}', 'get', overrides));
  /** Sends fields whose `security` was changed after signing. */
  const altered = (change: (security: Record<string, unknown>) => void): Promise<Answer> => {
    const fields = client.fields('{"limit":1}', 'get');
    const security = JSON.parse(fields.security!) as Record<string, unknown>;
    change(security);
    return client.post(ITEMS, { ...fields, security: JSON.stringify(security) });
  };

  describe('the signature', () => {
    // Computed independently by hand: key, secret, domain and timestamp as in each line.
    const request = '{"limit":100}';
    const expires = '20260601-0000';
    const user_id = 'a-user-id';
    const CURRENT: [object, string | undefined, string | undefined, string][] = [
      [{}, request, 'get', 'd3ba22b4cba11c6475fa553677e602c8a9bc137b9f15854a772e9bc61651383d'],
      [{}, request, 'set', '299f8968e82b794685371867cefaaa47defdb7f475b607c3e082d5fade3bd264'],
      [{}, request, undefined, '2097c1c75eaffc82fceaae8bf10e587f9575139dfc855da0661cc9fd9be0d16a'],
      [{}, undefined, undefined, '911a7b36f0e323bcae2502f6ba335310e5d278c5f087cb194c1bae29ed5be421'],
      [{ expires }, request, 'get', '5b6a2bdd3e9b46a9b0ea46af4b0522f02ca6dc1274400cf6cb99c338ac238221'],
      [{ user_id }, request, 'get', '79fc370035fe9f6ff776165f456dc79351ad8bb318b579b6c8eb051dacfbd37a'],
      [{ expires, user_id }, request, 'update', 'e2436c79382b1df80b1965f2e876d3692adfb76460c2f00af6d16b225d9ce20a'],
      [{}, '{"references":["тест/ä–☃😀"]}', 'get', '0bbfe194d645a4c233006baa98021171e7874406bde3177f451604a8792fb211'],
      [{}, '[]', 'get', '76ee8f509bf92adcfe593793e97c53719e6b24dd667c0baac1e302f813e0989c'],
    ];
    const LEGACY: typeof CURRENT = [
      [{}, request, 'get', '9749b74a3743647d2d415f0f5e968c5fc62ab61aec19a88104d041ec0bc57e0c'],
      [{}, request, undefined, '4754e0e0367f289be2e43e25b2ee8aea79ee738220a16ebdc2a3068a7bff17df'],
      [
        {},
        '{"references":["\\u0442\\u0435\\u0441\\u0442"]}',
        'get',
        'dfc329c30bed98e57a57989df851a488cf906eaa659473209f3156a1338a3f86',
      ],
      [{ expires, user_id }, request, 'update', '20900498b2473cf9d72e583e17f316e0f21fc21f64d9186f31ff86b5aa64d7a8'],
    ];
    let example: Client;
    beforeAll(async () => {
      const wanted = {
        key: 'example-consumer',
        secret: 'example-consumer-secret-for-tests-only',
        legacySignatures: true,
      };
      example = await service.consumer(wanted);
    });
    const send = (more: object, text: string | undefined, action: string | undefined, signature: string) => {
      const security = {
        consumer_key: 'example-consumer',
        domain: 'localhost',
        timestamp: '20260102-0304',
        ...more,
        signature,
      };
      return example.post(action === 'update' ? 'itembank/items/tags' : ITEMS, {
        security: JSON.stringify(security),
        ...(text === undefined ? {} : { request: text }),
        ...(action === undefined ? {} : { action }),
      });
    };
    const accepted = (answer: Answer, action = 'get') => {
      if (action === 'get') expectSuccess(answer);
      // The signature is accepted; only the content to write is missing.
      else expectFailure(answer, 400, 20000, /items is required/);
    };

    it.each(CURRENT)(
      'is accepted in the current scheme: %j, request %j, action %j',
      async (more, text, action, hex) => {
        accepted(await send(more, text, action, `$02$${hex}`), action);
        expectFailure(
          await send(more, text, action, `$02$${hex.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`),
          403,
          41003,
        );
      },
    );

    it.each(LEGACY)('is accepted in the legacy scheme: %j, request %j, action %j', async (more, text, action, hex) => {
      accepted(await send(more, text, action, hex), action);
      expectFailure(
        await send(
          more,
          text,
          action,
          hex.replace(/^./, (first) => (first === '0' ? '1' : '0')),
        ),
        403,
        41003,
      );
    });

    it('is accepted in the legacy scheme only from consumers that are marked for it', async () => {
      expectSuccess(await read({ scheme: 'legacy' }, example));
      expectFailure(await read({ scheme: 'legacy' }), 403, 41003, /legacy/);
      expectSuccess(await read({ scheme: 'current' }, example));
    });

    it.each([
      'security.domain',
      'security.timestamp',
      'security.consumer_key',
      'security.expires',
      'security.user_id',
      'request',
      'action',
    ])('covers %s', async (name) => {
      const other = await service.consumer({ domains: ['localhost', 'example.org'] });
      const fields = other.fields('{"limit":1}', 'get', { expires: at(DAY), userId: 'me' });
      const security = JSON.parse(fields.security!) as Record<string, string>;
      const changed: Record<string, string> = {
        'security.domain': 'example.org',
        'security.timestamp': at(-MINUTE),
        'security.consumer_key': client.key,
        'security.expires': at(2 * DAY),
        'security.user_id': 'you',
        request: '{"limit": 1}',
        action: 'set',
      };
      if (name.startsWith('security.')) security[name.slice(9)] = changed[name]!;
      else fields[name] = changed[name]!;
      expectSuccess(await other.post(ITEMS, other.fields('{"limit":1}', 'get', { expires: at(DAY), userId: 'me' })));
      expectFailure(await other.post(ITEMS, { ...fields, security: JSON.stringify(security) }), 403, 41003);
    });

    it('covers the presence of a request and an action', async () => {
      const { security } = client.fields('{"limit":1}', 'get') as { security: string };
      for (const rest of [{}, { action: 'get' }, { request: '{"limit":1}' }, { request: 'get', action: '{"limit":1}' }])
        expectFailure(await client.post(ITEMS, { security, ...rest } as Record<string, string>), 403, 41003);
      const bare = client.fields(undefined, undefined);
      expectFailure(await client.post(ITEMS, { ...bare, request: '{}' }), 403, 41003);
      expectFailure(await client.post(ITEMS, { ...bare, action: 'get' }), 403, 41003);
    });

    it('belongs to the secret of this consumer', async () => {
      const other = await service.consumer();
      const fields = other.fields('{"limit":1}', 'get', { consumerKey: client.key });
      expectFailure(await client.post(ITEMS, fields), 403, 41003);
    });

    it.each([
      ['a digit too few', `$02$${'0'.repeat(63)}`],
      ['a digit too many', `$02$${'0'.repeat(65)}`],
      ['an unknown scheme', `$03$${'0'.repeat(64)}`],
      ['a legacy signature that is too short', '0'.repeat(63)],
      ['a legacy signature that is too long', '0'.repeat(65)],
      ['a blank', ' '],
      ['a very long text', '$02$'.repeat(100_000)],
    ])('is rejected with 41001 for a wrong length: %s', async (_, signature) => {
      expectFailure(await read({ signature }), 403, 41001, /signature/);
    });

    it.each(['$02$' + 'z'.repeat(64), '$02$' + '☃'.repeat(64), '$02$' + '0'.repeat(63) + '\u0000'])(
      'is rejected with 41003 for characters other than hex digits: %j',
      async (signature) => {
        expectFailure(await read({ signature }), 403, 41003);
      },
    );

    it('is checked before anything in the request', async () => {
      const forged = { signature: `$02$${'0'.repeat(64)}` };
      for (const [text, action] of [
        ['{', 'get'],
        ['{"limit":0}', 'get'],
        ['{"organisation_id":99}', 'set'],
        ['{"__proto__":1}', 'get'],
        ['{}', 'destroy'],
      ] as const)
        expectFailure(await client.post(ITEMS, client.fields(text, action, forged)), 403, 41003);
    });

    it('may contain an empty expires and user_id as an empty part, or leave them out (Node)', async () => {
      expectSuccess(await read({ expires: '' }));
      expectSuccess(await read({ userId: '' }));
      expectSuccess(await read({ expires: '', userId: '' }));
      const security = { consumerKey: client.key, domain: 'localhost', timestamp: at(0) };
      const signature = sign({ security, request: '{"limit":1}', action: 'get' }, client.secret, 'current');
      expectSuccess(await read({ expires: '', userId: '', signature }));
    });

    it('covers decoded values, whatever the notation of the security JSON', async () => {
      const fields = client.fields('{"limit":1}', 'get', { userId: 'Ünï ☃😀 "x"' });
      const escaped = fields.security!.replace(
        /[^\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      expect(escaped).toContain('\\ud83d\\ude00');
      for (const security of [fields.security!, escaped, escaped.replaceAll(':', ' : ').replaceAll(/ : (\d)/g, ':$1')])
        expectSuccess(await client.post(ITEMS, { ...fields, security }));
    });
  });

  describe('the members of security', () => {
    it('are all named when they are missing', async () => {
      for (const security of ['{}', '[]', '{"signature":null}', '{"consumer_key":"","domain":""}']) {
        const answer = await client.post(ITEMS, { security, request: '{}', action: 'get' });
        expectFailure(answer, 400, 41000, /consumer_key, domain, timestamp, signature/);
        expect(answer.meta.errors).toHaveLength(4);
      }
      expectFailure(
        await altered((security) => {
          delete security.domain;
          delete security.signature;
        }),
        400,
        41000,
        /^Missing in security: domain, signature\.$/,
      );
    });

    it.each(['', 'x', '{', 'null', '7', '"text"', '[1]', 'true'])('cannot be read from %j', async (security) => {
      expectFailure(await client.post(ITEMS, { security, request: '{}' }), 400, 41000, /security/);
    });

    it.each([
      ['consumer_key', 7],
      ['domain', ['localhost']],
      ['timestamp', 202601020304],
      ['expires', true],
      ['user_id', {}],
      ['signature', 0],
    ])('must be texts: %s', async (name, value) => {
      expectFailure(
        await altered((security) => (security[name] = value)),
        400,
        41000,
        new RegExp(`security.${name} must be a text`),
      );
    });

    it('may include unknown ones, and null for optional ones', async () => {
      expectSuccess(await altered((security) => Object.assign(security, { foo: 'bar', expires: null, user_id: null })));
    });

    it('must name an existing consumer', async () => {
      for (const consumerKey of [
        'unknown-consumer',
        client.key.toLowerCase() + '_',
        `${client.key} `,
        'x'.repeat(5000),
        "' OR 1=1 --",
        '\u0000',
      ])
        expectFailure(await read({ consumerKey }), 403, 41002, /consumer/);
    });

    it('may have a key that is longer than a database column, which is unknown', async () => {
      const { type, body } = phpBody(client.fields('{}', 'get', { consumerKey: "'".repeat(9 * 1024 * 1024) }));
      const answer = await client.send(ITEMS, { method: 'POST', body, headers: { 'Content-Type': type } });
      expectFailure(answer, 403, 41002, /consumer/);
    });
  });

  describe('the validity', () => {
    it('ends 7 days after the timestamp', async () => {
      expectSuccess(await read({ timestamp: '20251226-0305' }));
      expectFailure(await read({ timestamp: '20251226-0304' }), 403, 41004, /past.*server's time is 20260102-0304/);
      expectFailure(await read({ timestamp: '20250102-0304' }), 403, 41004);
    });

    it('begins 15 minutes before the timestamp', async () => {
      expectSuccess(await read({ timestamp: '20260102-0319' }));
      expectFailure(await read({ timestamp: '20260102-0320' }), 403, 41004, /future/);
      expectFailure(await read({ timestamp: '20270102-0304' }), 403, 41004);
    });

    it.each([
      '20260102',
      '2026-01-02T03:04',
      '20260102-030405',
      '20260132-0304',
      '20260102-0360',
      '20260229-0000',
      'x',
      ' 20260102-0304',
      '２０２６0102-0304',
    ])('cannot be read from the timestamp %j', async (timestamp) => {
      expectFailure(await read({ timestamp }), 403, 41004, /YYYYMMDD-HHMM/);
    });

    it('ends with expires if present, earlier or later', async () => {
      expectSuccess(await read({ expires: '20260102-0305' }));
      expectFailure(await read({ expires: '20260102-0304' }), 400, 41007, /expired at 20260102-0304/);
      expectFailure(await read({ expires: '20260101-0000' }), 400, 41007);
      expectSuccess(await read({ timestamp: '20250102-0304', expires: '20260601-0000' }));
      expectFailure(await read({ timestamp: '20250102-0304', expires: '20260101-0000' }), 400, 41007);
      expectSuccess(await read({ expires: '20260601-0000', userId: 'someone' }));
      // An expires does not let the validity begin earlier.
      expectFailure(await read({ timestamp: '20260103-0304', expires: '20260601-0000' }), 403, 41004);
    });

    it.each(['tomorrow', '20260601', '20261301-0000', '2026-06-01 00:00', '1780272000'])(
      'rejects the malformed expires %j',
      async (expires) => {
        expectFailure(await read({ expires }), 400, 41006, /YYYYMMDD-HHMM/);
      },
    );
  });

  describe('domains', () => {
    it.each([
      ['localhost', ['localhost'], true],
      ['localhost', ['example.org', 'localhost'], true],
      ['LocalHost', ['localhost'], true],
      ['localhost:8080', ['localhost'], true],
      ['www.example.org', ['*.example.org'], true],
      ['a.b.example.org', ['*.example.org'], true],
      ['anything.at.all', ['*'], true],
      ['example.org', ['*.example.org'], false],
      ['badexample.org', ['*.example.org'], false],
      ['example.org.evil.com', ['example.org'], false],
      ['sub.example.org', ['example.org'], false],
      ['localhost', ['example.org'], false],
      ['localhost', [], false],
      ['*', ['example.org'], false],
    ])('checks %s against %j', async (domain, domains, allowed) => {
      const consumer = await service.consumer({ domains });
      const answer = await read({ domain }, consumer);
      if (allowed) expectSuccess(answer);
      else expectFailure(answer, 403, 41005, /domain/);
      // A caller without a valid signature learns nothing.
      const forged = { domain, signature: `$02$${'0'.repeat(64)}` };
      expectFailure(await read(forged, consumer), 403, 41003);
    });
  });

  describe('consumers', () => {
    const consumers = () => service.service.app.get(Consumers, { strict: false });

    it('are rejected after the signature check when they are disabled', async () => {
      const consumer = await service.consumer();
      await consumers().setStatus(consumer.key, 'disabled');
      expectFailure(await read({}, consumer), 403, 41009, /disabled/);
      expectFailure(await read({ signature: `$02$${'0'.repeat(64)}` }, consumer), 403, 41003);
    });

    it('may use a new secret, domain or permission at once, although they called a moment before', async () => {
      const consumer = await service.consumer();
      expectSuccess(await read({}, consumer));
      const secret = await consumers().rotateSecret(consumer.key, 60 * MINUTE);
      expectSuccess(await read({}, new Client(service.url, consumer.key, secret, service.clock)));

      const domain = 'new.example';
      expectFailure(await read({ domain }, consumer), 403, 41005);
      const domains = JSON.stringify([domain]);
      await service.database.write('UPDATE consumer SET domains = ? WHERE consumer_key = ?', [domains, consumer.key]);
      expectSuccess(await read({ domain }, consumer));

      const other = await service.consumer();
      await consumers().setStatus(other.key, 'disabled');
      expectFailure(await read({}, other), 403, 41009);
      await consumers().setStatus(other.key, 'active');
      expectSuccess(await read({}, other));
    });

    it('may use the old secret beside the new one until it expires', async () => {
      const consumer = await service.consumer();
      const secret = await consumers().rotateSecret(consumer.key, 60 * MINUTE);
      const again = await consumers().rotateSecret(consumer.key, 30 * MINUTE);
      const with_ = (each: string) => {
        const security = { consumerKey: consumer.key, domain: 'localhost', timestamp: at(0) };
        return read(
          { signature: sign({ security, request: '{"limit":1}', action: 'get' }, each, 'current') },
          consumer,
        );
      };
      for (const each of [consumer.secret, secret, again]) expectSuccess(await with_(each));
      service.clock.advance(31 * MINUTE);
      for (const each of [consumer.secret, secret]) expectFailure(await with_(each), 403, 41003);
      expectSuccess(await with_(again));
    });
  });

  describe('organisations', () => {
    const write = (as: Client, more: object = {}, name = 'x') =>
      as.set('itembank/tagging/tags', { tags: [{ type: 'Organisation', name }], ...more });
    const names = async (as: Client, more: object = {}) => {
      const answer = await as.get('itembank/tagging/tags', { types: ['Organisation'], ...more });
      expectSuccess(answer);
      return (answer.data as { name: string }[]).map(({ name }) => name);
    };

    it('40002: must be named by a consumer without a primary one', async () => {
      for (const grants of [[], [{ organisation: 1, access: 'write' as const, primary: false }]]) {
        const consumer = await service.consumer({ grants });
        const unnamed = await consumer.get(ITEMS);
        expectFailure(unnamed, 403, 40002, /organisation_id/);
        expect(unnamed.meta.errors).toMatchObject([{ code: 40002, pointer: '/organisation_id' }]);
        expectFailure(await write(consumer), 403, 40002);
      }
      const consumer = await service.consumer({ grants: [{ organisation: 1, access: 'write', primary: false }] });
      expectSuccess(await write(consumer, { organisation_id: 1 }));
    });

    it('40003: must be accessible to the consumer', async () => {
      for (const organisation_id of [2, '2', 3, 2147483647]) {
        const answer = await client.get(ITEMS, { organisation_id });
        expectFailure(answer, 403, 40003, new RegExp(`organisation ${organisation_id}`));
        expect(answer.meta.errors).toEqual([
          { code: 40003, pointer: '/organisation_id', message: answer.meta.message },
        ]);
        expectFailure(await write(client, { organisation_id }), 403, 40003);
      }
    });

    it('40003: cannot be written with read access', async () => {
      const reader = await service.consumerOf([1, 'read'], [2, 'write']);
      await write(client, {}, 'to be read');
      expect(await names(reader)).toContain('to be read');
      expect(await names(reader, { organisation_id: 1 })).toContain('to be read');
      expectFailure(await write(reader, {}, 'by a reader'), 403, 40003, /read organisation 1, not write/);
      expectFailure(await write(reader, { organisation_id: '1' }, 'by a reader'), 403, 40003);
      expectSuccess(await write(reader, { organisation_id: 2 }, 'in the other'));
      expect(await names(reader, { organisation_id: 2 })).toEqual(['in the other']);
      expect(await names(reader, { organisation_id: '2' })).toEqual(['in the other']);
      expect(await names(client)).not.toEqual(expect.arrayContaining([expect.stringMatching(/reader|other/)]));
    });

    it.each([
      [0, 20004],
      [-1, 20004],
      [2147483648, 20004],
      [1.5, 20003],
      ['one', 20003],
      ['', 20003],
      [true, 20003],
      [[1], 20003],
      [{ id: 1 }, 20003],
    ])('are rejected for organisation_id %j with %i', async (organisation_id, code) => {
      const answer = await client.get(ITEMS, { organisation_id });
      expectFailure(answer, 400, code, /^organisation_id must/);
      expect(answer.meta.errors![0]!.pointer).toBe('/organisation_id');
    });

    it('are not selected by a null organisation_id', async () => {
      expectSuccess(await client.get(ITEMS, { organisation_id: null }));
    });
  });

  // These tests move the clock, so they come last.
  describe('the clocks of clients', () => {
    it('may lag by days within a run: Node signs every page with the timestamp of the first', async () => {
      await client.set('itembank/tagging/tags', { tags: [1, 2, 3].map((each) => ({ type: 'Run', name: `${each}` })) });
      const timestamp = at(0);
      const pageAt = (next?: string) =>
        client.post(
          'itembank/tagging/tags',
          client.fields(JSON.stringify({ types: ['Run'], limit: 1, next }), 'get', { timestamp }),
        );
      const first = await pageAt();
      service.clock.advance(3 * DAY);
      const second = await pageAt(first.meta.next);
      service.clock.advance(3 * DAY + 23 * 60 * MINUTE);
      const third = await pageAt(second.meta.next);
      expect([first, second, third].map(({ data }) => data[0].name)).toEqual(['3', '2', '1']);
      service.clock.advance(60 * MINUTE);
      expectFailure(await pageAt(second.meta.next), 403, 41004);
    });

    it('may write the month instead of the minutes, as Ruby does, in every month and minute', async () => {
      const toMonth = (month: number) => Date.UTC(2027, month - 1, 20, 9, 0) - service.clock.now();
      for (let month = 1; month <= 12; month++) {
        service.clock.advance(toMonth(month));
        for (const _minute of Array.from({ length: 4 })) {
          const ruby = formatTimestamp(service.clock.now()).slice(0, 11) + String(month).padStart(2, '0');
          expect(ruby).toMatch(/^2027\d{2}20-09\d{2}$/);
          expectSuccess(await read({ timestamp: ruby }));
          service.clock.advance((59 * MINUTE) / 3);
        }
      }
    });
  });
});
