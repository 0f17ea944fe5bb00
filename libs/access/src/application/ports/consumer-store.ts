import { type Consumer, type Organisation } from '../../domain/consumer';

/** A secret as stored: sealed, never readable without the key of the configuration. */
export interface SealedSecret {
  id: string;
  sealed: string;
  /** Milliseconds since 1970; null as long as it is not replaced. */
  validUntil: number | null;
}

/** Organisations, consumers and their sealed secrets. */
export abstract class ConsumerStore {
  abstract find(key: string): Promise<{ consumer: Consumer; secrets: SealedSecret[] } | undefined>;

  /** All consumers, oldest first. */
  abstract list(): Promise<Consumer[]>;

  /** Creates the consumer or replaces everything about it but its secrets. */
  abstract put(consumer: Consumer, now: number): Promise<void>;

  abstract addSecret(key: string, secret: SealedSecret): Promise<void>;

  /** Ends the validity of all the consumer's secrets that have no end yet or a later one. */
  abstract endSecrets(key: string, at: number): Promise<void>;

  abstract organisations(): Promise<Organisation[]>;

  /** Creates the organisation; a duplicate id is refused by the database. */
  abstract addOrganisation(organisation: Organisation, now: number): Promise<void>;
}
