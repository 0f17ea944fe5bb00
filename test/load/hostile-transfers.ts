import { setTimeout as sleep } from 'node:timers/promises';
import { declarationOf } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { schemaOf, typesOf } from '../support/declared-members';
import { ORIGIN } from '../support/page';
import { headBytes, RawConnection } from '../support/raw-http';
import { HOUR } from '../support/time';
import { headersOf, operationOfPerson } from './console-requests';
import { type Callers, type Judge, judgeEnvelope, judgeOperation, judgePage } from './fuzz-source';
import { FORM, formCall, type HttpCall, jsonCall, sendCall } from './http-call';
import { type Random } from '../support/random';

/* Large, slow and cut requests. Each round of a run sends a few of them beside the others. */

/** The limits of the API. Only that of uploads is set by `fuzz`; it is lower than usual. */
const MAX_BODY = 20 * 1024 * 1024;
const MAX_PAGE_BODY = 2 * 1024 * 1024;
const MAX_CONSOLE_BODY = 100_000;
export const MAX_UPLOAD = 8 * 1024 * 1024;
const LONG_LIST = 100_000;

/** How long a reader stalls, and a writer waits before it closes the connection. */
const STALL_MS = 2_000;
/** The number of answers that a stalled reader requests. Together, they exceed the buffers of the connection. */
const UNREAD_ANSWERS = 40;

interface Transfer {
  name: string;
  /** Returns what is wrong. */
  run(callers: Callers, random: Random, maxMs: number): Promise<string | undefined>;
}

/** Sends a whole request and judges the answer. `mustFail`: the request exceeds a limit. */
const sendWhole = (
  name: string,
  judge: Judge,
  mustFail: boolean,
  make: (callers: Callers, random: Random) => HttpCall | Promise<HttpCall>,
): Transfer => ({
  name,
  run: async (callers, random, maxMs) => {
    const answer = await sendCall(callers.url, await make(callers, random), maxMs);
    const outcome = judge(answer);
    const shown = `${answer.status} ${answer.text.slice(0, 500)}`;
    if (typeof outcome !== 'string') return `${outcome.fault}: ${shown}`;
    if (answer.status >= 500) return `The service failed: ${shown}`;
    return mustFail && outcome === 'succeeded' ? `It was accepted: ${shown}` : undefined;
  },
});

/** JSON text of this many bytes. */
const textOf = (bytes: number, head = '{"x":"', tail = '"}') =>
  `${head}${'x'.repeat(Math.max(0, bytes - head.length - tail.length))}${tail}`;

/** Every declared list of every operation. */
const LISTS = operations.map(declarationOf).flatMap((declaration) => {
  const { properties = {} } = schemaOf(declaration);
  return Object.entries(properties)
    .filter(([, schema]) => typesOf(schema).includes('array'))
    .map(([name, { items }]) => ({ ...declaration, name, isOfText: typesOf(items ?? {}).includes('string') }));
});

