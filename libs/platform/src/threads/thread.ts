import { parentPort } from 'node:worker_threads';

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

type Functions = Record<string, (...values: unknown[]) => unknown>;

/** What a thread does. Says when the call begins: the module may have to be loaded first, for which no call is to blame. */
export async function run({ id, file, name, values }: ThreadCall): Promise<unknown> {
  const functions = (await import(file)) as Functions;
  parentPort!.postMessage(id);
  return functions[name]!(...values);
}
