import { foundation } from './0001-foundation';

/** All migrations, oldest first. They are never changed once released; a new one is added at the end. */
export const migrations = [foundation];
