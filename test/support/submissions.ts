import { Jobs } from '#jobs';
import { type Session, SessionStore, Submissions, type Submission } from '#sessions';
import { type Answer } from './client';
import { expectSuccess } from './failure';
import { type TestService } from './service';
import { until } from './until';

/** A submission of the item `item` of organisation 1, with the given values. */
export function submission(sessionId: string, wanted: Partial<Submission> = {}): Submission {
  return {
    sessionId,
    userId: 'learner',
    activityId: 'activity',
    activityTemplateId: null,
    status: 'Completed',
    startedAt: Date.UTC(2026, 0, 1, 10),
    completedAt: Date.UTC(2026, 0, 1, 10, 8, 20),
    items: [],
    responses: [],
    subscores: null,
    metadata: {},
    tags: null,
    adaptive: null,
    customState: null,
    ...wanted,
  };
}

/** A learner's answer to a question of an item. */
export function answer(item: string, question: string, value: unknown, revision = 1): Submission['responses'][number] {
  return {
    responseId: `${item}-${question}`,
    item,
    question,
    response: { value: value as string, type: typeof value === 'string' ? 'string' : 'array', revision },
    revision,
  };
}

/** Waits until a job has ended and returns its results. */
export async function resultsOf(service: TestService, reference: string, organisation = 1): Promise<unknown> {
  const jobs = service.get(Jobs);
  const job = await until(async () => {
    const { entries } = await jobs.find([organisation], { references: [reference], limit: 1 });
    return entries[0] && ['completed', 'halted'].includes(entries[0].status) ? entries[0] : undefined;
  });
  if (job.status !== 'completed') throw new Error(`The job is ${job.status}: ${job.error?.message}`);
  return job.results === null ? null : JSON.parse(job.results);
}

/** Waits until the job that a call started has ended, and returns its results. */
export function resultsOfStarted(service: TestService, started: Answer): Promise<unknown> {
  expectSuccess(started);
  return resultsOf(service, started.data.job_reference);
}

/** Submits, waits for the job and returns its results. */
export async function submit(
  service: TestService,
  submissions: readonly Submission[],
  { ignoreRevisions = false, organisation = 1, othersReadable = [] as number[] } = {},
): Promise<{ saved: number; unchanged: number; refused: number; sessions: Record<string, string>[] }> {
  const scope = {
    shelf: { organisation },
    operation: 'set sessions',
    now: service.clock.now(),
    readable: new Set([organisation, ...othersReadable]),
  };
  const reference = await service.get(Submissions).start({ submissions, ignoreRevisions }, scope);
  return (await resultsOf(service, reference, organisation)) as Awaited<ReturnType<typeof submit>>;
}

/** The stored sessions of organisation 1 with these ids. */
export async function sessionsOf(service: TestService, ids: readonly string[]): Promise<Session[]> {
  const found = await service.get(SessionStore).read(1, ids);
  return ids.map((id) => found.get(id)!);
}

export const sessionOf = async (service: TestService, id: string): Promise<Session> =>
  (await sessionsOf(service, [id]))[0]!;
