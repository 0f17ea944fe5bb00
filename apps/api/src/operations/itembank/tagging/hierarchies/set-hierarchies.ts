import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { MAX_LEVELS, TagHierarchies } from '#tagging';
import { nullable, optional, reference, references, text, unless } from '../../../../declaration/fields';
import { bank, ifRevision, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';
import { tagText } from '../../../../declaration/tag-fields';

const SetHierarchiesInput = Type.Object({
  ...bank,
  ...meta,
  tag_hierarchies: unless(
    ['remove'],
    Type.Array(
      Type.Object({
        reference: reference('Name of the hierarchy; case-sensitive.'),
        tag_types: Type.Array(
          Type.Object({
            name: tagText('Tag type of the level; ignores case. It need not have tags yet.'),
            description: optional(nullable(text({ max: 1000, description: 'Meaning of the level.' }))),
          }),
          { minItems: 1, maxItems: MAX_LEVELS, description: 'The levels, from the root down. No type occurs twice.' },
        ),
        if_revision: ifRevision(),
      }),
      { maxItems: 50, description: 'Hierarchies to create or replace.' },
    ),
  ),
  remove: optional(references('References of hierarchies to remove. Tags and content stay.')),
});

@operation({
  path: 'itembank/tagging/hierarchies',
  action: 'set',
  summary: 'Creates, replaces or removes tag hierarchies, all or none.',
  example: { tag_hierarchies: [{ reference: 'curriculum', tag_types: [{ name: 'Subject' }, { name: 'Topic' }] }] },
  input: SetHierarchiesInput,
  output: Type.Array(Type.Never()),
})
export class SetHierarchies implements Operation<typeof SetHierarchiesInput> {
  constructor(private readonly hierarchies: TagHierarchies) {}

  async execute({ tag_hierarchies = [], remove = [] }: Static<typeof SetHierarchiesInput>, scope: Scope) {
    await this.hierarchies.set(
      tag_hierarchies.map(({ reference, tag_types: types, if_revision: ifRevision }) => ({
        reference,
        ifRevision,
        tagTypes: types.map(({ name, description = null }) => ({ name, description })),
      })),
      remove,
      scope,
    );
    return nothing();
  }
}
