import { hash } from 'node:crypto';

/**
 * The SHA-256 of a user_id, in hexadecimal. Reports of an erasure name the learner by it, so only somebody who knows
 * the user_id can recognise the learner.
 */
export const learnerHash = (user: string): string => hash('sha256', user);
