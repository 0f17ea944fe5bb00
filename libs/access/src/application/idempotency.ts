import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { Clock, Fault, UnitOfWork } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { type AnswerName, AnswerStore } from './ports/answer-store';

/** A call that must have its effect only once, even when it is sent repeatedly. */
interface KeyedCall extends AnswerName {
  /** `set itembank/items` */
  operation: string;
  /** The parsed request as sent, including the key. */
  request: object;
}

/** How long an answer is stored. */
const KEPT_MS = 24 * 60 * 60_000;
const SWEEP_INTERVAL_MS = 60_000;
/** The number of answers of an organisation that one statement removes. */
const SWEEP_BATCH_SIZE = 500;

/** Returns the first answer for a repeated call with the same idempotency key, without a second effect. */
@Injectable()
export class Idempotency implements OnApplicationShutdown {
  /** Calls in progress in this process, by name. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private sweptAt = -Infinity;
  private sweeping: Promise<void> = Promise.resolve();
  private closing = false;

  constructor(
    private readonly store: AnswerStore,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Runs `work` and stores its JSON result in the same unit of work. If the same request came with the key in the last
   * 24 hours, returns the stored result instead. An error of `work` leaves the key free. `work` may run again from its
   * start.
   * @param aside called with the end of an earlier call of the same name; resolves when this call may go on.
   * @throws Fault when the key was used for another request.
   */
  async once<T>(
    call: KeyedCall,
    work: () => Promise<T>,
    aside: (before: Promise<unknown>) => Promise<void>,
  ): Promise<{ result: T; replayed: boolean }> {
    const requestHash = hashOf(call);
    try {
      return await this.inTurn(call, aside, () =>
        this.work.run(async () => {
          const now = this.clock.now();
          const kept = await this.store.claim(call, requestHash, now, now - KEPT_MS);
          if (kept) return { result: answerTo(requestHash, kept) as T, replayed: true };
          const result = await work();
          await this.store.keep(call, JSON.stringify(result));
          return { result, replayed: false };
        }),
      );
    } finally {
      this.sweepNowAndThen();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing = true;
    await this.sweeping;
  }

  /**
   * Queues calls of one name in this process. Otherwise each call would hold a connection while it waits for the
   * database lock, and clients that use keys often repeat calls.
   */
  private async inTurn<T>(
    { organisation, consumer, key }: AnswerName,
    aside: (before: Promise<unknown>) => Promise<void>,
    run: () => Promise<T>,
  ): Promise<T> {
    const name = JSON.stringify([organisation, consumer, key]);
    const before = this.turns.get(name);
    const turn = before ? aside(before).then(run) : run();
    this.turns.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(name) === turn) this.turns.delete(name);
    }
  }

  /** Starts to remove expired answers, at most once a minute. No caller waits for it. */
  private sweepNowAndThen(): void {
    const now = this.clock.now();
    if (now < this.sweptAt + SWEEP_INTERVAL_MS) return;
    this.sweptAt = now;
    this.sweeping = this.sweeping
      .then(() => this.sweep(now - KEPT_MS))
      .catch((error: unknown) => this.log.warn({ err: error }, 'expired answers could not be removed'));
  }

  private async sweep(until: number): Promise<void> {
    while (!this.closing && (await this.store.sweep(until, SWEEP_BATCH_SIZE)) > 0);
  }
}

function answerTo(requestHash: string, kept: { requestHash: string; answer: string }): unknown {
  if (kept.requestHash === requestHash) return JSON.parse(kept.answer);
  throw new Fault(
    'conflict',
    'meta.idempotency_key was sent with another request in the last 24 hours; send that request unchanged to get its answer, or this one under a key of its own.',
    '/meta/idempotency_key',
  );
}

/** A hash that ignores the order of members and whitespace in the request's JSON. */
function hashOf({ operation, request }: KeyedCall): string {
  return createHash('sha256').update(operation).update('\n').update(canonicalize(request)!).digest('hex');
}
