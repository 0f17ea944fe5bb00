import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { RequestMetrics } from '../../apps/api/src/http/request-metrics';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { answerOf, exchange, formBody, postBytes, RawConnection } from '../support/raw-http';
import { serviceOfSuite, startService } from '../support/service';

const VERSIONS = [
  'v1',
  'V1',
  'v1.85.0',
  'v2019.1.LTS',
  'v2022.3.LTS',
  'v2026.2.LTS',
  'v2023.1.lts',
  'V2023.1.Lts',
  'v2022.3.preview1',
  'V2022.3.PREVIEW12',
  'latest',
  'LATEST',
  'latest-lts',
  'Latest-LTS',
  'developer',
  'DEVELOPER',
];

describe.each(anEngine(__filename))('envelope and addresses on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  beforeAll(async () => {
    const { client } = service;
    await client.set('itembank/questions', {
      questions: ['e1', 'e2', 'e3'].map((reference) => ({ type: 'mcq', reference, data: {} })),
    });
    await client.set('itembank/items', {
      items: ['e1', 'e2', 'e3'].map((reference) => ({ reference, definition: { widgets: [{ reference }] } })),
    });
  });

  const signed = (request = '{"limit":1}', action = 'get') => service.client.fields(request, action);
  const raw = async (...bytes: (string | Buffer)[]) => answerOf(await exchange(service.url, ...bytes));

  describe('a success', () => {
    it('has status true, the time in seconds, the number of records on the page, and data', async () => {
      const answer = await service.client.get('itembank/items');
      expectSuccess(answer);
      expect(answer.meta).toEqual({ status: true, timestamp: Math.floor(service.clock.now() / 1000), records: 3 });
      expect(answer.data).toHaveLength(3);
    });

    it('reports 0 records and an empty list when there are none', async () => {
      for (const path of ['activities', 'items', 'questions', 'features']) {
        const answer = await service.client.get(`itembank/${path}`, { references: ['nowhere'] });
        expectSuccess(answer);
        expect(answer.meta.records).toBe(0);
        expect(answer.data).toEqual([]);
      }
    });

    it('counts the records of the page, not of the list, and has no next on the last page', async () => {
      const first = await service.client.get('itembank/items', { limit: 2 });
      expect([first.meta.records, first.data.length]).toEqual([2, 2]);
      expect(first.meta.next).toMatch(/./);
      const last = await service.client.get('itembank/items', { limit: 2, next: first.meta.next });
      expect([last.meta.records, last.data.length]).toEqual([1, 1]);
      // The Python, PHP and Java clients continue for ever when the key exists with any value.
      expect(Object.keys(last.meta)).not.toContain('next');
      const exact = await service.client.get('itembank/items', { limit: 3 });
      expect(Object.keys(exact.meta)).not.toContain('next');
    });

    it('counts widgets in an answer keyed by item', async () => {
      const answer = await service.client.get('itembank/questions', { item_references: ['e1', 'e2', 'nowhere'] });
      expectSuccess(answer);
      expect(answer.meta.records).toBe(2);
      expect(Object.keys(answer.data as object).sort()).toEqual(['e1', 'e2']);
    });

    it('has an empty list as data after a write', async () => {
      const answer = await service.client.set('itembank/tagging/tags', { tags: [{ type: 'a', name: 'b' }] });
      expectSuccess(answer);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(`{"meta":{"status":true,"timestamp":${answer.meta.timestamp}},"data":[]}`);
    });
  });

  describe('a failure', () => {
    it("has code, message and request_uuid, no data, and the log's request id in a header", async () => {
      const answer = await service.client.get('itembank/items', { limit: 'many', status: ['gone'], sort: 5 });
      expectFailure(answer, 400, 20003, /^limit must be/);
      expect(answer.meta.timestamp).toBe(Math.floor(service.clock.now() / 1000));
      expect(answer.headers.get('x-request-id')).toBe(answer.meta.request_uuid);
      expect(answer.meta.errors).toEqual([
        { code: 20003, pointer: '/limit', message: expect.stringMatching(/^limit /) },
        { code: 20003, pointer: '/sort', message: expect.stringMatching(/^sort .*asc, desc/) },
        { code: 20004, pointer: '/status/0', message: expect.stringMatching(/^status\[0\] .*published.*"gone"/) },
      ]);
    });

    it('lists at most 50 errors, in the order of the request', async () => {
      const status = Array.from({ length: 120 }, (_, index) => `gone${index}`);
      const { meta } = await service.client.get('itembank/items', { status });
      expect(meta.errors!.map(({ pointer }) => pointer)).toEqual(
        Array.from({ length: 50 }, (_, index) => `/status/${index}`),
      );
    });

    it('has a new request_uuid each time', async () => {
      const [first, second] = await Promise.all([1, 2].map(() => service.client.get('itembank/items', { limit: 0 })));
      expect(first!.meta.request_uuid).not.toBe(second!.meta.request_uuid);
    });
  });

  describe('addresses', () => {
    it.each(VERSIONS)('may have the version %s before any path, with and without a final slash', async (version) => {
      for (const path of ['itembank/items', 'itembank/tagging/tags', 'jobs', 'sessions/scores']) {
        expectSuccess(await service.client.post(`/${version}/${path}`, signed()));
        expectSuccess(await service.client.post(`/${version}/${path}/`, signed()));
      }
    });

    it('may have a query, which is ignored', async () => {
      expectSuccess(await service.client.post('/v1/itembank/items?action=set&limit=0&x=%zz', signed()));
    });

    it.each([
      '/itembank/items',
      '/v/itembank/items',
      '/v1x/itembank/items',
      '/v2023.1.LTS2/itembank/items',
      '/v2023.1.ltsx/itembank/items',
      '/v2022.3.preview/itembank/items',
      '/latest-/itembank/items',
      '/latestlts/itembank/items',
      '/version1/itembank/items',
      '/1/itembank/items',
      '/v1',
      '/v1/',
      '/v1//',
      '/v1/itembank',
      '/v1/itembank/',
      '/v1/itembank/items//',
      '/v1/itembank//items',
      '/v1//itembank/items',
      '//v1/itembank/items',
      '///',
      '/v1/itembank/items/x',
      '/v1/itembank/Items',
      '/v1/itembank/items.json',
      '/v1/itembank%2Fitems',
      '/v1/itembank/items%00',
      '/v1/itembank/items%zz',
      '/%',
      '/v1/%E0%A4%A',
      '/v1/<script>alert(1)</script>',
      "/v1/itembank/items'--",
      '/v1/constructor',
      '/v1/__proto__',
      '/v1/../../etc/passwd',
      '/index.php',
      '*',
    ])('give 404 as JSON for %s, for any caller and method', async (path) => {
      const bodies = { signed: formBody(signed()).body, empty: '' };
      for (const body of Object.values(bodies))
        expectFailure(
          await raw(postBytes(path, { 'Content-Type': 'application/x-www-form-urlencoded' }, body)),
          404,
          20012,
        );
      expectFailure(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`), 404, 20012);
    });

    it('may be absolute, as a proxy sends them', async () => {
      const { type, body } = formBody(signed());
      expectSuccess(await raw(postBytes('http://elsewhere.example/v1/itembank/items', { 'Content-Type': type }, body)));
    });

    it.each([
      'http://a:99999/assets/1/x.png',
      'http://a:99999/v1/itembank/items',
      'http://[/assets/1/x.png',
      'http://%@a/nowhere',
      'http://a/assets/1/x.png',
      '//a@]/docs#x',
    ])('give 404 as JSON for the absolute or invalid %s', async (address) => {
      const answer = await raw(`GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectFailure(answer, 404, 20012);
    });

    it('may be absolute for pages and files too', async () => {
      const page = await exchange(service.url, 'GET http://%@a/docs HTTP/1.1\r\nHost: x\r\n\r\n');
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const upload =
        'PUT http://a/assets/1/x.png HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n';
      const refused = await exchange(service.url, upload);
      expect([refused.status, refused.interim]).toEqual([403, []]);
    });

    it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND'])(
      'give 405 as JSON with Allow for %s on every existing path',
      async (method) => {
        for (const path of ['itembank/items', 'itembank/items/', 'jobs', 'sessions/item']) {
          const answer = await raw(`${method} /v1/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
          expectFailure(answer, 405, 40001, new RegExp(`POST.*${method}`));
          expect(answer.headers.get('allow')).toBe('POST');
        }
        expectFailure(await raw(`${method} /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n`), 404, 20012);
      },
    );

    it('give 405 without a body for HEAD', async () => {
      const answer = await fetch(`${service.url}/v1/itembank/items`, { method: 'HEAD' });
      expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([405, 'POST', '']);
    });

    it.each(['/', '//', 'http://x'])('return links for readers, and no operation, at %s', async (path) => {
      const answer = await raw(postBytes(path, { 'Content-Type': 'application/x-www-form-urlencoded' }, ''));
      expectFailure(answer, 405, 40001);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    });

    it('are never redirected', async () => {
      for (const path of ['/v1/itembank/items/', '/v1', '/', '/itembank/items'])
        for (const method of ['GET', 'POST']) {
          const answer = await fetch(service.url + path, { method, redirect: 'manual' });
          expect(Math.floor(answer.status / 100)).not.toBe(3);
          expect(answer.headers.get('location')).toBeNull();
        }
    });
  });

  describe('actions', () => {
    it('are get by default', async () => {
      const answer = await service.client.post('itembank/items', service.client.fields('{"limit":1}', undefined));
      expectSuccess(answer);
      expect(answer.meta.records).toBe(1);
      expectSuccess(await service.client.post('itembank/items', service.client.fields(undefined, undefined)));
      expectSuccess(await service.client.post('itembank/items', signed('{"limit":1}', '')));
    });

    it.each([
      'post',
      'delete',
      'update',
      'GET',
      'Set',
      'get ',
      'constructor',
      '__proto__',
      'toString',
      '☃',
      'x'.repeat(10_000),
    ])('reject %s on items after the signature check and list the valid actions', async (action) => {
      const answer = await service.client.post('itembank/items', signed('{}', action));
      expectFailure(answer, 404, 20012, /it has get, set/);
      expect(answer.meta.message!.length).toBeLessThan(200);
      const forged = service.client.fields('{}', action, { signature: `$02$${'0'.repeat(64)}` });
      expectFailure(await service.client.post('itembank/items', forged), 403, 41003);
    });
  });

  describe('invalid HTTP', () => {
    const POST = 'POST /v1/itembank/items HTTP/1.1\r\nHost: x\r\n';
    it.each([
      ['words', 'hello\r\n\r\n'],
      ['the greeting of TLS', Buffer.from('16030100c8010000c40303', 'hex')],
      ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['an unknown version', 'POST / HTTP/9.9\r\nHost: x\r\n\r\n'],
      ['an unknown method', 'FOO /v1/itembank/items HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a blank in the name of a header', `${POST}Content Length: 5\r\n\r\n`],
      ['a header without a colon', `${POST}nonsense\r\n\r\n`],
      ['a NUL in a header', `${POST}X-A: a\0b\r\n\r\n`],
      ['two lengths', `${POST}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`],
      ['a negative length', `${POST}Content-Length: -5\r\n\r\n`],
      ['a length that is not a number', `${POST}Content-Length: 0x10\r\n\r\n`],
      ['a length beside chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      ['an unknown transfer encoding', `${POST}Transfer-Encoding: gzip\r\n\r\n`],
      ['a chunk without a size', `${POST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
      [
        'a chunk longer than its size',
        `${POST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n`,
      ],
    ])('gives 400 as JSON and closes the connection: %s', async (_, bytes) => {
      const connection = await RawConnection.open(service.url);
      await connection.write(bytes);
      expectFailure(answerOf(await connection.answer()), 400, 20009, /HTTP|body/);
      await connection.closed();
    });

    it.each([
      ['one header of 100 kB', `${POST}X-A: ${'a'.repeat(100_000)}\r\n\r\n`],
      ['10,000 headers', `${POST}${'X-A: 1\r\n'.repeat(10_000)}\r\n`],
      ['an address of 100 kB', `POST /v1/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['a header without end', `${POST}X-A: ${'a'.repeat(100_000)}`],
    ])('gives 431 as JSON: %s', async (_, bytes) => {
      expectFailure(await raw(bytes), 431, 20009, /headers/);
    });

    it('does not stop the service', async () => {
      expectSuccess(await service.client.get('itembank/items'));
    });

    it('closes the connection even if the client does not', async () => {
      const server = service.service.app.getHttpServer();
      const accepted = once(server, 'connection');
      const connection = await RawConnection.open(service.url, { allowHalfOpen: true });
      const [socket] = (await accepted) as [Socket];
      const ended = once(socket, 'close');
      await connection.write('hello\r\n\r\n');
      expectFailure(answerOf(await connection.answer()), 400, 20009, /HTTP/);
      await ended;
      connection.close();
    });
  });

  it('has no effect after an answer with 408, whatever arrives later', async () => {
    const server = service.service.app.getHttpServer();
    const arrived = once(server, 'request');
    const { type, body } = formBody(signed('{"tags":[{"type":"Late","name":"late"}]}', 'set'));
    const connection = await RawConnection.open(service.url, { allowHalfOpen: true });
    const bytes = postBytes('/v1/itembank/tagging/tags', { 'Content-Type': type }, body);
    await connection.write(bytes.subarray(0, -10));
    const [{ socket }] = (await arrived) as [IncomingMessage];
    const ended = once(socket, 'close');
    // Node does this after five minutes.
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    expectFailure(answerOf(await connection.answer()), 408, 20009, /too long to arrive/);
    await connection.write(bytes.subarray(-10));
    await ended;
    connection.close();
    expect((await service.client.get('itembank/tagging/tags', { types: ['Late'] })).data).toEqual([]);
  });

  it('does not include a missing Host or an unknown expectation, which are accepted', async () => {
    const { type, body } = formBody(signed());
    const head = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expectSuccess(await raw(`POST /v1/itembank/items HTTP/1.1\r\n${head}`));
    expectSuccess(await raw(`POST /v1/itembank/items HTTP/1.0\r\n${head}`));
    expectSuccess(await raw(`POST /v1/itembank/items HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n${head}`));
  });

  it('gives an answer even when logging fails, and the service continues', async () => {
    const metrics = service.get(RequestMetrics);
    const failing = jest.spyOn(metrics, 'began').mockImplementation(() => {
      throw new Error('the books are lost');
    });
    try {
      const answer = await service.client.get('itembank/items');
      expect(answer).toMatchObject({ status: 500, meta: { status: false } });
      expect(JSON.stringify(answer)).not.toMatch(/books/);
    } finally {
      failing.mockRestore();
    }
    expectSuccess(await service.client.get('itembank/items'));
  });

  it('does not include several requests at once on one connection, which are answered in order', async () => {
    const connection = await RawConnection.open(service.url);
    const bytes = ['e1', 'e2', 'e3'].map((reference) => {
      const { type, body } = formBody(signed(JSON.stringify({ references: [reference] })));
      return postBytes('/v1/itembank/items', { 'Content-Type': type }, body);
    });
    try {
      await connection.write(Buffer.concat(bytes));
      for (const reference of ['e1', 'e2', 'e3'])
        expect(answerOf(await connection.answer()).data).toMatchObject([{ reference }]);
    } finally {
      connection.close();
    }
  });
});
