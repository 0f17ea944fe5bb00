import { type Logger, type Reason, reasonOf } from '#platform';
import { type Dependency } from './dependencies';

/** What is down is asked again this often, however cheap or dear that is. */
const DOWN_FRESH_MS = 1_000;

/** How a dependency does: `undefined` while it is up. */
type Trouble = Reason | undefined;

/**
 * A dependency that is asked no more often than need be: whoever wants to know meanwhile gets the answer that others got.
 * Nobody waits for it longer than its limit. Says in the log when it goes down and when it is up again.
 */
export class WatchedDependency {
  private asking: Promise<Trouble> | undefined;
  private last: { trouble: Trouble; at: number } | undefined;

  constructor(
    private readonly dependency: Dependency,
    private readonly log: Logger,
  ) {}

  get name(): Dependency['name'] {
    return this.dependency.name;
  }

  /** Why it does not do its work, in a word; undefined when it does. */
  async trouble(): Promise<Trouble> {
    const { last } = this;
    const freshMs = last?.trouble === undefined ? this.dependency.freshMs : DOWN_FRESH_MS;
    if (last && performance.now() - last.at < freshMs) return last.trouble;
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<Trouble> {
    const before = this.last?.trouble;
    const error = await this.failure();
    const trouble = error === undefined ? undefined : reasonOf(error);
    this.last = { trouble, at: performance.now() };
    if (trouble !== undefined && before === undefined)
      this.log.warn({ err: error, dependency: this.name, reason: trouble }, 'a dependency is down');
    if (trouble === undefined && before !== undefined)
      this.log.info({ dependency: this.name }, 'a dependency is up again');
    return trouble;
  }

  private async failure(): Promise<unknown> {
    const limit = new AbortController();
    const { limitMs } = this.dependency;
    const timer = setTimeout(() => {
      // Where this process was busy for so long, the answer may have come and wait to be read: that goes first.
      setImmediate(() => limit.abort(new DOMException(`No answer within ${limitMs} ms.`, 'TimeoutError')));
    }, limitMs);
    try {
      await new Promise<void>((resolve, reject) => {
        limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error));
        this.dependency.check(limit.signal).then(resolve, reject);
      });
      return undefined;
    } catch (error) {
      return error ?? new Error('The check failed.');
    } finally {
      clearTimeout(timer);
    }
  }
}
