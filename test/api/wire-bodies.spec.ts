import { gzipSync } from 'node:zlib';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import {
  answerOf,
  type EncodedBody,
  exchange,
  formBody,
  javaBody,
  jsonBody,
  lowerCaseFormBody,
  multipartBody,
  phpBody,
  postBytes,
  postChunked,
  RawConnection,
} from '../support/raw-http';
import { serviceOfSuite, startService } from '../support/service';

const TAGS = '/v1/itembank/tagging/tags';

/** Characters that encodings treat differently. */
const AMBIGUOUS = 'a+b & c=d;e%41%zz "é" \\ / ☃😀\u2028\u0001\r\n--x';

const encodings: Record<string, (fields: Record<string, string>) => EncodedBody> = {
  'a form (Node, Python, Ruby)': formBody,
  'a form with lower-case hex (ASP.NET)': lowerCaseFormBody,
  'a form with a charset (Java before 0.16.4)': (fields) => ({
    ...formBody(fields),
    type: 'application/x-www-form-urlencoded; charset=UTF-8',
  }),
  'multipart without types of the parts (PHP)': phpBody,
  'multipart with typed parts in another order (Java)': javaBody,
  'JSON with the signed text': jsonBody,
};

const transports: Record<string, (type: string, body: string) => Buffer[]> = {
  'with its length': (type, body) => [postBytes(TAGS, { 'Content-Type': type }, body)],
  'byte by byte without its length': (type, body) => postChunked(TAGS, { 'Content-Type': type }, body, 1),
  'in chunks without its length': (type, body) => postChunked(TAGS, { 'Content-Type': type }, body, 100),
};

