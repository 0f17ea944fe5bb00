import { type Purpose } from '../../domain/limits';

/** A browser in which a person is signed in. */
export interface SignIn {
  person: string;
  browser: string;
  createdAt: number;
  seenAt: number;
  /** When the person last proved who they are. */
  confirmedAt: number;
}

export interface Link {
  person: string;
  purpose: Purpose;
  endsAt: number;
}

/** Stores sign-ins, links and failed attempts, each under the hash of its secret. */
export abstract class SignInStore {
  abstract add(hash: string, signIn: SignIn): Promise<void>;

  abstract find(hash: string): Promise<SignIn | undefined>;

  abstract ofPerson(person: string): Promise<SignIn[]>;

  abstract setSeen(hash: string, at: number): Promise<void>;

  abstract setConfirmed(hash: string, at: number): Promise<void>;

  abstract remove(hash: string): Promise<void>;

  /** Ends all sign-ins of a person but one. */
  abstract removeOthers(person: string, kept?: string): Promise<void>;

  /** Removes sign-ins that were last used before this time. */
  abstract removeUnused(before: number): Promise<void>;

  abstract addLink(hash: string, link: Link): Promise<void>;

  abstract findLink(hash: string): Promise<Link | undefined>;

  /** Removes a link and returns whether it existed. Only one of several concurrent callers gets true. */
  abstract takeLink(hash: string): Promise<boolean>;

  /** Removes all links of a person, and all that ended before `now`. */
  abstract removeLinks(person: string, now: number): Promise<void>;

  abstract failures(hash: string): Promise<{ failures: number; failedAt: number } | undefined>;

  /**
   * Counts a failure for the hash and returns the count. First deletes the counts of all hashes that last failed at or
   * before `forgotten`.
   */
  abstract addFailure(hash: string, now: number, forgotten: number): Promise<number>;

  abstract clearFailures(hash: string): Promise<void>;
}
