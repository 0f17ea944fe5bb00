import { gzipSync } from 'node:zlib';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import {
  answerOf,
  type EncodedBody,
  exchange,
  formBody,
  headBytes,
  jsonBody,
  multipartBody,
  phpBody,
  postBytes,
  RawConnection,
} from '../support/raw-http';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';

/*
 * Bodies and requests that two parsers may interpret differently. The suites test/api/wire-*.spec.ts have the requests
 * that a single parser rejects.
 */

const TAGS = '/v1/itembank/tagging/tags';
const FORM = 'application/x-www-form-urlencoded';

// The behaviour does not depend on the database.
describe.each(anEngine(__filename))('requests that two parsers may interpret differently, on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const setTag = (name: string) => client.fields(JSON.stringify({ tags: [{ type: 'Confused', name }] }), 'set');
  const storedNames = async (): Promise<string[]> => {
    const { data } = await client.get('itembank/tagging/tags', { types: ['Confused'] });
    return (data as { name: string }[]).map(({ name }) => name).sort();
  };
  const sendRaw = async (...bytes: (Buffer | string)[]): Promise<Answer> =>
    answerOf(await exchange(service.url, ...bytes));
  const post = ({ type, body }: { type: string; body: string | Buffer }, headers: Record<string, string> = {}) =>
    sendRaw(postBytes(TAGS, { 'Content-Type': type, ...headers }, body));
  /** Expects that the request is rejected, and that nothing is stored. */
  const expectRefused = async (send: () => Promise<Answer>, code?: number) => {
    const before = await stateOf(service.database);
    const answer = await send();
    expectFailure(answer, answer.status, answer.meta.code!);
    expect([400, 403]).toContain(answer.status);
    if (code !== undefined) expect(answer.meta).toMatchObject({ code });
    expect(await stateOf(service.database)).toBe(before);
  };

  describe('fields', () => {
    const part = (name: string, value: string, ...more: string[]) => ({
      headers: [`Content-Disposition: form-data; name="${name}"`, ...more],
      value,
    });
    const parts = (fields: Record<string, string>) => Object.entries(fields).map(([name, value]) => part(name, value));

    it('are rejected when they are repeated, even far apart or in an unknown encoding', async () => {
      const fields = setTag('again');
      const others = Array.from({ length: 20 }, (_, index) => part(`other${index}`, 'x'));
      await expectRefused(() => post(multipartBody([...parts(fields), ...others, part('request', '{}')])), 20009);
      await expectRefused(() => post(multipartBody([...others, ...parts(fields)])), 20009);
      for (const charset of ['utf-7', 'shift_jis', 'nonsense']) {
        const strange = part('request', '{}', `Content-Type: text/plain; charset=${charset}`);
        await expectRefused(() => post(multipartBody([strange, ...parts(fields)])), 20009);
        await expectRefused(() => post(multipartBody([...parts(fields), strange])), 20009);
      }
    });

    it('are ignored when their name only resembles a known one', async () => {
      const fields = setTag('almost');
      const names = [
        'Request',
        'request ',
        ' request',
        'request[]',
        'request[0]',
        'request.x',
        'request%00',
        'reques\u212a',
      ];
      const encoders: ((other: Record<string, string>) => EncodedBody)[] = [
        (other) => formBody({ ...other, ...fields }),
        (other) => formBody({ ...fields, ...other }),
        (other) => phpBody({ ...other, ...fields }),
        (other) => jsonBody({ ...other, ...fields }),
      ];
      for (const encode of encoders)
        for (const name of names)
          expectSuccess(await post(encode({ [name]: '{"tags":[{"type":"Confused","name":"no"}]}' })));
      expect(await storedNames()).toEqual(['almost']);
    });

    it('have their last value when they are repeated in JSON', async () => {
      const { security, request, action } = setTag('last') as Record<'security' | 'request' | 'action', string>;
      const other = JSON.stringify('{"tags":[{"type":"Confused","name":"first"}]}');
      const twice = (...requests: string[]) =>
        `{"security":${JSON.stringify(security)},${requests.map((each) => `"request":${each}`).join(',')},"action":"${action}"}`;
      await expectRefused(() => post({ type: 'application/json', body: twice(JSON.stringify(request), other) }), 41003);
      expectSuccess(await post({ type: 'application/json', body: twice(other, JSON.stringify(request)) }));
      expect(await storedNames()).toContain('last');
    });

    it('are rejected when they come from two requests, because a signature covers only its own request', async () => {
      const [one, two] = [setTag('one'), setTag('two')];
      const names = Object.keys(one);
      for (const foreign of ['security', 'request'])
        for (const encode of [formBody, phpBody, jsonBody])
          await expectRefused(
            () => post(encode(Object.fromEntries(names.map((name) => [name, (name === foreign ? two : one)[name]!])))),
            41003,
          );
    });

    it('are read only from a body of the announced type', async () => {
      const fields = setTag('other type');
      const bodies = [formBody(fields), phpBody(fields), jsonBody(fields)];
      for (const { type } of bodies)
        for (const other of bodies)
          if (other.type !== type) await expectRefused(() => post({ type, body: other.body }));
      // Query parameters and headers are not read either.
      const query = new URLSearchParams(fields).toString();
      const head = `POST ${TAGS}?${query} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n`;
      await expectRefused(() => sendRaw(`${head}Content-Length: 0\r\n\r\n`), 41000);
      const inHeaders = Object.entries(fields).map(([name, value]) => `${name}: ${encodeURIComponent(value)}\r\n`);
      await expectRefused(() => sendRaw(`${head}${inHeaders.join('')}Content-Length: 3\r\n\r\na=b`), 41000);
    });

    it('are read by the first of two content types', async () => {
      const { type, body } = formBody(client.fields('{"limit":1}', 'get'));
      const head = (first: string, second: string) =>
        `POST ${TAGS} HTTP/1.1\r\nHost: x\r\nContent-Type: ${first}\r\nContent-Type: ${second}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      expectSuccess(await sendRaw(head(type, 'application/json')));
      expectFailure(await sendRaw(head('application/json', type)), 400, 20009);
    });
  });

  describe('characters', () => {
    /** Encodes the text as UTF-16 with a byte order mark. */
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    const overlong = (text: string) =>
      Buffer.concat([...text].map((each) => (each === '"' ? Buffer.from([0xc0, 0xa2]) : Buffer.from(each))));

    it.each([
      [
        'UTF-16 as JSON',
        'application/json; charset=utf-16',
        (fields: Record<string, string>) => utf16(jsonBody(fields).body),
      ],
      ['UTF-16 as JSON, unannounced', 'application/json', (fields) => utf16(jsonBody(fields).body)],
      ['UTF-16 as a form', `${FORM}; charset=utf-16`, (fields) => utf16(formBody(fields).body)],
      [
        'UTF-7 as JSON',
        'application/json; charset=utf-7',
        (fields) => Buffer.from(jsonBody(fields).body.replaceAll('"', '+ACI-')),
      ],
      ['overlong quotes as JSON', 'application/json', (fields) => overlong(jsonBody(fields).body)],
      [
        'overlong quotes in a form',
        FORM,
        (fields) => overlong(new URLSearchParams(fields).toString().replaceAll('%22', '"')),
      ],
      [
        'overlong quotes, percent-encoded',
        FORM,
        (fields) => Buffer.from(formBody(fields).body.replaceAll('%22', '%C0%A2')),
      ],
      ['wide quotes', FORM, (fields) => Buffer.from(formBody(fields).body.replaceAll('%22', '%EF%BC%82'))],
    ] as [string, string, (fields: Record<string, string>) => Buffer][])(
      'as %s are not decoded as the characters that they resemble',
      async (_, type, encode) => {
        await expectRefused(() => post({ type, body: encode(setTag('characters')) }));
      },
    );

    it('are rejected when they are not valid UTF-8', async () => {
      const fields = setTag('b\u00e4r');
      for (const { type, body } of [jsonBody(fields), phpBody(fields)])
        await expectRefused(() => post({ type, body: Buffer.from(body, 'latin1') }), 41003);
    });

    it('are decoded before the signature check when a part is in UTF-16', async () => {
      const { request, ...fields } = setTag('\u2603 wide') as Record<'request', string>;
      const wide = multipartBody([
        ...Object.entries(fields).map(([name, value]) => ({
          headers: [`Content-Disposition: form-data; name="${name}"`],
          value: value as string,
        })),
        {
          headers: [
            'Content-Disposition: form-data; name="request"',
            'Content-Type: application/json; charset=utf-16le',
          ],
          value: Buffer.from(request, 'utf16le').toString('latin1'),
        },
      ]);
      expectSuccess(await post({ type: wide.type, body: Buffer.from(wide.body, 'latin1') }));
      expect(await storedNames()).toContain('\u2603 wide');
    });
  });

  describe('compressed or deeply nested bodies', () => {
    it('are not decompressed, and are rejected', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, '['));
      for (const type of [FORM, 'application/json', phpBody({}).type])
        for (const encoding of ['gzip', 'deflate', 'br', 'identity, gzip'])
          await expectRefused(() => post({ type, body: bomb }, { 'Content-Encoding': encoding }));
      const { type, body } = jsonBody(setTag('packed'));
      await expectRefused(() => post({ type, body: gzipSync(body) }, { 'Content-Encoding': 'gzip' }), 20009);
    });

    it.each([
      ['lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
      ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
      ['no end', '['.repeat(100_000)],
      ['numbers', `[${'9'.repeat(100_000)}e${'9'.repeat(100_000)}]`],
    ])('with security made of %s are rejected before authentication', async (_, deep) => {
      for (const security of [deep, `{"consumer_key":${deep}}`, `{"a":${deep}}`])
        for (const body of [
          jsonBody({ security, request: '{}' }),
          { type: 'application/json', body: `{"security":${security}}` },
          formBody({ security }),
          phpBody({ security }),
        ]) {
          const answer = await post(body);
          expectFailure(answer, 400, answer.meta.code!);
          expect([41000, 20009]).toContain(answer.meta.code);
        }
    });
  });

  it('headers of answers contain nothing from the request', async () => {
    const hostile = 'x\r\nSet-Cookie: a=b\r\n\r\n<script>';
    const shown = /set-cookie|script|evil/i;
    const answers = [
      await exchange(
        service.url,
        `GET /v1/%0d%0aSet-Cookie:%20a=b?${encodeURIComponent(hostile)} HTTP/1.1\r\nHost: evil\r\nOrigin: http://evil\r\nX-Request-Id: evil\r\n\r\n`,
      ),
      await exchange(
        service.url,
        'PUT /assets/1/%0d%0aSet-Cookie:a HTTP/1.1\r\nHost: evil\r\nContent-Type: evil/script\r\nContent-Length: 0\r\n\r\n',
      ),
    ];
    const bodies = [
      formBody(client.fields('{}', hostile)),
      formBody(client.fields('{}', 'get', { consumerKey: hostile })),
      formBody(client.fields('{}', 'get', { domain: hostile })),
      formBody(client.fields(JSON.stringify({ references: [hostile], sort: hostile }), 'get')),
    ];
    for (const { type, body } of bodies)
      answers.push(
        await exchange(service.url, postBytes(TAGS, { 'Content-Type': type, 'X-Request-Id': 'evil' }, body)),
      );
    for (const { headers } of answers) expect(Object.entries(headers).join('\n')).not.toMatch(shown);
  });

  describe('the end of a request', () => {
    const FRAMED = 'POST /v1/itembank/items HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    /** Returns a complete and correctly signed request, to be hidden in the body of another one. */
    const signedRequest = (name: string) => {
      const { type, body } = formBody(setTag(name));
      return postBytes(TAGS, { 'Content-Type': type }, body).toString();
    };

    it.each([
      ['chunks beside a length', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
      ['a length beside chunks', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n'],
      ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n'],
      ['a list of lengths', 'Content-Length: 4, 5\r\n'],
      ['a length with a sign', 'Content-Length: +4\r\n'],
      ['two encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'],
      ['an encoding after chunks', 'Transfer-Encoding: chunked, identity\r\n'],
      ['an encoding like chunks', 'Transfer-Encoding: xchunked\r\n'],
      ['a blank before the colon', 'Transfer-Encoding : chunked\r\n'],
      [
        'a header in two lines',
        'X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 4\r\nTransfer-Encoding:\r\n chunked\r\n',
      ],
      ['a vertical tab', 'Transfer-Encoding:\u000bchunked\r\n'],
      ['a carriage return alone', 'X-A: b\rTransfer-Encoding: chunked\r\n'],
    ])('is rejected when it is ambiguous: %s', async (_, framing) => {
      const before = await stateOf(service.database);
      const connection = await RawConnection.open(service.url);
      try {
        await connection.write(`${FRAMED}${framing}\r\n0\r\n\r\n${signedRequest('smuggled')}`);
        const answer = answerOf(await connection.answer());
        expectFailure(answer, 400, 20009);
        await connection.closed();
      } finally {
        connection.close();
      }
      expect(await stateOf(service.database)).toBe(before);
    });

    it.each([
      ['a sign', '+0\r\n\r\n'],
      ['a prefix', '0x0\r\n\r\n'],
      ['too many digits', `${'f'.repeat(17)}\r\n\r\n`],
      ['a blank before it', ' 0\r\n\r\n'],
      ['a line feed alone', '0\n\n'],
      ['an endless extension', `0;${'a'.repeat(40_000)}\r\n\r\n`],
    ])('is rejected when it is a chunk with %s', async (_, chunk) => {
      const before = await stateOf(service.database);
      const connection = await RawConnection.open(service.url);
      try {
        await connection.write(`${FRAMED}Transfer-Encoding: chunked\r\n\r\n${chunk}${signedRequest('smuggled')}`);
        const { status } = await connection.answer();
        expect([400, 413, 431]).toContain(status);
        await connection.closed();
      } finally {
        connection.close();
      }
      expect(await stateOf(service.database)).toBe(before);
    });

    it('follows from the length alone: a request in a body is not run, and one after the body is', async () => {
      const connection = await RawConnection.open(service.url);
      try {
        const inner = signedRequest('within');
        await connection.write(
          headBytes(TAGS, { 'Content-Type': 'text/plain', 'Content-Length': String(inner.length) }),
        );
        await connection.write(`${inner}${signedRequest('behind')}`);
        expectFailure(answerOf(await connection.answer()), 400, 20009);
        expectSuccess(answerOf(await connection.answer()));
      } finally {
        connection.close();
      }
      const names = await storedNames();
      expect(names).toContain('behind');
      for (const name of ['within', 'smuggled']) expect(names).not.toContain(name);
    });

    it('does not depend on chunk extensions and trailers', async () => {
      const { type, body } = formBody(setTag('extended'));
      const chunks = `${body.length.toString(16)};a=b;c\r\n${body}\r\n0;x\r\nX-Action: set\r\nContent-Type: text/plain\r\n\r\n`;
      expectSuccess(await sendRaw(headBytes(TAGS, { 'Content-Type': type, 'Transfer-Encoding': 'chunked' }), chunks));
      expect(await storedNames()).toContain('extended');
    });
  });
});
