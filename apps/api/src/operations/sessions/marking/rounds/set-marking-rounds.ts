import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { MarkingRounds } from '#marking';
import { flag, integer, optional, text, widgetReference } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { StartedMarkingRound } from '../round-view';
import { queryOf, sessionFilters } from '../../session-query';

const { activity_id, session_id, items, status, mintime, maxtime } = sessionFilters;
const { mintime_started, maxtime_started, mintime_completed, maxtime_completed } = sessionFilters;

const SetMarkingRoundsInput = Type.Object({
  ...bank,
  ...meta,
  name: text({ min: 1, max: 255, description: 'Name of the round, for people.' }),
  question: widgetReference('Reference of the question whose answers are marked.'),
  sessions: optional(
    Type.Object(
      {
        activity_id,
        session_id,
        items,
        status,
        mintime,
        maxtime,
        mintime_started,
        maxtime_started,
        mintime_completed,
        maxtime_completed,
      },
      {
        description:
          'Selects sessions by conditions that must all hold, as in `sessions/responses`. Default: the completed ones. Later sessions are not added to the round.',
      },
    ),
  ),
  markers: optional(
    integer({
      minimum: 1,
      maximum: 2,
      default: 1,
      description: 'How many people mark each answer.',
    }),
  ),
  blind: flag('Markers see neither the learner nor the marks of others.'),
  allowed_difference: optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'Points by which two marks may differ. If they differ more, the mark of a third person counts.',
    }),
  ),
  scored: flag('Whether to include answers that already have a score; their scores are replaced.'),
});

@operation({
  path: 'sessions/marking/rounds',
  action: 'set',
  summary:
    'Creates a marking round, and starts the job that collects its answers. The round is open once the job is done.',
  example: {
    name: 'Essays of May',
    question: 'essay-1',
    markers: 2,
    blind: true,
    allowed_difference: 1,
  },
  input: SetMarkingRoundsInput,
  output: StartedMarkingRound,
})
export class SetMarkingRounds implements Operation<typeof SetMarkingRoundsInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute(input: Static<typeof SetMarkingRoundsInput>, scope: Scope) {
    // Ignores a filter by learner, because the job would keep the ids.
    const { filter } = queryOf({ ...input.sessions, user_id: undefined }, undefined);
    const { name, question, markers = 1, blind = false, allowed_difference = 0, scored = false } = input;
    const reference = await this.rounds.create(
      {
        name,
        question,
        markers,
        isBlind: blind,
        allowedDifference: allowed_difference,
        withScored: scored,
        filter: { ...filter, statuses: filter.statuses ?? ['Completed'] },
      },
      scope,
    );
    const view: Static<typeof StartedMarkingRound> = { reference, job_reference: reference };
    return { data: JSON.stringify(view) };
  }
}
