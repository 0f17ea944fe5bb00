import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { isoTime, type SessionRecord, Sessions, type SessionText, statusRecord } from '#sessions';
import { jsonObject, nullable, optional, text, words } from '../../../declaration/fields';
import { type Operation, operation } from '../../../declaration/operation';
import { namesOf, onRequest, resource } from '../../../declaration/outputs';
import { page } from '../../../declaration/results';
import { FLAT, flatMetadataNames } from '../session-metadata-field';
import { queryOf, sessionFilters } from '../session-query';
import { identity, metadataOf, progress, sessionTags, sessionView, status, time } from '../session-view';

const always = { ...identity, ...progress, status };

const extras = {
  activity_template_id: onRequest(
    'activity_template_id',
    nullable(text('Reference of the activity of the item bank.')),
  ),
  dt_updated: onRequest('dt_updated', time('Time of the latest change, UTC.')),
  session_tags: onRequest('session_tags', sessionTags),
};
const EXTRAS = namesOf(extras);
type Extra = keyof typeof extras;

const SessionStatus = resource('SessionStatus', 'The progress of a session.', {
  ...always,
  ...extras,
  metadata: onRequest('sessions.session_metadata', jsonObject('Metadata of the names asked for.')),
});

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
  output: Type.Array(SessionStatus),
})
export class GetStatuses implements Operation<typeof GetStatusesInput> {
  constructor(private readonly sessions: Sessions) {}

  async execute(input: Static<typeof GetStatusesInput>, { shelf }: Scope, after?: Position) {
    const asked = new Set(input.include?.sessions);
    const names = input.include?.[FLAT];
    const texts: SessionText[] = [];
    if (names) texts.push('metadata');
    if (asked.has('session_tags') || names?.includes('session_tags')) texts.push('tags');
    const { entries, after: next } = await this.sessions.find(shelf.organisation, queryOf(input, after), { texts });
    return page(
      entries.map((session) =>
        sessionView<Static<typeof SessionStatus>, 'session_tags'>(
          Object.assign(statusRecord(session), extrasOf(session, asked, names)),
          { session_tags: asked.has('session_tags') ? session.texts.tags : undefined },
        ),
      ),
      next,
    );
  }
}

function extrasOf(
  session: SessionRecord,
  extras: ReadonlySet<Extra>,
  names: readonly string[] | undefined,
): Omit<Static<typeof SessionStatus>, keyof typeof always | 'session_tags'> {
  return {
    activity_template_id: extras.has('activity_template_id') ? session.activityTemplateId : undefined,
    dt_updated: extras.has('dt_updated') ? isoTime(session.updatedAt) : undefined,
    metadata: names && metadataOf(session, names),
  };
}
