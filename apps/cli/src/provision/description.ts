import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { RATE_PATTERN } from '#access';
import { TEMPLATE_STATUSES } from '#content';
import {
  EVENT_KINDS,
  MAX_STREAM_LENGTH,
  NAME_LENGTH,
  SECRET_FORM,
  STREAM_LENGTH,
  URL_LENGTH,
  USUAL_STREAM,
} from '#events';
import { REFERENCE_LENGTH } from '#kernel';
import { MAX_LEVELS } from '#tagging';
import { DOMAIN, FEATURE, MAX_ID } from '../options';

/*
 * The input of `itembank provision`. Its check, its types and docs/provision.schema.json follow from this declaration.
 * `spelt` describes, for a fault, the texts that match the pattern.
 */

/** Rejects other members. */
const exactly = <T extends TProperties>(properties: T, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

const organisationId = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_ID, description });

const reference = Type.String({
  minLength: 1,
  maxLength: REFERENCE_LENGTH,
  pattern: '^[ !#-&(-_a-~]*$',
  spelt: 'printable ASCII characters except " \' and `',
  description: 'Case-sensitive.',
});

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', spelt: 'more than blanks', description });

const words = <const T extends readonly string[]>(allowed: T, description: string) =>
  Type.Union(
    allowed.map((word) => Type.Literal(word)),
    { description },
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

const anyObject = (description: string) => Type.Object({}, { description });

const tagTypeName = name('Tags of this type are the nodes of the level. Ignores case.');

const TagHierarchyEntry = exactly(
  {
    reference,
    tag_types: Type.Array(
      Type.Union(
        [
          tagTypeName,
          exactly(
            { name: tagTypeName, description: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
            'A tag type with a description.',
          ),
        ],
        { spelt: 'a name, or an object with name and description' },
      ),
      { minItems: 1, maxItems: MAX_LEVELS, description: 'From the root down.' },
    ),
  },
  'A tag hierarchy.',
);

const PlayerTemplateEntry = exactly(
  { reference, name: name('For people.'), json: anyObject('Regions, label bundle and custom data. Stored unchanged.') },
  'A player template.',
);

const BaseTemplateEntry = exactly(
  {
    reference,
    description: Type.Optional(Type.String({ description: 'For people. Default: empty.' })),
    status: Type.Optional(words(TEMPLATE_STATUSES, 'Default: published.')),
    data: anyObject('`config` with the initial settings of activities. Stored unchanged.'),
  },
  'An activity base template. Deprecated: player templates replace it.',
);

const secretFrom = (description: string) =>
  Type.Union(
    [
      exactly(
        { env: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }) },
        'The environment variable that contains the secret.',
      ),
      exactly(
        { file: Type.String({ minLength: 1 }) },
        'The file that contains the secret; its path is relative to the description.',
      ),
    ],
    { description },
  );

const sinkName = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  spelt: 'letters, digits, dot, underscore and dash, beginning with a letter or a digit',
  description: 'The name that the command line shows.',
});

const eventKinds = Type.Array(words(EVENT_KINDS, 'A kind of event.'), {
  minItems: 1,
  uniqueItems: true,
  description: 'Only events of these kinds are delivered. Default: all kinds.',
});

const EventsEntry = exactly(
  {
    webhooks: Type.Optional(
      Type.Array(
        exactly(
          {
            name: sinkName,
            url: Type.String({
              minLength: 1,
              maxLength: URL_LENGTH,
              description:
                'The address to which events are posted: `https:` and public, unless the installation allows others.',
            }),
            secret: secretFrom(
              `The place of the secret that signs deliveries (${SECRET_FORM}). The secret itself is never written here.`,
            ),
            kinds: Type.Optional(eventKinds),
          },
          'A receiver over HTTP, as the Standard Webhooks specification describes.',
        ),
        { description: 'The complete list. Others of the organisation are removed, with their undelivered events.' },
      ),
    ),
    streams: Type.Optional(
      Type.Array(
        exactly(
          {
            name: sinkName,
            stream: Type.String({
              minLength: 1,
              maxLength: STREAM_LENGTH,
              pattern: '^[ -~]*$',
              spelt: 'printable ASCII characters',
              description: 'Key of the stream on Redis.',
            }),
            max_length: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: MAX_STREAM_LENGTH,
                description: `The approximate number of entries that are kept. Default: ${USUAL_STREAM}.`,
              }),
            ),
            kinds: Type.Optional(eventKinds),
          },
          'A Redis stream to which events are added.',
        ),
        { description: 'The complete list. Others of the organisation are removed, with their undelivered events.' },
      ),
    ),
  },
  'The receivers of events of the organisation (docs/events.md).',
);

