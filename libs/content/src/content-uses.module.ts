import { Global, Module } from '@nestjs/common';
import { TagUses } from '#tagging';
import { WorkflowUses } from '#workflows';
import { SqlTagUses } from './infrastructure/sql-tag-uses';
import { SqlWorkflowUses } from './infrastructure/sql-workflow-uses';

/**
 * Implements the ports of the contexts that content is built on. It is global, because their modules cannot import a
 * module of content.
 */
@Global()
@Module({
  providers: [
    { provide: TagUses, useClass: SqlTagUses },
    { provide: WorkflowUses, useClass: SqlWorkflowUses },
  ],
  exports: [TagUses, WorkflowUses],
})
export class ContentUsesModule {}
