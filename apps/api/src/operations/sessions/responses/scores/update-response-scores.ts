import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { ManualScores } from '#sessions';
import { nullable, optional, text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { StartedJob, startedJob } from '../../../jobs/started-job';

/** Beyond these, doubles cannot distinguish neighbouring decimals. */
const MAX_POINTS = 1_000_000_000;

const points = (minimum: number, description: string) => Type.Number({ minimum, maximum: MAX_POINTS, description });

const UpdateResponseScoresInput = Type.Object({
  ...bank,
  ...meta,
  sessions: Type.Array(
    Type.Object({
      session_id: text({ description: 'Id of the session.' }),
      user_id: text({ description: 'Learner whose session it is.' }),
      responses: Type.Array(
        Type.Object({
          response_id: text({ description: 'Id of a response of the session.' }),
          score: optional(
            nullable(
              points(
                -MAX_POINTS,
                'Points, including the manual ones. A score other than 0 needs `attempted: true`. Null withdraws manual scores, so that the automatic score holds again. Absent: unchanged.',
              ),
            ),
          ),
          max_score: optional(points(0, 'Maximum score of the response; absent: unchanged.')),
          attempted: optional(
            Type.Boolean({ description: 'Whether the learner attempted the question; absent: unchanged.' }),
          ),
          manual_score: optional(
            nullable(
              points(
                -MAX_POINTS,
                'The part of the score that a person gave, at most `max_manual_score`. Null: none. Absent: unchanged.',
              ),
            ),
          ),
          max_manual_score: optional(nullable(points(0, 'Maximum of that part. Null: none. Absent: unchanged.'))),
        }),
        { maxItems: 1000, description: 'Responses of the session, each once.' },
      ),
    }),
    { maxItems: 1000, description: 'The sessions, each once.' },
  ),
});

@operation({
  path: 'sessions/responses/scores',
  action: 'update',
  summary: 'Starts a job that writes manual scores of responses.',
  example: {
    sessions: [
      {
        session_id: '00000000-0000-4000-8000-000000000001',
        user_id: 'learner-1',
        responses: [{ response_id: 'response-1', score: 1, attempted: true }],
      },
    ],
  },
  input: UpdateResponseScoresInput,
  output: StartedJob,
})
export class UpdateResponseScores implements Operation<typeof UpdateResponseScoresInput> {
  constructor(private readonly scores: ManualScores) {}

  async execute({ sessions }: Static<typeof UpdateResponseScoresInput>, scope: Scope) {
    const job = await this.scores.start(
      sessions.map(({ session_id, user_id, responses }) => ({
        sessionId: session_id,
        userId: user_id,
        responses: responses.map(({ response_id, score, max_score, attempted, manual_score, max_manual_score }) => ({
          responseId: response_id,
          score,
          maxScore: max_score,
          attempted,
          manualScore: manual_score,
          maxManualScore: max_manual_score,
        })),
      })),
      scope,
    );
    return startedJob(job);
  }
}
