import { parentPort } from 'node:worker_threads';
import { threadNumber } from './thread-number';

/** A function of a module, called in a thread. */
export interface ThreadCall {
  id: number;
  /** Path of the module. */
  file: string;
  /** Of the function, as the module exports it. */
  name: string;
  /** Structured clones. */
  values: readonly unknown[];
}

/** That a call begins. */
export interface Begun {
  id: number;
  /** Number of the thread, where the system tells it. */
  thread?: number;
}

type Functions = Record<string, (...values: unknown[]) => unknown>;

/** What a thread does. Says when the call begins: the module may have to be loaded first, for which no call is to blame. */
export async function run({ id, file, name, values }: ThreadCall): Promise<unknown> {
  const functions = (await import(file)) as Functions;
  parentPort!.postMessage({ id, thread: THREAD } satisfies Begun);
  return functions[name]!(...values);
}

const THREAD = threadNumber();
