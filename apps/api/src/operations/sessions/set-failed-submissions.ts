import { type Static, Type } from '@sinclair/typebox';

import { PageTexts } from '#delivery';
import { type Scope } from '#kernel';
import { FailedSubmissions } from '#sessions';
import { optional } from '../../declaration/fields';
import { type Operation, operation } from '../../declaration/operation';
import { readDocuments } from './session-document';
import { common, DATA_FORMATS, dataFormat } from './set-sessions';
import { StartedJob, startedJob } from '../jobs/started-job';

const [FAILED_SUBMISSION] = DATA_FORMATS;

const SetFailedSubmissionsInput = Type.Object({
  ...common,
  data_format: optional({ ...dataFormat, default: FAILED_SUBMISSION }),
  data: Type.Array(
    Type.String({
      spelt: 'text, the base64 of a session document; entries for a template need data_format "from_template"',
      description:
        'Base64 of a JSON document, with or without gzip, at most 5 MB decoded. `docs/session-document.schema.json` describes the document.',
    }),
    { maxItems: 50, description: 'The sessions, each as the text from its player.' },
  ),
});

const EXAMPLE = {
  session_id: '00000000-0000-4000-8000-000000000001',
  user_id: 'learner-1',
  activity_id: 'geography-1',
  dt_started: '2026-01-31T09:30:00Z',
  dt_completed: '2026-01-31T09:42:00Z',
  responses: [
    {
      response_id: 'response-1',
      item_reference: 'capitals',
      question_reference: 'capital-1',
      type: 'array',
      value: ['0'],
      revision: 1,
    },
  ],
};

@operation({
  path: 'sessions',
  action: 'set',
  when: { member: 'data_format', value: FAILED_SUBMISSION, byDefault: true },
  summary: 'Starts a job that saves sessions that a player could not deliver.',
  example: { data: [Buffer.from(JSON.stringify(EXAMPLE)).toString('base64')] },
  input: SetFailedSubmissionsInput,
  output: StartedJob,
})
export class SetFailedSubmissions implements Operation<typeof SetFailedSubmissionsInput> {
  constructor(
    private readonly submissions: FailedSubmissions,
    private readonly pages: PageTexts,
  ) {}

  async execute(input: Static<typeof SetFailedSubmissionsInput>, scope: Scope) {
    const texts = await this.submissions.decoded(input.data);
    const { organisation } = scope.shelf;
    const job = await this.submissions.start(
      await readDocuments(texts, organisation, (document) => this.pages.named(organisation, document)),
      { ignoreRevisions: input.ignore_response_revisions ?? false },
      scope,
    );
    return startedJob(job);
  }
}
