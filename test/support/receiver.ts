import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { freePort } from './servers/free-port';

/** A complete request. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Its body. */
  event: { type: string; timestamp: string; number: number; key: string; data: unknown };
}

/** A receiver's reaction to a request: a status to answer, or a function of its own. */
export type Behaviour = (received: Received, response: ServerResponse) => number | void;

/** A receiver of webhooks on a port of this machine. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port: number | undefined;

  constructor(public behaviour: Behaviour = () => 204) {}

  /** `http://127.0.0.1:PORT/hook` */
  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get numbers(): number[] {
    return this.received.map(({ event }) => event.number);
  }

  /** Starts to listen. After `close`, it listens on the same port again. */
  async listen(): Promise<this> {
    this.port ??= await freePort();
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const event = JSON.parse(body) as Received['event'];
        const received = { path: request.url!, headers: request.headers, body, event };
        this.received.push(received);
        const status = this.behaviour(received, response);
        if (status !== undefined) response.writeHead(status).end();
      });
    });
    // A sender that pauses finds its connection still open.
    this.server.keepAliveTimeout = 60_000;
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
    return this;
  }

  /** Closes the port and all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.server = undefined;
  }
}
