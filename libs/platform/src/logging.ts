import { pino } from 'pino';
import { type Config } from './config/config';

export type Logger = pino.Logger;

/** Injection token of the logger. */
export const LOGGER = Symbol('logger');

/** One JSON line per event on standard output. Secrets, signatures and request bodies are never given to it. */
export function openLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: shownError },
  });
}

/** An error without its further members: the database library puts the statement there, with all that was to be stored. */
export function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, code, cause } = error as Error & { code?: unknown };
  return { type: name, message, stack, code, cause: cause === undefined ? undefined : shownError(cause) };
}
