import { type Static, Type } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Pools } from '#pools';
import { integer, optional, text, words } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';

const GetPoolChangesInput = Type.Object({
  ...bank,
  reference: text('Reference of the pool; case-sensitive.'),
  from: text('The earlier fill: a `job_reference` of `get itembank/pools/fills`.'),
  to: optional(text('The later fill; default: the last one.')),
});

const kinds = (description: string) =>
  Type.Object(
    {
      activities: integer('Activities.'),
      items: integer('Items.'),
      questions: integer('Questions.'),
      features: integer('Features.'),
    },
    { description },
  );

const PoolChanges = resource('PoolChanges', 'What differs between two fills of an item pool.', {
  added: kinds('Numbers of records that only the later fill contains.'),
  changed: kinds('Numbers of records whose content, reference, tags or held records differ.'),
  removed: kinds('Numbers of records that only the earlier fill contains.'),
  records: Type.Array(
    Type.Object({
      change: words(['added', 'changed', 'removed'], { description: 'How it differs.' }),
      type: words(['activity', 'item', 'question', 'feature'], { description: 'Its kind.' }),
      reference: text('Its reference in the later fill, or in the earlier one if it was removed.'),
    }),
    { maxItems: 1000, description: 'The first of these records, by kind, change and reference.' },
  ),
  records_left_off: integer('The number of records that `records` leaves off.'),
});

@operation({
  path: 'itembank/pools/changes',
  action: 'get',
  summary: 'Reads what differs between two fills of an item pool.',
  example: { reference: 'autumn', from: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R' },
  input: GetPoolChangesInput,
  output: PoolChanges,
})
export class GetPoolChanges implements Operation<typeof GetPoolChangesInput> {
  constructor(private readonly pools: Pools) {}

  async execute({ reference, from, to }: Static<typeof GetPoolChangesInput>, { shelf }: Scope) {
    const changes: Static<typeof PoolChanges> = await this.pools.changes(shelf.organisation, reference, from, to);
    return { data: JSON.stringify(changes), records: changes.records.length };
  }
}
