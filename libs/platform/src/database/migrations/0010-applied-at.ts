import { migration } from './migration';

/** When migrations were applied; null for those that were before this one. The table is that of TypeORM. */
export const appliedAt = migration('AppliedAt1796000000000', ({ types: { time } }) => [
  `ALTER TABLE migration ADD COLUMN applied_at ${time} NULL`,
]);
