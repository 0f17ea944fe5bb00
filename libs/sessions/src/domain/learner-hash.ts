import { hash } from 'node:crypto';

/** What is left of the name of a learner: the SHA-256 of the user_id, in hexadecimal. Who knows the name can tell it again. */
export const learnerHash = (user: string): string => hash('sha256', user);
