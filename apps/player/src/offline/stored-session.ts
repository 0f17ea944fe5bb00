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

/** Stores a session in the browser. */
export class SessionStorage {
  /** @param key the key in the browser's storage, made from the package, the activity and the learner. */
  constructor(private readonly key: string) {}

  /** The session as any page of this browser stored it last. */
  read(): StoredSession | undefined {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? '') as StoredSession;
    } catch {
      // Nothing is stored, or storage is switched off.
      return undefined;
    }
  }

  /** @throws Error when the browser stores nothing, or its storage is full. */
  write(session: StoredSession): void {
    localStorage.setItem(this.key, JSON.stringify(session));
  }
}
