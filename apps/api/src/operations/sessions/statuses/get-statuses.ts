import { Type, type Static } from '@sinclair/typebox';

import { type JsonObject, type Position, type Scope } from '#kernel';
import { isoTime, type SessionRecord, Sessions, type SessionText, statusRecord } from '#sessions';
import { optional, words } from '../../../declaration/fields';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { FLAT, flatMetadataNames } from '../session-metadata-field';
import { queryOf, sessionFilters } from '../session-query';
import { metadataOf, sessionView } from '../session-view';

const EXTRAS = ['activity_template_id', 'dt_updated', 'session_tags'] as const;
type Extra = (typeof EXTRAS)[number];

const GetStatusesInput = Type.Object({
  ...sessionFilters,
  include: optional(
    Type.Object(
      {
        sessions: optional(Type.Array(words(EXTRAS), { maxItems: 100, description: 'Names of these properties.' })),
        [FLAT]: flatMetadataNames,
      },
      { description: 'Further properties to return.' },
    ),
  ),
});

@operation({
  path: 'sessions/statuses',
  action: 'get',
  summary: 'Reads the status of sessions, without responses or scores.',
  example: { activity_id: ['geography-1'], status: ['Completed'] },
  input: GetStatusesInput,
  output: Type.Array(Type.Ref('SessionStatus')),
})
export class GetStatuses implements Operation<typeof GetStatusesInput> {
  constructor(private readonly sessions: Sessions) {}

  async execute(input: Static<typeof GetStatusesInput>, { shelf }: Scope, after?: Position) {
    const extras = new Set(input.include?.sessions);
    const names = input.include?.[FLAT];
    const texts: SessionText[] = [];
    if (names) texts.push('metadata');
    if (extras.has('session_tags') || names?.includes('session_tags')) texts.push('tags');
    const { entries, after: next } = await this.sessions.find(shelf.organisation, queryOf(input, after), { texts });
    return page(
      entries.map((session) =>
        sessionView(Object.assign(statusRecord(session), extrasOf(session, extras, names)), {
          session_tags: extras.has('session_tags') ? session.texts.tags : undefined,
        }),
      ),
      next,
    );
  }
}

function extrasOf(
  session: SessionRecord,
  extras: ReadonlySet<Extra>,
  names: readonly string[] | undefined,
): JsonObject {
  const shown: JsonObject = {};
  if (extras.has('activity_template_id')) shown.activity_template_id = session.activityTemplateId;
  if (extras.has('dt_updated')) shown.dt_updated = isoTime(session.updatedAt);
  if (names) shown.metadata = metadataOf(session, names);
  return shown;
}
