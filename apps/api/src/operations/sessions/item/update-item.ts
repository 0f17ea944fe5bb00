import { type Static, Type } from '@sinclair/typebox';

import { Fault, type FaultDetail, place, type Scope, throwAny } from '#kernel';
import { Rescoring, type RescoringItem } from '#rescoring';
import { flag, integer, optional, text, unless } from '../../../declaration/fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { queryOf, sessionFilters } from '../session-query';
import { StartedJob, startedJob } from '../../jobs/started-job';

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

const { activity_id, mintime, maxtime, mintime_started, maxtime_started } = sessionFilters;
const { mintime_completed, maxtime_completed } = sessionFilters;

const UpdateItemInput = Type.Object({
  ...bank,
  ...meta,
  session_ids: unless(
    ['sessions', 'plan', 'revert'],
    Type.Array(text(), {
      maxItems: 100,
      description: 'Completed sessions to rescore, each once. Sessions without target_item stay unchanged.',
    }),
  ),
  sessions: optional(
    Type.Object(
      { activity_id, mintime, maxtime, mintime_started, maxtime_started, mintime_completed, maxtime_completed },
      {
        description:
          'Beyond the specification: any number of completed sessions instead of `session_ids`, for example those of an activity. All conditions must hold, as in `sessions/responses`. Those count that show target_item when the job runs. Only with `dry_run`.',
      },
    ),
  ),
  target_item: unless(
    ['plan', 'revert'],
    namedItem(
      'The item to rescore, by its current questions, which are paired by reference. Scores are still reported under this item.',
    ),
  ),
  copy_item: optional(
    namedItem(
      'An item whose questions replace those of target_item, by position. Number, types and order must be the same.',
    ),
  ),
  overwrite_manual: flag(
    'Beyond the specification: whether scores that a person gave are replaced; otherwise they stay.',
  ),
  dry_run: flag(
    'Beyond the specification: whether to plan only, without changing sessions. The results of the job contain the hash of a plan, and a file with a line for each response: old score, new score and reason.',
  ),
  plan: optional(
    text({
      description:
        'Beyond the specification: hash of a plan to apply, from the results of a dry run; no other parameters. The job stores exactly the planned scores and skips sessions that changed since.',
    }),
  ),
  revert: optional(
    text({
      description:
        'Beyond the specification: hash of a plan to revert, from the results of the rescoring; no other parameters. It works once, and skips sessions that changed since.',
    }),
  ),
});

type Input = Static<typeof UpdateItemInput>;

@operation({
  path: 'sessions/item',
  action: 'update',
  summary: 'Starts a job that rescores one item of saved sessions by its current questions.',
  example: { session_ids: ['00000000-0000-4000-8000-000000000001'], target_item: { reference: 'capitals' } },
  input: UpdateItemInput,
  output: StartedJob,
})
export class UpdateItem implements Operation<typeof UpdateItemInput> {
  constructor(private readonly rescoring: Rescoring) {}

  async execute(input: Input, scope: Scope) {
    checkAlone(input);
    checkSelection(input);
    return startedJob(await this.start(input, scope));
  }

  private start(input: Input, scope: Scope): Promise<string> {
    if (input.plan !== undefined) return this.rescoring.apply(input.plan, scope);
    if (input.revert !== undefined) return this.rescoring.revert(input.revert, scope);
    return this.rescoring.start(
      {
        sessions: input.sessions
          ? { ...queryOf(input.sessions, undefined).filter, statuses: ['Completed'] }
          : input.session_ids!,
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
  const others = [
    'session_ids',
    'sessions',
    'target_item',
    'copy_item',
    'overwrite_manual',
    'dry_run',
    'revert',
  ] as const;
  const faults = others
    .filter((name) => name !== alone && input[name] !== undefined && input[name] !== false)
    .map((name): FaultDetail => {
      const at = `/${name}`;
      const message = `${place(at)} cannot be combined with ${alone}: send ${alone} alone, or leave it out.`;
      return { kind: 'value', message, at };
    });
  throwAny(faults);
}

/** @throws Fault for a filter of sessions together with session ids, or outside of a dry run. */
function checkSelection({ sessions, session_ids: ids, dry_run: dry }: Input): void {
  if (!sessions) return;
  if (ids !== undefined)
    throw new Fault('value', 'sessions and session_ids cannot be combined: send only one of them.', '/sessions');
  if (dry !== true)
    throw new Fault(
      'missing',
      'dry_run must be true with sessions: plan first, then send the hash of the plan as plan.',
      '/dry_run',
    );
}

function itemOf({ reference, organisation_id, item_pool_id }: NonNullable<Input['target_item']>): RescoringItem {
  return { reference, organisation: organisation_id, pool: item_pool_id };
}
