import { Fault } from '#kernel';
import { type Logger } from '#platform';

/**
 * Logs a failed request. Bugs are errors; the cause of a fault, such as a server that does not answer, is a warning.
 * Other faults are only for the caller.
 */
export function logFailure(log: Logger, error: unknown, known: object): void {
  if (!(error instanceof Fault)) log.error({ err: error, ...known }, 'request failed');
  else if (error.cause) log.warn({ err: error.cause, ...known }, error.message);
}
