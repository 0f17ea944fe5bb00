import { type BaseTemplate, type Templates } from '#content';
import { EVENT_KINDS, type EventKind, type EventSinks, type Sink, USUAL_STREAM } from '#events';
import { type JsonObject } from '#kernel';
import { type HierarchyLevel, type TagHierarchies } from '#tagging';
import { type Kind } from './change';
import { type OrganisationEntry } from './description';
import { type WebhookSecrets } from './secrets';

/** A complete entry of a section, in the form of the description. */
export type Entry = JsonObject & { reference: string };

/** A list of an organisation that a description gives as a whole. */
export interface Section<T extends Entry = Entry> {
  kind: Kind;
  /** The described entries; undefined when the section is absent. */
  described(organisation: OrganisationEntry): T[] | undefined;
  stored(organisation: number): Promise<T[]>;
  put(organisation: number, entries: readonly T[]): Promise<void>;
  remove(organisation: number, references: readonly string[]): Promise<void>;
}

interface Services {
  hierarchies: TagHierarchies;
  templates: Templates;
  sinks: EventSinks;
}

/** @param secrets secrets of the described webhooks. */
export function sections({ hierarchies, templates, sinks }: Services, secrets: WebhookSecrets): Section[] {
  return [
    tagHierarchies(hierarchies),
    playerTemplates(templates),
    baseTemplates(templates),
    webhooks(sinks, secrets),
    streams(sinks),
  ];
}

type Level = Pick<HierarchyLevel, 'name' | 'description'>;

function tagHierarchies(hierarchies: TagHierarchies): Section<{ reference: string; tag_types: Level[] }> {
  return {
    kind: 'tag_hierarchy',
    described: ({ tag_hierarchies: entries }) =>
      entries?.map(({ reference, tag_types: types }) => ({
        reference,
        tag_types: types.map((type) =>
          typeof type === 'string'
            ? { name: type, description: null }
            : { name: type.name, description: type.description ?? null },
        ),
      })),
    stored: async (organisation) =>
      (await hierarchies.find(organisation)).map(({ reference, tagTypes }) => ({
        reference,
        tag_types: tagTypes.map(({ name, description }) => ({ name, description })),
      })),
    put: (organisation, entries) =>
      hierarchies.put(
        organisation,
        entries.map(({ reference, tag_types: tagTypes }) => ({ reference, tagTypes })),
      ),
    remove: (organisation, references) => hierarchies.remove(organisation, references),
  };
}

function playerTemplates(templates: Templates): Section<{ reference: string; name: string; json: JsonObject }> {
  return {
    kind: 'player_template',
    described: ({ player_templates: entries }) =>
      entries?.map(({ reference, name, json }) => ({ reference, name, json })),
    stored: async (organisation) =>
      (await templates.playerTemplates(organisation)).map(({ reference, name, json }) => ({
        reference,
        name,
        json: JSON.parse(json) as JsonObject,
      })),
    put: (organisation, entries) =>
      templates.putPlayerTemplates(
        organisation,
        entries.map((entry) => ({ ...entry, json: JSON.stringify(entry.json) })),
      ),
    remove: (organisation, references) => templates.removePlayerTemplates(organisation, references),
  };
}

type BaseEntry = Omit<BaseTemplate, 'data'> & { data: JsonObject };

function baseTemplates(templates: Templates): Section<BaseEntry> {
  return {
    kind: 'base_template',
    described: ({ base_templates: entries }) =>
      entries?.map(({ reference, description = '', status = 'published', data }) => ({
        reference,
        description,
        status,
        data,
      })),
    stored: async (organisation) =>
      (await templates.baseTemplates(organisation)).map(({ reference, description, status, data }) => ({
        reference,
        description,
        status,
        data: JSON.parse(data) as JsonObject,
      })),
    put: (organisation, entries) =>
      templates.putBaseTemplates(
        organisation,
        entries.map((entry) => ({ ...entry, data: JSON.stringify(entry.data) })),
      ),
    remove: (organisation, references) => templates.removeBaseTemplates(organisation, references),
  };
}

type WebhookEntry = {
  reference: string;
  url: string;
  kinds: EventKind[];
  /** A placeholder that reveals nothing about the secret. */
  secret: string;
};

/** All kinds in a fixed order, so that equal lists look equal. */
const inOrder = (kinds: readonly EventKind[] | null | undefined): EventKind[] =>
  EVENT_KINDS.filter((kind) => kinds?.includes(kind) ?? true);

const orAll = (kinds: readonly EventKind[]) => (kinds.length === EVENT_KINDS.length ? null : kinds);

const ofType = <T extends Sink['type']>(type: T, sinks: Awaited<ReturnType<EventSinks['list']>>) =>
  sinks.flatMap(({ sink, fingerprint }) =>
    sink.type === type ? [{ sink: sink as Extract<Sink, { type: T }>, fingerprint }] : [],
  );

function webhooks(sinks: EventSinks, secrets: WebhookSecrets): Section<WebhookEntry> {
  return {
    kind: 'webhook',
    described: ({ id, events }) =>
      events?.webhooks?.map(({ name, url, kinds }) => ({
        reference: name,
        url,
        kinds: inOrder(kinds),
        secret: sinks.fingerprint(secrets.of(id, name)),
      })),
    stored: async (organisation) =>
      ofType('webhook', await sinks.list(organisation)).map(({ sink: { name, url, kinds }, fingerprint }) => ({
        reference: name,
        url,
        kinds: inOrder(kinds),
        secret: fingerprint ?? '',
      })),
    put: (organisation, entries) =>
      sinks.putWebhooks(
        organisation,
        entries.map(({ reference: name, url, kinds }) => ({
          type: 'webhook',
          name,
          url,
          kinds: orAll(kinds),
          secret: secrets.of(organisation, name),
        })),
      ),
    remove: (organisation, names) => sinks.remove(organisation, 'webhook', names),
  };
}

type StreamEntry = {
  reference: string;
  stream: string;
  max_length: number;
  kinds: EventKind[];
};

function streams(sinks: EventSinks): Section<StreamEntry> {
  return {
    kind: 'event_stream',
    described: ({ events }) =>
      events?.streams?.map(({ name, stream, max_length = USUAL_STREAM, kinds }) => ({
        reference: name,
        stream,
        max_length,
        kinds: inOrder(kinds),
      })),
    stored: async (organisation) =>
      ofType('stream', await sinks.list(organisation)).map(({ sink: { name, stream, maxLength, kinds } }) => ({
        reference: name,
        stream,
        max_length: maxLength,
        kinds: inOrder(kinds),
      })),
    put: (organisation, entries) =>
      sinks.putStreams(
        organisation,
        entries.map(({ reference: name, stream, max_length: maxLength, kinds }) => ({
          type: 'stream',
          name,
          stream,
          maxLength,
          kinds: orAll(kinds),
        })),
      ),
    remove: (organisation, names) => sinks.remove(organisation, 'stream', names),
  };
}
