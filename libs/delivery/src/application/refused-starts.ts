import { Fault, type JsonObject } from '#kernel';
import { type Session } from '#sessions';
import { type Attempt } from '../domain/attempt';
import { type Identity } from '../domain/request';

/* Refuses starts that the state of the session, or the combination of members in the request, does not allow. */

export function refuseOthers(
  { sessionId, userId }: Identity,
  session: Session | undefined,
  attempt: Attempt | undefined,
): void {
  const owner = session?.userId ?? attempt?.userId;
  if (owner !== undefined && owner !== userId)
    throw new Fault(
      'no-rights',
      `The session ${JSON.stringify(sessionId)} belongs to another user; use a new session_id for each user.`,
      '/session_id',
    );
}

export function refuseEnded(session: Session | undefined, attempt: Attempt | undefined): void {
  const status = session?.status ?? (attempt?.submittedAt ? 'Completed' : 'Incomplete');
  if (status !== 'Incomplete')
    throw new Fault(
      'conflict',
      `The session is ${status}: it can be shown with state review, or the test can be taken again under a new session_id.`,
      '/session_id',
    );
}

export function refuseUnstoredAdaptive({ type, state }: Identity, { rendering_type: rendering }: JsonObject): void {
  if (type === 'local_practice' || state === 'preview')
    throw new Fault(
      'value',
      'adaptive: the next item follows from stored answers; use the type submit_practice with state initial.',
      type === 'local_practice' ? '/type' : '/state',
    );
  if (rendering === 'inline')
    throw new Fault(
      'value',
      'adaptive: items that are chosen one by one need the player; use the rendering_type assess.',
      '/rendering_type',
    );
}
