import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { JOB_STATUSES, Jobs } from '#jobs';
import { integer, maxTime, minTime, optional, references, text, words } from '../../declaration/fields';
import { paging } from '../../declaration/inputs';
import { type Operation, operation } from '../../declaration/operation';
import { page } from '../../declaration/results';
import { Job, jobView, shownNames } from './job-view';

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
  type: optional(
    Type.Array(text(), { maxItems: 50, description: 'Any of these types, such as `fill-pool`; default: all.' }),
  ),
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
  summary:
    'Reads jobs, newest first. Without organisation_id, reads those of every organisation that the consumer may read.',
  example: { status: ['completed'], limit: 5 },
  input: GetJobsInput,
  output: Type.Array(Job),
})
export class GetJobs implements Operation<typeof GetJobsInput> {
  constructor(private readonly jobs: Jobs) {}

  async execute(input: Static<typeof GetJobsInput>, { shelf, readable }: Scope, after?: Position) {
    const organisations = input.organisation_id === undefined ? [...readable] : [shelf.organisation];
    const { entries, after: next } = await this.jobs.find(organisations, {
      references: input.references,
      types: input.type,
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
