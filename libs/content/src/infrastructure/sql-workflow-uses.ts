import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import { type StateCount, WorkflowUses } from '#workflows';

@Injectable()
export class SqlWorkflowUses extends WorkflowUses {
  constructor(private readonly database: Database) {
    super();
  }

  override async countByState(organisation: number, workflowIds: readonly string[]): Promise<StateCount[]> {
    if (workflowIds.length === 0) return [];
    return this.database.rows<StateCount>(
      `SELECT workflow_id AS workflowId, workflow_state AS state, COUNT(*) AS items FROM bank_record
       WHERE organisation_id = ? AND workflow_id IN (${questionMarks(workflowIds.length)})
       GROUP BY workflow_id, workflow_state`,
      [organisation, ...workflowIds],
    );
  }
}
