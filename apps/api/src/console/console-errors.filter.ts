import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type Response } from 'express';
import { Clock, Fault } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { failure, send } from '../http/envelope';
import { logFailure } from '../http/log-failure';
import { type ConsoleCall } from './console.guard';

/** Answers console pages when a call fails, in the envelope of operations. */
@Catch()
export class ConsoleErrors implements ExceptionFilter {
  constructor(
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { known } = http.getRequest<ConsoleCall>();
    const response = http.getResponse<Response>();
    logFailure(this.log, error, known);
    const { status, code, body } = failure(error, known.request_id, this.clock.now());
    known.code = code;
    if (error instanceof Fault && error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter);
    send(response, status, body);
  }
}
