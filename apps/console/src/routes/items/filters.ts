import type { Input } from '../../operations/call';

export const STATUSES = ['published', 'unpublished', 'archived'] as const;
export type Status = (typeof STATUSES)[number];
export const SORTS = ['created', 'updated', 'reference', 'title'] as const;

/** What the address of the bank says. */
export interface BankSearch {
  text?: string;
  status?: Status[];
  /** `Type:Name`, or a whole type as `Type:`. */
  tags?: string[];
  /** How the tags are combined; all of them when absent. */
  match?: 'any' | 'none';
  types?: string[];
  workflow?: string;
  state?: string;
  author?: string;
  /** Days: `2026-11-24`. */
  from?: string;
  to?: string;
  sort?: (typeof SORTS)[number];
  ascending?: boolean;
  /** The item in the preview. */
  item?: string;
}

/** Reads an address that somebody may have typed: what is not understood is left out. */
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
  const status = list('status')?.filter((each): each is Status => STATUSES.includes(each as Status));
  return {
    text: text('text'),
    status: status?.length ? status : undefined,
    tags: list('tags')?.filter((tag) => tag.includes(':')),
    match: raw.match === 'any' || raw.match === 'none' ? raw.match : undefined,
    types: list('types'),
    workflow: text('workflow'),
    state: text('state'),
    author: text('author'),
    from: day('from'),
    to: day('to'),
    sort: SORTS.find((each) => each === raw.sort),
    ascending: raw.ascending === true ? true : undefined,
    item: text('item'),
  };
}

/** `Subject:Mathematics`. Types may not hold colons here; names may. */
export function tagOf(text: string): { type: string; name?: string } {
  const at = text.indexOf(':');
  const name = text.slice(at + 1);
  return { type: text.slice(0, at), ...(name === '' ? {} : { name }) };
}

const PAGE = 50;

/** The filters as the operation takes them. */
export function itemsInput(search: BankSearch): Input<'get itembank/items'> {
  const tags = search.tags?.map(tagOf);
  const combined = search.match === 'any' ? 'either' : search.match === 'none' ? 'none' : 'all';
  return {
    limit: PAGE,
    include: { items: ['dt_updated', 'max_score', 'authoring_workflow', 'revision'] },
    sort: search.ascending ? 'asc' : 'desc',
    sort_field: search.sort ?? 'updated',
    ...(search.status ? { status: search.status } : {}),
    ...(tags?.length ? { advanced_tags: { [combined]: tags } } : {}),
    ...(search.types ? { questions: { types: search.types } } : {}),
    ...(search.workflow
      ? { authoring_workflow: { reference: search.workflow, ...(search.state ? { states: [search.state] } : {}) } }
      : {}),
    ...(search.author ? { created_by: [search.author] } : {}),
    ...(search.from ? { mintime: `${search.from} 00:00:00` } : {}),
    ...(search.to ? { maxtime: `${search.to} 23:59:59` } : {}),
  };
}

/** Whether any filter is set. */
export const isFiltered = ({ sort: _, ascending: __, item: ___, ...filters }: BankSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);
