import { type Static, Type } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { SavedViews } from '#people';
import { optional, text } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { SavedView, savedView } from './saved-view';

const GetViewsInput = Type.Object({
  ...bank,
  ...paging,
  screen: optional(text({ min: 1, max: 50, description: 'Returns only views of this list, such as `items`.' })),
});

@operation({
  path: 'itembank/views',
  action: 'get',
  summary: 'Reads saved views of lists: those that the organisation shares, and those of the caller.',
  example: { screen: 'items' },
  input: GetViewsInput,
  output: Type.Array(SavedView),
})
export class GetViews implements Operation<typeof GetViewsInput> {
  constructor(private readonly views: SavedViews) {}

  async execute({ screen, limit = 50 }: Static<typeof GetViewsInput>, scope: Scope, after?: Position) {
    const { entries, after: next } = await this.views.find(scope, { screen, limit, after });
    return pageOf(entries.map(savedView), next);
  }
}
