import { type Static, Type } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { SavedViews } from '#people';
import { text, words } from '../../../declaration/fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { nothing } from '../../../declaration/results';

const UpdateViewsInput = Type.Object({
  ...bank,
  ...meta,
  references: Type.Array(text({ min: 1, max: 50 }), { maxItems: 50, description: 'References of the views.' }),
  action: words(['delete'], { description: 'What to do with the views.' }),
});

@operation({
  path: 'itembank/views',
  action: 'update',
  summary:
    'Deletes saved views, all or none. Only its author can delete a view, unless the account of the author is removed or disabled, or has no role in the organisation.',
  example: { references: ['drafts'], action: 'delete' },
  input: UpdateViewsInput,
  output: Type.Array(Type.Never()),
})
export class UpdateViews implements Operation<typeof UpdateViewsInput> {
  constructor(private readonly views: SavedViews) {}

  async execute({ references }: Static<typeof UpdateViewsInput>, scope: Scope) {
    await this.views.remove([...new Set(references)], scope);
    return nothing();
  }
}
