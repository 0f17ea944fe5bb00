import { storeAt, storedAt } from './stored';

// Several tabs may show the same record, each with a draft. So a tab keeps its draft in its own store, which survives a
// reload, and a copy under an id in the store of the browser, which survives the tab until it is old.

/** An unsaved draft of an earlier visit, or of another tab. */
export interface KeptDraft {
  /** Identifies the draft. Earlier versions of the console kept one draft without an id. */
  id?: string;
  at: number;
}

/** How the keys of drafts begin. */
const PREFIXES = ['itembank-draft-', 'itembank-activity '] as const;
export type DraftKey = `${(typeof PREFIXES)[number]}${string}`;

const KEPT_MS = 90 * 86_400_000;

/** The moment at which the browser deletes the copy of a draft. */
export const endOf = ({ at }: KeptDraft): number => at + KEPT_MS;

/** Deletes the old copies of all people and records. An open tab still has its draft in its own store. */
export function endOldDrafts(): void {
  for (const name of Object.keys(localStorage)) {
    if (!PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    if (!(endOf(storedAt<KeptDraft>(name) ?? { at: 0 }) > Date.now())) storeAt(name, undefined);
  }
}

const copyAt = (key: DraftKey, id: string | undefined): string => (id === undefined ? key : `${key}\n${id}`);

/** All kept drafts of a record: that of this tab first, then the others, newest first. */
export function keptDrafts<T extends KeptDraft>(key: DraftKey): T[] {
  const own = storedAt<T>(key, sessionStorage);
  const copies = Object.keys(localStorage)
    .filter((name) => name === key || name.startsWith(copyAt(key, '')))
    .flatMap((name) => storedAt<T>(name) ?? [])
    .filter(({ id }) => !own || id !== own.id)
    .sort((one, other) => other.at - one.at);
  return own ? [own, ...copies] : copies;
}

/** Keeps the draft as that of this tab. */
export function keepDraft<T extends KeptDraft>(key: DraftKey, draft: T): void {
  storeAt(key, draft, sessionStorage);
  storeAt(copyAt(key, draft.id), draft);
}

export function dropDraft(key: DraftKey, id: string | undefined): void {
  if (storedAt<KeptDraft>(key, sessionStorage)?.id === id) storeAt(key, undefined, sessionStorage);
  storeAt(copyAt(key, id), undefined);
}
