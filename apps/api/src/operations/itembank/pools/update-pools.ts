import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Pools } from '#pools';
import { flag, optional } from '../../../declaration/fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { dryRun, poolContent, poolMembers, poolName, poolStatus, selectionOf } from './pool-input';
import { StartedFill, startedFills } from './started-fills';

const UpdatePoolsInput = Type.Object({
  ...bank,
  ...meta,
  dry_run: dryRun,
  pools: Type.Array(
    Type.Object({
      ...poolMembers,
      name: optional(poolName),
      status: poolStatus(),
      content: optional(poolContent),
      overwrite: flag(
        'Whether named content that is already in the pool gets its current state in the item bank; otherwise it stays unchanged.',
      ),
    }),
    { maxItems: 50, description: 'The pools; absent members stay unchanged.' },
  ),
});

const NOTHING = { items: [], activities: [], tags: [], itemTags: [], activityTags: [] };

@operation({
  path: 'itembank/pools',
  action: 'update',
  summary: 'For each pool, starts a job that adds content or updates the named content.',
  example: { pools: [{ reference: 'autumn', name: 'Autumn', content: { item_references: ['capitals'] } }] },
  input: UpdatePoolsInput,
  output: Type.Array(StartedFill),
})
export class UpdatePools implements Operation<typeof UpdatePoolsInput> {
  constructor(private readonly pools: Pools) {}

  async execute({ pools, dry_run: dry }: Static<typeof UpdatePoolsInput>, scope: Scope) {
    const filled = await this.pools.fill(
      pools.map((pool, index) => ({
        reference: pool.reference,
        ifRevision: pool.if_revision,
        name: pool.name,
        description: pool.description,
        status: pool.status,
        mode: pool.overwrite ? 'refresh' : 'add',
        content: pool.content ? selectionOf(pool.content, `/pools/${index}/content`) : NOTHING,
        ignoreEmptyAdditional: false,
        publish: pool.set_unpublished_to_published ?? false,
      })),
      'existing',
      scope,
      dry,
    );
    return startedFills(filled);
  }
}
