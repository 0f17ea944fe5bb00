import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { Clock, Fault } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { failure, send } from './envelope';
import { logFailure } from './log-failure';
import { RequestMetrics } from './request-metrics';

/** Answers all other errors in the usual envelope, such as an address that is not percent-encoded. */
@Catch()
export class OtherErrors implements ExceptionFilter {
  constructor(
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: RequestMetrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>());
  }

  /** Logs the error, and answers unless the answer's head was already sent. */
  answer(error: unknown, { method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    const known = error instanceof HttpException && error.getStatus() < 500;
    if (!known) logFailure(this.log, error, { request_id: requestId });
    const nowhere = new Fault(
      'no-endpoint',
      `There is nothing at ${method} ${url}; operations are called with POST on paths such as /v1/itembank/items.`,
    );
    const { status, code, body } = failure(known ? nowhere : error, requestId, this.clock.now());
    this.log.info({ request_id: requestId, path: url.split('?', 1)[0]!.slice(0, 200), status, code }, 'request');
    this.metrics.refused({ operation: undefined, status, code });
    send(response, status, body, { 'X-Request-Id': requestId });
  }
}
