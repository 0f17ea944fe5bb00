import { type Logger, type Reason, reasonOf } from '#platform';
import { type Dependency } from './dependencies';

/** How long a bad answer is cached, for all dependencies. */
const DOWN_FRESH_MS = 1_000;

/** Why a dependency does not work; `undefined` while it is up. */
type Trouble = Reason | undefined;

/**
 * Checks a dependency and caches the answer. Callers share a check and never wait longer than its limit. Logs when the
 * dependency goes down and when it is up again.
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

  /** Why the dependency does not work, in one word; undefined when it works. */
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
      // If this process was busy, the answer may already have arrived. `setImmediate` lets the process read it first.
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
