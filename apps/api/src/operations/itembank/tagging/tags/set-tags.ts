import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Tags } from '#tagging';
import { integer, nullable, optional, text } from '../../../../declaration/fields';
import { tagText } from '../../../../declaration/tag-fields';
import { bank, ifRevision, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';

const SetTagsInput = Type.Object({
  ...bank,
  ...meta,
  tags: Type.Array(
    Type.Object({
      type: tagText('Ignores case; the case sent is stored.'),
      name: tagText('Ignores case; the case sent is stored.'),
      sort_key: optional(
        nullable(
          integer({
            minimum: -2147483648,
            maximum: 2147483647,
            description: 'Unchanged when absent; null clears it.',
          }),
        ),
      ),
      description: optional(nullable(text({ description: 'Unchanged when absent; null clears it.' }))),
      if_revision: ifRevision(),
    }),
    { maxItems: 1000, description: 'The tags.' },
  ),
});

@operation({
  path: 'itembank/tagging/tags',
  action: 'set',
  summary: 'Creates tags or changes their case, sort key and description.',
  example: { tags: [{ type: 'Subject', name: 'Geography' }] },
  input: SetTagsInput,
  output: Type.Array(Type.Never()),
})
export class SetTags implements Operation<typeof SetTagsInput> {
  constructor(private readonly tags: Tags) {}

  async execute({ tags }: Static<typeof SetTagsInput>, scope: Scope) {
    await this.tags.define(
      tags.map(({ sort_key: sortKey, if_revision: ifRevision, ...tag }) => ({ ...tag, sortKey, ifRevision })),
      scope,
    );
    return nothing();
  }
}
