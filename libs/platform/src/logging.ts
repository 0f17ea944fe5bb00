import { pino } from 'pino';
import { type Config } from './config/config';

export type Logger = pino.Logger;

/** Injection token of the logger. */
export const LOGGER = Symbol('logger');

/** One JSON line per event on standard output. Secrets, signatures and request bodies are never given to it. */
export function openLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}
