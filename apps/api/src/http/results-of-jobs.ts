import { type Result } from '../declaration/operation';

/** The operation that starts the jobs of each type. */
const STARTED_BY: Readonly<Record<string, string>> = {
  'apply-rescoring': 'update sessions/item',
  'calculate-subscores': 'get jobs/sessions/scores/subscores',
  dataset: 'set jobs/reports/datasets',
  'duplicate-activities': 'set itembank/activities/duplicate',
  'fill-pool': 'set itembank/pools',
  'offline-package': 'get itembank/offlinepackage',
  'rescore-item': 'update sessions/item',
  'rescore-sessions': 'update sessions/item',
  'revert-rescoring': 'update sessions/item',
  'save-sessions': 'set sessions',
  'set-session-metadata': 'set jobs/sessions/metadata',
  'update-response-scores': 'update sessions/responses/scores',
  'update-session-statuses': 'update jobs/sessions/statuses',
};

/** The operation that starts jobs of other types. */
const OTHERS = 'set sessions';

/**
 * The jobs. Only jobs that the caller could start show their results. Results contain data that a role may not show
 * otherwise: responses of learners, packages with keys.
 */
export function withoutOthersResults(mayCall: (operation: string) => boolean, result: Result): Result {
  const jobs = JSON.parse(result.data) as { type?: string; results?: unknown; error?: unknown }[];
  const shown = jobs.map((job) => {
    const operation = job.type === undefined ? undefined : (STARTED_BY[job.type] ?? OTHERS);
    const isOwn = operation === undefined ? Object.values(STARTED_BY).every(mayCall) : mayCall(operation);
    if (isOwn) return job;
    return {
      ...job,
      ...('results' in job ? { results: null } : {}),
      ...('error' in job ? { error: null } : {}),
    };
  });
  return { ...result, data: JSON.stringify(shown) };
}
