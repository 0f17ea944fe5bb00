import { type Clock, grouped } from '#kernel';
import { type Logger } from '#platform';
import { type Answer, type Attempt, type DueDelivery, type OpenDelivery } from '../domain/delivery';
import { type Event } from '../domain/event';
import { pauseAfter, sinkPauseAfter, type Retries } from '../domain/retries';
import { type SinkProgress } from '../domain/sink';
import { type DeliveryStore, type Lease, type NextEvents } from './ports/delivery-store';
import { type StoredSink } from './ports/sink-store';

/** The services and limits of a delivery batch. */
interface DeliveryBatchTools {
  deliveries: DeliveryStore;
  clock: Clock;
  log: Logger;
  retries: Retries;
  /** One attempt to deliver an event to the sink; undefined when it was aborted because the service stops. */
  send(event: Event): Promise<Answer | undefined>;
  /** Aborted when the batch may start no more deliveries. */
  over: AbortSignal;
}

/** Maximum number and bytes of deliveries in a batch, for due retries and for new events separately. */
const MAX_DELIVERIES = 200;
const MAX_BYTES = 8_000_000;
/** Maximum number of concurrent deliveries. */
const CONCURRENCY = 16;
/** The batch ends when this many deliveries found the sink unreachable and none reached it. */
const MAX_UNREACHABLE = 8;
/** The batch reads no new events while this many deliveries wait. */
const MAX_PENDING = 10_000;

/** A planned attempt: the first one of an event, or the retry of a failed delivery. */
interface Candidate {
  event: Event;
  before: Pick<OpenDelivery, 'attempts' | 'failedSince'>;
  isNew: boolean;
}

const NEVER_TRIED = { attempts: 0, failedSince: null };

/**
 * A batch of deliveries to one sink. Events of one key are sent one after another, different keys concurrently. A failed event
 * delays only later events of its key. A sink that cannot be reached gets one or two events, at growing intervals, until it
 * answers.
 */
export class DeliveryBatch {
  private readonly open: OpenDelivery[] = [];
  private readonly done: Pick<OpenDelivery, 'number' | 'key'>[] = [];
  private readonly attempts: Attempt[] = [];
  private readonly handled = new Set<number>();
  private answered = 0;
  private unanswered = 0;
  /** Counts only first attempts. */
  private newUnanswered = 0;

  constructor(
    private readonly lease: Lease,
    private readonly sink: StoredSink,
    private readonly tools: DeliveryBatchTools,
  ) {}

  /** Whether there was anything to do. `'lost'` means that the lease was lost, and the batch stored nothing. */
  async run(): Promise<boolean | 'lost'> {
    const { deliveries, clock } = this.tools;
    const { sink, organisation, reached, pausedUntil, pausedAt } = this.sink;
    const began = clock.now();
    if (pausedAt !== null || (pausedUntil !== null && pausedUntil > began)) return false;
    const limit = this.sink.failures > 0 ? 1 : MAX_DELIVERIES;
    const due = await deliveries.due(this.sink, began, limit, MAX_BYTES);
    const room = Math.min(limit, MAX_PENDING - (await deliveries.waiting(this.sink, MAX_PENDING)));
    const next =
      room > 0 ? await deliveries.next(organisation, sink.kinds, reached, room, MAX_BYTES) : { events: [], reached };
    if (due.length === 0 && next.reached === reached) return false;
    await this.attempt(alternating(await this.forTheFirstTime(next), this.again(due)));
    const kept = await this.storeOutcome(next);
    return kept || 'lost';
  }

  private again(due: readonly DueDelivery[]): Candidate[][] {
    const chains: Candidate[][] = [];
    for (const { content, ...delivery } of due) {
      if (content) chains.push([{ event: content, before: delivery, isNew: false }]);
      // The event was removed, so nothing is left to deliver.
      else this.done.push(delivery);
    }
    return chains;
  }

  /** Groups events by key. An event waits when an earlier one of its key already waits. */
  private async forTheFirstTime({ events }: NextEvents): Promise<Candidate[][]> {
    if (events.length === 0) return [];
    const byKey = grouped(events.map((each) => [each.key, each]));
    const blocked = await this.tools.deliveries.blocked(this.sink, [...byKey.keys()]);
    const chains: Candidate[][] = [];
    for (const [key, ofKey] of byKey)
      if (blocked.has(key)) this.putBehind(ofKey);
      else chains.push(ofKey.map((event) => ({ event, before: NEVER_TRIED, isNew: true })));
    return chains;
  }

