import { migration } from './migration';

/** The tag that another one was renamed to, or merged into. */
export const tagSuccessors = migration('TagSuccessors1797500000000', ({ types: { id } }) => [
  `ALTER TABLE tag ADD COLUMN successor_id ${id} NULL`,
]);
