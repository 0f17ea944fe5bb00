import { call, type Input } from '../../operations/call';
import { Fault } from '../../operations/fault';
import type { Job } from '../../operations/operations';

/** The actual or planned outcome for a session. */
export interface PlannedSession {
  session_id: string;
  outcome: 'planned' | 'applied' | 'reverted' | 'unchanged' | 'ignored' | 'skipped' | 'kept';
  reason?: 'moved' | 'not-completed' | 'unlike' | 'unknown';
  old_score?: number;
  new_score?: number;
}

/** A session whose score changes. */
export type ChangedSession = Required<Pick<PlannedSession, 'session_id' | 'old_score' | 'new_score'>>;

type Count = PlannedSession['outcome'];

/** The results of a job of a rescoring. */
export interface Plan extends Partial<Record<Count, number>> {
  plan: string;
  /** All sessions, unless they are too many: then a file has them. */
  sessions?: PlannedSession[];
  files?: { name: string; address: string }[];
  sessions_changed?: number;
  responses_changed?: number;
  mean_shift?: number | null;
  score_step?: number;
  scores?: { score: number; before: number; after: number }[];
  largest_changes?: ChangedSession[];
}

export const planOf = ({ results }: Job): Plan => results as Plan;

/** The number of the sessions of a rescoring. */
export const sizeOf = (plan: Plan): number =>
  (['planned', 'applied', 'reverted', 'unchanged', 'ignored', 'skipped', 'kept'] as const).reduce(
    (sum, outcome) => sum + (plan[outcome] ?? 0),
    0,
  );

/** The service accepts one call in this time. */
const PAUSE_MS = 5_100;
const TRIES = 4;

/** Starts a job, as soon as the rate limit allows. Returns its reference. */
export async function startJob(request: Input<'update sessions/item'>): Promise<string> {
  for (let tries = 1; ; tries++)
    try {
      return (await call('update sessions/item', request)).data.job_reference;
    } catch (error) {
      if (!(error instanceof Fault && error.status === 429 && tries < TRIES)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
}
