import { type Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Clock, Fault, SystemClock } from '#kernel';
import { type Config, LOGGER, type Logger } from '#platform';
import { ApiModule } from './api.module';
import { failure } from './http/envelope';

/** A service that answers. */
export interface Service {
  /** `http://127.0.0.1:8080` */
  baseUrl: string;
  /** Takes no new requests, finishes those under way, and closes the database. */
  close(): Promise<void>;
  app: NestExpressApplication;
}

/** Longer than the idle time of common proxies, so that these and not we close a connection that is kept open. */
const KEEP_ALIVE_MS = 65_000;

/** How long requests under way may take once the service stops. */
const LAST_REQUESTS_MS = 15_000;

/** Makes the service of a configuration; it answers once `listen` is called. */
export async function createService(config: Config, clock: Clock = new SystemClock()): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.with(config, clock), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
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
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    app,
    baseUrl: `http://${host}:${address.port}`,
    close: async () => {
      // A connection that is kept open becomes idle once its request is answered, and would be waited for.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => server.closeAllConnections(), LAST_REQUESTS_MS);
      try {
        await app.close();
      } finally {
        clearInterval(idle);
        clearTimeout(late);
      }
    },
  };
}

/** What is not HTTP at all is answered in JSON as well. */
function answerBrokenHttp(server: Server, log: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const large = error.code === 'HPE_HEADER_OVERFLOW';
    const { body } = failure(
      new Fault('schema', large ? 'The headers are too large.' : 'This is not a valid HTTP request.'),
      '',
      Date.now(),
    );
    log.info({ code: error.code }, 'broken HTTP');
    socket.end(
      `HTTP/1.1 ${large ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nConnection: close\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}
