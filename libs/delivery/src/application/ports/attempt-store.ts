import { type Attempt, type Permission } from '../../domain/attempt';

/** Sessions that were begun in pages, and what pages may do with them. */
export abstract class AttemptStore {
  abstract find(organisation: number, sessionId: string): Promise<Attempt | undefined>;

  /** Adds one. When there is one already, the unit of work runs again. */
  abstract add(organisation: number, attempt: Attempt): Promise<void>;

  /** Stores its next state, provided that its version is still the one before; says whether it was. */
  abstract replace(organisation: number, attempt: Attempt): Promise<boolean>;

  /** Those with answers whose hard limit was over before a moment and that nobody submitted: at most `most`. */
  abstract overdue(organisation: number, before: number, most: number): Promise<Attempt[]>;

  /** @param hash SHA-256 of the token. */
  abstract addPermission(organisation: number, hash: string, permission: Permission): Promise<void>;

  abstract permission(organisation: number, hash: string): Promise<Permission | undefined>;

  /** Removes all of a learner; says how many rows. */
  abstract eraseOf(organisation: number, userId: string): Promise<number>;

  /** Of a learner, in the order of their session ids: at most `limit` behind `after`. */
  abstract attemptsOf(organisation: number, userId: string, limit: number, after: string): Promise<Attempt[]>;

  /** When the permissions of a learner end. */
  abstract permissionsOf(organisation: number, userId: string): Promise<{ sessionId: string; endsAt: number }[]>;

  /** Removes at most `most` permissions that ended before a moment, and the attempts without a save that no other permission is left to; says how many permissions. */
  abstract removeEnded(organisation: number, before: number, most: number): Promise<number>;
}
