import { isDeepStrictEqual } from 'node:util';
import { type JsonObject } from '#kernel';

export type Kind =
  | 'organisation'
  | 'consumer'
  | 'tag_hierarchy'
  | 'player_template'
  | 'base_template'
  | 'webhook'
  | 'event_stream';

/** A creation, change or removal. Both states have all members of a description. */
export interface Change {
  change: 'create' | 'update' | 'remove';
  kind: Kind;
  /** The organisation that it belongs to; null for organisations and consumers themselves. */
  organisation: number | null;
  key: string;
  before: JsonObject | null;
  after: JsonObject | null;
  /** For a consumer: the number of secrets that become valid, that lose their end of validity, and that end. */
  secrets?: { added: number; prolonged: number; ended: number };
}

/** The difference between two states; undefined when they are equal. Ignores the order of members. */
export function changeOf(
  thing: Pick<Change, 'kind' | 'organisation' | 'key' | 'secrets'>,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Change | undefined {
  if (isDeepStrictEqual(before, after) && !thing.secrets) return undefined;
  const change = before === undefined ? 'create' : after === undefined ? 'remove' : 'update';
  return { change, ...thing, before: before ?? null, after: after ?? null };
}
