import { parentPort } from 'node:worker_threads';
import { threadNumber } from './thread-number';

/** A call of a module's function in a thread. */
export interface ThreadCall {
  id: number;
  /** Path of the module. */
  file: string;
  /** The exported name of the function. */
  name: string;
  /** Structured clones. */
  values: readonly unknown[];
}

/** Reports that a call begins. */
export interface Begun {
  id: number;
  /** Number of the thread, if the system has one. */
  thread?: number;
}

type Functions = Record<string, (...values: unknown[]) => unknown>;

/** Runs in a thread. Reports when the call begins, because loading the module first must not count against the call. */
export async function run({ id, file, name, values }: ThreadCall): Promise<unknown> {
  const functions = (await import(file)) as Functions;
  parentPort!.postMessage({ id, thread: THREAD } satisfies Begun);
  return functions[name]!(...values);
}

const THREAD = threadNumber();
