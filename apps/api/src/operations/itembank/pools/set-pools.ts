import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Pools } from '#pools';
import { flag } from '../../../declaration/fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { dryRun, poolContent, poolMembers, poolName, poolStatus, selectionOf } from './pool-input';
import { StartedFill, startedFills } from './started-fills';

const SetPoolsInput = Type.Object({
  ...bank,
  ...meta,
  dry_run: dryRun,
  pools: Type.Array(
    Type.Object({
      ...poolMembers,
      name: poolName,
      status: poolStatus('published'),
      content: poolContent,
      overwrite: flag('Whether an existing pool is emptied before it is filled; otherwise its content stays.'),
      ignore_empty_additional_tags: flag(
        'Whether the additional tags of a combination are ignored if they find nothing.',
      ),
    }),
    { maxItems: 50, description: 'The pools.' },
  ),
});

@operation({
  path: 'itembank/pools',
  action: 'set',
  summary: 'Creates item pools, or adds to existing ones. Starts a job for each pool that fills it.',
  example: {
    pools: [{ reference: 'autumn', name: 'Autumn', content: { item_tags: [{ type: 'Subject', name: 'Geography' }] } }],
  },
  input: SetPoolsInput,
  output: Type.Array(StartedFill),
})
export class SetPools implements Operation<typeof SetPoolsInput> {
  constructor(private readonly pools: Pools) {}

  async execute({ pools, dry_run: dry }: Static<typeof SetPoolsInput>, scope: Scope) {
    const filled = await this.pools.fill(
      pools.map((pool, index) => ({
        reference: pool.reference,
        ifRevision: pool.if_revision,
        name: pool.name,
        description: pool.description ?? null,
        status: pool.status ?? 'published',
        mode: pool.overwrite ? 'replace' : 'add',
        content: selectionOf(pool.content, `/pools/${index}/content`),
        ignoreEmptyAdditional: pool.ignore_empty_additional_tags ?? false,
        publish: pool.set_unpublished_to_published ?? false,
      })),
      'any',
      scope,
      dry,
    );
    return startedFills(filled);
  }
}
