import { Type, type Static } from '@sinclair/typebox';

import { Fault, foldCase, type Scope } from '#kernel';
import { tagKey, Tags } from '#tagging';
import { tags } from '../../../declaration/tag-fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { nothing } from '../../../declaration/results';

const MAX_TYPES = 1000;

const SetTagsByTypeInput = Type.Object({
  ...bank,
  ...meta,
  tags: tags(`Tags to create, at most ${MAX_TYPES} types; the case sent is stored.`),
});

@operation({
  path: 'itembank/tags',
  action: 'set',
  summary: 'Creates tags. Use `itembank/tagging/tags` instead.',
  example: { tags: { Subject: ['Geography', 'History'] } },
  input: SetTagsByTypeInput,
  output: Type.Array(Type.Never()),
  deprecated: true,
})
export class SetTagsByType implements Operation<typeof SetTagsByTypeInput> {
  constructor(private readonly tags: Tags) {}

  async execute({ tags }: Static<typeof SetTagsByTypeInput>, scope: Scope) {
    const types = new Set(tags.map(({ type }) => foldCase(type))).size;
    if (types > MAX_TYPES)
      throw new Fault('too-many', `tags may hold at most ${MAX_TYPES} tag types; it holds ${types}.`, '/tags');
    // A repeated name is harmless here, because names have no further members that could differ.
    await this.tags.define([...new Map(tags.map((tag) => [tagKey(tag), tag])).values()], scope);
    return nothing();
  }
}
