import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope, timeOf } from '#kernel';
import { isoTime, MarkingRounds } from '#sessions';
import { optional, references } from '../../../../declaration/fields';
import { bank, paging } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';
import { progressView } from '../progress-view';

const GetMarkingRoundsInput = Type.Object({
  ...bank,
  ...paging,
  references: optional(references('References of rounds.')),
});

@operation({
  path: 'sessions/marking/rounds',
  action: 'get',
  summary: 'Reads marking rounds and how far they are, newest first.',
  example: { limit: 5 },
  input: GetMarkingRoundsInput,
  output: Type.Array(Type.Ref('MarkingRound')),
})
export class GetMarkingRounds implements Operation<typeof GetMarkingRoundsInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute({ references, limit = 50 }: Static<typeof GetMarkingRoundsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.rounds.find(shelf.organisation, { references, limit, after });
    return page(
      entries.map((round) =>
        JSON.stringify({
          reference: round.id,
          name: round.name,
          question: round.question,
          markers: round.markers,
          blind: round.isBlind,
          allowed_difference: round.allowedDifference,
          status: round.status,
          author: round.author,
          job_reference: round.job,
          progress: progressView(round.progress),
          dt_created: isoTime(timeOf(round.id)),
          dt_updated: isoTime(round.changedAt),
        }),
      ),
      next,
    );
  }
}
