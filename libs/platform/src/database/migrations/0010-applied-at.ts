import { migration } from './migration';

/** The time at which each migration was applied; null for those before this one. The table belongs to TypeORM. */
export const appliedAt = migration('AppliedAt1796000000000', ({ types: { time } }) => [
  `ALTER TABLE migration ADD COLUMN applied_at ${time} NULL`,
]);
