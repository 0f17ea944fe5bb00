import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type Author, type JsonText, MANUAL_USER } from '#kernel';
import { shownBody, type StoredRecord } from '#content';
import { jsonObject, nullable, optional, text } from '../../../declaration/fields';
import {
  adaptiveParameters,
  dateTime,
  namesOf,
  onRequest,
  resource,
  revision,
  status,
  tagsByType as tags,
  type Texts,
} from '../../../declaration/outputs';
import { User } from '../../author-view';
import { members, membersOf, objectOf, recordExtras, storedExtras, tagsByType } from '../../record-view';

const ActivityItem = resource(
  'ActivityItem',
  'An item as an activity names it. Members that are not listed here are returned unchanged.',
  {
    reference: text('Reference of the item.'),
    id: Type.Unknown({
      description: 'Id of the item: a text that stays the same when the item is renamed. Or another id, as it was set.',
    }),
    organisation_id: Type.Union([Type.Integer(), Type.String()], {
      description: 'Organisation of the item bank; a text only where it was set as one.',
    }),
  },
  { additionalProperties: true },
);

/** Members of the stored body, which is passed on as text. */
const body = {
  description: text('Description, for authors.'),
  data: Type.Object(
    {
      items: optional(
        Type.Array(Type.Union([text('Reference of an item.'), ActivityItem]), {
          description: 'The items in order, each in the format in which it was set.',
        }),
      ),
      sections: optional(
        Type.Array(jsonObject(), { description: 'Sections, with `items` and `config` of their own.' }),
      ),
      config: optional(jsonObject('Settings of the player, such as `navigation`.')),
      rendering_type: optional(text('How the player shows the items, such as `assess` or `inline`.')),
      activity_id: optional(text('The reference. Derived, like the next three: a set ignores it.')),
      name: optional(text('The title, or the reference when there is none.')),
      state: optional(Type.Literal('initial', { description: 'Always `initial`.' })),
      type: optional(Type.Literal('submit_practice', { description: 'Always `submit_practice`.' })),
    },
    {
      additionalProperties: true,
      description: 'Definition. Members that are not listed here are returned unchanged.',
    },
  ),
  adaptive: adaptiveParameters,
  base_template_id: optional(Type.String({ deprecated: true, description: 'Base template, where one was set.' })),
};

const user = (name: string, description: string) =>
  onRequest(
    name,
    Type.Union([Type.String(), User] as TSchema[], {
      description: `${description} With \`populate_userdata\` an object with their name and address.`,
    }),
  );

const extras = {
  title: onRequest('title', nullable(text('Title, for authors.'))),
  metadata: onRequest('metadata', nullable(jsonObject('Further facts.'))),
  activity_id: onRequest('activity_id', text('The reference again.')),
  created_by: user('created_by', 'Id of the user who created the activity.'),
  last_updated_by: user('last_updated_by', 'Id of the user who changed the activity last.'),
  dt_created: dateTime('dt_created', 'of creation'),
  dt_updated: dateTime('dt_updated', 'of the last change'),
  revision,
};
export const ACTIVITY_EXTRAS = namesOf(extras);

export const Activity = resource('Activity', 'A list of items, with settings for their presentation.', {
  reference: text('Name of the activity, unique in its item bank.'),
  status: status('Status of the activity.'),
  ...body,
  tags,
  ...extras,
});

/**
 * An activity as reads show it.
 * @param users the people in `created_by` and `last_updated_by`, when their details are requested.
 */
export function activityView(
  record: StoredRecord,
  include: ReadonlySet<string>,
  users?: ReadonlyMap<string, Author>,
): JsonText {
  const ofRecord = recordExtras(record, include);
  if (users)
    for (const [name, id] of [
      ['created_by', record.createdBy],
      ['last_updated_by', record.updatedBy],
    ] as const)
      if (ofRecord[name])
        ofRecord[name] = JSON.stringify(userView(users.get(id ?? MANUAL_USER) ?? { id: id ?? MANUAL_USER }));
  const {
    reference,
    status,
    ...further
  }: Omit<Texts<typeof Activity>, keyof typeof body> = {
    reference: JSON.stringify(record.reference),
    status: JSON.stringify(record.status),
    tags: tagsByType(record.tags),
    activity_id: include.has('activity_id') ? JSON.stringify(record.reference) : undefined,
    ...ofRecord,
    ...storedExtras(record, include, { title: 'null', metadata: 'null' }),
  };
  return objectOf(members({ reference, status }), membersOf(shownBody(record)), members(further));
}

function userView({ id, firstname, lastname, email }: Author): Static<typeof User> {
  return { id, firstname: firstname ?? null, lastname: lastname ?? null, email: email ?? null };
}