export const OrganisationEntry = exactly(
  {
    id: organisationId('The number that callers send in `organisation_id`.'),
    name: name('For people.'),
    settings: Type.Optional(
      exactly(
        {
          enforce_workflow_moves: Type.Optional(
            Type.Boolean({
              description: 'Whether items may move only along the transitions of their workflow. Default: false.',
            }),
          ),
        },
        'Settings that are not named stay unchanged.',
      ),
    ),
    tag_hierarchies: Type.Optional(
      Type.Array(TagHierarchyEntry, { description: 'The complete list. Others of the organisation are removed.' }),
    ),
    player_templates: Type.Optional(
      Type.Array(PlayerTemplateEntry, { description: 'The complete list. Others of the organisation are removed.' }),
    ),
    base_templates: Type.Optional(
      Type.Array(BaseTemplateEntry, { description: 'The complete list. Others of the organisation are removed.' }),
    ),
    events: Type.Optional(EventsEntry),
  },
  'An organisation, which owns an item bank. It is created when there is none of this id.',
);

const SecretEntry = secretFrom(
  'The place of a secret of 16 to 255 printable ASCII characters. The secret itself is never written here.',
);

export const ConsumerEntry = exactly(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      spelt: 'letters, digits, dot, underscore and dash, beginning with a letter or a digit',
      description: 'The key that callers send in `consumer_key`.',
    }),
    label: Type.Optional(
      Type.String({ maxLength: 255, description: 'A name for people. Default for a new consumer: none.' }),
    ),
    status: Type.Optional(words(['active', 'disabled'], 'Default for a new consumer: active.')),
    domains: Type.Optional(
      Type.Array(
        Type.String({
          pattern: DOMAIN.source,
          spelt: 'a host without scheme, port and path: example.org, *.example.org, or * for any',
        }),
        { uniqueItems: true, description: 'The domains that it may sign with. Default for a new consumer: localhost.' },
      ),
    ),
    features: Type.Optional(
      Type.Array(Type.String({ pattern: FEATURE.source, spelt: 'a word in small letters, such as offlinepackage' }), {
        uniqueItems: true,
        description: 'Enabled features. Default for a new consumer: none.',
      }),
    ),
    rate_limits: Type.Optional(
      Type.Record(
        Type.String({ pattern: RATE_PATTERN.source }),
        Type.Integer({
          minimum: 0,
          maximum: 999_999_999,
          description: 'Maximum number of requests in 5 seconds; 0 refuses all.',
        }),
        {
          additionalProperties: false,
          description:
            'Limits that replace the published ones, by action and path, such as `set itembank/*`. The path may end in /*, and both may be *.',
        },
      ),
    ),
    legacy_signatures: Type.Optional(
      Type.Boolean({
        description:
          'Whether the signatures of clients older than mid-2023 are accepted. Default for a new consumer: false.',
      }),
    ),
    grants: Type.Optional(
      Type.Array(
        exactly(
          {
            organisation: organisationId('An organisation that exists or that the description creates.'),
            access: words(['read', 'write'], 'The access to its item bank.'),
            primary: Type.Optional(
              Type.Boolean({
                description: 'Whether requests that name no organisation use this one. At most one is primary.',
              }),
            ),
          },
          'A right to an item bank.',
        ),
        { description: 'The complete list. Other grants are withdrawn.' },
      ),
    ),
    secrets: Type.Optional(
      Type.Array(SecretEntry, { maxItems: 2, description: 'All valid secrets. Others end at once.' }),
    ),
  },
  'A program that calls the API. It is created when there is none of this key; then grants and secrets are required.',
);

export const Description = exactly(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors.' })),
    organisations: Type.Optional(Type.Array(OrganisationEntry, { description: 'Others stay unchanged.' })),
    consumers: Type.Optional(Type.Array(ConsumerEntry, { description: 'Others stay unchanged.' })),
  },
  'Organisations and consumers of an Itembank installation, for `itembank provision`. Omitted members stay unchanged.',
);

export type Description = Static<typeof Description>;
export type OrganisationEntry = Static<typeof OrganisationEntry>;
export type ConsumerEntry = Static<typeof ConsumerEntry>;

/** The text of docs/provision.schema.json. */
export function descriptionSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Description for itembank provision',
    ...Description,
  };
  return `${JSON.stringify(schema, (member, value: unknown) => (member === 'spelt' ? undefined : value), 2)}\n`;
}
