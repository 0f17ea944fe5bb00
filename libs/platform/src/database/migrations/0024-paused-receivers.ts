import { migration } from './migration';

/** Receivers of events that an operator paused. `paused_until` is the pause after failures, which ends by itself. */
export const pausedReceivers = migration('PausedReceivers1797900000000', ({ types: { time } }) => [
  `ALTER TABLE event_sink ADD COLUMN paused_at ${time} NULL`,
]);
