import { useCallback, useEffect, useState } from 'react';
import type { Activity } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { type Draft, draftOf } from './model';

interface Kept {
  draft: Draft;
  /** The revision on which the draft is based. */
  revision: number;
  at: number;
}

/**
 * The edited activity. The browser stores changes until they are saved or discarded, even when the page is left.
 * @param activity the stored activity, as it was first read
 */
export function useDraft(activity: Activity) {
  const { organisation, session } = useWorkplace();
  const key = `itembank-activity ${session.person.id} ${organisation.id} ${activity.reference}`;
  const [stored, setStored] = useState({ draft: draftOf(activity), revision: activity.revision ?? 0 });
  const [kept, setKept] = useState(() => keptIn(key));
  const draft = kept?.draft ?? stored.draft;
  const isDirty = kept !== null && !isSame(kept.draft, stored.draft);
  const [wasKept] = useState(isDirty ? kept.at : null);

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);

  const change = useCallback(
    (next: Partial<Draft>) =>
      setKept((before) => {
        const revision = before?.revision ?? stored.revision;
        const changed = { draft: { ...(before?.draft ?? stored.draft), ...next }, revision, at: Date.now() };
        keep(key, changed);
        return changed;
      }),
    [key, stored],
  );

  /** Continues from another revision. With `mine`, applies the local changes on top of it. */
  const rebase = useCallback(
    (latest: Activity, mine: boolean) => {
      const revision = latest.revision ?? 0;
      setStored({ draft: draftOf(latest), revision });
      setKept((before) => {
        const next = mine && before ? { ...before, revision } : null;
        keep(key, next);
        return next;
      });
    },
    [key],
  );

  return { draft, revision: kept?.revision ?? stored.revision, isDirty, wasKept, change, rebase };
}

const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

function keptIn(key: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

function keep(key: string, kept: Kept | null): void {
  try {
    if (kept) localStorage.setItem(key, JSON.stringify(kept));
    else localStorage.removeItem(key);
  } catch {
    // Storage may be full or forbidden. The page still has the changes in memory, and asks before it is left.
  }
}
