import { type Session, SessionStore } from '#sessions';
import { type Client } from './client';
import { expectSuccess } from './failure';
import { type TestService } from './service';
import { resultsOf } from './submissions';

/** What the results of the jobs that rescore show. */
export interface RescoringResults {
  plan: string;
  sessions: { session_id: string; outcome: string; reason?: string; old_score?: number; new_score?: number }[];
  files: { name: string; address: string }[];
  applied: number;
  skipped: number;
  sessions_changed: number;
  responses_changed: number;
  mean_shift: number;
  [member: string]: unknown;
}

/** A multiple-choice question with the options 1, 2 and 3. */
export const choice = (reference: string, right: string, score = 1, values: object = {}) => ({
  reference,
  type: 'mcq',
  data: {
    stimulus: reference,
    options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
    validation: { scoring_type: 'exactMatch', valid_response: { score, value: [right] } },
  },
  ...values,
});

export const essay = (reference: string, maxScore = 4) => ({
  reference,
  type: 'longtextV2',
  data: { stimulus: 'Write', validation: { max_score: maxScore } },
});

export const itemOf = (reference: string, ...widgets: string[]) => ({
  reference,
  status: 'published',
  definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
});

/** Asks for a rescoring, and gives what came of its job. */
export async function rescore(service: TestService, request: object, client: Client = service.client) {
  const answer = await client.update('sessions/item', request);
  expectSuccess(answer);
  const { job_reference: job } = answer.data as { job_reference: string };
  return { job, results: (await resultsOf(service, job)) as RescoringResults };
}

/** The lines of a file of results. */
export async function linesOf<Line = Record<string, unknown>>({ files }: RescoringResults): Promise<Line[]> {
  const answer = await fetch(files[0]!.address);
  if (answer.status !== 200) throw new Error(`The file answers ${answer.status}.`);
  return (await answer.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

export async function sessionsOf(service: TestService, ids: readonly string[]): Promise<Session[]> {
  const found = await service.get(SessionStore).read(1, ids);
  return ids.map((id) => found.get(id)!);
}

export const sessionOf = async (service: TestService, id: string): Promise<Session> =>
  (await sessionsOf(service, [id]))[0]!;

/** All of a session but when it was last written. */
export const stateOfSession = ({ updatedAt: _, ...state }: Session) => state;
