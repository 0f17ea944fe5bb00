import { type Static, Type } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Pools } from '#pools';
import { isoTime } from '#sessions';
import { text } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';
import { pageOf } from '../../../../declaration/results';

const GetPoolFillsInput = Type.Object({ ...bank, reference: text('Reference of the pool; case-sensitive.') });

const PoolFill = resource('PoolFill', 'A fill of an item pool that has completed.', {
  job_reference: text('Reference of the job that filled the pool. It names the fill, also when the job has expired.'),
  content_hash: text('SHA-256 of the content after the fill, in hexadecimal.'),
  dt_filled: text('Time of the fill, UTC.'),
});

@operation({
  path: 'itembank/pools/fills',
  action: 'get',
  summary: 'Reads the last fills of an item pool that can be compared, at most 50, the newest first.',
  example: { reference: 'autumn' },
  input: GetPoolFillsInput,
  output: Type.Array(PoolFill),
})
export class GetPoolFills implements Operation<typeof GetPoolFillsInput> {
  constructor(private readonly pools: Pools) {}

  async execute({ reference }: Static<typeof GetPoolFillsInput>, { shelf }: Scope) {
    const fills = await this.pools.fills(shelf.organisation, reference);
    return pageOf(
      fills.map(({ job, contentHash, filledAt }): Static<typeof PoolFill> => ({
        job_reference: job,
        content_hash: contentHash,
        dt_filled: isoTime(filledAt),
      })),
    );
  }
}
