import { Global, Module } from '@nestjs/common';
import { TagUses } from '#tagging';
import { WorkflowUses } from '#workflows';
import { SqlTagUses } from './infrastructure/sql-tag-uses';
import { SqlWorkflowUses } from './infrastructure/sql-workflow-uses';

/** Answers what contexts ask that content is built on. Global, because their modules cannot import one of content. */
@Global()
@Module({
  providers: [
    { provide: TagUses, useClass: SqlTagUses },
    { provide: WorkflowUses, useClass: SqlWorkflowUses },
  ],
  exports: [TagUses, WorkflowUses],
})
export class ContentUsesModule {}
