import { Type, type Static } from '@sinclair/typebox';

import { type JsonText, type Position, type Scope } from '#kernel';
import { type Job, type JobError, JOB_STATUSES, Jobs } from '#jobs';
import { BUG, FAULTS } from '../../http/faults';
import { integer, maxTime, minTime, optional, references, text, words } from '../../declaration/fields';
import { paging } from '../../declaration/inputs';
import { type Operation, operation } from '../../declaration/operation';
import { page } from '../../declaration/results';
import { dateTime, members } from '../record-view';

const GetJobsInput = Type.Object({
  organisation_id: optional(
    integer({
      minimum: 1,
      maximum: 2147483647,
      description: 'Organisation whose jobs are read; default: every one that the consumer may read.',
    }),
  ),
  ...paging,
  references: optional(references('References of jobs.')),
  status: optional(Type.Array(words(JOB_STATUSES), { description: 'Any of these; default: all.' })),
  mintime: minTime('time of creation'),
  maxtime: maxTime('time of creation'),
  include: optional(
    Type.Array(text(), {
      maxItems: 100,
      description: 'Only these properties are returned; unknown names are ignored. Default: all.',
    }),
  ),
});

@operation({
  path: 'jobs',
  action: 'get',
  acrossOrganisations: true,
  summary: 'Reads jobs, newest first; without organisation_id those of every organisation that the consumer may read.',
  example: { status: ['completed'], limit: 5 },
  input: GetJobsInput,
  output: Type.Array(Type.Ref('Job')),
})
export class GetJobs implements Operation<typeof GetJobsInput> {
  constructor(private readonly jobs: Jobs) {}

  async execute(input: Static<typeof GetJobsInput>, { shelf, readable }: Scope, after?: Position) {
    const organisations = input.organisation_id === undefined ? [...readable] : [shelf.organisation];
    const { entries, after: next } = await this.jobs.find(organisations, {
      references: input.references,
      status: input.status && [...new Set(input.status)],
      from: input.mintime,
      to: input.maxtime,
      limit: input.limit ?? 50,
      after,
    });
    const names = shownNames(input.include);
    return page(
      entries.map((job) => jobView(job, names)),
      next,
    );
  }
}

/** Each property and its JSON text. */
const PROPERTIES: Record<string, (job: Job) => JsonText> = {
  reference: ({ id }) => JSON.stringify(id),
  type: ({ type }) => JSON.stringify(type),
  status: ({ status }) => JSON.stringify(status),
  dt_created: ({ createdAt }) => JSON.stringify(dateTime(createdAt)),
  dt_completed: ({ completedAt }) => JSON.stringify(completedAt === null ? null : dateTime(completedAt)),
  progress: ({ progress: { done, total } }) => JSON.stringify({ done, total }),
  results: ({ results }) => results ?? 'null',
  error: ({ error }) => JSON.stringify(error && errorView(error)),
};

/** Undefined: all. Unknown names are ignored, and a list of only unknown names counts as absent. */
function shownNames(include: readonly string[] | undefined): string[] | undefined {
  const known = [...new Set(include)].filter((name) => Object.hasOwn(PROPERTIES, name));
  return known.length > 0 ? known : undefined;
}

/** `error` is shown when the job was halted, or when the request names it. */
function jobView(job: Job, names: readonly string[] | undefined): JsonText {
  const shown = names ?? Object.keys(PROPERTIES).filter((name) => name !== 'error' || job.error !== null);
  return `{${members(Object.fromEntries(shown.map((name) => [name, PROPERTIES[name]!(job)])))}}`;
}

const errorView = ({ kind, message }: JobError) => ({
  code: kind === null ? BUG.code : FAULTS[kind].code,
  message,
});
