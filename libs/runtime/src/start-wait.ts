import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, Database, openRedisProbe, passesByItself, reasonOf } from '#platform';
import { hostOf } from './start-failure';

/** Pause between two attempts. */
const PAUSE_MS = 500;
/** Time limit of an answer. */
const LIMIT_MS = 5_000;

/** Receives reports of the waiting: the log of a program, or the terminal of a command. */
interface Log {
  info(fields: object, line: string): void;
  warn(fields: object, line: string): void;
}

/** A server that a program needs to start. */
interface Server {
  /** A name with the address, but without user and password: `the database server db:3306`. */
  label: string;
  /** Resolves when the server works. */
  ask(): Promise<void>;
}

/** Thrown when the program is to end before the server answers. */
export class StoppedWaiting extends Error {}

/**
 * Resolves when the database answers; at once for an embedded one.
 * @throws Error of the driver when it cannot be reached within START_WAIT_SECONDS, and at once if waiting would not
 *   help: a wrong password, a missing database. StoppedWaiting when `stop` is aborted.
 */
export async function untilDatabase(config: Config, log: Log, stop?: AbortSignal): Promise<void> {
  if (config.embedded) return;
  const server = {
    label: `the database server ${hostOf(config.databaseUrl)}`,
    ask: async () => (await Database.open(config.databaseUrl, 1)).close(),
  };
  await untilThere(server, config.startWaitMs, log, stop);
}

/** Resolves when the Redis server of QUEUE_URL answers. @throws Error that says what to do. */
export async function untilRedis(config: Config, log: Log, stop?: AbortSignal): Promise<void> {
  const redis = redisOf(config);
  try {
    await untilThere(redis, config.startWaitMs, log, stop);
  } catch (error) {
    throw error instanceof StoppedWaiting ? error : redisFailure(error, redis.label);
  }
}

/**
 * Checks the Redis server of QUEUE_URL once, for a program that can start without it.
 * @throws Error that says what to do, if waiting would not help.
 */
export async function lookForRedis(config: Config, log: Log): Promise<void> {
  const redis = redisOf(config);
  try {
    await redis.ask();
  } catch (error) {
    if (!passesByItself(error)) throw redisFailure(error, redis.label);
    log.warn({ reason: reasonOf(error) }, `going on without ${redis.label} until it can be reached`);
  }
}

function redisOf({ queueUrl }: Config): Server {
  const ask = async () => {
    const probe = openRedisProbe(queueUrl!);
    try {
      await probe.check(AbortSignal.timeout(LIMIT_MS));
    } finally {
      probe.close();
    }
  };
  return { label: `the Redis server ${hostOf(queueUrl!)}`, ask };
}

function redisFailure(error: unknown, label: string): Error {
  const said = `${label[0]!.toUpperCase()}${label.slice(1)}`;
  const { message } = error as Error;
  if (passesByItself(error))
    return new Error(`${said} cannot be reached (${message}); start it, or name another in QUEUE_URL.`);
  if (reasonOf(error) === 'denied')
    return new Error(`${said} refuses this user (${message}); see the user and password in QUEUE_URL.`);
  return new Error(`${said} answers with an error (${message}); see QUEUE_URL.`);
}

async function untilThere({ label, ask }: Server, waitMs: number, log: Log, stop?: AbortSignal): Promise<void> {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  for (let waiting = false; ; waiting = true) {
    try {
      await unlessStopped(ask(), stop);
      if (waiting) log.info({ seconds: seconds() }, `${label} is there`);
      return;
    } catch (error) {
      if (error instanceof StoppedWaiting || !passesByItself(error)) throw error;
      if (performance.now() - began + PAUSE_MS > waitMs) throw error;
      const reason = reasonOf(error);
      if (!waiting) log.warn({ reason }, `waiting for ${label} (${reason}), for up to ${waitMs / 1000} s`);
    }
    await unlessStopped(sleep(PAUSE_MS), stop);
  }
}

async function unlessStopped<T>(work: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
  if (!stop) return work;
  let giveUp = () => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      giveUp = () => reject(new StoppedWaiting());
      if (stop.aborted) giveUp();
      stop.addEventListener('abort', giveUp);
      work.then(resolve, reject);
    });
  } finally {
    stop.removeEventListener('abort', giveUp);
  }
}
