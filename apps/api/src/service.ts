import { randomUUID } from 'node:crypto';
import { type Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { EventRelay } from '#events';
import { JobRunner } from '#jobs';
import { type Clock, Fault, SystemClock } from '#kernel';
import { type Config, LOGGER, type Logger } from '#platform';
import { ApiModule } from './api.module';
import { decidesOnUpload } from './http/asset-files.controller';
import { failure } from './http/envelope';
import { OtherErrors } from './http/other-errors.filter';

/** A service that answers. */
export interface Service {
  /** `http://127.0.0.1:8080` */
  baseUrl: string;
  /** Runs jobs and delivers events too, from now on, unless workers of their own do. */
  takeJobs(): void;
  /** Takes no new requests, finishes those under way, and closes the database. */
  close(): Promise<void>;
  app: NestExpressApplication;
}

/** Longer than the idle time of common proxies, so that these and not we close a connection that is kept open. */
const KEEP_ALIVE_MS = 65_000;

/** How long requests under way may take once the service stops. */
const LAST_REQUESTS_MS = 15_000;

/** How long jobs and deliveries under way may take then; what is not done goes on where its last batch ended. */
const LAST_JOBS_MS = 5_000;

/** Makes the service of a configuration; it answers once `listen` is called. */
export async function createService(config: Config, clock: Clock = new SystemClock()): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.with(config, clock), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new OtherErrors(clock, app.get<Logger>(LOGGER)));
  app.disable('x-powered-by');
  app.disable('etag');
  return app;
}

/** Starts to answer. */
export async function listen(app: NestExpressApplication, config: Config): Promise<Service> {
  await app.listen(config.port, config.host);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1000;
  answerBrokenHttp(server, app.get<Logger>(LOGGER));
  const address = server.address() as { port: number };
  config.listeningPort = address.port;
  const runner = app.get(JobRunner, { strict: false });
  const relay = app.get(EventRelay, { strict: false });
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    app,
    baseUrl: `http://${host}:${address.port}`,
    takeJobs: () => {
      // With a queue of its own, jobs are the workers' business.
      if (config.queueUrl !== undefined) return;
      runner.start({ concurrency: config.jobConcurrency });
      relay.start();
    },
    close: async () => {
      // A connection that is kept open becomes idle once its request is answered, and would be waited for.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => server.closeAllConnections(), LAST_REQUESTS_MS);
      try {
        await Promise.all([runner, relay].map((each) => each.stop({ graceMs: LAST_JOBS_MS })));
        await app.close();
      } finally {
        clearInterval(idle);
        clearTimeout(late);
      }
    },
  };
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** What is not HTTP at all, and what Node would answer by itself without a body, is answered in JSON as well. */
function answerBrokenHttp(server: Server, log: Logger): void {
  // A request without a Host is answered like any other: nothing here depends on it. The setting has no type.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  // What waits to be asked for is asked for, but for uploads: they may be refused before anything is sent.
  server.on('checkContinue', (request, response) => {
    if (!decidesOnUpload(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  // Whatever else than 100-continue is expected is ignored, as the standard allows.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const [status, message] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'This is not a valid HTTP request.'];
    const requestId = randomUUID();
    const { body } = failure(new Fault('schema', message), requestId, Date.now());
    log.info({ request_id: requestId, code: error.code }, 'broken HTTP');
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}
