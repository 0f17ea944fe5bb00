import type { Save, StoredResponse } from '../delivery/port';

/** A session as the browser stores it without a service. */
export interface StoredSession {
  sessionId: string;
  startedAt: string;
  saveNumber: number;
  responses: Record<string, StoredResponse | null>;
  items: Save['items'];
  currentItem: string | null;
  elapsed: number;
  isSubmitted: boolean;
}

/**
 * Stores a session in the browser.
 * @throws Error when the browser stores nothing, or its storage is full.
 */
export class SessionStorage {
  /** @param key of the package, the activity and the learner. */
  constructor(private readonly key: string) {}

  read(): StoredSession | undefined {
    const text = localStorage.getItem(this.key);
    return text === null ? undefined : (JSON.parse(text) as StoredSession);
  }

  write(session: StoredSession): void {
    localStorage.setItem(this.key, JSON.stringify(session));
  }
}
