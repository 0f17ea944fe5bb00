import { JobQueue, type Message, nameOf } from '../application/ports/job-queue';
import { type JobReference, type Lane } from '../domain/job';

interface Consumer {
  concurrency: number;
  running: number;
  run: (job: JobReference) => Promise<void>;
}

/** The queue of a single process. Its messages are lost with the process, and the sweep restores them from the jobs table. */
export class InProcessQueue extends JobQueue {
  private readonly waiting: Record<Lane, Message[]> = { short: [], bulk: [] };
  private readonly consumers = new Map<Lane, Consumer>();
  /** Names of messages that wait or run. */
  private readonly known = new Set<string>();
  private readonly underWay = new Set<Promise<void>>();
  private closed = false;

  override async push(messages: readonly Message[]): Promise<void> {
    if (this.closed) throw new Error('The queue is closed.');
    for (const message of messages) {
      if (this.known.has(nameOf(message))) continue;
      this.known.add(nameOf(message));
      const list = this.waiting[message.lane];
      // The search for the place begins at the end, because most messages have the priority of the last one, or a lower
      // one.
      let place = list.length;
      while (place > 0 && list[place - 1]!.priority > message.priority) place--;
      list.splice(place, 0, message);
      this.serve(message.lane);
    }
  }

  override consume(lane: Lane, concurrency: number, run: (job: JobReference) => Promise<void>): void {
    this.consumers.set(lane, { concurrency, running: 0, run });
    this.serve(lane);
  }

  override async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.underWay);
  }

  private serve(lane: Lane): void {
    const consumer = this.consumers.get(lane);
    const list = this.waiting[lane];
    while (consumer && !this.closed && consumer.running < consumer.concurrency && list.length > 0) {
      const message = list.shift()!;
      const { organisation, id } = message;
      consumer.running++;
      const running = consumer.run({ organisation, id }).finally(() => {
        consumer.running--;
        this.known.delete(nameOf(message));
        this.underWay.delete(running);
        this.serve(lane);
      });
      this.underWay.add(running);
    }
  }
}
