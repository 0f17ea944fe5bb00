import { useWindowEvent } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import type { Activity } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { type Draft, draftOf } from './model';
import { type DraftKey, dropDraft, endOf, keepDraft, type KeptDraft, keptDrafts } from '../../ui/kept-drafts';

interface Kept extends KeptDraft {
  draft: Draft;
  /** The revision on which the draft is based. */
  revision: number;
}

/**
 * The edited activity. The browser stores changes until they are saved or discarded, even when the page is left.
 * @param activity the stored activity, as it was first read
 */
export function useDraft(activity: Activity) {
  const { organisation, session } = useWorkplace();
  const key: DraftKey = `itembank-activity ${session.person.id} ${organisation.id} ${activity.reference}`;
  const [stored, setStored] = useState({ draft: draftOf(activity), revision: activity.revision ?? 0 });
  const [id] = useState(() => crypto.randomUUID());
  const [found] = useState(() => keptDrafts<Kept>(key)[0]);
  const [kept, setKept] = useState(found);
  const draft = kept?.draft ?? stored.draft;
  const isDirty = kept !== undefined && !isSame(kept.draft, stored.draft);
  const [wasKept] = useState(isDirty ? { at: kept.at, until: endOf(kept) } : null);

  useEffect(() => {
    if (kept) keepDraft(key, { ...kept, id });
    else dropDraft(key, id);
    // This tab has taken it over.
    if (found) dropDraft(key, found.id);
  }, [key, id, kept, found]);

  useWindowEvent('beforeunload', (event) => isDirty && event.preventDefault());

  const change = useCallback(
    (next: Partial<Draft>) =>
      setKept((before) => {
        const revision = before?.revision ?? stored.revision;
        return { draft: { ...(before?.draft ?? stored.draft), ...next }, revision, at: Date.now() };
      }),
    [stored],
  );

  /** Continues from another revision. Applies the local changes on top of it, unless they are `dropped`. */
  const rebase = useCallback((latest: Activity, dropped?: Draft) => {
    const revision = latest.revision ?? 0;
    setStored({ draft: draftOf(latest), revision });
    setKept((before) => (before && (!dropped || !isSame(before.draft, dropped)) ? { ...before, revision } : undefined));
  }, []);

  return { draft, revision: kept?.revision ?? stored.revision, isDirty, wasKept, change, rebase };
}

const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);
