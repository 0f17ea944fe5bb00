import { type FaultDetail, place } from '#kernel';

/** Faults for sessions that a request names more than once. */
export function repeatedSessions(entries: readonly { sessionId: string; at: string }[]): FaultDetail[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ sessionId, at }): FaultDetail[] => {
    const before = first.get(sessionId);
    if (before === undefined) {
      first.set(sessionId, at);
      return [];
    }
    const message = `${place(at)} is of the session ${JSON.stringify(sessionId)}, as is ${place(before)}; send each session once.`;
    return [{ kind: 'duplicate', at, message }];
  });
}
