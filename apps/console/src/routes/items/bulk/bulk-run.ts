import { batchesOf, call, type Input, MAX_ENTRIES, pagesOf } from '../../../operations/call';
import { Fault } from '../../../operations/fault';
import type { Item } from '../../../operations/operations';
import { type BankSearch, filtersOf, type Status } from '../filters';

/** The actions on many items. An export is not one of them, because it is a job of the service. */
export type Action =
  | { kind: 'status'; status: Status }
  | { kind: 'tag'; tags: { type: string; name: string }[] }
  | { kind: 'state'; workflow: string; state: string }
  | { kind: 'duplicate' };

/** Items chosen by hand, with their revisions as the list showed them, or all that fit the filters. */
export type Selection =
  | { by: 'hand'; items: ReadonlyMap<string, number | undefined> }
  | { by: 'filter'; search: BankSearch };

export interface Outcome {
  changed: number;
  unchanged: number;
  refused: { reference: string; reason: string }[];
}

/** Records the progress of a bulk change, so that the next run goes on after a lost connection. */
export class Journal {
  /** Items that were changed or refused, and copies. */
  readonly over = new Set<string>();
  /** The items that a search found, or the time of the newest item: later items are no part of the run. */
  found?: readonly string[];
  newest?: string;
  outcome: Outcome = { changed: 0, unchanged: 0, refused: [] };
  /** Items that were sent without an answer, so that nobody knows whether they were changed. */
  readonly unanswered = new Set<string>();
}

const INCLUDED = ['authoring_workflow', 'revision'] as const;

/** Changes the chosen items batch by batch. Items that the service refuses are named, and the others change. */
export async function applyToAll(
  action: Action,
  selection: Selection,
  words: { stale: string; gone: string },
  { signal, tell, journal }: { signal: AbortSignal; tell: (outcome: Outcome) => void; journal: Journal },
): Promise<void> {
  const { over } = journal;
  /** Notes what became of these items. */
  const add = (references: readonly string[], { changed = 0, unchanged = 0, refused = [] }: Partial<Outcome>) => {
    for (const reference of references) over.add(reference);
    const { outcome } = journal;
    journal.outcome = {
      changed: outcome.changed + changed,
      unchanged: outcome.unchanged + unchanged,
      refused: [...outcome.refused, ...refused],
    };
    tell(journal.outcome);
  };
  const refuse = (references: readonly string[], reason: string) =>
    add(references, { refused: references.map((reference) => ({ reference, reason })) });
  const namesOf = (items: readonly Item[]) => items.map(({ reference }) => reference);
  for await (const { items: read, gone } of selectedIn(selection, signal, journal)) {
    const left = read.filter(({ reference }) => !over.has(reference));
    const own = left.filter((item) => journal.unanswered.has(item.reference) && !isNeeded(item, action));
    add(namesOf(own), { changed: own.length });
    const items = left.filter((item) => !own.includes(item));
    refuse(
      gone.filter((reference) => !over.has(reference)),
      words.gone,
    );
    const seen = selection.by === 'hand' ? selection.items : undefined;
    const stale = items.filter(
      ({ reference, revision }) => seen?.get(reference) !== undefined && seen.get(reference) !== revision,
    );
    refuse(namesOf(stale), words.stale);
    const current = items.filter((item) => !stale.includes(item));
    const idle = current.filter((item) => !isNeeded(item, action));
    add(namesOf(idle), { unchanged: idle.length });
    let wanted = current.filter((item) => !idle.includes(item));
    while (wanted.length > 0 && !signal.aborted) {
      const refused = await attempt(action, wanted, journal);
      if (refused.size === 0) {
        add(namesOf(wanted), { changed: wanted.length });
        break;
      }
      for (const [index, reason] of refused) refuse([wanted[index]!.reference], reason);
      wanted = wanted.filter((_, index) => !refused.has(index));
    }
    if (signal.aborted) return;
  }
}

/** Whether the action would change the item. */
export function isNeeded(item: Item, action: Action): boolean {
  switch (action.kind) {
    case 'status':
      return item.status !== action.status;
    case 'tag':
      return action.tags.some(({ type, name }) => !item.tags[type]?.includes(name));
    case 'state':
      return item.authoring_workflow?.reference !== action.workflow || item.authoring_workflow.state !== action.state;
    default:
      return true;
  }
}