describe.each(anEngine(__filename))('bodies on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  let made = 0;
  const setTag = (description: string) => {
    const name = `body ${++made}`;
    return { name, text: JSON.stringify({ tags: [{ type: 'Wire', name, description }] }) };
  };
  const descriptionOf = async (name: string): Promise<string> => {
    const { data } = await service.client.get('itembank/tagging/tags', { types: ['Wire'], names: [name] });
    return data[0].description;
  };
  const raw = async (...bytes: (Buffer | string)[]): Promise<Answer> => answerOf(await exchange(service.url, ...bytes));
  const post = async ({ type, body }: { type?: string; body: string | Buffer }, headers: Record<string, string> = {}) =>
    raw(postBytes(TAGS, { ...(type === undefined ? {} : { 'Content-Type': type }), ...headers }, body));

  describe.each(Object.entries(encodings))('%s', (_, encode) => {
    it.each(Object.entries(transports))('is read %s', async (_transport, send) => {
      const { name, text } = setTag(AMBIGUOUS);
      const { type, body } = encode(service.client.fields(text, 'set'));
      expectSuccess(await raw(...send(type, body)));
      expect(await descriptionOf(name)).toBe(AMBIGUOUS);
    });

    it('means get without an action, and has no parameters without a request', async () => {
      const { type, body } = encode(service.client.fields(undefined, undefined));
      const answer = await post({ type, body });
      expectSuccess(answer);
      expect(answer.data).toEqual(expect.any(Array));
    });

    it('is read when the client waits for 100 Continue first', async () => {
      const { type, body } = encode(service.client.fields('{"limit":1}', 'get'));
      const connection = await RawConnection.open(service.url);
      try {
        const bytes = postBytes(TAGS, { 'Content-Type': type, Expect: '100-continue' }, body);
        const head = bytes.length - Buffer.byteLength(body);
        await connection.write(bytes.subarray(0, head));
        const answer = connection.answer();
        await connection.write(bytes.subarray(head));
        const found = await answer;
        expect(found.interim).toEqual([100]);
        expectSuccess(answerOf(found));
      } finally {
        connection.close();
      }
    });

    it('is rejected when it is cut off, and the service continues', async () => {
      const { type, body } = encode(service.client.fields(setTag('x').text, 'set'));
      const before = await service.client.get('itembank/tagging/tags');
      const connection = await RawConnection.open(service.url);
      const half = body.slice(0, body.length / 2);
      await connection.write(
        postBytes(TAGS, { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) }, half),
      );
      connection.end();
      expectFailure(answerOf(await connection.answer()), 400, 20009);
      await connection.closed();
      expect((await service.client.get('itembank/tagging/tags')).data).toEqual(before.data);
    });
  });

  it('accepts the body of FormData and fetch', async () => {
    const { name, text } = setTag(AMBIGUOUS);
    const form = new FormData();
    for (const [field, value] of Object.entries(service.client.fields(text, 'set'))) form.set(field, value);
    expectSuccess(await service.client.send(TAGS, { method: 'POST', body: form }));
    expect(await descriptionOf(name)).toBe(AMBIGUOUS);
  });

  it('accepts a security object in a JSON body as well as its text', async () => {
    const { security, ...rest } = service.client.fields('{"limit":1}', 'get');
    const body = JSON.stringify({ ...rest, security: JSON.parse(security!) as object });
    expectSuccess(await post({ type: 'application/json; charset=utf-8', body }));
  });

  it('accepts fields in any order and ignores unknown ones', async () => {
    const { security, request, action } = service.client.fields('{"limit":1}', 'get');
    for (const encode of [formBody, phpBody, jsonBody])
      expectSuccess(
        await post(
          encode({ usrequest: '1', action: action!, __proto__x: '2', request: request!, security: security! }),
        ),
      );
    expectSuccess(
      await post({
        ...formBody({}),
        body: `__proto__=1&${formBody({ request: request!, security: security!, action: action! }).body}`,
      }),
    );
  });

  it('is answered uncompressed for Accept-Encoding: utf-8 (PHP) and for any other', async () => {
    for (const accepted of ['utf-8', 'gzip, deflate, br', 'identity;q=0']) {
      const { status, headers, body } = await exchange(
        service.url,
        postBytes(
          TAGS,
          { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Encoding': accepted },
          formBody(service.client.fields('{"limit":1}', 'get')).body,
        ),
      );
      expect([status, headers['content-encoding'], headers['transfer-encoding']]).toEqual([200, undefined, undefined]);
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
    }
  });

  it('ignores the X-Learnosity headers, which may be wrong', async () => {
    const { name, text } = setTag('by Java');
    const headers = {
      'X-Learnosity-Consumer': 'somebody-else',
      'X-Learnosity-Action': 'get_/itembank/items',
      'X-Learnosity-SDK': 'Java:0.18',
    };
    expectSuccess(await post(javaBody(service.client.fields(text, 'set')), headers));
    expect(await descriptionOf(name)).toBe('by Java');
    const read = await post(javaBody(service.client.fields(`{"names":["${name}"]}`, 'get')), {
      ...headers,
      'X-Learnosity-Action': 'set_/itembank/tagging/tags',
    });
    expect(read.data).toHaveLength(1);
  });

  // Each text comes from the JSON library of one SDK. The signature covers exactly this text.
  it.each([
    ['Python, with blanks', '{"types": ["Texts"], "names": ["тест/1"], "limit": 2}'],
    ['Python before 0.3.3', '{"types": ["Texts"], "names": ["\\u0442\\u0435\\u0441\\u0442/1"]}'],
    ['PHP with escaped slashes', '{"types":["Texts"],"names":["тест\\/1"],"include":[]}'],
    ['Java, keys in the order of a hash map', '{"names":["тест/1"],"limit":2.0,"types":["Texts"]}'],
    ['.NET, grouped by type', '{"limit":50,"types":["Texts"],"names":["тест/1"]}'],
    ['with blanks and ends of lines around', ' \r\n\t{"types":["Texts"],"names":["тест/1"]}\r\n '],
    ['limit as text', '{"types":["Texts"],"names":["тест/1"],"limit":"7"}'],
  ])('checks the signature over the text as sent: %s', async (_, text) => {
    await service.client.set('itembank/tagging/tags', { tags: [{ type: 'Texts', name: 'тест/1' }] });
    for (const encode of [formBody, phpBody, javaBody, jsonBody]) {
      const answer = await post(encode(service.client.fields(text, 'get')));
      expectSuccess(answer);
      expect(answer.data).toMatchObject([{ type: 'Texts', name: 'тест/1' }]);
    }
  });

  it.each([
    ['Node, Python', '1e-7'],
    ['Ruby', '1.0e-07'],
    ['Java', '1.0E-7'],
    ['PHP', '0.00000010'],
  ])('reads the number of %s', async (_, number) => {
    const text = `{"questions":[{"type":"mcq","reference":"number","data":{"small":${number},"whole":2.0}}]}`;
    expectSuccess(await service.client.call('itembank/questions', 'set', text));
    const { data } = await service.client.get('itembank/questions', { references: ['number'] });
    expect(data[0].data).toEqual({ small: 1e-7, whole: 2 });
  });

  it.each(['[]', '{}', '', ' [ ] '])('treats %j as a request without parameters', async (text) => {
    expectSuccess(await service.client.call('itembank/items', 'get', text));
  });

  it.each([
    ['raw control characters and illegal escapes, as Java sends them', '{"types":["a\nb\\u00"]}'],
    ['half of it', '{"types":["a"'],
    ['a text', '"types"'],
    ['a number', '7'],
    ['null', 'null'],
    ['a list', '[{"types":["a"]}]'],
    ['nothing but blanks', '   '],
    ['two objects', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['a comment', '{}//'],
    ['single quotes', "{'types':['a']}"],
    ['NaN', '{"limit":NaN}'],
  ])('rejects a signed request that is %s', async (_, text) => {
    for (const encode of [formBody, phpBody, jsonBody])
      expectFailure(await post(encode(service.client.fields(text, 'get'))), 400, 20009, /request/);
  });

  it('rejects a repeated field, because parsers that choose different ones would allow bypassing the signature', async () => {
    const fields = service.client.fields('{"limit":1}', 'get');
    const { type, body } = formBody(fields);
    const parts = Object.entries(fields).map(([name, value]) => ({
      headers: [`Content-Disposition: form-data; name="${name}"`],
      value,
    }));
    for (const [index, name] of Object.keys(fields).entries()) {
      const message = new RegExp(`${name} twice`);
      expectFailure(await post({ type, body: `${body}&${name}=%5B%5D` }), 400, 20009, message);
      expectFailure(await post({ type, body: `${name}=%5B%5D&${body}` }), 400, 20009, message);
      expectFailure(await post({ type, body: `${body}&${name}` }), 400, 20009, message);
      expectFailure(await post(multipartBody([...parts, parts[index]!])), 400, 20009, message);
    }
  });

  it.each([
    ['a lone percent sign', 'security=%'],
    ['half an escape', 'security=%4'],
    ['no hex', 'security=%zz'],
    ['no UTF-8', 'security=%ff%fe'],
    ['half of a character', 'security=%E2%98'],
    ['in the name', '%E0%A4%A=1'],
  ])('rejects a form with a malformed escape: %s', async (_, body) => {
    expectFailure(await post({ type: 'application/x-www-form-urlencoded', body }), 400, 20009, /percent/);
  });

  it.each([
    ['empty', ''],
    ['only separators', '&&&'],
    ['no known field', 'a=1&b=2'],
    ['a field without a value', 'security'],
  ])('reports missing security for a form that is %s', async (_, body) => {
    expectFailure(await post({ type: 'application/x-www-form-urlencoded', body }), 400, 41000, /security is missing/);
  });

  const multipart = 'multipart/form-data; boundary=x';
  const field = (name: string, value = '1') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  it.each([
    ['has no boundary in its type', 'multipart/form-data', `${field('security')}--x--\r\n`],
    ['has an empty boundary', 'multipart/form-data; boundary=', `${field('security')}--x--\r\n`],
    ['is empty', multipart, ''],
    ['has other boundaries than announced', 'multipart/form-data; boundary=y', `${field('security')}--x--\r\n`],
    ['ends without a last boundary', multipart, field('security')],
    [
      'ends within a part',
      multipart,
      `${field('security')}--x\r\nContent-Disposition: form-data; name="request"\r\n\r\n{}`,
    ],
    ['ends within the headers of a part', multipart, `${field('security')}--x\r\nContent-Disposition: form-da`],
    ['ends within a boundary', multipart, `${field('security')}--`],
    ['has a part without headers', multipart, '--x\r\n\r\n1\r\n--x--\r\n'],
    ['ends its lines with line feeds alone', multipart, `${field('security')}--x--\r\n`.replaceAll('\r', '')],
    ['is no multipart at all', multipart, '{"security":{}}'],
    ['has a header without end', multipart, `--x\r\n${'a'.repeat(100_000)}`],
    [
      'has a part with too long headers',
      multipart,
      `--x\r\nContent-Disposition: form-data; name="a"; b="${'a'.repeat(100_000)}"\r\n\r\n1\r\n--x--\r\n`,
    ],
  ])('rejects at once a multipart body that %s', async (_, type, body) => {
    for (const bytes of [
      [postBytes(TAGS, { 'Content-Type': type }, body)],
      postChunked(TAGS, { 'Content-Type': type }, body, 5000),
    ])
      expectFailure(await raw(...bytes), 400, 20009, /multipart/);
  });

  it.each([
    ['has a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--\r\n'],
    [
      'has a part of another disposition',
      '--x\r\nContent-Disposition: attachment; name="security"\r\n\r\n1\r\n--x--\r\n',
    ],
    ['has nothing but a last boundary', '--x--\r\n'],
    ['has text before and after its parts', `before\r\n${field('other')}--x--\r\nafter`],
  ])('reads nothing from a multipart body that %s', async (_, body) => {
    expectFailure(await post({ type: multipart, body }), 400, 41000, /security is missing/);
  });

  it.each([
    [
      'named as a file',
      'Content-Disposition: form-data; name="request"; filename="request.json"\r\nContent-Type: application/json',
    ],
    ['of bytes', 'Content-Disposition: form-data; name="request"\r\nContent-Type: application/octet-stream'],
  ])('rejects a part %s and says how to send it', async (_, headers) => {
    const { security, action } = service.client.fields('{}', 'get');
    const file = `--x\r\n${headers}\r\n\r\n${'{}'.repeat(50_000)}\r\n`;
    for (const body of [
      `${field('security', security)}${file}${field('action', action)}--x--\r\n`,
      `${file}${file}${field('security', security)}--x--\r\n`,
      // A file that never ends.
      `${field('security', security)}${file}`,
    ])
      for (const bytes of [
        [postBytes(TAGS, { 'Content-Type': multipart }, body)],
        postChunked(TAGS, { 'Content-Type': multipart }, body, 1000),
      ])
        expectFailure(await raw(...bytes), 400, 20009, /plain field/);
  });

  it.each([
    ['half an object', '{"security":', 20009],
    ['nothing', '', 20009],
    ['a text', '"security"', 20009],
    ['null', 'null', 20009],
    ['a request that is not a text', '{"security":"{}","request":{"limit":1}}', 20003],
    ['an action that is not a text', '{"security":"{}","action":["get"]}', 20003],
    ['an empty list', '[]', 41000],
    ['a security that is a number', '{"security":7}', 41000],
    ['a security that is true', '{"security":true}', 41000],
    ['a security that is null', '{"security":null}', 41000],
    ['a security that is a list', '{"security":[1]}', 41000],
    ['members of the prototype', '{"__proto__":{"security":"{}"}}', 41000],
  ])('rejects a JSON body that is %s', async (_, body, code) => {
    expectFailure(await post({ type: 'application/json', body }), 400, code);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/xml',
    'text/html; charset=utf-8',
    'application/jsonp',
    'nonsense',
    ';',
    'multipart/mixed; boundary=x',
  ])('rejects a body of type %s and lists the supported types', async (type) => {
    const { body } = formBody(service.client.fields('{}', 'get'));
    expectFailure(await post({ type, body }), 400, 20009, /application\/x-www-form-urlencoded or multipart\/form-data/);
  });

  it('reads the type of a body in any case', async () => {
    const { body } = formBody(service.client.fields('{"limit":1}', 'get'));
    expectSuccess(await post({ type: 'Application/X-WWW-Form-UrlEncoded;Charset="UTF-8"', body }));
    const parts = phpBody(service.client.fields('{"limit":1}', 'get'));
    expectSuccess(
      await post({ type: parts.type.replace('multipart/form-data', 'Multipart/Form-Data'), body: parts.body }),
    );
  });

  it.each(['a form', 'multipart', 'JSON'])('says that %s may not be compressed', async (kind) => {
    const encode = { 'a form': formBody, multipart: phpBody, JSON: jsonBody }[kind]!;
    const { type, body } = encode(service.client.fields('{"limit":1}', 'get'));
    const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
    expectFailure(await raw(postBytes(TAGS, headers, gzipSync(body))), 400, 20009, /uncompressed/);
  });

  it('reads a plain body whose Content-Encoding names a character set', async () => {
    const { type, body } = formBody(service.client.fields('{"limit":1}', 'get'));
    const headers = { 'Content-Type': type, 'Content-Encoding': 'utf-8' };
    expectSuccess(await raw(postBytes(TAGS, headers, body)));
  });

  it('reports missing security when there is no body', async () => {
    expectFailure(await raw(`POST ${TAGS} HTTP/1.1\r\nHost: x\r\n\r\n`), 400, 20009, /it came as no type/);
    expectFailure(
      await raw(`POST ${TAGS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`),
      400,
      41000,
    );
  });

  it('answers the next request on the same connection after each kind of failure', async () => {
    const good = postBytes(
      TAGS,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      formBody(service.client.fields('{"limit":1}', 'get')).body,
    );
    const connection = await RawConnection.open(service.url);
    try {
      for (const { type, body } of [
        { type: 'text/plain', body: 'x'.repeat(100_000) },
        { type: multipart, body: `${field('security')}--` },
        { type: 'multipart/form-data', body: 'x'.repeat(100_000) },
        { type: 'application/json', body: '{' },
        formBody({ security: '{}' }),
      ]) {
        await connection.write(postBytes(TAGS, { 'Content-Type': type }, body));
        expect((await connection.answer()).status).toBe(400);
        await connection.write(postBytes('/v1/nowhere', { 'Content-Type': type }, body));
        expect((await connection.answer()).status).toBe(404);
        await connection.write(good);
        expect((await connection.answer()).status).toBe(200);
      }
    } finally {
      connection.close();
    }
  });
});
