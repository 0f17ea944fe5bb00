import { connect, type Socket } from 'node:net';
import { type Prepared } from './requests';

/** A minimal keep-alive connection, so that the load costs as little as possible. */
export class Client {
  private received: Buffer[] = [];
  private bytes = 0;
  /** Length of the whole answer, once its head has arrived. */
  private expected: number | undefined;
  private headBytes = 0;
  private settle: { resolve(body: Buffer): void; reject(error: Error): void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.settle?.reject(error));
    socket.on('close', () => this.settle?.reject(new Error('The connection was closed before the answer.')));
  }

  static open(port: number): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Client(socket)));
      socket.once('error', reject);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** The body of the answer. @throws Error for any other status than 200. */
  send(request: Prepared): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.socket.write(request);
    });
  }

  private take(chunk: Buffer): void {
    this.received.push(chunk);
    this.bytes += chunk.length;
    if (this.expected === undefined) this.readHead();
    if (this.expected === undefined || this.bytes < this.expected) return;
    const whole = this.whole();
    const [{ resolve, reject }, body] = [this.settle!, whole.subarray(this.headBytes)];
    this.received = [];
    this.bytes = 0;
    this.expected = undefined;
    if (whole.toString('latin1', 9, 12) === '200') resolve(body);
    else reject(new Error(`Answered with ${whole.toString('latin1', 9, 12)}: ${body.toString('utf8', 0, 500)}`));
  }

  private readHead(): void {
    const whole = this.whole();
    const end = whole.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = /content-length: (\d+)/i.exec(whole.toString('latin1', 0, end))?.[1];
    if (length === undefined) return this.settle?.reject(new Error('The answer has no Content-Length.'));
    this.headBytes = end + 4;
    this.expected = this.headBytes + Number(length);
  }

  private whole(): Buffer {
    if (this.received.length > 1) this.received = [Buffer.concat(this.received)];
    return this.received[0]!;
  }
}

const CONNECTIONS = 8;

/** Measures the throughput of 8 connections. Each sends its next request after the last answer. */
export async function load(
  port: number,
  next: () => Prepared,
  seconds: number,
): Promise<{ answered: number; perSecond: number }> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => Client.open(port)));
  try {
    let answered = 0;
    const start = performance.now();
    const until = start + seconds * 1000;
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < until) {
          await client.send(next());
          answered++;
        }
      }),
    );
    return { answered, perSecond: answered / ((performance.now() - start) / 1000) };
  } finally {
    for (const client of clients) client.close();
  }
}

export async function ask(port: number, request: Prepared): Promise<{ meta: { next?: string }; data: unknown[] }> {
  const client = await Client.open(port);
  try {
    return JSON.parse((await client.send(request)).toString()) as { meta: { next?: string }; data: unknown[] };
  } finally {
    client.close();
  }
}
