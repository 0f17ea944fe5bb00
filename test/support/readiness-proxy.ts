import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Upstream {
  url: string;
  isReady: boolean;
  /** The number of requests that the proxy sent to the service. */
  requests: number;
}

/**
 * A load balancer: keeps connections open, polls the readiness of each service, sends requests to ready services in
 * turn, and retries none.
 */
export class ReadinessProxy {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private nextUpstream = 0;
  private closed = false;
  private polling: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly upstreams: readonly Upstream[],
    private readonly everyMs: number,
  ) {
    this.server = createServer((incoming, response) => this.pass(incoming, response));
  }

  /** @param everyMs interval between two polls of a service. */
  static async open(urls: readonly string[], everyMs: number): Promise<ReadinessProxy> {
    const proxy = new ReadinessProxy(
      urls.map((url) => ({ url, isReady: false, requests: 0 })),
      everyMs,
    );
    await Promise.all(proxy.upstreams.map((upstream) => proxy.poll(upstream)));
    proxy.polling = Promise.all(proxy.upstreams.map((upstream) => proxy.keepPolling(upstream)));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.polling;
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async keepPolling(upstream: Upstream): Promise<void> {
    while (!this.closed) {
      await sleep(this.everyMs);
      await this.poll(upstream);
    }
  }

  private async poll(upstream: Upstream): Promise<void> {
    const answer = await fetch(`${upstream.url}/health/ready`).catch(() => undefined);
    await answer?.text().catch(() => undefined);
    upstream.isReady = answer?.status === 200;
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    const ready = this.upstreams.filter(({ isReady }) => isReady);
    const upstream = ready[this.nextUpstream++ % ready.length];
    if (!upstream) return void response.writeHead(503).end('No service is ready.');
    upstream.requests++;
    const { method, url, headers } = incoming;
    const options = { method, headers: { ...headers, connection: 'keep-alive' }, agent: this.agent };
    const outgoing = request(`${upstream.url}${url}`, options, (answer) => {
      response.writeHead(answer.statusCode!, { 'Content-Type': answer.headers['content-type'] ?? '' });
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(String(error));
    });
    incoming.pipe(outgoing);
  }
}
