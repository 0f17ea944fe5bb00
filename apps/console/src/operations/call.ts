import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { http } from './http';
import type { Operations } from './operations';

export type OperationName = keyof Operations;
export type Input<N extends OperationName> = Operations[N]['input'];
export type Output<N extends OperationName> = Operations[N]['output'];

/** The answer of an operation. */
export interface Answer<T> {
  data: T;
  meta: { records?: number; next?: string; warnings?: { rule: string; pointer: string; message: string }[] };
}

let organisation = 0;

/** Chooses the organisation that all following calls are for. */
export function setOrganisation(id: number): void {
  organisation = id;
}

/**
 * The last write of each operation whose answer has not come, with its idempotency key. After an answer to another write,
 * which may have undone it, the same write is a new one.
 */
let unanswered: Partial<Record<OperationName, { text: string; key: string }>> = {};

/**
 * Calls an operation for the chosen organisation: `call('get itembank/items', {limit: 5})`. A write that is sent again
 * because its answer was lost has no second effect: the service repeats the answer.
 * @throws Fault, Unreachable
 */
export async function call<N extends OperationName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Answer<Output<N>>> {
  const [action, path] = name.split(' ') as [string, string];
  let request = { organisation_id: organisation, ...(input as object) };
  if (action !== 'get') {
    const text = JSON.stringify(request);
    const sent = unanswered[name]?.text === text ? unanswered[name] : { text, key: crypto.randomUUID() };
    unanswered[name] = sent;
    request = Object.assign({ meta: { idempotency_key: sent.key } }, request);
  }
  const answer = await http<Answer<Output<N>>>('POST', `/console/api/v1/${path}`, { action, request }, signal);
  if (action !== 'get') unanswered = {};
  return answer;
}

/** A read as a query. Creates key and call together, so that they cannot differ. */
export const read = <N extends OperationName>(name: N, input: Input<N>) =>
  queryOptions({
    queryKey: [organisation, name, input],
    queryFn: ({ signal }) => call(name, input, signal),
  });

/** A paged read: each page begins where the one before ended. */
export const readPages = <N extends OperationName>(name: N, input: Input<N>) =>
  infiniteQueryOptions({
    queryKey: [organisation, name, input, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      call(name, (pageParam === '' ? input : { ...(input as object), next: pageParam }) as Input<N>, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next,
  });

/** The common prefix of the query keys of an operation, for invalidation after a change. */
export const keyOf = (name: OperationName) => [organisation, name];

/** All pages of a read, one after another. */
export async function* pagesOf<T>(page: (next: { next?: string }) => Promise<Answer<T>>): AsyncGenerator<T> {
  let next: string | undefined;
  do {
    const { data, meta } = await page(next === undefined ? {} : { next });
    yield data;
    next = meta.next;
  } while (next !== undefined);
}

/** A list from which people choose, with all of its pages. */
export const readAll = <N extends 'get itembank/pools' | 'get itembank/workflows'>(name: N) =>
  queryOptions({
    queryKey: [...keyOf(name), 'all'],
    queryFn: async ({ signal }) => {
      const all: Output<N>[number][] = [];
      for await (const page of pagesOf((next) => call(name, { limit: MAX_ENTRIES, ...next }, signal)))
        all.push(...page);
      return all;
    },
  });

/** The most entries of one call. */
export const MAX_ENTRIES = 50;

/** The parts of a list that one call takes each. */
export const batchesOf = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / MAX_ENTRIES) }, (_, at) =>
    list.slice(at * MAX_ENTRIES, (at + 1) * MAX_ENTRIES),
  );
