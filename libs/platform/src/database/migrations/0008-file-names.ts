import { migration } from './migration';

/** Names for the files of jobs with several files, and an index of sessions by their activity. */
export const fileNames = migration('FileNames1795800000000', ({ types: { exact } }) => [
  `ALTER TABLE job_file ADD COLUMN file_name ${exact(100)} NULL`,
  `CREATE INDEX session_template ON session (organisation_id, activity_template_id, id)`,
]);
