import type { Input } from '../../operations/call';
import { momentOf } from '../../texts/days';
import { tagOf } from '../../ui/tags-field';

export const STATUSES = ['published', 'unpublished', 'archived'] as const;
export type Status = (typeof STATUSES)[number];
const SORTS = ['updated', 'created', 'reference', 'title'] as const;

export const MEDIA = ['image', 'audio', 'video', 'math'] as const;
export type Medium = (typeof MEDIA)[number];
/** Columns that can be chosen. The reference is always there. */
export const COLUMNS = [
  'title',
  'status',
  'types',
  'points',
  'tags',
  'workflow',
  'difficulty',
  'author',
  'created',
  'updated',
] as const;
export type ColumnName = (typeof COLUMNS)[number];
export const USUAL_COLUMNS: readonly ColumnName[] = ['title', 'status', 'types', 'points', 'updated'];

/** The search parameters in the address of the bank. */
export interface BankSearch {
  text?: string;
  status?: Status[];
  /** `Type:Name`, or a whole type as `Type:`. */
  tags?: string[];
  /** One of the tags suffices; when absent, an item has them all. */
  match?: 'any';
  /** Tags that an item may not have. They need `tags` beside them. */
  without?: string[];
  types?: string[];
  workflow?: string;
  state?: string;
  author?: string;
  /** Days of the creation: `2026-11-24`. */
  from?: string;
  to?: string;
  sort?: (typeof SORTS)[number];
  ascending?: boolean;
  /** Bounds of the difficulty. */
  easiest?: number;
  hardest?: number;
  /** Only items that no activity holds. */
  unused?: true;
  media?: Medium[];
  /** The columns of the list; absent: the usual ones. */
  columns?: ColumnName[];
  /** The item in the preview. */
  item?: string;
}

/** Reads the search parameters. Leaves out invalid ones, because somebody may have typed the address. */
export function bankSearch(raw: Record<string, unknown>): BankSearch {
  const text = (name: string) =>
    typeof raw[name] === 'string' && raw[name] !== ''
      ? raw[name]
      : typeof raw[name] === 'number'
        ? String(raw[name])
        : undefined;
  const list = (name: string) => {
    const value = raw[name];
    const all = Array.isArray(value)
      ? value.filter((each) => typeof each === 'string')
      : typeof value === 'string'
        ? [value]
        : [];
    return all.length > 0 ? all : undefined;
  };
  const day = (name: string) => (/^\d{4}-\d\d-\d\d$/.test(text(name) ?? '') ? text(name) : undefined);
  const number = (name: string) => {
    const value = raw[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  const known = <T extends string>(name: string, all: readonly T[]) => {
    const found = all.filter((each) => list(name)?.includes(each));
    return found.length > 0 ? found : undefined;
  };
  return {
    text: text('text'),
    status: known('status', STATUSES),
    tags: list('tags')?.filter((tag) => tag.includes(':')),
    match: raw.match === 'any' ? raw.match : undefined,
    without: list('without')?.filter((tag) => tag.includes(':')),
    types: list('types'),
    workflow: text('workflow'),
    state: text('state'),
    author: text('author'),
    from: day('from'),
    to: day('to'),
    sort: SORTS.find((each) => each === raw.sort),
    ascending: raw.ascending === true ? true : undefined,
    easiest: number('easiest'),
    hardest: number('hardest'),
    unused: raw.unused === true ? true : undefined,
    media: known('media', MEDIA),
    columns: known('columns', COLUMNS),
    item: text('item'),
  };
}

export const PAGE = 50;

/** The members of items that the list requests beside those that reads always return. */
export const LISTED = [
  'adaptive',
  'authoring_workflow',
  'created_by',
  'dt_created',
  'dt_updated',
  'max_score',
  'revision',
] as const;

/**
 * The orders that a list can have, the usual one first. Sorted by the last change, the service would take the days for
 * those of the last change too. But counts and bulk changes go by creation.
 */
export const sortsOf = ({ from, to }: BankSearch) =>
  SORTS.filter((sort) => sort !== 'updated' || (from === undefined && to === undefined));

/** The order of a list. A search for words has its own. */
export function sortingOf(search: BankSearch) {
  const sorts = sortsOf(search);
  const field = sorts.find((each) => each === search.sort) ?? sorts[0]!;
  return { sort: search.ascending ? 'asc' : 'desc', sort_field: field } as const;
}

/** The filters as operations on items take them. */
export function filtersOf(search: BankSearch): Omit<Input<'get itembank/items'>, 'include' | 'sort' | 'sort_field'> {
  const tags = search.tags?.map(tagOf) ?? [];
  const none = search.without?.map(tagOf) ?? [];
  return {
    ...(search.status ? { status: search.status } : {}),
    ...(tags.length > 0
      ? { advanced_tags: { [search.match === 'any' ? 'either' : 'all']: tags, ...(none.length > 0 ? { none } : {}) } }
      : {}),
    ...(search.types ? { questions: { types: search.types } } : {}),
    ...(search.workflow
      ? { authoring_workflow: { reference: search.workflow, ...(search.state ? { states: [search.state] } : {}) } }
      : {}),
    ...(search.author ? { created_by: [search.author] } : {}),
    ...(search.easiest === undefined && search.hardest === undefined
      ? {}
      : {
          difficulty: {
            ...(search.easiest === undefined ? {} : { min: search.easiest }),
            ...(search.hardest === undefined ? {} : { max: search.hardest }),
          },
        }),
    ...(search.unused ? { unused: true } : {}),
    ...(search.media ? { media: search.media } : {}),
    ...(search.from ? { mintime: momentOf(search.from, 'first') } : {}),
    ...(search.to ? { maxtime: momentOf(search.to, 'last') } : {}),
  };
}

/** Leaves out what changes how the list looks, and not what is in it. */
const filtersIn = ({ sort: _sort, ascending: _ascending, item: _item, columns: _columns, ...filters }: BankSearch) =>
  filters;

/** Takes all filters away. */
export const NO_FILTERS: Partial<BankSearch> = filtersIn(bankSearch({}));

/** Whether any filter is set. */
export const isFiltered = (search: BankSearch): boolean =>
  Object.values(filtersIn(search)).some((value) => value !== undefined);
