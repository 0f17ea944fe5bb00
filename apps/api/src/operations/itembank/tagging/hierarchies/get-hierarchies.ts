import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { TagHierarchies } from '#tagging';
import { optional, references } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';

const GetHierarchiesInput = Type.Object({
  ...bank,
  references: optional(references('Hierarchies with one of these references; without it all.')),
});

@operation({
  path: 'itembank/tagging/hierarchies',
  action: 'get',
  summary: 'Reads tag hierarchies with the tag type of each level, sorted by reference.',
  example: {},
  input: GetHierarchiesInput,
  output: Type.Array(Type.Ref('TagHierarchy')),
})
export class GetHierarchies implements Operation<typeof GetHierarchiesInput> {
  constructor(private readonly hierarchies: TagHierarchies) {}

  async execute({ references }: Static<typeof GetHierarchiesInput>, { shelf }: Scope) {
    const found = await this.hierarchies.find(shelf.organisation, references);
    return page(found.map(({ reference, tagTypes }) => JSON.stringify({ reference, tag_types: tagTypes })));
  }
}
