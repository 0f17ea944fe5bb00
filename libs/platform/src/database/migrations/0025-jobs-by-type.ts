import { migration } from './migration';

/** Jobs are found by their type, and say what they are about before they have results. */
export const jobsByType = migration('JobsByType1798000000000', ({ types: { long } }) => [
  `ALTER TABLE job ADD COLUMN subject ${long} NULL`,
  'CREATE INDEX job_type ON job (organisation_id, type, id)',
]);
