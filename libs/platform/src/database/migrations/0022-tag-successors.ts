import { migration } from './migration';

/** The tag that took the place of another one by a rename or a merge. */
export const tagSuccessors = migration('TagSuccessors1797500000000', ({ types: { id } }) => [
  `ALTER TABLE tag ADD COLUMN successor_id ${id} NULL`,
]);