const signedCall = ({ client }: Callers, path: string, action: string, text: string) =>
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
  sendWhole('a list of 100,000 entries', judgeOperation, false, (callers, random) => {
    const { path, action, name, isOfText } = LISTS[random(LISTS.length)]!;
    const entry = isOfText ? '"good0"' : ['{}', 'null', '{"reference":"good0"}', '[]'][random(4)]!;
    return signedCall(callers, path, action, `{"${name}":[${new Array(LONG_LIST).fill(entry).join(',')}]}`);
  }),
  sendWhole('100,000 members', judgeOperation, false, (callers, random) => {
    const { path, action, name } = LISTS[random(LISTS.length)]!;
    const members = Array.from({ length: LONG_LIST }, (_, index) => `"m${index}":1`);
    return signedCall(callers, path, action, `{"${name}":[{${members.join(',')}}]}`);
  }),
  sendWhole('100,000 responses', judgePage, true, (callers, random) => {
    const responses = Array.from({ length: LONG_LIST }, (_, index) => `"${index}":null`);
    return pageCall(callers, random, `{"save_number":1,"responses":{${responses.join(',')}}}`);
  }),
  sendWhole('a start with 100,000 items', judgePage, true, () => {
    const items = new Array(LONG_LIST).fill('"i-1"').join(',');
    return jsonCall('POST', '/delivery/v1/sessions', `{"security":{},"request":"{}","items":[${items}]}`, {
      Origin: ORIGIN,
    });
  }),
  sendWhole('a list of 100,000 roles', judgeEnvelope, true, (callers) =>
    consoleCall(callers, `{"email":"a@b.example","roles":[${new Array(LONG_LIST).fill(1).join(',')}]}`),
  ),
  sendWhole('a question of a megabyte', judgeOperation, false, (callers) =>
    signedCall(callers, 'itembank/questions', 'set', question(1_000_000, '"type":"mcq",')),
  ),
  sendWhole('a question of many megabytes without a type', judgeOperation, true, (callers, random) =>
    signedCall(callers, 'itembank/questions', 'set', question(1_000_000 * (1 + random(12)))),
  ),
  sendWhole('a body just within the limit', judgeOperation, true, (callers) =>
    signedCall(callers, 'itembank/questions', 'set', question(MAX_BODY - 2_000)),
  ),
  sendWhole('a body just above the limit', judgeOperation, true, () => ({
    ...formCall('/v1/itembank/items', {}),
    body: `request=${'x'.repeat(MAX_BODY)}`,
  })),
  sendWhole('a body of a person just above the limit', judgeOperation, true, (callers) =>
    operationOfPerson(callers, 'itembank/items', 'get', textOf(MAX_BODY)),
  ),
  sendWhole('a body of a page just within the limit', judgePage, false, (callers, random) =>
    pageCall(callers, random, textOf(MAX_PAGE_BODY, '{"save_number":1,"responses":{"x":{"value":"', '"}}}')),
  ),
  sendWhole('a body of a page just above the limit', judgePage, true, (callers, random) =>
    pageCall(callers, random, textOf(MAX_PAGE_BODY + 1)),
  ),
  sendWhole('a body of the console just above the limit', judgeEnvelope, true, (callers) =>
    consoleCall(callers, textOf(MAX_CONSOLE_BODY + 1)),
  ),
  sendWhole('an upload just within the limit', judgeEnvelope, false, (callers, random) =>
    uploadCall(callers, random, MAX_UPLOAD),
  ),
  sendWhole('an upload just above the limit', judgeEnvelope, true, (callers, random) =>
    uploadCall(callers, random, MAX_UPLOAD + 1),
  ),
];

/** Requests that stop in the middle. */
const CUT_CALLS: readonly ((callers: Callers, random: Random) => HttpCall | Promise<HttpCall>)[] = [
  (callers) => signedCall(callers, 'itembank/questions', 'set', question(300_000)),
  (callers) => signedCall(callers, 'itembank/items', 'get', '{}'),
  (callers, random) => pageCall(callers, random, textOf(300_000)),
  (callers) => consoleCall(callers, textOf(50_000)),
  (callers) => operationOfPerson(callers, 'itembank/questions', 'set', question(300_000)),
  (callers, random) => uploadCall(callers, random, 300_000),
  () => ({ method: 'POST', path: '/v1/itembank/items', headers: { 'Content-Type': FORM }, body: 'request=%7B' }),
];

const cutRequest: Transfer = {
  name: 'a request that is cut',
  run: async (callers, random) => {
    const { method, path, headers, body = '' } = await CUT_CALLS[random(CUT_CALLS.length)]!(callers, random);
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
    // Half of the connections announce their end; the others break.
    if (random(2) === 0) connection.end();
    else connection.close();
    await sleep(200);
    connection.close();
    return undefined;
  },
};

/** Asks for many large answers, reads some bytes of them or none, and closes the connection. */
const stalledReader: Transfer = {
  name: 'a reader that stalls',
  run: async (callers, random) => {
    const connection = await RawConnection.open(callers.url);
    const isSlow = random(2) === 0;
    connection.socket.pause();
    const { host } = new URL(callers.url);
    for (let count = 0; count < UNREAD_ANSWERS; count++) {
      const {
        body = '',
        path,
        headers,
      } = random(2) === 0
        ? signedCall(callers, 'itembank/items', 'get', '{"limit":1000}')
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

const TRANSFERS = [...WHOLE, cutRequest, cutRequest, cutRequest, stalledReader];

/** Runs some transfers one after the other, and reports what was wrong. */
export async function runTransfers(
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
