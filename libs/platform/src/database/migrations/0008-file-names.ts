import { migration } from './migration';

/**
 * Names for the files of jobs that make several, and an index of sessions by the activity with which they were taken.
 */
export const fileNames = migration('FileNames1795800000000', ({ types: { exact } }) => [
  `ALTER TABLE job_file ADD COLUMN file_name ${exact(100)} NULL`,
  `CREATE INDEX session_template ON session (organisation_id, activity_template_id, id)`,
]);
