import { type PinnedContent } from '#content';
import { inParts, type JsonObject } from '#kernel';
import { type Forms, KnownItem } from '#sessions';
import { type DatasetSelection, type DatasetSessions } from './dataset-sessions';

export const DATASET_TYPES = [
  'ibk-analysis-by-question',
  'activity-analysis-by-question',
  'activity-summary-by-group',
  'sessions-summary-by-group',
] as const;
export type DatasetType = (typeof DATASET_TYPES)[number];

/** The target of a dataset. */
export interface Target {
  organisation: number;
  type: DatasetType;
  id: string;
}

/** A description of the ids of each type. */
export const NAMED: Record<DatasetType, string> = {
  'ibk-analysis-by-question': 'the reference of an item',
  'activity-analysis-by-question': 'the reference or the activity_id of an activity',
  'activity-summary-by-group': 'the reference or the activity_id of an activity',
  'sessions-summary-by-group': 'a tag of sessions as type:name',
};

const anonymous = true;

const FORM_BATCH_SIZE = 500;

/** The sessions of a dataset, as disjoint selections. */
export async function selectionsOf(
  target: Target,
  { forms, scan, content }: { forms: Forms; scan: DatasetSessions; content: PinnedContent },
): Promise<DatasetSelection[]> {
  const { organisation, type, id } = target;
  if (type === 'ibk-analysis-by-question') {
    const item = await KnownItem.of(target, content);
    const selections: DatasetSelection[] = [];
    for (const part of inParts(await forms.showing(organisation, item), FORM_BATCH_SIZE)) {
      const found = await forms.of(organisation, part);
      for (const form of part) if (item.isIn(found.get(form)!)) selections.push({ form }, { form, anonymous });
    }
    return selections;
  }
  if (type !== 'sessions-summary-by-group')
    return [{ template: id }, { activity: id }, { template: id, anonymous }, { activity: id, anonymous }];
  // Both parts may contain colons. So this takes the first split that names a tag of completed sessions.
  for (let at = id.indexOf(':'); at !== -1; at = id.indexOf(':', at + 1)) {
    const tag = { type: id.slice(0, at), name: id.slice(at + 1) };
    if (tag.type !== '' && tag.name !== '' && (await scan.any(organisation, { tag }))) return [{ tag }];
  }
  return [];
}

/** The sessions of all selections, in slices of at most `limit`. */
export async function* slicesOf<Session extends { id: string }>(
  selections: readonly DatasetSelection[],
  limit: number,
  read: (of: DatasetSelection, limit: number, after?: string) => Promise<Session[]>,
): AsyncGenerator<Session[]> {
  for (const selection of selections) {
    let after: string | undefined;
    for (let isFull = true; isFull;) {
      const sessions = await read(selection, limit, after);
      if (sessions.length > 0) yield sessions;
      isFull = sessions.length === limit;
      after = sessions.at(-1)?.id;
    }
  }
}

/** The members that identify a dataset in answers and results. */
export const namesOf = ({ type, id }: Target): JsonObject => ({ dataset_type: type, dataset_id: id });
