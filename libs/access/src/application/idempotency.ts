import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { Clock, Fault, UnitOfWork } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { type AnswerName, AnswerStore } from './ports/answer-store';

/** A call whose effect is wanted once, however often it is sent. */
export interface KeyedCall extends AnswerName {
  /** `set itembank/items` */
  operation: string;
  /** The parsed request as it was sent, the key included. */
  request: object;
}

/** For how long an answer is kept. */
const KEPT_MS = 24 * 60 * 60_000;
const SWEEP_INTERVAL_MS = 60_000;
/** So many of an organisation go in one statement. */
const SWEEP_BATCH_SIZE = 500;

/** Gives a call that is sent again under its idempotency key the first answer, without a second effect. */
@Injectable()
export class Idempotency implements OnApplicationShutdown {
  /** Calls under way in this process, by name. */
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
   * Runs `work` in one unit of work with the record of its result, which must be JSON; or gives the result of the
   * first call, when the same request came under the key in the last 24 hours. What `work` throws leaves the key free.
   * `work` may run again from its start.
   * @param aside given the end of a call of the same name that has to come first; resolves when this one may go on.
   * @throws Fault when another request came under the key.
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
   * Calls of one name that reach this process wait here for each other: waiting for the lock in the database would take a
   * connection each, and a client that sends again and again is what keys are for.
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

  /** Begins to remove what has expired, unless that was done in the last minute. No caller waits for it. */
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

/** The same for the same request, in whatever order and with whatever blanks its JSON is written. */
function hashOf({ operation, request }: KeyedCall): string {
  return createHash('sha256').update(operation).update('\n').update(canonicalize(request)!).digest('hex');
}
