import { type Attempt, type Permission } from '../../domain/attempt';

/** Stores attempts, and the permissions of pages. */
export abstract class AttemptStore {
  abstract find(organisation: number, sessionId: string): Promise<Attempt | undefined>;

  /** The attempt at a session, and whether the session itself is stored. */
  abstract before(
    organisation: number,
    sessionId: string,
  ): Promise<{ attempt: Attempt | undefined; isStored: boolean }>;

  /** Adds an attempt. If the session already has one, the unit of work runs again. */
  abstract add(organisation: number, attempt: Attempt): Promise<void>;

  /** Stores the next state if the stored version is that of `before`; false otherwise. */
  abstract replace(organisation: number, attempt: Attempt, before: Attempt): Promise<boolean>;

  /**
   * Attempts with answers that were not submitted, and whose hard limit ended before a moment, in the order of these
   * ends: at most `limit` after the first `skip`.
   */
  abstract overdue(organisation: number, before: number, limit: number, skip: number): Promise<Attempt[]>;

  /** @param hash SHA-256 of the token. */
  abstract addPermission(organisation: number, hash: string, permission: Permission): Promise<void>;

  /** The permission of a token, and the attempt at its session. */
  abstract permission(
    organisation: number,
    hash: string,
  ): Promise<{ permission: Permission; attempt: Attempt | undefined } | undefined>;

  /** Removes all attempts and permissions of a learner; returns the number of rows. */
  abstract eraseOf(organisation: number, userId: string): Promise<number>;

  /** Attempts of a learner, ordered by session id: at most `limit` after `after`. */
  abstract attemptsOf(organisation: number, userId: string, limit: number, after: string): Promise<Attempt[]>;

  /** The end times of a learner's permissions. */
  abstract permissionsOf(organisation: number, userId: string): Promise<{ sessionId: string; endsAt: number }[]>;

  /**
   * Removes at most `limit` permissions that ended before a moment, and attempts without a save and without another permission.
   * Returns the number of permissions.
   */
  abstract removeEnded(organisation: number, before: number, limit: number): Promise<number>;
}
