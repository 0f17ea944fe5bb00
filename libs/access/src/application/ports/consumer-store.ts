import { type Consumer, type Organisation, type OrganisationWithSettings } from '../../domain/consumer';

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

  /** As {@link find}, those that exist, in no order. Nobody else changes them until the unit of work ends. */
  abstract lock(keys: readonly string[]): Promise<{ consumer: Consumer; secrets: SealedSecret[] }[]>;

  /** Creates consumers; a duplicate key is refused by the database. */
  abstract add(consumers: readonly Consumer[], now: number): Promise<void>;

  /** Creates consumers or replaces everything about them but their secrets. */
  abstract put(consumers: readonly Consumer[], now: number): Promise<void>;

  /** Creates secrets; those that exist get the end that is given. */
  abstract putSecrets(secrets: readonly (SealedSecret & { key: string })[]): Promise<void>;

  /** The secret that was stored last, of any consumer; undefined where there is none. */
  abstract newestSecret(): Promise<(SealedSecret & { key: string }) | undefined>;

  /** Ends the validity of all the consumer's secrets that have no end yet or a later one. */
  abstract endSecrets(key: string, at: number): Promise<void>;

  abstract organisations(): Promise<Organisation[]>;

  /** Settings of the organisation; none of one that does not exist. */
  abstract settings(organisation: number): Promise<Record<string, unknown>>;

  /** Those that exist, in no order. Nobody else changes them until the unit of work ends. */
  abstract lockOrganisations(ids: readonly number[]): Promise<OrganisationWithSettings[]>;

  /** Creates organisations; a duplicate id is refused by the database. */
  abstract addOrganisations(organisations: readonly OrganisationWithSettings[], now: number): Promise<void>;

  /** Creates organisations or replaces everything about them. */
  abstract putOrganisations(organisations: readonly OrganisationWithSettings[], now: number): Promise<void>;
}
