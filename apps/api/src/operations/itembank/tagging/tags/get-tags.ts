import { Type, type Static } from '@sinclair/typebox';

import { Fault, type Position, type Scope } from '#kernel';
import { Pools } from '#pools';
import { type Tag as StoredTag, Tags, type TagUse } from '#tagging';
import { integer, nullable, optional, text } from '../../../../declaration/fields';
import { tagText } from '../../../../declaration/tag-fields';
import { include, paging, shelf, sorting } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource, revision } from '../../../../declaration/outputs';
import { pageOf } from '../../../../declaration/results';

const GetTagsInput = Type.Object({
  ...shelf,
  ...paging,
  ...sorting(['sort_key', 'created', 'updated'], 'updated'),
  ...include('tags', ['revision', 'uses']),
  types: optional(
    Type.Array(tagText('Ignores case.'), { maxItems: 1000, description: 'Tag types. Required to sort by `sort_key`.' }),
  ),
  names: optional(Type.Array(tagText('Ignores case.'), { maxItems: 1000, description: 'Tag names.' })),
  contains: optional(text({ max: 511, description: 'Only tags whose `type:name` contains this text. Ignores case.' })),
  name_contains: optional(text({ max: 255, description: 'Only tags whose name contains this text. Ignores case.' })),
});

const Tag = resource('Tag', 'A name of a tag type, for sorting and finding records.', {
  type: text('Type of the tag.'),
  name: text('Name, unique in its type; ignores case.'),
  description: nullable(text('Description, for authors.')),
  sort_key: integer('Position among the tags of its type; 0 when none was set.'),
  revision,
  uses: optional(
    Type.Object(
      {
        items: integer('Items of the bank with the tag.'),
        activities: integer('Activities of the bank with the tag.'),
        pools: integer('Item pools that contain such items or activities.'),
      },
      { description: 'How many records have the tag.' },
    ),
  ),
});

@operation({
  path: 'itembank/tagging/tags',
  action: 'get',
  summary: 'Reads tags, filtered, sorted and paged.',
  example: { types: ['Subject'] },
  input: GetTagsInput,
  output: Type.Array(Tag),
})
export class GetTags implements Operation<typeof GetTagsInput> {
  constructor(
    private readonly tags: Tags,
    private readonly pools: Pools,
  ) {}

  async execute(
    { types, names, contains, name_contains: nameContains, ...input }: Static<typeof GetTagsInput>,
    { shelf }: Scope,
    after?: Position,
  ) {
    if (input.sort_field === 'sort_key' && !types)
      throw new Fault('missing', 'sort_field sort_key needs types: sort keys order the tags of a type.', '/types');
    const withRevision = input.include?.tags?.includes('revision') ?? false;
    const { entries, after: next } = await this.tags.find({
      organisation: shelf.organisation,
      pool: shelf.pool,
      types,
      names,
      contains,
      nameContains,
      sort: { field: input.sort_field ?? 'updated', ascending: input.sort === 'asc' },
      limit: input.limit ?? 50,
      after,
    });
    const uses = input.include?.tags?.includes('uses') ? await this.usesOf(shelf.organisation, entries) : [];
    return pageOf(
      entries.map((tag, index) => tagView(tag, withRevision, uses[index])),
      next,
    );
  }

  private async usesOf(organisation: number, tags: readonly StoredTag[]) {
    const inPools = await this.pools.tagged(
      organisation,
      tags.map(({ id }) => id),
    );
    const inBank = await this.tags.usesOf(organisation, tags);
    return tags.map(({ id }, index) => ({ ...inBank[index]!, pools: inPools.get(id) ?? 0 }));
  }
}

function tagView(tag: StoredTag, withRevision: boolean, uses?: TagUse & { pools: number }): Static<typeof Tag> {
  return {
    type: tag.type,
    name: tag.name,
    description: tag.description,
    sort_key: tag.sortKey ?? 0,
    revision: withRevision ? tag.updatedAt : undefined,
    uses,
  };
}
