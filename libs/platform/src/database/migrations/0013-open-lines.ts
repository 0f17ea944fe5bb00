import { migration } from './migration';

/**
 * A line is that of a job which may still come to its turn: of one that is completed it is null. By an index without the
 * status nothing moves when a job that is in no line begins or ends.
 */
export const openLines = migration('OpenLines1796300000000', ({ dropIndex }) => [
  `UPDATE job SET line = NULL WHERE status = 'completed' AND line IS NOT NULL`,
  `CREATE INDEX job_in_line ON job (organisation_id, line, id)`,
  dropIndex('job', 'job_line'),
]);