  private putBehind(events: readonly Event[]): void {
    for (const { number, id, key } of events) {
      this.handled.add(number);
      this.open.push({ number, event: id, key, status: 'waiting', ...NEVER_TRIED, dueAt: null });
    }
  }

  private async attempt(chains: Candidate[][]): Promise<void> {
    const rest = chains.values();
    const take = async () => {
      for (const chain of rest) {
        if (!(await this.follow(chain))) return;
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, chains.length) }, take));
  }

  /** Delivers the events of one key in order, until one fails. False when the batch is to end. */
  private async follow(chain: readonly Candidate[]): Promise<boolean> {
    for (const [place, candidate] of chain.entries()) {
      if (this.tools.over.aborted || (this.answered === 0 && this.unanswered >= MAX_UNREACHABLE)) return false;
      const delivery = await this.try(candidate);
      if (delivery === 'aborted') return false;
      if (delivery?.status !== 'waiting') continue;
      this.putBehind(chain.slice(place + 1).map(({ event }) => event));
      return true;
    }
    return true;
  }

  /**
   * The open delivery after an attempt; undefined when the delivery is done. An aborted attempt does not count, and
   * another one follows.
   */
  private async try({ event, before, isNew }: Candidate): Promise<OpenDelivery | 'aborted' | undefined> {
    const { clock, send } = this.tools;
    const { number, id, key } = event;
    const attemptedAt = clock.now();
    const began = performance.now();
    const answer = await send(event);
    if (!answer) return 'aborted';
    const durationMs = Math.round(performance.now() - began);
    const attempt = before.attempts + 1;
    this.handled.add(number);
    this.attempts.push({ number, event: id, attempt, answer, durationMs, attemptedAt });
    if (answer.outcome !== 'unreachable') this.answered++;
    else {
      this.unanswered++;
      if (isNew) this.newUnanswered++;
    }
    if (answer.outcome === 'delivered') {
      if (!isNew) this.done.push({ number, key });
      return undefined;
    }
    const failedSince = before.failedSince ?? attemptedAt;
    const delivery = { number, event: id, key, attempts: attempt, failedSince, ...this.verdict(attempt, failedSince) };
    if (delivery.status === 'dead')
      this.tools.log.error(
        { organisation: this.sink.organisation, sink: this.sink.sink.name, event: id, error: answer.error },
        'the delivery of an event is given up',
      );
    this.open.push(delivery);
    return delivery;
  }

  /** Whether another attempt follows, and when. */
  private verdict(attempts: number, failedSince: number): Pick<OpenDelivery, 'status' | 'dueAt'> {
    const { clock, retries } = this.tools;
    const dueAt = clock.now() + pauseAfter(attempts, retries, Math.random());
    return dueAt > failedSince + retries.giveUpMs ? { status: 'dead', dueAt: null } : { status: 'waiting', dueAt };
  }

  private async storeOutcome({ events, reached }: NextEvents): Promise<boolean> {
    const now = this.tools.clock.now();
    const left = events.find(({ number }) => !this.handled.has(number));
    const upTo = left ? left.number - 1 : reached;
    const outcome = {
      sink: { organisation: this.sink.organisation, id: this.sink.id },
      progress: { ...this.health(now), reached: upTo },
      // The next batch reads later events again.
      open: this.open.filter(({ number }) => number <= upTo),
      done: this.done,
      recovered: this.sink.failures > 0 && this.answered > 0,
      attempts: this.attempts,
    };
    return this.tools.deliveries.storeOutcome(this.lease, outcome, now);
  }

  /** Retries have their own pauses: a repeated failure does not count against the sink. */
  private health(now: number): Omit<SinkProgress, 'reached'> {
    const { failures, failingSince, pausedUntil } = this.sink;
    if (this.answered > 0) return { failures: 0, failingSince: null, pausedUntil: null };
    if (this.newUnanswered === 0) return { failures, failingSince, pausedUntil };
    const more = failures + 1;
    return {
      failures: more,
      failingSince: failingSince ?? now,
      pausedUntil: now + sinkPauseAfter(more, Math.random()),
    };
  }
}

/** Alternates between two lists, so that neither waits for the other to end. */
function alternating<T>(first: readonly T[], second: readonly T[]): T[] {
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, index) => [
    ...first.slice(index, index + 1),
    ...second.slice(index, index + 1),
  ]).flat();
}
