import { type Difference, type GenerationRange, type GenerationReader, type Kind } from '#content';

/** The largest number of records that an answer names. */
const MAX_DIFFERENCES = 1_000;

interface KindCounts {
  activities: number;
  items: number;
  questions: number;
  features: number;
}

/** The differences between two generations of a pool, in the form of the API. */
export interface PoolChanges {
  added: KindCounts;
  changed: KindCounts;
  removed: KindCounts;
  records: { change: Difference['change']; type: Kind; reference: string }[];
  records_left_off: number;
}

export async function changesIn(generations: GenerationReader, range: GenerationRange): Promise<PoolChanges> {
  const counts = await generations.countDifferences(range);
  const differences = await generations.differences(range, MAX_DIFFERENCES);
  const total = Object.values(counts).reduce((sum, of) => sum + of.activity + of.item + of.question + of.feature, 0);
  return {
    added: byList(counts.added),
    changed: byList(counts.changed),
    removed: byList(counts.removed),
    records: differences.map(({ change, kind, reference }) => ({ change, type: kind, reference })),
    records_left_off: total - differences.length,
  };
}

const byList = ({ activity, item, question, feature }: Record<Kind, number>): KindCounts => ({
  activities: activity,
  items: item,
  questions: question,
  features: feature,
});
