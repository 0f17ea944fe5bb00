import { type Static, Type } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { SavedViews } from '#people';
import { flag, jsonObject, text } from '../../../declaration/fields';
import { bank, ifRevision, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { nothing } from '../../../declaration/results';

const SetViewsInput = Type.Object({
  ...bank,
  ...meta,
  views: Type.Array(
    Type.Object({
      reference: text({ min: 1, max: 50, description: 'Identifies the view in its organisation.' }),
      screen: text({ min: 1, max: 50, description: 'The list that the view filters, such as `items`.' }),
      name: text({ min: 1, max: 100, description: 'Name of the view, for people.' }),
      shared: flag('Everybody of the organisation sees it; otherwise only its author does.'),
      address: jsonObject('Filters, order and columns, at most 10,000 characters.'),
      if_revision: ifRevision(),
    }),
    { maxItems: 50, description: 'The views.' },
  ),
});

@operation({
  path: 'itembank/views',
  action: 'set',
  summary:
    'Saves views of lists, all or none. Only its author can replace a view, unless the account of the author is removed or disabled, or has no role in the organisation.',
  example: {
    views: [
      { reference: 'drafts', screen: 'items', name: 'Drafts', shared: true, address: { status: ['unpublished'] } },
    ],
  },
  input: SetViewsInput,
  nestedIn: 'request',
  output: Type.Array(Type.Never()),
})
export class SetViews implements Operation<typeof SetViewsInput> {
  constructor(private readonly views: SavedViews) {}

  async execute({ views }: Static<typeof SetViewsInput>, scope: Scope) {
    await this.views.set(
      views.map(({ shared: isShared = false, if_revision: ifRevision, ...view }) => ({
        ...view,
        isShared,
        ifRevision,
      })),
      scope,
    );
    return nothing();
  }
}
