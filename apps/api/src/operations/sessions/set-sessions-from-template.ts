import { type Static, Type } from '@sinclair/typebox';

import { Fault, place, type Scope } from '#kernel';
import { ANSWERED_TYPES, TemplateSubmissions } from '#sessions';
import { integer, jsonObject, optional, read, text, wrongType } from '../../declaration/fields';
import { type Operation, operation } from '../../declaration/operation';
import { common, DATA_FORMATS, dataFormat } from './set-sessions';
import { StartedJob, startedJob } from '../jobs/started-job';

const [, FROM_TEMPLATE] = DATA_FORMATS;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const sessionId = read<string>(
  (value, at) => {
    if (typeof value !== 'string') throw wrongType(at, 'text');
    if (!UUID.test(value))
      throw new Fault(
        'value',
        `${place(at)} must be a UUID such as 3f0c2b1e-8f5a-4c0e-9d58-0a6f2d4b7c11; it is ${JSON.stringify(value.slice(0, 60))}.`,
        at,
      );
    return value;
  },
  { type: 'string', format: 'uuid', description: 'Id of the session, chosen by the caller; case-sensitive.' },
);

const count = (what: string) => optional(integer({ minimum: 0, maximum: 2147483647, description: what }));

const Response = Type.Object({
  question_id: text({ description: 'Id of a question of the template.' }),
  type: text({ description: '`array` or `string`, depending on the question type.' }),
  value: Type.Unknown({
    description: `The answer. Questions of these types can be answered: ${ANSWERED_TYPES.join(', ')}.`,
  }),
  wordCount: count('Number of words, for longtext, longtextV2 and plaintext.'),
  characterCount: count('Number of characters, for shorttext.'),
});

const Entry = Type.Object({
  session_id: sessionId,
  user_id: text({ min: 1, max: 255, description: 'Id of the learner.' }),
  activity_id: text({ min: 1, max: 255, description: 'Id of the activity, for filters of session reads.' }),
  responses: Type.Array(Response, {
    maxItems: 5000,
    description: 'The responses, at most one for each question. A question without a response counts as not attempted.',
  }),
});

const SetSessionsFromTemplateInput = Type.Object({
  ...common,
  data_format: dataFormat,
  template: jsonObject('The template that `sessions/templates` returned.'),
  data: Type.Array(Entry, { maxItems: 50, description: 'The sessions.' }),
});

@operation({
  path: 'sessions',
  action: 'set',
  when: { member: 'data_format', value: FROM_TEMPLATE },
  summary: 'Starts a job that saves completed sessions with the template that they were taken from.',
  example: {
    data_format: 'from_template',
    template: { questions: [] },
    data: [
      {
        session_id: '00000000-0000-4000-8000-000000000001',
        user_id: 'learner-1',
        activity_id: 'geography-1',
        responses: [],
      },
    ],
  },
  input: SetSessionsFromTemplateInput,
  output: StartedJob,
})
export class SetSessionsFromTemplate implements Operation<typeof SetSessionsFromTemplateInput> {
  constructor(private readonly submissions: TemplateSubmissions) {}

  async execute(input: Static<typeof SetSessionsFromTemplateInput>, scope: Scope) {
    const job = await this.submissions.start(
      {
        template: input.template,
        entries: input.data.map(({ session_id, user_id, activity_id, responses }) => ({
          sessionId: session_id,
          userId: user_id,
          activityId: activity_id,
          responses: responses.map(({ question_id, ...packet }) => ({ ...packet, questionId: question_id })),
        })),
        ignoreRevisions: input.ignore_response_revisions ?? false,
      },
      scope,
    );
    return startedJob(job);
  }
}