/** All references of the selection, at most `most`. */
export async function referencesOf(selection: Selection, most: number, signal: AbortSignal): Promise<string[]> {
  if (selection.by === 'hand') return [...selection.items.keys()].slice(0, most);
  const found: string[] = [];
  for await (const { items } of selectedIn(selection, signal)) {
    found.push(...items.map(({ reference }) => reference));
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

async function* selectedIn(
  selection: Selection,
  signal: AbortSignal,
  journal = new Journal(),
): AsyncGenerator<{ items: Item[]; gone: string[] }> {
  const named = async (references: string[]) => {
    const { data } = await call(
      'get itembank/items',
      { references, limit: MAX_ENTRIES, include: { items: [...INCLUDED] } },
      signal,
    );
    const found = new Set(data.map(({ reference }) => reference));
    return { items: data, gone: references.filter((reference) => !found.has(reference)) };
  };
  if (selection.by === 'hand') {
    for (const references of batchesOf([...selection.items.keys()])) yield await named(references);
    return;
  }
  const { text } = selection.search;
  const filters = filtersOf(selection.search);
  if (text !== undefined) {
    // A change may move items in the list, so this reads all items before the first change.
    if (!journal.found) {
      const references: string[] = [];
      for await (const page of pagesOf((next) => call('get itembank/search', { ...filters, text, ...next }, signal)))
        references.push(...page.map(({ reference }) => reference));
      journal.found = references;
    }
    const items = new Map(journal.found.map((reference) => [reference, undefined]));
    yield* selectedIn({ by: 'hand', items }, signal);
    return;
  }
  // Oldest first by creation. So no change moves an item, and copies come at the end.
  if (journal.newest === undefined) {
    const newest = { ...filters, limit: 1, include: { items: ['dt_created' as const] } };
    journal.newest = (await call('get itembank/items', newest, signal)).data[0]?.dt_created;
  }
  const maxtime = journal.newest;
  if (maxtime === undefined) return;
  const until = filters.maxtime ?? maxtime;
  const read = (next: { next?: string }) =>
    call(
      'get itembank/items',
      {
        ...filters,
        maxtime: until,
        sort: 'asc',
        sort_field: 'created',
        limit: MAX_ENTRIES,
        include: { items: [...INCLUDED] },
        ...next,
      },
      signal,
    );
  for await (const items of pagesOf(read)) yield { items, gone: [] };
}

/** Changes all items or none; returns the refusals by their index. */
async function attempt(action: Action, items: readonly Item[], journal: Journal): Promise<Map<number, string>> {
  try {
    if (action.kind === 'tag')
      await call('update itembank/items/tags', {
        items: items.map(({ reference, revision }) => ({ reference, tags: action.tags, if_revision: revision })),
      });
    else if (action.kind === 'duplicate') {
      const { data: copies } = await call('set itembank/items/duplicate', {
        items: items.map(({ reference, revision }) => ({ reference, if_revision: revision })),
      });
      // The list may show copies, which are not copied again.
      for (const { reference } of Object.values(copies)) journal.over.add(reference);
    } else
      await call('set itembank/items', {
        items: items.map((item) =>
          action.kind === 'status'
            ? changedItem(item, { status: action.status })
            : changedItem(item, { authoring_workflow: { reference: action.workflow, state: action.state } }),
        ),
      });
    return new Map();
  } catch (fault) {
    if (!(fault instanceof Fault)) {
      for (const { reference } of items) journal.unanswered.add(reference);
      throw fault;
    }
    const refused = new Map(
      fault.places.flatMap(({ pointer, message }) => {
        const index = /^\/items\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
        return index === undefined ? [] : [[Number(index), message] as const];
      }),
    );
    if (refused.size === 0) throw fault;
    return refused;
  }
}

/** The whole item with a change, because a set clears absent members. Never overwrites a concurrent change. */
export function changedItem(
  { reference, title, description, note, source, status, definition, metadata, tags, revision }: Item,
  change: Partial<Input<'set itembank/items'>['items'][number]>,
) {
  const whole = { reference, title, description, note, source, status, definition, metadata, tags };
  return { ...whole, ...(revision === undefined ? {} : { if_revision: revision }), ...change };
}
