import { Readable } from 'node:stream';
import { request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import {
  answerOf,
  type EncodedBody,
  formBody,
  headBytes,
  jsonBody,
  phpBody,
  postBytes,
  RawConnection,
} from '../support/raw-http';
import { serviceOfSuite, startService, type TestService } from '../support/service';

const MB = 1024 * 1024;
/** Measures memory in use, after garbage collection. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** A limit so low that the buffers of a socket hold less than forty times as much. */
const LOW_LIMIT = MB / 2;
const PATH = '/v1/itembank/questions';
const encodings: [name: string, encode: (fields: Record<string, string>) => EncodedBody][] = [
  ['a form', formBody],
  ['multipart', phpBody],
  ['JSON', jsonBody],
];

// Whether a body is read does not depend on the database, so one engine is enough.
describe.each(anEngine(__filename))('bodies at the limit on %s', (engine) => {
  /** A service with the default limit. */
  const service = serviceOfSuite(() => startService(engine));
  /** A service with a lower limit, so that multiples of it are quick to send. */
  const small = serviceOfSuite(() => startService(engine, { MAX_BODY_BYTES: String(LOW_LIMIT) }));

  /** A signed read whose body has exactly `bytes` bytes, filled up by an unknown member. */
  const filled = (
    at: TestService,
    bytes: number,
    encode: (fields: Record<string, string>) => EncodedBody,
  ): EncodedBody => {
    const padded = (length: number) =>
      encode(at.client.fields(JSON.stringify({ limit: 1, padding: 'x'.repeat(length) }), 'get'));
    const bare = Buffer.byteLength(padded(0).body);
    const body = padded(bytes - bare);
    expect(Buffer.byteLength(body.body)).toBe(bytes);
    return body;
  };

  describe.each(encodings)('as %s', (_, encode) => {
    it('are accepted up to exactly 20 MB', async () => {
      const { type, body } = filled(service, 20 * MB, encode);
      const answer = await service.client.send(PATH, { method: 'POST', body, headers: { 'Content-Type': type } });
      expectSuccess(answer);
    });

    it('are rejected with 413 one byte above the limit', async () => {
      const { type, body } = filled(service, 20 * MB + 1, encode);
      const answer = await service.client.send(PATH, { method: 'POST', body, headers: { 'Content-Type': type } });
      expectFailure(answer, 413, 20001, /larger than 20971520 bytes; send fewer/);
    });

    // A client that is still sending must get the answer, however much is left.
    describe.each([
      ['one byte more than the limit', LOW_LIMIT + 1],
      ['twice the limit', 2 * LOW_LIMIT],
      ['forty times the limit', 40 * LOW_LIMIT],
    ])('of %s', (_size, bytes) => {
      const block = Buffer.alloc(65_536, 'x');
      function* blocks() {
        for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
      }
      const { type } = encode({ security: '{}' });
      const expectRejection = (answer: Answer) => expectFailure(answer, 413, 20001, /larger than 524288 bytes/);

      it('are answered to fetch, with a length and without', async () => {
        const init = { method: 'POST', headers: { 'Content-Type': type } };
        expectRejection(await small.client.send(PATH, { ...init, body: Buffer.concat([...blocks()]) }));
        const streamed = {
          ...init,
          body: Readable.toWeb(Readable.from(blocks())) as ReadableStream,
          duplex: 'half',
        } as RequestInit;
        expectRejection(await small.client.send(PATH, streamed));
      });

      it.each([
        ['a length', { 'Content-Length': String(bytes) }],
        ['no length', { 'Transfer-Encoding': 'chunked' }],
        ['100-continue', { 'Content-Length': String(bytes), Expect: '100-continue' }],
      ])('are answered to http.request with %s', async (_header, headers) => {
        const answer = await new Promise<Answer>((resolve, reject) => {
          const sending = request(small.url + PATH, { method: 'POST', headers: { 'Content-Type': type, ...headers } });
          sending.on('response', (response) => {
            response.setEncoding('utf8');
            response
              .toArray()
              // The unsent rest would keep the connection open.
              .finally(() => sending.destroy())
              .then((texts) =>
                answerOf({
                  status: response.statusCode!,
                  headers: response.headers as Record<string, string>,
                  body: texts.join(''),
                  interim: [],
                }),
              )
              .then(resolve, reject);
          });
          sending.on('error', reject);
          Readable.from(blocks()).pipe(sending);
        });
        expectRejection(answer);
      });

      it('are answered to a client that reads only after it has sent everything', async () => {
        const connection = await RawConnection.open(small.url);
        try {
          connection.socket.pause();
          await connection.write(headBytes(PATH, { 'Content-Type': type, 'Content-Length': String(bytes) }));
          for (const each of blocks()) await connection.write(each);
          connection.socket.resume();
          expectRejection(answerOf(await connection.answer()));
          // The connection can be used for the next request.
          const next = formBody(small.client.fields('{"limit":1}', 'get'));
          await connection.write(postBytes(PATH, { 'Content-Type': next.type }, next.body));
          expectSuccess(answerOf(await connection.answer()));
        } finally {
          connection.close();
        }
      });
    });
  });

  it('are not kept in memory beyond the limit', async () => {
    const block = Buffer.alloc(65_536, 'x');
    collectGarbage();
    const before = process.memoryUsage();
    let most = 0;
    let blocks = 0;
    await Promise.all(
      encodings.flatMap(([, encode]) =>
        [true, false].map(async (declared) => {
          const connection = await RawConnection.open(small.url);
          const { type } = encode({ security: '{}' });
          const [chunk, length] = declared
            ? [block, { 'Content-Length': String(100 * MB) }]
            : [
                Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')]),
                { 'Transfer-Encoding': 'chunked' },
              ];
          await connection.write(headBytes(PATH, { 'Content-Type': type, ...length }));
          for (let sent = 0; sent < 100 * MB; sent += block.length) {
            await connection.write(chunk);
            // Measures only every 32 MB, because a garbage collection takes longer than sending.
            if (++blocks % 512 !== 0) continue;
            collectGarbage();
            const { arrayBuffers, heapUsed } = process.memoryUsage();
            most = Math.max(most, arrayBuffers + heapUsed);
          }
          expectFailure(answerOf(await connection.answer()), 413, 20001);
          connection.close();
        }),
      ),
    );
    // 600 MB were sent. Client and service share this process.
    expect((most - before.arrayBuffers - before.heapUsed) / MB).toBeLessThan(100);
  });
});

describe.each(anEngine(__filename))('large bodies on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  it('are stored and read back with large questions', async () => {
    const stimulus = `<p>${'What is 1 &lt; 2? Ünd wärum? '.repeat(12_000)}</p>`;
    const questions = Array.from({ length: 50 }, (_, index) => ({
      type: 'mcq',
      reference: `rich${index}`,
      data: { type: 'mcq', stimulus: `${stimulus}${index}`, options: [{ label: 'a', value: '0' }] },
    }));
    const { type, body } = phpBody(service.client.fields(JSON.stringify({ questions }), 'set'));
    expect(Buffer.byteLength(body) / MB).toBeGreaterThan(17);
    expectSuccess(await service.client.send(PATH, { method: 'POST', body, headers: { 'Content-Type': type } }));
    const { data } = await service.client.get('itembank/questions', { references: ['rich0', 'rich49'], sort: 'asc' });
    expect(data.map((question: { data: unknown }) => question.data)).toEqual([questions[0]!.data, questions[49]!.data]);
  });

  it('are stored and read back with one large question, or rejected where the database cannot store it', async () => {
    const data = { type: 'mcq', stimulus: 'x'.repeat(19 * MB) };
    const { type, body } = phpBody(
      service.client.fields(JSON.stringify({ questions: [{ type: 'mcq', reference: 'huge', data }] }), 'set'),
    );
    const answer = await service.client.send(PATH, { method: 'POST', body, headers: { 'Content-Type': type } });
    // By default MariaDB accepts 16 MB per statement; SQLite and MySQL accept more.
    if (answer.status !== 200 && engine === 'mariadb') expectFailure(answer, 413, 20001, /max_allowed_packet/);
    else expectSuccess(answer);
    const read = await service.client.get('itembank/questions', { references: ['huge'] });
    expect(read.data).toHaveLength(answer.status === 200 ? 1 : 0);
    if (answer.status === 200) expect(read.data[0].data.stimulus).toHaveLength(19 * MB);
  });

  it.each([
    ['itembank/items', { references: ['x'.repeat(17 * MB)] }],
    ['itembank/items', { references: ["'".repeat(9 * MB)] }],
    ['itembank/items', { item_pool_id: 'x'.repeat(17 * MB) }],
    ['itembank/questions', { types: ['x'.repeat(17 * MB)] }],
  ])('find nothing, or are rejected, when they search %s for large texts: %#', async (path, request) => {
    const { type, body } = phpBody(service.client.fields(JSON.stringify(request), 'get'));
    const answer = await service.client.send(path, { method: 'POST', body, headers: { 'Content-Type': type } });
    if (engine === 'mariadb') expectFailure(answer, 413, 20001, /max_allowed_packet/);
    else expect([200, 400]).toContain(answer.status);
  });
});
