import { migration } from './migration';

/** Jobs that make several files tell them apart by name; and sessions are found by the activity they were taken with. */
export const fileNames = migration('FileNames1795800000000', ({ types: { exact } }) => [
  `ALTER TABLE job_file ADD COLUMN file_name ${exact(100)} NULL`,
  `CREATE INDEX session_template ON session (organisation_id, activity_template_id, id)`,
]);
