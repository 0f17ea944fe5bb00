import { type JsonObject } from '#kernel';
import { type FormStore } from '../ports/form-store';
import { type Selection, type SessionScan } from '../ports/session-scan';

export const DATASET_TYPES = [
  'ibk-analysis-by-question',
  'activity-analysis-by-question',
  'activity-summary-by-group',
  'sessions-summary-by-group',
] as const;
export type DatasetType = (typeof DATASET_TYPES)[number];

/** What a dataset is made of. */
export interface Target {
  organisation: number;
  type: DatasetType;
  id: string;
}

/** What ids of each type name, in words. */
export const NAMED: Record<DatasetType, string> = {
  'ibk-analysis-by-question': 'the reference of an item',
  'activity-analysis-by-question': 'the reference or the activity_id of an activity',
  'activity-summary-by-group': 'the reference or the activity_id of an activity',
  'sessions-summary-by-group': 'a tag of sessions as type:name',
};

const anonymous = true;

/** The sessions that a dataset is made of: those of the first selection, then those of the next. None is in two. */
export async function selectionsOf(
  { organisation, type, id }: Target,
  { forms, scan }: { forms: FormStore; scan: SessionScan },
): Promise<Selection[]> {
  if (type === 'ibk-analysis-by-question') {
    const shown = await forms.showing(organisation, { organisation, reference: id });
    return shown.flatMap((form) => [{ form }, { form, anonymous }]);
  }
  if (type !== 'sessions-summary-by-group')
    return [{ template: id }, { activity: id }, { template: id, anonymous }, { activity: id, anonymous }];
  // Both may hold colons: the first way to part them that names a tag of completed sessions.
  for (let at = id.indexOf(':'); at !== -1; at = id.indexOf(':', at + 1)) {
    const tag = { type: id.slice(0, at), name: id.slice(at + 1) };
    if (tag.type !== '' && tag.name !== '' && (await scan.any(organisation, { tag }))) return [{ tag }];
  }
  return [];
}

/** The sessions of all selections, in slices of at most `limit`. */
export async function* slicesOf<Session extends { id: string }>(
  selections: readonly Selection[],
  limit: number,
  read: (of: Selection, limit: number, after?: string) => Promise<Session[]>,
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

/** As answers and results name a dataset. */
export const namesOf = ({ type, id }: Target): JsonObject => ({ dataset_type: type, dataset_id: id });
