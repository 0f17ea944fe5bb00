import { type Static } from '@sinclair/typebox';
import { text } from '../../declaration/fields';
import { type Result } from '../../declaration/operation';
import { resource } from '../../declaration/outputs';

export const StartedJob = resource('StartedJob', 'An accepted job; `jobs` returns its status and results.', {
  job_reference: text('Reference of the job.'),
});

export function startedJob(job: string): Result {
  const view: Static<typeof StartedJob> = { job_reference: job };
  return { data: JSON.stringify(view) };
}
