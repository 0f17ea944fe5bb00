import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Clock, Fault } from '#kernel';
import { type Logger } from '#platform';
import { failure, send } from './envelope';
import { type RequestMetrics } from './request-metrics';

/** What no controller answers, such as an address that is not percent-encoded, is answered in the same envelope. */
@Catch()
export class OtherErrors implements ExceptionFilter {
  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly metrics: RequestMetrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { method, url } = http.getRequest<Request>();
    const requestId = randomUUID();
    const known = error instanceof HttpException && error.getStatus() < 500;
    if (!known && !(error instanceof Fault)) this.log.error({ err: error, request_id: requestId }, 'request failed');
    const nowhere = new Fault(
      'no-endpoint',
      `There is nothing at ${method} ${url}; operations are called with POST on paths such as /v1/itembank/items.`,
    );
    const { status, code, body } = failure(known ? nowhere : error, requestId, this.clock.now());
    this.log.info({ request_id: requestId, path: url.split('?', 1)[0]!.slice(0, 200), status, code }, 'request');
    this.metrics.refused({ operation: undefined, status, code });
    send(http.getResponse<Response>(), status, body, { 'X-Request-Id': requestId });
  }
}
