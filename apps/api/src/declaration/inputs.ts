import { type TOptional, type TUnsafe, Type } from '@sinclair/typebox';
import { idempotencyKey, integer, limit, maxTime, minTime, moment, nullable, optional, text, words } from './fields';

/* Members that many operations share. Spread them into an input. */

export const shelf = {
  organisation_id: optional(
    integer({
      minimum: 1,
      maximum: 2147483647,
      description: 'Item bank to use; default: the primary one of the consumer.',
    }),
  ),
  item_pool_id: optional(text({ description: 'Read from this item pool instead of the item bank.' })),
};

/** Beside `shelf`, for operations that can also read the item bank in the past; see `shelfOf`. */
export const past = {
  as_of: moment(
    'Reads the item bank as it was at this moment, which must be at least 2 seconds ago. Not with item_pool_id. Format',
  ),
};

export const bank = { organisation_id: shelf.organisation_id };

export const paging = {
  limit: limit(),
  next: optional(
    text({ description: 'Token from `meta.next` of the previous page; all other parameters must stay the same.' }),
  ),
};

export const times = {
  mintime: minTime('time of creation, or of the last change if sort_field is `updated`'),
  maxtime: maxTime('time of creation, or of the last change if sort_field is `updated`'),
};

/** Order of a list. */
export const sorting = <const T extends readonly string[]>(fields: T, byDefault: T[number] = 'created') => ({
  sort: optional(words(['asc', 'desc'], { default: 'desc', description: 'Sort direction.' })),
  sort_field: optional(words(fields, { default: byDefault, description: 'Field to sort by.' })),
});

/** Additional properties to return: `include: {items: [names]}`. */
export const include = <const K extends string, const N extends readonly string[]>(member: K, names: N) => ({
  include: optional(
    Type.Object(
      { [member]: optional(Type.Array(words(names), { maxItems: 100, description: 'Names of these properties.' })) },
      { description: 'Further properties to return.' },
    ),
  ) as unknown as TOptional<TUnsafe<{ [name in K]?: N[number][] }>>,
});

/** The number of a revision of a record. */
export const revision = (description: string) => integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

/** For an entry of a set: the revision that it may replace. */
export const ifRevision = () =>
  optional(
    integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The request is refused unless this equals the current `revision`; 0: unless the record does not exist yet.',
    }),
  );

/** The author of a write, and the key that identifies the request. */
export const meta = {
  meta: optional(
    Type.Object(
      {
        user: optional(
          Type.Object(
            {
              id: text({
                min: 1,
                max: 50,
                description: 'Id that the caller assigns; an unknown id creates a new user.',
              }),
              firstname: optional(nullable(text({ max: 50, description: 'First name.' }))),
              lastname: optional(nullable(text({ max: 50, description: 'Last name.' }))),
              email: optional(nullable(text({ max: 255, description: 'Address.' }))),
            },
            {
              description:
                'The author that the history records. Only `id` is required; `firstname`, `lastname` and `email` have the limits of the record User.',
            },
          ),
        ),
        idempotency_key: optional(
          idempotencyKey(
            'Makes it safe to repeat this request. For 24 hours, the same request with the same key gets the first answer, with `meta.idempotent_replay`, and has no second effect. Another request with the key is refused with 409.',
          ),
        ),
      },
      { additionalProperties: true },
    ),
  ),
};
