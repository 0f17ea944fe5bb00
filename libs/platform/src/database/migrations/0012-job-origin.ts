import { migration } from './migration';

/** The origin of a job: the id of its request in the log, and the span of the request in a trace. */
export const jobOrigin = migration('JobOrigin1796200000000', ({ types: { exact } }) => [
  `ALTER TABLE job ADD COLUMN request_id ${exact(64)} NULL`,
  `ALTER TABLE job ADD COLUMN trace ${exact(64)} NULL`,
]);
