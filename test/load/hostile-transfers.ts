import { setTimeout as sleep } from 'node:timers/promises';
import { declarationOf } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { schemaOf, typesOf } from '../support/declared-members';
import { ORIGIN } from '../support/page';
import { headBytes, RawConnection } from '../support/raw-http';
import { headersOf, operationOfPerson } from './console-requests';
import { type Callers, type Judge, judgeByEnvelope, judgeOfOperation, judgeOfPage } from './fuzz-source';
import { FORM, formCall, type HttpCall, jsonCall, sendCall } from './http-call';

/* Requests that are large, slow or cut. Each round of a run sends a few of them beside the others. */

/** The limits of the process, except that of uploads, which `fuzz` sets lower than usual. */
const MAX_BODY = 20 * 1024 * 1024;
const MAX_PAGE_BODY = 2 * 1024 * 1024;
const MAX_CONSOLE_BODY = 100_000;
export const MAX_UPLOAD = 8 * 1024 * 1024;
const LONG_LIST = 100_000;
const HOUR = 3_600_000;

/** How long a reader stalls, and a writer waits before it closes the connection. */
const STALL_MS = 2_000;
/** Answers that a stalled reader asks for. Together, they are larger than the buffers of the connection. */
const UNREAD = 40;

type Random = (below: number) => number;

interface Transfer {
  name: string;
  /** Returns what is wrong. */
  run(callers: Callers, random: Random, maxMs: number): Promise<string | undefined>;
}

/** Sends a whole request and judges the answer. `mustFail`: the request exceeds a limit. */
const whole = (
  name: string,
  judge: Judge,
  mustFail: boolean,
  make: (callers: Callers, random: Random) => HttpCall | Promise<HttpCall>,
): Transfer => ({
  name,
  run: async (callers, random, maxMs) => {
    const answer = await sendCall(callers.url, await make(callers, random), maxMs);
    const outcome = judge(answer);
    const told = `${answer.status} ${answer.text.slice(0, 500)}`;
    if (typeof outcome !== 'string') return `${outcome.fault}: ${told}`;
    if (answer.status >= 500) return `The service failed: ${told}`;
    return mustFail && outcome === 'succeeded' ? `It was accepted: ${told}` : undefined;
  },
});

/** JSON text of this many bytes. */
const textOf = (bytes: number, head = '{"x":"', tail = '"}') =>
  `${head}${'x'.repeat(Math.max(0, bytes - head.length - tail.length))}${tail}`;

/** Every declared list of an operation that writes or reads, with its place. */
const LISTS = operations.map(declarationOf).flatMap((declaration) => {
  const { properties = {} } = schemaOf(declaration);
  return Object.entries(properties)
    .filter(([, schema]) => typesOf(schema).includes('array'))
    .map(([name, { items }]) => ({ ...declaration, name, isOfText: typesOf(items ?? {}).includes('string') }));
});

const signed = ({ client }: Callers, path: string, action: string, text: string) =>
  formCall(`/v1/${path}`, client.fields(text, action));

const tokenOf = ({ tests }: Callers, random: Random) => tests[random(tests.length)]!.token;
const pageCall = (callers: Callers, random: Random, body: string) =>
  jsonCall('PUT', '/delivery/v1/sessions/current/responses', body, {
    Origin: ORIGIN,
    Authorization: `Bearer ${tokenOf(callers, random)}`,
  });
const consoleCall = (callers: Callers, body: string): HttpCall =>
  jsonCall('POST', '/console/people', body, headersOf(callers, callers.operator));
const uploadCall = async (callers: Callers, random: Random, bytes: number): Promise<HttpCall> => ({
  method: 'PUT',
  path: await callers.uploadPath(`fuzz/large${random(3)}.bin`, 'text/plain', Date.now() + HOUR),
  headers: { 'Content-Type': 'text/plain' },
  body: 'x'.repeat(bytes),
});
/** A question with a long stimulus. Without a type, it is refused. */
const question = (bytes: number, type = '') =>
  textOf(bytes, `{"questions":[{${type}"reference":"large","data":{"stimulus":"`, '"}}]}');

