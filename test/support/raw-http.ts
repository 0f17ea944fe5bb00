import { connect, type Socket } from 'node:net';
import { type Answer } from './client';
import { HANG_MS } from './until';

/* HTTP at the level of bytes, without a client library. */

/** An answer as received. */
export interface RawAnswer {
  status: number;
  /** By lower-case name; the last value of a repeated header. */
  headers: Record<string, string>;
  body: string;
  /** Statuses of interim answers, such as 100. */
  interim: number[];
}

/** A connection on which a test writes arbitrary bytes. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private ended = false;
  private readonly waiting = new Set<() => void>();

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    for (const event of ['end', 'close', 'error'])
      socket.on(event, () => {
        this.ended = true;
        this.wake();
      });
  }

  /** @param allowHalfOpen whether this side stays open when the other side ends the connection. */
  static async open(url: string, { allowHalfOpen = false } = {}): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  /** Writes and waits until the other side accepts the bytes. */
  async write(bytes: string | Buffer): Promise<void> {
    if (this.socket.destroyed || this.socket.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.socket.off('drain', done).off('close', done);
        resolve();
      };
      this.socket.on('drain', done).on('close', done);
    });
  }

  /** Ends this side; answers can still be read. */
  end(): void {
    this.socket.end();
  }

  /** Returns the next answer that is not interim. Fails when the connection ends first, or after `HANG_MS`. */
  async answer(): Promise<RawAnswer> {
    const interim: number[] = [];
    for (;;) {
      const answer = await this.wait(() => this.take());
      if (answer.status >= 200) return { ...answer, interim };
      interim.push(answer.status);
    }
  }

  /** Waits until the server has ended the connection. */
  async closed(): Promise<void> {
    await this.wait(() => this.ended || undefined);
  }

  close(): void {
    this.socket.destroy();
  }

  private take(): Omit<RawAnswer, 'interim'> | undefined {
    const end = this.received.indexOf('\r\n\r\n');
    if (end >= 0) {
      const [first, ...lines] = this.received.subarray(0, end).toString('latin1').split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first!)?.[1]);
      const total = end + 4 + (status < 200 ? 0 : Number(headers['content-length'] ?? 0));
      if (this.received.length >= total) {
        const body = this.received.subarray(end + 4, total).toString('utf8');
        this.received = this.received.subarray(total);
        return { status, headers, body };
      }
    }
    if (this.ended)
      throw new Error(`The connection ended without an answer, after ${this.received.length} bytes of one.`);
    return undefined;
  }

  private wait<T>(ready: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`No answer within ${HANG_MS} ms.`));
      }, HANG_MS);
      const check = () => {
        try {
          const found = ready();
          if (found === undefined) return;
          resolve(found);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        clearTimeout(timer);
        this.waiting.delete(check);
      };
      this.waiting.add(check);
      check();
    });
  }

  private wake(): void {
    for (const check of [...this.waiting]) check();
  }
}

/** Sends one request as these bytes on a new connection and reads the answer. */
export async function exchange(url: string, ...bytes: (string | Buffer)[]): Promise<RawAnswer> {
  const connection = await RawConnection.open(url);
  try {
    for (const each of bytes) await connection.write(each);
    return await connection.answer();
  } finally {
    connection.close();
  }
}

/** Converts a raw answer to the form that the test client returns. */
export function answerOf({ status, headers, body }: RawAnswer): Answer {
  const { meta, data } = JSON.parse(body) as Pick<Answer, 'meta' | 'data'>;
  return { status, headers: new Headers(headers), meta, data, text: body };
}

/** The head of a POST. */
export function headBytes(path: string, headers: Record<string, string>): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

/** A POST with these headers and this body. Adds its length unless `headers` has one. */
export function postBytes(path: string, headers: Record<string, string>, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([headBytes(path, { 'Content-Length': String(bytes.length), ...headers }), bytes]);
}

/** The same POST in chunks of `size` bytes, without a Content-Length. */
export function postChunked(
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  size: number,
): Buffer[] {
  const bytes = Buffer.from(body);
  const chunks = [headBytes(path, { 'Transfer-Encoding': 'chunked', ...headers })];
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size);
    chunks.push(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
  }
  return [...chunks, Buffer.from('0\r\n\r\n')];
}

/** The three fields of a call in a body encoding that clients use. */
export interface EncodedBody {
  type: string;
  body: string;
}

type Fields = Record<string, string>;

/** `+` for a blank and upper-case hex, as Node, Python and Ruby encode. */
export function formBody(fields: Fields): EncodedBody {
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() };
}

/** Lower-case hex, as ASP.NET encodes. */
export function lowerCaseFormBody(fields: Fields): EncodedBody {
  const { type, body } = formBody(fields);
  return { type, body: body.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()) };
}

const BOUNDARY = '------------------------f0a1b2c3d4e5f607';

/** Parts without a content type, as cURL sends them, and so PHP. */
export function phpBody(fields: Fields): EncodedBody {
  return multipartBody(
    Object.entries(fields).map(([name, value]) => ({
      headers: [`Content-Disposition: form-data; name="${name}"`],
      value,
    })),
  );
}

/** Parts with types and in another order, as Apache's client sends them, and so Java. */
export function javaBody({ request, security, action }: Fields): EncodedBody {
  const json = 'Content-Type: application/json; charset=UTF-8';
  const part = (name: string, value: string | undefined, type: string) =>
    value === undefined
      ? []
      : [
          {
            headers: [`Content-Disposition: form-data; name="${name}"`, type, 'Content-Transfer-Encoding: 8bit'],
            value,
          },
        ];
  return multipartBody([
    ...part('request', request, json),
    ...part('security', security, json),
    ...part('action', action, 'Content-Type: text/plain; charset=ISO-8859-1'),
  ]);
}

export function multipartBody(parts: { headers: string[]; value: string }[]): EncodedBody {
  const lines = parts.map(({ headers, value }) => `--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n${value}\r\n`);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: `${lines.join('')}--${BOUNDARY}--\r\n` };
}

export function jsonBody(fields: Fields): EncodedBody {
  return { type: 'application/json', body: JSON.stringify(fields) };
}
