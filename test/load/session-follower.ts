import { setTimeout as sleep } from 'node:timers/promises';
import { type SteadyCaller } from './steady-caller';

const INTERVAL_MS = 500;

/** The status of each session, and the time of its latest change. */
type SessionStates = Map<string, string>;

/** A client that keeps up with all sessions by the token of its last page. */
export class SessionFollower {
  readonly seen: SessionStates = new Map();
  private next: string | undefined;
  private stopping = false;
  private empty = false;

  constructor(private readonly caller: SteadyCaller) {}

  /** Reads pages until it is stopped. */
  async follow(): Promise<void> {
    while (!this.stopping) {
      await this.read(this.seen, 'follow sessions');
      await sleep(INTERVAL_MS);
    }
    // Reads may show a change only two seconds after its commit.
    await sleep(3_000);
    do await this.read(this.seen, 'follow sessions');
    while (!this.empty);
  }

  async stop(): Promise<void> {
    this.stopping = true;
  }

  /** All sessions as they are now, and those that several pages returned. */
  async all(): Promise<{ states: SessionStates; repeated: string[] }> {
    const states: SessionStates = new Map();
    const reader = new SessionFollower(this.caller);
    const repeated: string[] = [];
    do repeated.push(...(await reader.read(states, 'read all sessions')));
    while (!reader.empty);
    return { states, repeated };
  }

  /** Reads a page; returns its sessions that were already known. */
  private async read(states: SessionStates, kind: string): Promise<string[]> {
    const request = { include: { sessions: ['dt_updated'] }, sort: 'asc', next: this.next };
    const { meta, data } = await this.caller.call(kind, 'get', 'sessions/statuses', request);
    const page = data as { session_id: string; status: string; dt_updated: string }[];
    const known = page.filter(({ session_id }) => states.has(session_id)).map(({ session_id }) => session_id);
    for (const { session_id, status, dt_updated } of page) states.set(session_id, `${status} ${dt_updated}`);
    this.next = meta.next;
    this.empty = page.length === 0;
    return known;
  }
}
