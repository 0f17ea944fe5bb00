export { type StateCount, WorkflowUses } from './application/ports/workflow-uses';
export { type ItemWorkflow, type WantedStates, type WorkflowFilter, Workflows } from './application/workflows';
export { MAX_STATES, MAX_TRANSITIONS, type Definition, type Workflow } from './domain/workflow';
export { WorkflowsModule } from './workflows.module';
