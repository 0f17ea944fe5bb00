/** A period in which a part of the installation was not available. */
interface Window {
  what: string;
  from: number;
  to: number;
  /** Whether connections to the API may break in this period. Otherwise the API must answer. */
  breaksConnections: boolean;
}

export interface Entry {
  kind: string;
  /** Milliseconds since 1970: when the request was due, and when the answer arrived. */
  due: number;
  ended: number;
  /** The reason of a failed attempt, if the failure may be temporary. */
  failure?: 'unavailable' | 'disconnected';
}

export interface Figures {
  kind: string;
  answered: number;
  failures: number;
  /** In milliseconds, without the requests during outages. */
  p50: number;
  p99: number;
  /** The same with the requests during outages. */
  p99OfAll: number;
}

/** Every sent request with its outcome. */
export class Journal {
  private readonly entries: Entry[] = [];
  readonly windows: Window[] = [];
  /** The faults of the run. */
  readonly faults: string[] = [];

  add(entry: Entry): void {
    this.entries.push(entry);
  }

  /** Forgets all requests until now. */
  begin(): void {
    this.entries.length = 0;
  }

  /** Runs an outage. Its window stays open for `graceMs` afterwards, because connections must be made again. */
  async during(what: string, graceMs: number, breaksConnections: boolean, outage: () => Promise<void>): Promise<void> {
    const window: Window = { what, from: Date.now(), to: Infinity, breaksConnections };
    this.windows.push(window);
    await outage();
    window.to = Date.now() + graceMs;
  }

  private windowsOf({ due, ended }: Entry): Window[] {
    return this.windows.filter(({ from, to }) => due <= to && ended >= from);
  }

  /** Requests that failed without an outage, or in a way that the outage does not allow. */
  unexpectedFailures(): string[] {
    return this.entries
      .filter(
        (entry) =>
          entry.failure &&
          !this.windowsOf(entry).some((each) => each.breaksConnections || entry.failure === 'unavailable'),
      )
      .map(({ kind, failure, ended }) => `${kind}: ${failure} at ${new Date(ended).toISOString()}`);
  }

  failuresDuring(what: string): number {
    return this.entries.filter((entry) => entry.failure && this.windowsOf(entry).some((each) => each.what === what))
      .length;
  }

  figures(): Figures[] {
    const kinds = [...new Set(this.entries.map(({ kind }) => kind))].sort();
    return kinds.map((kind) => {
      const all = this.entries.filter((entry) => entry.kind === kind);
      const answered = all.filter(({ failure }) => !failure);
      const quiet = times(answered.filter((entry) => this.windowsOf(entry).length === 0));
      return {
        kind,
        answered: answered.length,
        failures: all.length - answered.length,
        p50: quantile(quiet, 0.5),
        p99: quantile(quiet, 0.99),
        p99OfAll: quantile(times(answered), 0.99),
      };
    });
  }
}

const times = (entries: readonly Entry[]): number[] =>
  entries.map(({ due, ended }) => ended - due).sort((a, b) => a - b);

/** @param sorted ascending. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
