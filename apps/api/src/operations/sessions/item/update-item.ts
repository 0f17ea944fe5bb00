import { type Static, Type } from '@sinclair/typebox';

import { Fault, type FaultDetail, place, type Scope } from '#kernel';
import { Rescoring, type RescoringItem } from '#sessions';
import { flag, integer, optional, text, unless } from '../../../declaration/fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';

const namedItem = (description: string) =>
  Type.Object(
    {
      reference: text({ min: 1, description: 'Reference of the item.' }),
      organisation_id: optional(
        integer({
          minimum: 1,
          maximum: 2147483647,
          description: 'Item bank of the item, which the consumer must be able to read; default: that of the request.',
        }),
      ),
      item_pool_id: optional(text({ description: 'Item pool to take the questions from; default: the item bank.' })),
    },
    { description },
  );

const UpdateItemInput = Type.Object({
  ...bank,
  ...meta,
  session_ids: unless(
    ['plan', 'revert'],
    Type.Array(text(), {
      maxItems: 100,
      description: 'Completed sessions to rescore, each once. Those that do not contain target_item stay as they are.',
    }),
  ),
  target_item: unless(
    ['plan', 'revert'],
    namedItem(
      'The item that is rescored, by its present questions, each by its reference; scores are reported against it, as before.',
    ),
  ),
  copy_item: optional(
    namedItem(
      'An item whose questions are used in the place of those of target_item, by their order: as many, of the same types in the same order.',
    ),
  ),
  overwrite_manual: flag(
    'Beyond the specification: whether scores that a person gave are replaced; otherwise they stay.',
  ),
  dry_run: flag(
    'Beyond the specification: whether nothing is changed. The results of the job have a file with a line for each response, old score, new score and reason, and the hash of a plan.',
  ),
  plan: optional(
    text({
      description:
        'Beyond the specification: hash of a plan, from the results of a dry run, to apply. It stands alone: exactly what was planned is done; sessions that changed since are skipped.',
    }),
  ),
  revert: optional(
    text({
      description:
        'Beyond the specification: hash of a plan to take back, from the results of the job that rescored. It stands alone, and works once; sessions that changed since are left alone.',
    }),
  ),
});

type Input = Static<typeof UpdateItemInput>;

@operation({
  path: 'sessions/item',
  action: 'update',
  summary: 'Starts a job that scores one item of saved sessions anew by its present rules.',
  example: { session_ids: ['00000000-0000-4000-8000-000000000001'], target_item: { reference: 'capitals' } },
  input: UpdateItemInput,
  output: Type.Ref('StartedJob'),
})
export class UpdateItem implements Operation<typeof UpdateItemInput> {
  constructor(private readonly rescoring: Rescoring) {}

  async execute(input: Input, scope: Scope) {
    checkAlone(input);
    return { data: JSON.stringify({ job_reference: await this.start(input, scope) }) };
  }

  private start(input: Input, scope: Scope): Promise<string> {
    if (input.plan !== undefined) return this.rescoring.apply(input.plan, scope);
    if (input.revert !== undefined) return this.rescoring.revert(input.revert, scope);
    return this.rescoring.start(
      {
        sessionIds: input.session_ids!,
        target: itemOf(input.target_item!),
        copy: input.copy_item && itemOf(input.copy_item),
        overwriteManual: input.overwrite_manual ?? false,
        dryRun: input.dry_run ?? false,
      },
      scope,
    );
  }
}

/** @throws Fault with every member that the plan already contains. */
function checkAlone(input: Input): void {
  const alone = (['plan', 'revert'] as const).find((name) => input[name] !== undefined);
  if (alone === undefined) return;
  const others = ['session_ids', 'target_item', 'copy_item', 'overwrite_manual', 'dry_run', 'revert'] as const;
  const faults = others
    .filter((name) => name !== alone && input[name] !== undefined && input[name] !== false)
    .map((name): FaultDetail => {
      const at = `/${name}`;
      const message = `${place(at)} cannot stand beside ${alone}: a plan knows what it does; send ${alone} alone, or leave it out.`;
      return { kind: 'value', message, at };
    });
  if (faults.length > 0) throw Fault.of(faults);
}

function itemOf({ reference, organisation_id, item_pool_id }: NonNullable<Input['target_item']>): RescoringItem {
  return { reference, organisation: organisation_id, pool: item_pool_id };
}
