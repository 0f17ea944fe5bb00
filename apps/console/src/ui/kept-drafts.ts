import { storeAt, storedAt } from './stored';

// Several tabs may show the same record, each with a draft. So a tab keeps its draft in its own store, which survives a
// reload, and a copy under an id in the store of the browser, which survives the tab.

/** An unsaved draft of an earlier visit, or of another tab. */
export interface KeptDraft {
  /** Identifies the draft. Earlier versions of the console kept one draft without an id. */
  id?: string;
  at: number;
}

const copyAt = (key: string, id: string | undefined): string => (id === undefined ? key : `${key}\n${id}`);

/** All kept drafts of a record: that of this tab first, then the others, newest first. */
export function keptDrafts<T extends KeptDraft>(key: string): T[] {
  const own = storedAt<T>(key, sessionStorage);
  const copies = Object.keys(localStorage)
    .filter((name) => name === key || name.startsWith(copyAt(key, '')))
    .flatMap((name) => storedAt<T>(name) ?? [])
    .filter(({ id }) => !own || id !== own.id)
    .sort((one, other) => other.at - one.at);
  return own ? [own, ...copies] : copies;
}

/** Keeps the draft as that of this tab. */
export function keepDraft<T extends KeptDraft>(key: string, draft: T): void {
  storeAt(key, draft, sessionStorage);
  storeAt(copyAt(key, draft.id), draft);
}

export function dropDraft(key: string, id: string | undefined): void {
  if (storedAt<KeptDraft>(key, sessionStorage)?.id === id) storeAt(key, undefined, sessionStorage);
  storeAt(copyAt(key, id), undefined);
}
