import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';

/** The cost that OWASP recommends for argon2id, the default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes passwords and compares them. */
@Injectable()
export class Passwords {
  /** The hash of a password that nobody knows. */
  private nobody: Promise<string> | undefined;

  async hash(password: string): Promise<string> {
    return hash(password, COST);
  }

  /**
   * Compares a password with a stored hash. Without a hash, the result is false after the same time, so that the time
   * does not reveal accounts.
   */
  async matches(stored: string | null | undefined, password: string): Promise<boolean> {
    this.nobody ??= this.hash(randomBytes(32).toString('base64'));
    const isRight = await verify(stored ?? (await this.nobody), password);
    return isRight && stored !== null && stored !== undefined;
  }
}
