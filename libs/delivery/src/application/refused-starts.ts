import { Fault, type JsonObject } from '#kernel';
import { type Session } from '#sessions';
import { type Attempt } from '../domain/attempt';
import { type AttemptClock, isOver } from '../domain/clock';
import { OutsideTime } from '../domain/faults';
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

/** Refuses a start before the fixed time, so that no item leaves too early. */
export function refuseEarly(at: number | undefined, now: number): void {
  if (at === undefined || now >= at) return;
  const starts = new Date(at).toISOString();
  throw new OutsideTime(`This test is not available yet: it starts at ${starts}.`, at, Math.ceil((at - now) / 1000));
}

/** Refuses the first start of a learner after a hard limit that counts from a fixed time. */
export function refuseMissed(at: number | undefined, clock: AttemptClock, now: number): void {
  if (at !== undefined && isOver(clock, now))
    throw new OutsideTime(`The time of this test is over: it started at ${new Date(at).toISOString()}.`);
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
