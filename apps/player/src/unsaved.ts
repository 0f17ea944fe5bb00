import type { StoredResponse } from './delivery/port';

/** What a browser keeps of a session until the service has acknowledged it. */
export interface Unsaved {
  responses: Record<string, StoredResponse | null>;
}

/** Answers that were not acknowledged yet, so that a page that crashes loses none. Where the browser keeps nothing, it holds nothing. */
export class UnsavedAnswers {
  constructor(private readonly key: string) {}

  read(): Unsaved {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? '{}') as Partial<Unsaved>;
      return { responses: kept.responses ?? {} };
    } catch {
      return { responses: {} };
    }
  }

  /** @returns whether the browser keeps it. */
  write(unsaved: Unsaved): boolean {
    try {
      if (Object.keys(unsaved.responses).length === 0) localStorage.removeItem(this.key);
      else localStorage.setItem(this.key, JSON.stringify(unsaved));
      return true;
    } catch {
      // Storage is full or switched off.
      return false;
    }
  }
}
