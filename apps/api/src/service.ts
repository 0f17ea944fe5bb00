import { randomUUID } from 'node:crypto';
import { type RequestListener, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { SearchFilling } from '#content';
import { EventRelay } from '#events';
import { JobRunner } from '#jobs';
import { Fault } from '#kernel';
import { type Config, LOGGER, type Logger, MonitoringServer } from '#platform';
import { ApiModule } from './api.module';
import { decidesOnUpload } from './http/asset-files.controller';
import { Dispatcher } from './http/dispatcher.controller';
import { isOperation } from './http/operation-address';
import { Health } from '#runtime/modules';
import { failure } from './http/envelope';
import { OpenAnswers } from './http/open-answers';
import { OtherErrors } from './http/other-errors.filter';
import { toOriginForm } from './http/request-address';
import { RequestMetrics } from './http/request-metrics';

/** A running service. */
export interface Service {
  /** `http://127.0.0.1:8080` */
  baseUrl: string;
  /** Starts to run jobs and deliver events, unless separate workers do. */
  takeJobs(): void;
  /**
   * Stops the service. It reports that it is not ready, continues to answer for SHUTDOWN_DELAY_SECONDS, so that load
   * balancers can send requests elsewhere, then rejects new requests, finishes those in progress, and closes the
   * database. A second call waits for the same end.
   * @param hurried ends the delay.
   */
  close(hurried?: AbortSignal): Promise<void>;
  app: NestExpressApplication;
}

/** Longer than the idle time of common proxies, so that the proxy closes an idle connection first. */
const KEEP_ALIVE_MS = 65_000;

/** How long requests in progress may take once the service stops. */
const LAST_REQUESTS_MS = 15_000;

/** How long a connection stays open after invalid HTTP, enough for the client to read the answer. */
const LET_GO_MS = 1_000;

/**
 * How long jobs and deliveries in progress may take after that. Another process continues unfinished ones from their
 * last batch.
 */
const LAST_JOBS_MS = 5_000;

/**
 * Creates the service of a configuration. It answers once `listen` is called.
 * @param operations the operations port.
 */
export async function createService(config: Config, operations?: MonitoringServer): Promise<NestExpressApplication> {
  return configure(await NestFactory.create(ApiModule.with(config, operations), OPTIONS), config);
}

/** The framework's options for the service. */
export const OPTIONS: NestApplicationOptions = { bodyParser: false, logger: false, abortOnError: false };

/** Sets what the framework's options do not cover. */
export function configure(app: NestExpressApplication, config: Config): NestExpressApplication {
  app.useGlobalFilters(app.get(OtherErrors));
  app.disable('x-powered-by');
  app.set('trust proxy', [...config.trustedProxies]);
  app.disable('etag');
  return app;
}

/** Starts to answer. */
export async function listen(app: NestExpressApplication, config: Config): Promise<Service> {
  await app.listen(config.port, config.host);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1000;
  answerOperations(server, app.get(Dispatcher), app.get(OtherErrors));
  answerBrokenHttp(server, app.get<Logger>(LOGGER), app.get(RequestMetrics));
  const answers = new OpenAnswers(server);
  const address = server.address() as { port: number };
  config.listeningPort = address.port;
  const runner = app.get(JobRunner, { strict: false });
  const relay = app.get(EventRelay, { strict: false });
  const filling = app.get(SearchFilling, { strict: false });
  const health = app.get(Health, { strict: false });
  app.get(MonitoringServer).answer('/health/ready', () => health.readiness());
  const close = async (hurried?: AbortSignal) => {
    health.stop();
    answers.becomeLast();
    if (config.shutdownDelayMs > 0)
      await sleep(config.shutdownDelayMs, undefined, { signal: hurried }).catch(() => undefined);
    // A connection becomes idle once its last request is answered. Closing would otherwise wait for it.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), LAST_REQUESTS_MS);
    try {
      // Resources of requests in progress are closed after these are answered.
      const answered = new Promise((resolve) => server.close(resolve));
      const stopped = [runner, relay].map((each) => each.stop({ graceMs: LAST_JOBS_MS }));
      await Promise.all([answered, filling.stop(), ...stopped]);
      await app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(late);
    }
  };
  let closing: Promise<void> | undefined;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    app,
    baseUrl: `http://${host}:${address.port}`,
    takeJobs: () => {
      // If a queue is configured, separate workers run the jobs.
      if (config.queueUrl !== undefined) return;
      runner.start({ concurrency: config.jobConcurrency });
      relay.start();
      filling.start();
    },
    close: (hurried) => (closing ??= close(hurried)),
  };
}

/** Operations bypass the framework's routes, which take a fifth of the time of a small read (decision 45). */
function answerOperations(server: Server, dispatcher: Dispatcher, others: OtherErrors): void {
  const [framework] = server.listeners('request') as [RequestListener];
  server.off('request', framework);
  server.on('request', (request, response) => {
    if (toOriginForm(request) && !isOperation(request)) return framework(request, response);
    dispatcher.handle(request, response).catch((error) => others.answer(error, request, response));
  });
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Answers invalid HTTP, and errors that Node would answer without a body, in JSON. */
function answerBrokenHttp(server: Server, log: Logger, metrics: RequestMetrics): void {
  // Accept requests without a Host, because nothing here depends on it. The setting has no type.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  // Ask for the body at once, except for uploads, which may be rejected before anything is sent.
  server.on('checkContinue', (request, response) => {
    if (!toOriginForm(request) || !decidesOnUpload(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  // Ignore expectations other than 100-continue, as the standard allows.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const [status, message] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'This is not a valid HTTP request.'];
    const requestId = randomUUID();
    const { code, body } = failure(new Fault('schema', message), requestId, Date.now());
    log.info({ request_id: requestId, code: error.code }, 'broken HTTP');
    metrics.refused({ operation: undefined, status: parseInt(status), code });
    // Read and drop the rest, or the answer might be lost. It belongs to no request.
    socket.removeAllListeners('data').on('data', () => undefined);
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      () => setTimeout(() => socket.destroy(), LET_GO_MS).unref(),
    );
  });
}
