import { type Scope } from '#kernel';
import { type Parameter } from '#platform';
import { type CurrentRecord, type RecordChange, type WholeRecord } from '../application/ports/record-store';
import { FAMILY } from '../domain/record';

/* Converts between the rows of records and revisions and what writers use. */

export type CurrentRow = Omit<CurrentRecord, 'tagIds'>;
export type WholeRow = Omit<WholeRecord, 'tagIds'>;

/** A change with the ids of its record and its document. */
export interface Placed {
  change: RecordChange;
  id: string;
  documentId: string;
  holdingId: string | null;
}

/** Columns that a change may change. */
export const CHANGING_COLUMNS = [
  'reference',
  'title_key',
  'type',
  'status',
  'workflow_id',
  'workflow_state',
  'document_id',
  'tag_set_id',
  'updated_by',
  'updated_at',
  'holding_id',
];

export const BANK_COLUMNS = ['organisation_id', 'kind', 'id', 'family', 'created_by', ...CHANGING_COLUMNS];

export function bankRow(
  organisation: number,
  { change, id, documentId, holdingId }: Placed,
  beganAt: number,
  { author }: Scope,
): Parameter[] {
  return [
    organisation,
    change.kind,
    id,
    FAMILY[change.kind],
    change.before ? change.before.createdBy : (author?.id ?? null),
    change.reference,
    change.titleKey,
    change.type,
    change.status,
    ...workflowColumns(change),
    documentId,
    change.tagSetId,
    author?.id ?? null,
    beganAt,
    holdingId,
  ];
}

export const REVISION_COLUMNS = [
  'organisation_id',
  'record_id',
  'began_at',
  'kind',
  'reference',
  'title_key',
  'type',
  'status',
  'workflow_id',
  'workflow_state',
  'document_id',
  'tag_set_id',
  'author_id',
  'operation',
  'holding_id',
  'origin_id',
  'origin_at',
];

export function revisionRow(
  organisation: number,
  { change, id, documentId, holdingId }: Placed,
  beganAt: number,
  { author, operation }: Scope,
): Parameter[] {
  return [
    organisation,
    id,
    beganAt,
    change.kind,
    change.reference,
    change.titleKey,
    change.type,
    change.status,
    ...workflowColumns(change),
    documentId,
    change.tagSetId,
    author?.id ?? null,
    operation,
    holdingId,
    change.origin?.id ?? null,
    change.origin?.at ?? null,
  ];
}

function workflowColumns({ workflow, before }: RecordChange): [id: string | null, state: string | null] {
  if (workflow === undefined) return [before?.workflowId ?? null, before?.workflowState ?? null];
  return [workflow?.workflowId ?? null, workflow?.state ?? null];
}

export const CURRENT_COLUMNS = `r.id, r.kind, r.reference, r.title_key AS titleKey, r.type, r.status, r.workflow_id AS workflowId,
  r.workflow_state AS workflowState, r.document_id AS documentId, d.hash AS documentHash, d.extras,
  r.tag_set_id AS tagSetId, r.created_by AS createdBy, r.updated_at AS updatedAt, r.holding_id AS holdingId`;

/** The columns of a record with its body. */
export const WHOLE_COLUMNS = `${CURRENT_COLUMNS}, d.body`;
