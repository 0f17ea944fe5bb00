import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { MarkingRounds } from '#marking';
import { optional, references } from '../../../../declaration/fields';
import { bank, paging } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { pageOf } from '../../../../declaration/results';
import { MarkingRound, roundView } from '../round-view';

const GetMarkingRoundsInput = Type.Object({
  ...bank,
  ...paging,
  references: optional(references('References of rounds.')),
});

@operation({
  path: 'sessions/marking/rounds',
  action: 'get',
  summary: 'Reads marking rounds and their progress, newest first.',
  example: { limit: 5 },
  input: GetMarkingRoundsInput,
  output: Type.Array(MarkingRound),
})
export class GetMarkingRounds implements Operation<typeof GetMarkingRoundsInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute({ references, limit = 50 }: Static<typeof GetMarkingRoundsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.rounds.find(shelf.organisation, {
      references,
      limit,
      after,
    });
    return pageOf(entries.map(roundView), next);
  }
}
