import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { type Tag, Tags } from '#tagging';
import { optional } from '../../../declaration/fields';
import { tagText } from '../../../declaration/tag-fields';
import { shelf } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { tagsByType } from '../../record-view';

const GetTagsByTypeInput = Type.Object({
  ...shelf,
  types: optional(Type.Array(tagText('Ignores case.'), { maxItems: 1000, description: 'Tag types.' })),
  tags: optional(Type.Array(tagText('Ignores case.'), { maxItems: 1000, description: 'Tag names.' })),
});

@operation({
  path: 'itembank/tags',
  action: 'get',
  summary: 'Reads all tags by type. Use `itembank/tagging/tags` instead.',
  example: { types: ['Subject'] },
  input: GetTagsByTypeInput,
  output: Type.Record(Type.String(), Type.Array(Type.String())),
  deprecated: true,
})
export class GetTagsByType implements Operation<typeof GetTagsByTypeInput> {
  constructor(private readonly tags: Tags) {}

  async execute({ types, tags: names }: Static<typeof GetTagsByTypeInput>, { shelf }: Scope) {
    const all: Tag[] = [];
    let after;
    do {
      const slice = await this.tags.find({
        organisation: shelf.organisation,
        pool: shelf.pool,
        types,
        names,
        sort: { field: 'created', ascending: true },
        limit: 5000,
        after,
      });
      all.push(...slice.entries);
      after = slice.after;
    } while (after);
    return { data: tagsByType(all) };
  }
}
