import { migration } from './migration';

/** Where a job comes from: the request that asked for it, as the log names it, and its span in a trace. */
export const jobOrigin = migration('JobOrigin1796200000000', ({ types: { exact } }) => [
  `ALTER TABLE job ADD COLUMN request_id ${exact(64)} NULL`,
  `ALTER TABLE job ADD COLUMN trace ${exact(64)} NULL`,
]);
