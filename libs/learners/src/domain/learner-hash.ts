import { hash } from 'node:crypto';

/**
 * The SHA-256 of a user_id, in hexadecimal. It stands for an erased learner, whom only someone with the user_id can
 * recognise.
 */
export const learnerHash = (user: string): string => hash('sha256', user);
