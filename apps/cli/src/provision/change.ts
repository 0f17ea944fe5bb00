import { isDeepStrictEqual } from 'node:util';
import { type JsonObject } from '#kernel';

export type Kind =
  'organisation' | 'consumer' | 'tag_hierarchy' | 'player_template' | 'base_template' | 'webhook' | 'event_stream';

/** Something that is made, changed or removed. Members are those of the description, all of them given. */
export interface Change {
  change: 'create' | 'update' | 'remove';
  kind: Kind;
  /** Whose it is; null for organisations and consumers themselves. */
  organisation: number | null;
  key: string;
  before: JsonObject | null;
  after: JsonObject | null;
  /** Of a consumer: how many secrets become valid, stay valid beyond their end, and end. */
  secrets?: { added: number; prolonged: number; ended: number };
}

/** What turns one thing into another; undefined when they are equal. Members may stand in any order. */
export function changeOf(
  thing: Pick<Change, 'kind' | 'organisation' | 'key' | 'secrets'>,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Change | undefined {
  if (isDeepStrictEqual(before, after) && !thing.secrets) return undefined;
  const change = before === undefined ? 'create' : after === undefined ? 'remove' : 'update';
  return { change, ...thing, before: before ?? null, after: after ?? null };
}
