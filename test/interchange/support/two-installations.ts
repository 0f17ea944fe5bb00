import { readdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type JsonObject, SystemClock } from '#kernel';
import { Client } from '../../support/client';
import { commandHere } from '../../support/command-line';
import { type EmptyDatabase, type Engine } from '../../support/engines';
import { migratedDatabase } from '../../support/migrated-database';
import { json, ServiceProcess, type Settings } from '../../support/processes';

/* Two installations, and a proxy between them. */

interface Credentials {
  key: string;
  secret: string;
}

/** A service in a process of its own, with its consumers. */
export class Installation {
  private constructor(
    readonly service: ServiceProcess,
    readonly settings: Settings,
    /** Without rate limits, so that a test can fill a large bank. */
    readonly client: Client,
    /** The consumer of a pull, with the limits of every consumer. */
    readonly puller: Credentials,
    private readonly database: EmptyDatabase,
    private readonly folder: string,
  ) {}

  static async start(engine: Engine): Promise<Installation> {
    const database = await migratedDatabase(engine);
    const folder = mkdtempSync(join(tmpdir(), 'itembank-pull-'));
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: 'ab'.repeat(32) };
    for (const id of ['1', '2'])
      expect((await commandHere(['organisation', 'create', id, `Bank ${id}`], { settings })).code).toBe(0);
    const consumer = (...more: string[]) =>
      json<Credentials>(commandHere(['consumer', 'create', '--organisation', '1', '--json', ...more], { settings }));
    const { key, secret } = await consumer('--rate-limit', '* *=1000000');
    const puller = await consumer();
    const service = await ServiceProcess.listening({ settings });
    const client = new Client(service.url, key, secret, new SystemClock());
    return new Installation(
      service,
      { ...settings, PORT: new URL(service.url).port },
      client,
      puller,
      database,
      folder,
    );
  }

  async stop(): Promise<void> {
    await this.service.end('SIGKILL');
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** A proxy between both servers that counts calls, and can answer or change some itself. */
export class InterceptingProxy {
  count = 0;
  answer: (path: string, body: string) => Answer | undefined = () => undefined;
  /** Changes an answer of the other server to a call of this path. */
  rewrite: ((path: string, answer: JsonObject) => JsonObject) | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<InterceptingProxy> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const made = new InterceptingProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      made.pass(target, request, response).catch(() => response.destroy());
    });
    return made;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.count++;
    const body = await buffer(request);
    const own = this.answer(request.url!, body.toString());
    if (own) return void response.writeHead(own.status, own.headers).end(own.body ?? '');
    const { method, url } = request;
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const answer = await fetch(`${target}${url}`, { method, headers, ...(method === 'POST' && { body }) });
    const content = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    if (!this.rewrite || !isJson)
      return void response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(content);
    const text = JSON.stringify(this.rewrite(url!, JSON.parse(content.toString('utf8')) as JsonObject));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }
}

/** Moves the time of the last pull to now. */
export function setLastPullToNow({ settings }: Installation): void {
  const folder = join(settings.DATA_DIR!, 'pulls');
  const now = Math.floor(Date.now() / 1000);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { sessions, ...state } = JSON.parse(readFileSync(path, 'utf8')) as { sessions?: number };
    writeFileSync(path, JSON.stringify({ ...state, since: now, ...(sessions !== undefined && { sessions: now }) }));
  }
}
