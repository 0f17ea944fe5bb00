import { migration } from './migration';

/** A session with a custom state gets an adaptive report, even without an estimate. */
export const customStates = migration('CustomStates1796400000000', () => [
  `UPDATE session SET is_adaptive = 1
   WHERE is_adaptive = 0 AND EXISTS (SELECT 1 FROM session_work w
     WHERE w.organisation_id = session.organisation_id AND w.id = session.id AND w.custom_state IS NOT NULL)`,
]);
