import { type Consumer, type Organisation, type OrganisationWithSettings } from '../../domain/consumer';

/** A stored secret. It is sealed with the key of the configuration. */
export interface SealedSecret {
  id: string;
  sealed: string;
  /** Milliseconds since 1970; null until the secret is replaced. */
  validUntil: number | null;
}

/** Organisations, consumers and their sealed secrets. */
export abstract class ConsumerStore {
  abstract find(key: string): Promise<{ consumer: Consumer; secrets: SealedSecret[] } | undefined>;

  /** All consumers, oldest first. */
  abstract list(): Promise<Consumer[]>;

  /** Finds the existing ones of these consumers, in any order, and locks them until the unit of work ends. */
  abstract lock(keys: readonly string[]): Promise<{ consumer: Consumer; secrets: SealedSecret[] }[]>;

  /** Creates consumers. The database rejects a duplicate key. */
  abstract add(consumers: readonly Consumer[], now: number): Promise<void>;

  /** Creates consumers, or replaces everything about them except their secrets. */
  abstract put(consumers: readonly Consumer[], now: number): Promise<void>;

  /** Creates secrets. Existing secrets get the given end of validity. */
  abstract putSecrets(secrets: readonly (SealedSecret & { key: string })[]): Promise<void>;

  /** The newest stored secret of any consumer; undefined when there is none. */
  abstract newestSecret(): Promise<(SealedSecret & { key: string }) | undefined>;

  /** Ends the validity of the consumer's secrets at `at`, except those that end earlier. */
  abstract endSecrets(key: string, at: number): Promise<void>;

  abstract organisations(): Promise<Organisation[]>;

  /** Settings of the organisation; empty when it does not exist. */
  abstract settings(organisation: number): Promise<Record<string, unknown>>;

  /** The organisations that exist, unordered. Locks them until the unit of work ends. */
  abstract lockOrganisations(ids: readonly number[]): Promise<OrganisationWithSettings[]>;

  /** Creates organisations. The database rejects a duplicate id. */
  abstract addOrganisations(organisations: readonly OrganisationWithSettings[], now: number): Promise<void>;

  /** Creates or replaces organisations. */
  abstract putOrganisations(organisations: readonly OrganisationWithSettings[], now: number): Promise<void>;
}
