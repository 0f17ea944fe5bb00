import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { revisionOf, TagHierarchies, type TagHierarchy as StoredHierarchy } from '#tagging';
import { integer, nullable, optional, references, text } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';
import { pageOf } from '../../../../declaration/results';

const GetHierarchiesInput = Type.Object({
  ...bank,
  references: optional(references('Hierarchies with one of these references; default: all.')),
});

const TagHierarchy = resource('TagHierarchy', 'An order of tag types from the root down, for browsing content.', {
  reference: text('Name of the hierarchy, unique in its item bank.'),
  tag_types: Type.Array(
    Type.Object({
      name: text('Tag type of the level.'),
      description: nullable(text('Meaning of the level.')),
    }),
    { description: 'The levels.' },
  ),
  revision: integer('Number of the current state; it follows from the levels. Use it as `if_revision` of a write.'),
});

@operation({
  path: 'itembank/tagging/hierarchies',
  action: 'get',
  summary: 'Reads tag hierarchies with the tag type of each level, sorted by reference.',
  example: {},
  input: GetHierarchiesInput,
  output: Type.Array(TagHierarchy),
})
export class GetHierarchies implements Operation<typeof GetHierarchiesInput> {
  constructor(private readonly hierarchies: TagHierarchies) {}

  async execute({ references }: Static<typeof GetHierarchiesInput>, { shelf }: Scope) {
    const found = await this.hierarchies.find(shelf.organisation, references);
    return pageOf(found.map(hierarchyView));
  }
}

function hierarchyView(hierarchy: StoredHierarchy): Static<typeof TagHierarchy> {
  const { reference, tagTypes } = hierarchy;
  const tag_types = tagTypes.map(({ name, description }) => ({ name, description }));
  return { reference, tag_types, revision: revisionOf(hierarchy) };
}
