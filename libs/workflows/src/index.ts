export { type WorkflowListing } from './application/ports/workflow-store';
export { type StateCount, WorkflowUses } from './application/ports/workflow-uses';
export {
  type ItemWorkflow,
  type WantedStates,
  type WorkflowFilter,
  type WorkflowInput,
  Workflows,
} from './application/workflows';
export {
  MAX_STATES,
  MAX_TRANSITIONS,
  type Definition,
  type State,
  type Transition,
  type Workflow,
} from './domain/workflow';
export { WorkflowsModule } from './workflows.module';
