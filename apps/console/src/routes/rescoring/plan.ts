import { call, type Input } from '../../operations/call';
import { Fault } from '../../operations/fault';
import type { Job } from '../../ui/job-progress';

/** The actual or planned outcome for a session. */
export interface PlannedSession {
  session_id: string;
  outcome: 'planned' | 'applied' | 'reverted' | 'unchanged' | 'ignored' | 'skipped' | 'kept';
  reason?: 'moved' | 'not-completed' | 'unlike' | 'unknown';
  old_score?: number;
  new_score?: number;
}

/** The results of the jobs of one rescoring, which may be several: a call takes 100 sessions. */
export interface Plan {
  hashes: string[];
  sessions: PlannedSession[];
  files: { name: string; address: string }[];
  responsesChanged: number;
}

interface Results {
  plan?: string;
  sessions?: PlannedSession[];
  files?: { name: string; address: string }[];
  responses_changed?: number;
}

export function planOf(jobs: readonly Job[]): Plan {
  const results = jobs.map((job) => (job.results ?? {}) as Results);
  return {
    hashes: results.flatMap(({ plan }) => plan ?? []),
    sessions: results.flatMap(({ sessions = [] }) => sessions),
    files: results.flatMap(({ files = [] }) => files),
    responsesChanged: results.reduce((sum, { responses_changed: count = 0 }) => sum + count, 0),
  };
}

export const isChanged = ({ old_score: before, new_score: after }: PlannedSession): boolean =>
  before !== undefined && before !== after;

/** The maximum number of sessions per call. */
export const MAX_SESSIONS_PER_CALL = 100;
/** The service accepts one call in this time. */
const PAUSE_MS = 5_100;
const TRIES = 4;

/** Makes the calls one after another, no faster than the rate limit allows. Returns the references of their jobs. */
export async function startJobs(
  requests: readonly Input<'update sessions/item'>[],
  began: (index: number) => void,
  started: (job: string) => void,
): Promise<void> {
  for (const [index, request] of requests.entries()) {
    began(index);
    for (let tries = 1; ; tries++)
      try {
        const { data } = await call('update sessions/item', request);
        started(data.job_reference);
        break;
      } catch (error) {
        if (!(error instanceof Fault && error.status === 429 && tries < TRIES)) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
  }
}

/** How many sessions have each total, before and after, lowest first. */
export function distributionOf(
  sessions: readonly PlannedSession[],
): { score: number; before: number; after: number }[] {
  const counts = new Map<number, { before: number; after: number }>();
  const add = (score: number | undefined, when: 'before' | 'after') => {
    if (score === undefined) return;
    const count = counts.get(score) ?? { before: 0, after: 0 };
    count[when]++;
    counts.set(score, count);
  };
  for (const { old_score: before, new_score: after } of sessions) {
    add(before, 'before');
    add(after, 'after');
  }
  return [...counts].map(([score, count]) => ({ score, ...count })).sort((one, other) => one.score - other.score);
}
