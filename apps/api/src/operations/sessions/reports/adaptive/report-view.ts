import { type Static, Type } from '@sinclair/typebox';
import { type JsonObject, type JsonText } from '#kernel';
import { type SessionRecord, shownReport, statusRecord } from '#sessions';
import { isObject, nullable, number, optional } from '../../../../declaration/fields';
import { resource } from '../../../../declaration/outputs';
import { identity, progress, score, sessionView, status } from '../../session-view';

/* Stored data of an adaptive session is returned unchanged, including members that are not listed here. */

export const Estimate = Type.Object(
  {
    ability_estimate: optional(number('In logits.')),
    standard_error: optional(number('Its standard error.')),
  },
  { additionalProperties: true, description: 'Null as long as there is none.' },
);

const Adaptive = Type.Object(
  {
    ability_estimate: nullable(Estimate),
    items: nullable(Type.Array(Type.Unknown(), { description: 'Items in the order in which they were given.' })),
    exposed_items: Type.Object(
      {
        operational: Type.Array(Type.Unknown(), { description: 'Items that count for the estimate.' }),
        seeding: Type.Array(Type.Unknown(), { description: 'Items that are only tried out.' }),
      },
      { additionalProperties: true, description: 'Items that the learner saw.' },
    ),
  },
  { additionalProperties: true, description: 'The estimate, and the items that it is based on.' },
);

export const AdaptiveReport = resource('AdaptiveReport', 'The result of an adaptive session.', {
  ...identity,
  ...progress,
  score,
  status,
  meta: Type.Object(
    { status: Type.Boolean({ description: 'Whether there is an estimate.' }) },
    { description: 'About the report.' },
  ),
  adaptive: Adaptive,
  custom_state: optional(Type.Unknown({ description: 'Results of an external adaptive engine; absent without them.' })),
});

export function reportView(session: SessionRecord): JsonText {
  const { adaptive, customState } = session.texts;
  const stored = shownReport(JSON.parse(adaptive ?? '{}') as JsonObject);
  const estimate = stored.ability_estimate ?? null;
  const exposed = isObject(stored.exposed_items) ? stored.exposed_items : {};
  return sessionView<Static<typeof AdaptiveReport>, 'custom_state'>(
    {
      ...statusRecord(session),
      score: session.totals.score,
      meta: { status: estimate !== null },
      adaptive: {
        items: null,
        ...stored,
        ability_estimate: estimate as Static<typeof Estimate> | null,
        exposed_items: { operational: [], seeding: [], ...exposed },
      },
    },
    { custom_state: customState ?? undefined },
  );
}
