import { type PoolShelf } from '#kernel';
import { type OverlapRule, type Part, type Stage } from '../../libs/content/src/application/ports/pool-content';
import { type Picked, type Selection } from '../../libs/content/src/application/ports/pool-picks';
import { type Ports } from './ports';

/**
 * Fills a pool as the job does, with one selection of each kind. The stage is the generation after the published one.
 */
export async function fillPool(
  { picks, poolContent, database }: Pick<Ports, 'picks' | 'poolContent' | 'database'>,
  stage: Stage,
  selections: Partial<Record<Picked, Selection>>,
  how: { empty?: boolean; overlap?: OverlapRule } = {},
): Promise<PoolShelf> {
  const { empty = false, overlap = empty || stage.shown === 0 ? 'none' : 'keep' } = how;
  const all = async (part: (after?: string) => Promise<Part>) => {
    for (let after: string | undefined; ;) {
      const done = await database.run(() => part(after));
      after = done.after;
      if (after === undefined) return;
    }
  };
  for (const kind of ['activity', 'item', 'question', 'feature'] as const)
    await all((after) => poolContent.prepare(stage, kind, empty, after));
  for (const kind of ['item', 'activity'] as const) await all((after) => picks.forget(stage, kind, 'all', after));
  for (const [kind, selection] of Object.entries(selections))
    await all((after) => picks.pick(stage, kind as Picked, selection, after));
  await all((after) => picks.pickItems(stage, { publish: false }, after));
  await all((after) => poolContent.storeItems(stage, overlap, after));
  await all((after) => poolContent.storeActivities(stage, overlap, after));
  if (overlap === 'refresh')
    for (const kind of ['question', 'feature'] as const)
      await all((after) => poolContent.dropUnheld(stage, kind, after));
  for (const kind of ['activity', 'item', 'question', 'feature'] as const)
    await all((after) => poolContent.noteChanges(stage, kind, after));
  return { id: stage.pool, generation: stage.generation, oldest: stage.shown };
}
