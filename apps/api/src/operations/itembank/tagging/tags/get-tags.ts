import { Type, type Static } from '@sinclair/typebox';

import { Fault, type Position, type Scope } from '#kernel';
import { Tags } from '#tagging';
import { optional } from '../../../../declaration/fields';
import { tagText } from '../../../../declaration/tag-fields';
import { include, paging, shelf, sorting } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';

const GetTagsInput = Type.Object({
  ...shelf,
  ...paging,
  ...sorting(['sort_key', 'created', 'updated'], 'updated'),
  ...include('tags', ['revision']),
  types: optional(Type.Array(tagText('Ignores case.'), { maxItems: 1000, description: 'Tag types.' })),
  names: optional(Type.Array(tagText('Ignores case.'), { maxItems: 1000, description: 'Tag names.' })),
});

@operation({
  path: 'itembank/tagging/tags',
  action: 'get',
  summary: 'Reads tags, filtered, sorted and paged.',
  example: { types: ['Subject'] },
  input: GetTagsInput,
  output: Type.Array(Type.Ref('Tag')),
})
export class GetTags implements Operation<typeof GetTagsInput> {
  constructor(private readonly tags: Tags) {}

  async execute({ types, names, ...input }: Static<typeof GetTagsInput>, { shelf }: Scope, after?: Position) {
    if (input.sort_field === 'sort_key' && !types)
      throw new Fault('missing', 'sort_field sort_key needs types: sort keys order the tags of a type.', '/types');
    const withRevision = input.include?.tags?.includes('revision');
    const { entries, after: next } = await this.tags.find({
      organisation: shelf.organisation,
      pool: shelf.pool,
      types,
      names,
      sort: { field: input.sort_field ?? 'updated', ascending: input.sort === 'asc' },
      limit: input.limit ?? 50,
      after,
    });
    return page(
      entries.map(({ type, name, description, sortKey, updatedAt }) =>
        JSON.stringify({
          type,
          name,
          description,
          sort_key: sortKey ?? 0,
          ...(withRevision ? { revision: updatedAt } : {}),
        }),
      ),
      next,
    );
  }
}
