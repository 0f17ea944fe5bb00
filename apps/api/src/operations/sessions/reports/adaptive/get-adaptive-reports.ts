import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Sessions } from '#sessions';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';
import { queryOf, sessionFilters } from '../../session-query';
import { AdaptiveReport, reportView } from './report-view';

const GetAdaptiveReportsInput = Type.Object(sessionFilters);

@operation({
  path: 'sessions/reports/adaptive',
  action: 'get',
  summary: 'Reads the ability estimates and exposed items of adaptive sessions.',
  example: { session_id: ['00000000-0000-4000-8000-000000000001'] },
  input: GetAdaptiveReportsInput,
  output: Type.Array(AdaptiveReport),
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
