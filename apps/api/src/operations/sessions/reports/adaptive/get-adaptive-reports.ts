import { Type, type Static } from '@sinclair/typebox';

import { type JsonObject, type JsonText, type Position, type Scope } from '#kernel';
import { type SessionRecord, Sessions, statusRecord } from '#sessions';
import { isObject } from '../../../../declaration/fields';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';
import { queryOf, sessionFilters } from '../../session-query';
import { sessionView } from '../../session-view';

const GetAdaptiveReportsInput = Type.Object(sessionFilters);

@operation({
  path: 'sessions/reports/adaptive',
  action: 'get',
  summary: 'Reads the ability estimates and exposed items of adaptive sessions.',
  example: { session_id: ['00000000-0000-4000-8000-000000000001'] },
  input: GetAdaptiveReportsInput,
  output: Type.Array(Type.Ref('AdaptiveReport')),
})
export class GetAdaptiveReports implements Operation<typeof GetAdaptiveReportsInput> {
  constructor(private readonly sessions: Sessions) {}

  async execute(input: Static<typeof GetAdaptiveReportsInput>, { shelf }: Scope, after?: Position) {
    const query = queryOf(input, after);
    const { entries, after: next } = await this.sessions.find(
      shelf.organisation,
      { ...query, filter: { ...query.filter, isAdaptive: true } },
      { texts: ['adaptive', 'customState'] },
    );
    return page(entries.map(reportView), next);
  }
}

function reportView(session: SessionRecord): JsonText {
  const { adaptive, customState } = session.texts;
  // Callers do not see whether an outside engine recorded it.
  const { recorded: _recorded, ...stored } = JSON.parse(adaptive ?? '{}') as JsonObject;
  const estimate = stored.ability_estimate ?? null;
  const exposed = isObject(stored.exposed_items) ? stored.exposed_items : {};
  return sessionView(
    {
      ...statusRecord(session),
      score: session.totals.score,
      meta: { status: estimate !== null },
      adaptive: {
        items: null,
        ...stored,
        ability_estimate: estimate,
        exposed_items: { operational: [], seeding: [], ...exposed } as JsonObject,
      },
    },
    customState ? { custom_state: customState } : {},
  );
}
