import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Pools, SHOWN_STATUSES } from '#pools';
import { optional, references, words } from '../../../declaration/fields';
import { bank, include, paging, sorting } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { orderOf } from '../../record-query';
import { Pool, poolView } from './pool-view';

const GetPoolsInput = Type.Object({
  ...bank,
  ...paging,
  ...sorting(['created', 'updated']),
  ...include('pools', ['revision', 'status_after_fill', 'job_reference']),
  references: optional(references('References of pools.')),
  status: optional(Type.Array(words(SHOWN_STATUSES), { description: 'Any of these; default: all.' })),
});

@operation({
  path: 'itembank/pools',
  action: 'get',
  summary: 'Reads item pools with their status, without their content.',
  example: {},
  input: GetPoolsInput,
  output: Type.Array(Pool),
})
export class GetPools implements Operation<typeof GetPoolsInput> {
  constructor(private readonly pools: Pools) {}

  async execute(input: Static<typeof GetPoolsInput>, { shelf }: Scope, after?: Position) {
    const { sort, limit } = orderOf(input);
    const { organisation } = shelf;
    const { references, status } = input;
    const { entries, after: next } = await this.pools.find({ organisation, references, status, sort, limit, after });
    const included = input.include?.pools ?? [];
    const withRevision = included.includes('revision');
    const withStatus = included.includes('status_after_fill');
    const withJob = included.includes('job_reference');
    return pageOf(
      entries.map((pool) => poolView(pool, { withRevision, withStatus, withJob })),
      next,
    );
  }
}
