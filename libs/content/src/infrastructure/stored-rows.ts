import { type JsonText, type Slice, timeOf } from '#kernel';
import { type Parameter } from '#platform';
import { type SqlTagSets } from '#tagging';
import { type Status, type StoredRecord } from '../domain/record';
import { type Order } from './order';

/** A row of a reader's statement: a record and its place in the list. */
export interface StoredRow {
  id: string;
  reference: string;
  type: string | null;
  status: Status | null;
  body: JsonText;
  extras: JsonText | null;
  tag_set_id: string | null;
  tag_version: number | null;
  created_by: string | null;
  updated_by: string | null;
  updated_at: number;
  workflow_id: string | null;
  workflow_state: string | null;
  sort_key: Parameter;
  /** The latest change that the first page saw; null if no record can change its place in the list. */
  as_of: number | null;
  holder?: string;
  holder_id?: string;
}

/** Turns rows into a slice. There is one row more than `limit` when another slice exists. */
export async function sliceOf<T>(
  rows: readonly StoredRow[],
  list: { organisation: number; limit: number; order: Order; asOf?: number },
  tagSets: SqlTagSets,
  entry: (row: StoredRow, record: StoredRecord) => T,
): Promise<Slice<T>> {
  const more = rows.length > list.limit;
  const shown = more ? rows.slice(0, list.limit) : rows;
  const sets = new Set(shown.map((row) => row.tag_set_id).filter((id) => id !== null));
  const tags = sets.size > 0 ? await tagSets.tagsOf(list.organisation, sets, shown[0]!.tag_version) : undefined;
  const entries = shown.map((row) => entry(row, recordOf(row, tags?.get(row.tag_set_id!) ?? [])));
  const last = shown.at(-1);
  if (!more || !last) return { entries };
  const asOf = list.asOf ?? last.as_of ?? undefined;
  return { entries, after: list.order.position({ key: last.sort_key, id: last.id, holder: last.holder_id, asOf }) };
}

function recordOf(row: StoredRow, tags: StoredRecord['tags']): StoredRecord {
  return {
    id: row.id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    body: row.body,
    extras: row.extras,
    tags,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    createdAt: timeOf(row.id),
    updatedAt: row.updated_at,
    workflowId: row.workflow_id,
    workflowState: row.workflow_state,
  };
}
