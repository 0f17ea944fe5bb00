import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { JobsModule } from '#jobs';
import { PoolsModule } from '#pools';
import { TaggingModule } from '#tagging';
import { WorkflowsModule } from '#workflows';

/** What the service knows, whichever program it is that knows it: whoever answers and whoever works load the same. */
export const contexts = [AccessModule, JobsModule, TaggingModule, WorkflowsModule, ContentModule, PoolsModule];
