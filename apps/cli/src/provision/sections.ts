import { type BaseTemplate, type Templates } from '#content';
import { type JsonObject } from '#kernel';
import { type HierarchyLevel, type TagHierarchies } from '#tagging';
import { type Kind } from './change';
import { type OrganisationEntry } from './description';

/** An entry of a section, in the form of the description and complete. */
export type Entry = JsonObject & { reference: string };

/** A list of an organisation that a description names as a whole. */
export interface Section<T extends Entry = Entry> {
  kind: Kind;
  /** What is described; undefined when the section is left out. */
  described(organisation: OrganisationEntry): T[] | undefined;
  stored(organisation: number): Promise<T[]>;
  put(organisation: number, entries: readonly T[]): Promise<void>;
  remove(organisation: number, references: readonly string[]): Promise<void>;
}

export function sections(hierarchies: TagHierarchies, templates: Templates): Section[] {
  return [tagHierarchies(hierarchies), playerTemplates(templates), baseTemplates(templates)];
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
