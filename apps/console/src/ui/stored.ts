/* What the browser keeps of drafts. Its storage may be full. */

/** The kept value; undefined when there is none, or none that can be read. */
export function storedAt<T>(key: string, store = localStorage): T | undefined {
  try {
    return (JSON.parse(store.getItem(key) ?? 'null') as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the value, or removes it if it is undefined. Without storage, only the page has it. */
export function storeAt(key: string, value: unknown, store = localStorage): void {
  try {
    if (value === undefined) store.removeItem(key);
    else store.setItem(key, JSON.stringify(value));
  } catch {
    // The warning before the page is left still holds.
  }
}
