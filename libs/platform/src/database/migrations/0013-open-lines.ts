import { migration } from './migration';

/**
 * `line` is the serial key of a job that has not completed; of a completed one it is null. The new index omits the
 * status, so a job without a serial key changes no index entry when it begins or ends.
 */
export const openLines = migration('OpenLines1796300000000', ({ dropIndex }) => [
  `UPDATE job SET line = NULL WHERE status = 'completed' AND line IS NOT NULL`,
  `CREATE INDEX job_in_line ON job (organisation_id, line, id)`,
  dropIndex('job', 'job_line'),
]);