const WHOLE: readonly Transfer[] = [
  whole('a list of 100,000 entries', judgeOfOperation, false, (callers, random) => {
    const { path, action, name, isOfText } = LISTS[random(LISTS.length)]!;
    const entry = isOfText ? '"good0"' : ['{}', 'null', '{"reference":"good0"}', '[]'][random(4)]!;
    return signed(callers, path, action, `{"${name}":[${new Array(LONG_LIST).fill(entry).join(',')}]}`);
  }),
  whole('100,000 members', judgeOfOperation, false, (callers, random) => {
    const { path, action, name } = LISTS[random(LISTS.length)]!;
    const members = Array.from({ length: LONG_LIST }, (_, index) => `"m${index}":1`);
    return signed(callers, path, action, `{"${name}":[{${members.join(',')}}]}`);
  }),
  whole('100,000 responses', judgeOfPage, true, (callers, random) => {
    const responses = Array.from({ length: LONG_LIST }, (_, index) => `"${index}":null`);
    return pageCall(callers, random, `{"save_number":1,"responses":{${responses.join(',')}}}`);
  }),
  whole('a start with 100,000 items', judgeOfPage, true, () => {
    const items = new Array(LONG_LIST).fill('"i-1"').join(',');
    return jsonCall('POST', '/delivery/v1/sessions', `{"security":{},"request":"{}","items":[${items}]}`, {
      Origin: ORIGIN,
    });
  }),
  whole('a list of 100,000 roles', judgeByEnvelope, true, (callers) =>
    consoleCall(callers, `{"email":"a@b.example","roles":[${new Array(LONG_LIST).fill(1).join(',')}]}`),
  ),
  whole('a question of a megabyte', judgeOfOperation, false, (callers) =>
    signed(callers, 'itembank/questions', 'set', question(1_000_000, '"type":"mcq",')),
  ),
  whole('a question of many megabytes without a type', judgeOfOperation, true, (callers, random) =>
    signed(callers, 'itembank/questions', 'set', question(1_000_000 * (1 + random(12)))),
  ),
  whole('a body just within the limit', judgeOfOperation, true, (callers) =>
    signed(callers, 'itembank/questions', 'set', question(MAX_BODY - 2_000)),
  ),
  whole('a body just above the limit', judgeOfOperation, true, () => ({
    ...formCall('/v1/itembank/items', {}),
    body: `request=${'x'.repeat(MAX_BODY)}`,
  })),
  whole('a body of a person just above the limit', judgeOfOperation, true, (callers) =>
    operationOfPerson(callers, 'itembank/items', 'get', textOf(MAX_BODY)),
  ),
  whole('a body of a page just within the limit', judgeOfPage, false, (callers, random) =>
    pageCall(callers, random, textOf(MAX_PAGE_BODY, '{"save_number":1,"responses":{"x":{"value":"', '"}}}')),
  ),
  whole('a body of a page just above the limit', judgeOfPage, true, (callers, random) =>
    pageCall(callers, random, textOf(MAX_PAGE_BODY + 1)),
  ),
  whole('a body of the console just above the limit', judgeByEnvelope, true, (callers) =>
    consoleCall(callers, textOf(MAX_CONSOLE_BODY + 1)),
  ),
  whole('an upload just within the limit', judgeByEnvelope, false, (callers, random) =>
    uploadCall(callers, random, MAX_UPLOAD),
  ),
  whole('an upload just above the limit', judgeByEnvelope, true, (callers, random) =>
    uploadCall(callers, random, MAX_UPLOAD + 1),
  ),
];

/** Requests that stop in the middle. */
const CALLS: readonly ((callers: Callers, random: Random) => HttpCall | Promise<HttpCall>)[] = [
  (callers) => signed(callers, 'itembank/questions', 'set', question(300_000)),
  (callers) => signed(callers, 'itembank/items', 'get', '{}'),
  (callers, random) => pageCall(callers, random, textOf(300_000)),
  (callers) => consoleCall(callers, textOf(50_000)),
  (callers) => operationOfPerson(callers, 'itembank/questions', 'set', question(300_000)),
  (callers, random) => uploadCall(callers, random, 300_000),
  () => ({ method: 'POST', path: '/v1/itembank/items', headers: { 'Content-Type': FORM }, body: 'request=%7B' }),
];

const cut: Transfer = {
  name: 'a request that is cut',
  run: async (callers, random) => {
    const { method, path, headers, body = '' } = await CALLS[random(CALLS.length)]!(callers, random);
    const bytes = Buffer.from(body);
    const isChunked = random(2) === 0;
    const length: Record<string, string> = isChunked
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(bytes.length) };
    const connection = await RawConnection.open(callers.url);
    const head = headBytes(path, { Host: new URL(callers.url).host, ...headers, ...length }).toString('latin1');
    await connection.write(head.replace(/^POST/, method));
    const sent = bytes.subarray(0, random(bytes.length));
    if (isChunked && sent.length > 0) await connection.write(`${sent.length.toString(16)}\r\n`);
    await connection.write(sent);
    await sleep(random(STALL_MS));
    // With and without a warning to the other side.
    if (random(2) === 0) connection.end();
    else connection.close();
    await sleep(200);
    connection.close();
    return undefined;
  },
};

/** Asks for many large answers, reads some bytes of them or none, and closes the connection. */
const unread: Transfer = {
  name: 'a reader that stalls',
  run: async (callers, random) => {
    const connection = await RawConnection.open(callers.url);
    const isSlow = random(2) === 0;
    connection.socket.pause();
    const { host } = new URL(callers.url);
    for (let count = 0; count < UNREAD; count++) {
      const {
        body = '',
        path,
        headers,
      } = random(2) === 0
        ? signed(callers, 'itembank/items', 'get', '{"limit":1000}')
        : operationOfPerson(callers, 'itembank/questions', 'get', '{"limit":1000}');
      const length = String(Buffer.byteLength(body));
      const bytes = Buffer.concat([
        headBytes(path, { Host: host, ...headers, 'Content-Length': length }),
        Buffer.from(body),
      ]);
      // The service may stop reading while its answers are not read.
      await Promise.race([connection.write(bytes), sleep(100)]);
    }
    for (const until = Date.now() + STALL_MS; Date.now() < until; await sleep(50))
      if (isSlow) connection.socket.read(1_000);
    connection.close();
    return undefined;
  },
};

const TRANSFERS = [...WHOLE, cut, cut, cut, unread];

/** Runs some transfers one after the other, and reports what was wrong. */
export async function transfers(
  callers: Callers,
  { count, first, random, maxMs }: { count: number; first: number; random: Random; maxMs: number },
): Promise<string[]> {
  const faults: string[] = [];
  for (let index = 0; index < count; index++) {
    const { name, run } = TRANSFERS[(first + index) % TRANSFERS.length]!;
    const fault = await run(callers, random, maxMs).catch((error: unknown) => `There was no answer: ${String(error)}`);
    if (fault) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

export const KINDS_OF_TRANSFERS = TRANSFERS.length;
