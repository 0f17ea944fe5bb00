import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { TagHierarchies } from '#tagging';
import { optional, references } from '../../../../operation/fields';
import { bank } from '../../../../operation/inputs';
import { type Operation, operation } from '../../../../operation/operation';
import { page } from '../../../../operation/results';

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
