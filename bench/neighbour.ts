import { setPriority } from 'node:os';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Client } from './load';
import { BUSY, NEIGHBOURS, NOBODY } from './neighbour-loads';
import { type Caller, type Prepared } from './requests';

/** The neighbour's task. */
export interface Order {
  name: string;
  port: number;
  caller: Caller;
  items: number;
}

export interface Counts {
  answered: number;
  refused: number;
  /** The number of requests skipped because earlier ones had no answer yet. */
  skipped: number;
  /** The error of the first rejected request within the limits. */
  fault?: string;
}

/**
 * A noisy neighbour in a separate process, so that its load does not delay the measurement. It starts when it receives
 * the order, stops at the next message, and then reports the results of its requests.
 */
process.once('message', (order: Order) => {
  let isOver = false;
  process.once('message', () => (isOver = true));
  const counts = (CALLING_NOBODY[order.name] ?? call)(() => isOver, order);
  void counts.then((result) => process.send!(result, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(1));

const CALLING_NOBODY: Record<string, (isOver: () => boolean) => Promise<Counts>> = {
  [NOBODY]: (isOver) => spend(isOver, () => delay(100)),
  /** This load has the same priority as the service and its database. */
  [BUSY]: (isOver) => spend(isOver, () => nextTurn()),
};

async function spend(isOver: () => boolean, moment: () => Promise<void>): Promise<Counts> {
  process.send!('begun');
  while (!isOver()) await moment();
  return { answered: 0, refused: 0, skipped: 0 };
}

async function call(isOver: () => boolean, { name, port, caller, items }: Order): Promise<Counts> {
  // These calls stand for other machines, so this process gets a lower priority than the service and the measurement.
  setPriority(10);
  const { make, perSecond, connections } = NEIGHBOURS.find((each) => each.name === name)!;
  const requests = make(caller, items);
  const free = await Promise.all(Array.from({ length: connections }, () => Client.open(port)));
  const counts: Counts = { answered: 0, refused: 0, skipped: 0 };
  const send = async (client: Client, request: Prepared) => {
    try {
      await client.send(request);
      counts.answered++;
    } catch (error) {
      const { message } = error as Error;
      if (!message.startsWith('Answered with 429')) counts.fault ??= message;
      counts.refused++;
    }
    free.push(client);
  };
  process.send!('begun');
  const began = performance.now();
  for (let number = 0; !isOver(); number++) {
    const due = began + (number * 1000) / perSecond;
    // Only delays beyond a few milliseconds use a timer, because thousands of timers would be late.
    if (due > performance.now() + 2) await delay(due - performance.now());
    const client = free.pop();
    if (client) void send(client, requests[number % requests.length]!);
    else {
      counts.skipped++;
      await delay(1);
    }
  }
  return counts;
}
