import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { WorkflowStore } from './application/ports/workflow-store';
import { Workflows } from './application/workflows';
import { SqlWorkflowStore } from './infrastructure/sql-workflow-store';

@Module({
  imports: [AccessModule],
  providers: [Workflows, { provide: WorkflowStore, useClass: SqlWorkflowStore }],
  exports: [Workflows],
})
export class WorkflowsModule {}
