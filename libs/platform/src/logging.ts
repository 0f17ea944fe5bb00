import { pino } from 'pino';
import { type Config } from './config/config';
import { shownError } from './shown-error';

export type Logger = pino.Logger;

/** Injection token of the logger. */
export const LOGGER = Symbol('logger');

/**
 * One JSON line per event on standard output. Secrets, signatures, request bodies and what learners wrote are never given
 * to it; of errors it shows only what cannot hold any of that.
 */
export function openLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: shownError },
  });
}

/**
 * Has errors that nobody catches end the process as they do anyway, but with a line of the log: what Node.js would print
 * has the statement with all that was to be stored. Call once in a process.
 */
export function logUncaught(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends by an error that nobody caught');
    process.exit(1);
  });
}
