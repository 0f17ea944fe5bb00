import { foundation } from './0001-foundation';
import { authoring } from './0002-authoring';
import { jobs } from './0003-jobs';

/** All migrations, oldest first. They are never changed once released; a new one is added at the end. */
export const migrations = [foundation, authoring, jobs];
