import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './servers/free-port';

/** A proxy between a program and a server, which a test can interrupt. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;
  private server: Server | undefined;
  private constructor(
    private host: string,
    private serverPort: number,
    private readonly port: number,
  ) {}

  /** Forwards connections to the server. */
  static async open(host: string, port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(host, port, await freePort());
    await proxy.restore();
    return proxy;
  }

  /** `127.0.0.1:PORT`, which never changes. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Forwards further connections to another server. */
  redirectTo(host: string, port: number): void {
    [this.host, this.serverPort] = [host, port];
  }

  /** Ends all connections and rejects new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = server && once(server, 'close');
    server?.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  /** Accepts connections, also after `cut` or `freeze`. */
  async restore(): Promise<void> {
    this.isFrozen = false;
    this.server = createServer((socket) => this.pass(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Forwards nothing more, but keeps the connections open. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  async close(): Promise<void> {
    if (this.server) await this.cut();
  }

  private pass(from: Socket): void {
    const to = connect(this.serverPort, this.host);
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.sockets.add(socket);
      socket.on('data', (data) => other.write(data));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      if (this.isFrozen) socket.pause();
    }
  }
}
