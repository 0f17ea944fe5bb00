import { Injectable } from '@nestjs/common';
import { foldCase, type Slice } from '#kernel';
import { Conditions, Database, type Parameter, questionMarks } from '#platform';
import { type WorkflowListing, WorkflowStore } from '../application/ports/workflow-store';
import { type Definition, type Workflow } from '../domain/workflow';

type WorkflowRow = Pick<Workflow, 'id' | 'reference' | 'updatedAt'> & { definition: string };

const COLUMNS = ['organisation_id', 'id', 'reference', 'reference_key', 'definition', 'updated_at'];

@Injectable()
export class SqlWorkflowStore extends WorkflowStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find({ organisation, references, limit, after }: WorkflowListing): Promise<Slice<Workflow>> {
    if (references?.length === 0) return { entries: [] };
    const conditions = new Conditions();
    conditions.add('organisation_id = ?', organisation);
    if (references) conditions.in('reference_key', references.map(foldCase));
    if (after) conditions.add('id < ?', after[0]!);
    const rows = await this.database.rows<WorkflowRow>(
      `SELECT id, reference, definition, updated_at AS updatedAt FROM workflow
       WHERE ${conditions.text} ORDER BY id DESC LIMIT ${limit + 1}`,
      conditions.parameters,
    );
    const entries = rows.slice(0, limit).map(workflowOf);
    return rows.length > limit ? { entries, after: [entries.at(-1)!.id] } : { entries };
  }

  override async named(
    organisation: number,
    references: readonly string[],
    lock?: 'share' | 'update',
  ): Promise<Map<string, Workflow>> {
    const keys = [...new Set(references.map(foldCase))].sort();
    if (keys.length === 0) return new Map();
    const { forShare, forUpdate } = this.database.dialect;
    const rows = await this.database.rows<WorkflowRow & { reference_key: string }>(
      `SELECT id, reference, reference_key, definition, updated_at AS updatedAt FROM workflow
       WHERE organisation_id = ? AND reference_key IN (${questionMarks(keys.length)})
       ORDER BY reference_key ${lock ? { share: forShare, update: forUpdate }[lock] : ''}`,
      [organisation, ...keys],
    );
    return new Map(rows.map(({ reference_key: key, ...row }) => [key, workflowOf(row)]));
  }

  override async references(organisation: number, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows<Pick<Workflow, 'id' | 'reference'>>(
      `SELECT id, reference FROM workflow WHERE organisation_id = ? AND id IN (${questionMarks(ids.length)})`,
      [organisation, ...ids],
    );
    return new Map(rows.map(({ id, reference }) => [id, reference]));
  }

  override async add(organisation: number, workflows: readonly Workflow[]): Promise<void> {
    await this.database.insert('workflow', COLUMNS, rowsOf(organisation, workflows));
  }

  override async replace(organisation: number, workflows: readonly Workflow[]): Promise<void> {
    await this.database.insert(
      'workflow',
      COLUMNS,
      rowsOf(organisation, workflows),
      this.database.dialect.onDuplicate(['organisation_id', 'id'], ['reference', 'definition', 'updated_at']),
    );
  }
}

/** Rows in the order in which the keys are locked. */
function rowsOf(organisation: number, workflows: readonly Workflow[]): Parameter[][] {
  return workflows
    .map(({ id, reference, updatedAt, ...definition }) => ({ id, reference, updatedAt, definition }))
    .map((workflow) => ({ ...workflow, key: foldCase(workflow.reference) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ id, reference, key, definition, updatedAt }) => [
      organisation,
      id,
      reference,
      key,
      JSON.stringify(definition),
      updatedAt,
    ]);
}

function workflowOf({ definition, ...row }: WorkflowRow): Workflow {
  return { ...(JSON.parse(definition) as Definition), ...row };
}
