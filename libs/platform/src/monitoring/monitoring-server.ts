import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Config } from '../config/config';
import { type Logger, openLogger } from '../logging';

/** An answer of the operations port. */
export interface MonitoringAnswer {
  status: number;
  /** Absent: JSON. */
  type?: string;
  body: string;
}

const REQUEST_MS = 10_000;

/**
 * The operations port, which serves only metrics and health. It needs no signature, so it listens only on the address
 * that an operator sets. Its content is not secret, but not meant for the public.
 */
export class MonitoringServer {
  private readonly answers = new Map<string, () => Promise<MonitoringAnswer>>();
  private server: Server | undefined;

  constructor(
    private readonly config: Pick<Config, 'operationsHost' | 'operationsPort' | 'logLevel'>,
    private readonly log: Logger = openLogger(config),
  ) {}

  /** Answers GET requests for a path such as `/metrics`. A later call for the same path replaces the earlier one. */
  answer(path: string, give: () => Promise<MonitoringAnswer>): void {
    this.answers.set(path, give);
  }

  /**
   * Starts to listen and returns the address, or undefined when no port is set. Call once.
   * @throws Error of Node.js when the address is not available.
   */
  async listen(): Promise<string | undefined> {
    const { operationsHost: host, operationsPort: port } = this.config;
    if (port === undefined) return undefined;
    const server = createServer((request, response) => void this.handle(request, response));
    server.requestTimeout = REQUEST_MS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.server = server;
    const bound = (server.address() as { port: number }).port;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    this.log.info({ operations_url: url }, 'metrics and health are shown');
    return url;
  }

  /** Stops answering. */
  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type = 'application/json; charset=utf-8', body } = await this.given(request);
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  private async given({ method, url = '' }: IncomingMessage): Promise<MonitoringAnswer> {
    const give = this.answers.get(url.split('?', 1)[0]!);
    if (!give) return { status: 404, body: `{"paths":${JSON.stringify([...this.answers.keys()])}}` };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: '{"methods":["GET","HEAD"]}' };
    try {
      return await give();
    } catch (error) {
      this.log.error({ err: error }, 'an operator could not be answered');
      return { status: 500, body: '{"status":"failed"}' };
    }
  }
}
