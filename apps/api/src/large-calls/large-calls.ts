import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, type TransferListItem } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Clock, Fault } from '#kernel';
import { Config, LOGGER, type Logger, Metrics, type MetricValues } from '#platform';
import { type Reply } from '../http/dispatcher.controller';
import { failure, send } from '../http/envelope';
import { RequestMetrics } from '../http/request-metrics';
import { type BodyPart, type LargeCall, type Role, type Roles } from './large-call';

/** To decode so many bytes takes 2 ms in which nobody else is answered; then they are parsed, checked and signed for. */
const LARGE_BYTES = 256 * 1024;

/** After the thread could not begin, or ended, it is not begun again for so long. */
const PAUSE_MS = 5_000;

/** By then it is there again: what ended it is not to be sent again to the thread of all others. */
const RETRY_AFTER_S = 10;

/** How long the thread may take for its metrics, and to end. */
const ASKED_MS = 2_000;

/** The thread is asked for a sign of life so often, and has hung when it gives none for so long. */
const WATCHED_EVERY_MS = 5_000;
const HUNG_MS = 15_000;

/**
 * Has calls with large bodies, or bodies of which nobody knows how large they will be, answered in a thread beside that of
 * all others, by the same dispatcher over connections of its own, so that others need not wait while they are decoded, parsed
 * and checked. The thread begins with the first of them; what arrives before it is there, or while it cannot be had, is
 * answered like any other call.
 */
@Injectable()
export class LargeCalls implements OnApplicationShutdown {
  private isOn = false;
  private thread: Piscina<unknown, unknown> | undefined;
  private isThere = false;
  private notBefore = 0;

  constructor(
    @Inject(Config) private readonly config: Config,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(RequestMetrics) private readonly requests: RequestMetrics,
  ) {}

  /** From now on they may be. The thread has the settings of the environment. Call once. */
  begin(): void {
    this.isOn = true;
    this.metrics.include(() => this.ofThread());
  }

  /** Whether the call is one that `answer` is to answer. */
  takes({ headers }: IncomingMessage): boolean {
    if (!this.isOn) return false;
    // Of one in chunks nobody knows.
    const isLarge = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) >= LARGE_BYTES;
    if (isLarge && !this.thread && performance.now() >= this.notBefore) void this.open();
    return isLarge && this.isThere;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    const { port1: rest, port2: body } = new MessageChannel();
    const call: LargeCall = { method, url, headers, body, arrivedAt: Date.now() };
    const thread = this.thread!;
    const { maxBodyBytes } = this.config;
    // Beyond the limit, of which the thread will say what is to be said, nothing is kept for it.
    let room = Number(headers['content-length'] ?? 0) > maxBodyBytes ? -1 : maxBodyBytes;
    const pass = (chunk: Buffer) => {
      if (room < 0) return;
      room -= chunk.length;
      // Handed over and not copied, or the memory would be this thread's until the next collection, and bring that about.
      const whole = chunk.length === chunk.buffer.byteLength ? chunk : Uint8Array.prototype.slice.call(chunk);
      rest.postMessage(whole satisfies BodyPart, [whole.buffer as ArrayBuffer]);
    };
    request.on('data', pass);
    request.once('end', () => rest.postMessage('end' satisfies BodyPart));
    request.once('error', () => rest.postMessage('broken' satisfies BodyPart));
    const reply = await this.ask(thread, 'answer', call, [body]).catch((error) => {
      this.lose(thread, error);
      return this.refusal();
    });
    // What still arrives nobody needs, but who sends it may not look for an answer before.
    request.off('data', pass).resume();
    rest.close();
    send(response, reply.status, reply.body, reply.headers);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isOn = false;
    const { thread, isThere } = this;
    if (!thread) return;
    this.forget();
    if (isThere) await this.inTime(this.ask(thread, 'close'));
    await thread.destroy();
  }

  private async open(): Promise<void> {
    let thread: Piscina | undefined;
    try {
      thread = this.thread = new Piscina({
        ...{ filename: require.resolve('./thread'), name: 'begin' satisfies Role },
        ...{ minThreads: 1, maxThreads: 1, concurrentTasksPerWorker: Infinity },
        // While it has no call it reads what others change, as every process does.
        atomics: 'disabled',
        // From the sources, a thread needs what lets the process read TypeScript.
        ...(extname(__filename) === '.ts' ? { execArgv: process.execArgv } : {}),
      });
      thread.on('error', (error) => this.lose(thread, error));
      // However it ends; who knows why is heard first. What takes its place by itself would not have begun.
      thread.on('workerDestroy', () => setImmediate(() => this.lose(thread, new Error('The thread ended.'))));
      await this.ask(thread, 'begin', { PORT: String(this.config.listeningPort) });
      if (this.thread !== thread) return;
      this.isThere = true;
      this.log.info('a thread answers large calls');
      void this.watch(thread);
    } catch (error) {
      this.lose(thread, error);
    }
  }

  private async watch(thread: Piscina): Promise<void> {
    while (this.thread === thread) {
      await delay(WATCHED_EVERY_MS, undefined, { ref: false });
      const alive = this.ask(thread, 'live').then(() => true);
      if (!(await this.inTime(alive, HUNG_MS)))
        this.lose(thread, new Error(`The thread gave no sign of life for ${HUNG_MS / 1_000} s.`));
    }
  }

  private ask<R extends Role>(
    thread: Piscina,
    role: R,
    value?: Parameters<Roles[R]>[0],
    transferList?: TransferListItem[],
  ): ReturnType<Roles[R]> {
    return thread.run(value, { name: role, transferList }) as ReturnType<Roles[R]>;
  }

  /** What is asked of the thread; undefined where it has ended, or takes too long. */
  private inTime<T>(asked: Promise<T>, withinMs = ASKED_MS): Promise<T | undefined> {
    const late = delay(withinMs, undefined, { ref: false });
    return Promise.race([asked.catch(() => undefined), late]);
  }

  /** It has ended, or is of no use. */
  private lose(thread: Piscina | undefined, error: unknown): void {
    if (this.thread !== thread) return;
    if (this.isThere) this.beginAgain();
    this.forget();
    this.notBefore = performance.now() + PAUSE_MS;
    this.log.error({ err: error }, 'the thread for large calls ended; they are answered without it');
    void thread?.destroy();
  }

  /** Not with the next large call, which may be what ended it. */
  private beginAgain(): void {
    setTimeout(() => {
      if (this.isOn && !this.thread) void this.open();
    }, PAUSE_MS).unref();
  }

  private forget(): void {
    this.thread = undefined;
    this.isThere = false;
  }

  private refusal(): Reply {
    const requestId = randomUUID();
    const message =
      'What answered this request ended meanwhile; whether it had done its work by then is not known. Send it again.';
    const { status, code, body } = failure(new Fault('unavailable', message), requestId, this.clock.now());
    this.log.info({ request_id: requestId, status, code }, 'request');
    this.requests.refused({ operation: undefined, status, code });
    return { status, body, headers: { 'X-Request-Id': requestId, 'Retry-After': RETRY_AFTER_S } };
  }

  private async ofThread(): Promise<MetricValues | undefined> {
    return this.isThere ? this.inTime(this.ask(this.thread!, 'metrics')) : undefined;
  }
}
