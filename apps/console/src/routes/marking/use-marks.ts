import { useMemo, useSyncExternalStore } from 'react';
import { useWorkplace } from '../../session/session';
import { keyOfTarget, type Mark, marksOf } from './marks';
import type { Entry } from './queue';

/** The marks that are not stored yet, and the score of each answer with them. @param readAt when the queue was read. */
export function useMarks(readAt: number) {
  const { session, organisation } = useWorkplace();
  const marks = marksOf(organisation.id, session.person.id);
  const all = useSyncExternalStore(marks.subscribe, marks.snapshot);
  const latest = useMemo(() => new Map(all.map((mark) => [keyOfTarget(mark), mark])), [all]);
  /** The latest mark of an answer that the queue does not show yet. */
  const markOf = ({ key }: Entry): Mark | undefined => {
    const mark = latest.get(key);
    return mark && (mark.status !== 'saved' || mark.at > readAt) ? mark : undefined;
  };
  const scoreOf = (entry: Entry): number | null => {
    const mark = markOf(entry);
    const stored = entry.response.score ?? null;
    return !mark || mark.status === 'refused' ? stored : mark.score;
  };
  const waiting = all.filter(({ status }) => status === 'waiting').length;
  const refused = all.filter(({ status }) => status === 'refused');
  return { marks, markOf, scoreOf, waiting, refused };
}
