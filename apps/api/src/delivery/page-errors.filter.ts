import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type Response } from 'express';
import { OutsideTime, Stale } from '#delivery';
import { Fault } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { send } from '../http/envelope';
import { BUG, FAULTS } from '../http/faults';
import { logFailure } from '../http/log-failure';
import { type PageCall } from './page-calls.guard';

const MAX_LISTED = 50;

/** Answers pages when a call fails. */
@Catch()
export class PageErrors implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { known } = http.getRequest<PageCall>();
    const response = http.getResponse<Response>();
    logFailure(this.log, error, known);
    if (!(error instanceof Fault)) {
      known.code = BUG.code;
      const message = `An internal error occurred; the log of the service records it under ${known.request_id}.`;
      return send(response, BUG.status, JSON.stringify({ errors: [{ code: BUG.code, message }] }));
    }
    const { status, code } = FAULTS[error.kind];
    known.code = code;
    const errors = error.details.slice(0, MAX_LISTED).map(({ kind, message, at }) => ({
      code: FAULTS[kind].code,
      message,
      ...(at === undefined ? {} : { pointer: at }),
    }));
    if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter);
    if (status === 405) response.setHeader('Allow', 'POST, PUT, OPTIONS');
    send(response, status, JSON.stringify({ errors, ...moreOf(error) }));
  }
}

/** The members of an answer beside `errors`. */
function moreOf(error: Fault): object {
  if (error instanceof Stale)
    return { stored: error.stored, save_number: error.saveNumber, is_over: error.isOver || undefined };
  if (!(error instanceof OutsideTime)) return {};
  const { startsAt, startsInSeconds } = error;
  if (startsAt === undefined) return { is_over: true };
  return { starts_at: new Date(startsAt).toISOString(), starts_in_seconds: startsInSeconds };
}
