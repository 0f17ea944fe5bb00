import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { MAX_LEVELS, TagHierarchies } from '#tagging';
import { nullable, optional, reference, text } from '../../../../../declaration/fields';
import { tagText } from '../../../../../declaration/tag-fields';
import { bank } from '../../../../../declaration/inputs';
import { type Operation, operation } from '../../../../../declaration/operation';
import { resource } from '../../../../../declaration/outputs';
import { pageOf } from '../../../../../declaration/results';

const GetHierarchyNodesInput = Type.Object({
  ...bank,
  reference: reference('Reference of the hierarchy.'),
  path: optional(
    Type.Array(
      Type.Object({
        type: tagText('The tag type of the level. Ignores case.'),
        name: tagText('Ignores case.'),
      }),
      { maxItems: MAX_LEVELS, description: 'One tag of each level, from the root down. Empty: the nodes of the root.' },
    ),
  ),
});

const TagNode = resource('TagNode', 'A tag as a node of a hierarchy: content has it together with the tags above it.', {
  type: text('Type of the tag: that of its level.'),
  name: text('Name of the tag.'),
  description: nullable(text('Description of the tag, for authors.')),
});

@operation({
  path: 'itembank/tagging/hierarchies/nodes',
  action: 'get',
  summary: 'Reads the nodes below a path of a tag hierarchy: the tags of content that also has all tags of the path.',
  example: { reference: 'curriculum', path: [{ type: 'Subject', name: 'Geography' }] },
  input: GetHierarchyNodesInput,
  output: Type.Array(TagNode),
})
export class GetHierarchyNodes implements Operation<typeof GetHierarchyNodesInput> {
  constructor(private readonly hierarchies: TagHierarchies) {}

  async execute({ reference, path = [] }: Static<typeof GetHierarchyNodesInput>, { shelf }: Scope) {
    const nodes = await this.hierarchies.nodes(shelf.organisation, reference, path);
    return pageOf(nodes.map(({ type, name, description }): Static<typeof TagNode> => ({ type, name, description })));
  }
}
