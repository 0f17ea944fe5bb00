import { type FaultDetail, place } from '#kernel';
import { type Session } from './session';

/** A session as callers identify it in a change. */
export interface NamedSession {
  sessionId: string;
  userId: string;
}

/**
 * Finds sessions that a change may not name: repeated ones, unknown ones, and those of another user.
 * @param list JSON pointer to the list of sessions.
 */
export function wronglyNamed(
  named: readonly NamedSession[],
  stored: ReadonlyMap<string, Pick<Session, 'userId'>>,
  list: string,
): FaultDetail[] {
  const first = new Map<string, number>();
  return named.flatMap(({ sessionId, userId }, index): FaultDetail[] => {
    const at = `${list}/${index}/session_id`;
    const before = first.get(sessionId);
    if (before !== undefined) return [twice(sessionId, at, `${list}/${before}`)];
    first.set(sessionId, index);
    const session = stored.get(sessionId);
    if (!session) return [unknown(sessionId, at)];
    if (session.userId === userId) return [];
    const userAt = `${list}/${index}/user_id`;
    const message = `${place(userAt)}: the session ${JSON.stringify(sessionId)} does not belong to the user ${JSON.stringify(userId)}.`;
    return [{ kind: 'session-unknown', message, at: userAt }];
  });
}

export function twice(sessionId: string, at: string, first: string): FaultDetail {
  const message = `${place(at)}: ${place(first)} names the session ${JSON.stringify(sessionId)} already.`;
  return { kind: 'duplicate', message, at };
}

function unknown(sessionId: string, at: string): FaultDetail {
  return { kind: 'session-unknown', message: `${place(at)}: there is no session ${JSON.stringify(sessionId)}.`, at };
}
