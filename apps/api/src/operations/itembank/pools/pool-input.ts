import { type Static, Type } from '@sinclair/typebox';
import { Fault, place } from '#kernel';
import { type PoolInput, POOL_STATUSES, type TagEntry } from '#pools';
import {
  flag,
  isObject,
  nullable,
  optional,
  read,
  reference,
  text,
  unlessEmpty,
  words,
  wrongType,
} from '../../../declaration/fields';
import { ifRevision } from '../../../declaration/inputs';
import { PATTERN, readPattern, readPatterns } from '../../../declaration/tag-fields';
import { requiredTags } from '../../record-query';

/* Item pools as `set` and `update` take them. */

/** The largest number of entries of a list. Each entry is a search. */
const MAX_ENTRIES = 1000;

function readEntry(written: unknown, at: string): TagEntry {
  const value = unlessEmpty(written);
  if (!isObject(value)) throw wrongType(at, 'an object with type, or with required_tags and additional_tags');
  if (value.required_tags === undefined && value.additional_tags === undefined)
    return { required: [readPattern(value, at)], additional: [] };
  const member = (name: 'required_tags' | 'additional_tags') =>
    value[name] === undefined || value[name] === null ? [] : readPatterns(value[name], `${at}/${name}`);
  const required = requiredTags(member('required_tags'), `${at}/required_tags`);
  const additional = member('additional_tags');
  if (required.length + additional.length === 0)
    throw new Fault('missing', `${place(at)} needs a tag in required_tags or additional_tags.`, at);
  return { required, additional };
}

const tagEntries = (what: string) =>
  Type.Optional(
    read<TagEntry[]>(
      (value, at) => {
        if (isObject(value) && Object.keys(value).length === 0) return [];
        if (!Array.isArray(value)) throw wrongType(at, 'a list of tag entries');
        if (value.length > MAX_ENTRIES)
          throw new Fault(
            'too-many',
            `${place(at)} may hold at most ${MAX_ENTRIES} entries; it holds ${value.length}.`,
            at,
          );
        return value.map((entry, index) => readEntry(entry, `${at}/${index}`));
      },
      {
        type: 'array',
        maxItems: MAX_ENTRIES,
        items: {
          oneOf: [
            PATTERN,
            {
              type: 'object',
              properties: {
                required_tags: {
                  type: 'array',
                  items: PATTERN,
                  description: 'The content must carry all of these tags.',
                },
                additional_tags: {
                  type: 'array',
                  items: PATTERN,
                  description: 'The content must carry at least one of these tags.',
                },
              },
            },
          ],
        },
        description: `${what} by tags. Each entry is a tag or a combination of tags, and adds the content that it finds.`,
      },
    ),
  );

export const poolContent = Type.Object(
  {
    item_references: optional(Type.Array(reference(), { description: 'Items to add.' })),
    activity_references: optional(Type.Array(reference(), { description: 'Activities to add, with their items.' })),
    tags: tagEntries('Items and activities'),
    item_tags: tagEntries('Items'),
    activity_tags: tagEntries('Activities (with their items)'),
  },
  { description: 'Content to put into the pool: at least one entry.' },
);

export const dryRun = flag(
  'Beyond the specification: whether to only find out what the fills would change. The pools must exist. Neither they nor the item bank change. The results of the jobs say what is added, changed, removed and skipped.',
);

/** Members of a pool that `set` and `update` share. */
export const poolMembers = {
  reference: reference('Name of the pool; case-sensitive.'),
  description: optional(nullable(text({ description: 'Description.' }))),
  if_revision: ifRevision(),
  set_unpublished_to_published: flag(
    'Whether selected unpublished content is published in the item bank and then added; otherwise it is skipped.',
  ),
};
export const poolStatus = (byDefault?: 'published') =>
  optional(words(POOL_STATUSES, { default: byDefault, description: 'Status of the pool once it is filled.' }));
export const poolName = text({ max: 255, description: 'Name for people; need not be unique.' });

/** @throws Fault 20000 when nothing is named. */
export function selectionOf(content: Static<typeof poolContent>, at: string): PoolInput['content'] {
  const selection = {
    items: [...new Set(content.item_references)],
    activities: [...new Set(content.activity_references)],
    tags: content.tags ?? [],
    itemTags: content.item_tags ?? [],
    activityTags: content.activity_tags ?? [],
  };
  if (Object.values(selection).every((list) => list.length === 0))
    throw new Fault(
      'missing',
      `${place(at)} names nothing: it needs an entry in item_references, activity_references, tags, item_tags or activity_tags.`,
      at,
    );
  return selection;
}
