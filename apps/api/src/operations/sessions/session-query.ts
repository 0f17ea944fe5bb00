import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type Position } from '#kernel';
import { type Period, SESSION_STATUSES, type SessionQuery } from '#sessions';
import { limit, maxTime, minTime, optional, references, text, words } from '../../declaration/fields';
import { bank } from '../../declaration/inputs';
import { statusAmong } from './status-field';

/* Members that all reads of sessions accept. */

const UPDATED = 'time of the latest change of the session';

export const sessionFilters = {
  ...bank,
  activity_id: optional(references('Ids of activities.')),
  session_id: optional(references('Ids of sessions.')),
  user_id: optional(references('Ids of learners.')),
  items: optional(
    references(
      'References of items of the item bank: sessions that show any of them. For a renamed item, also give the former reference: a session keeps it. Beyond the specification.',
    ),
  ),
  status: optional(
    Type.Array(statusAmong(SESSION_STATUSES), {
      maxItems: 100,
      description: 'Any of these; default: all. No session of this service is `Pending Scoring`.',
    }),
  ),
  mintime: minTime(UPDATED),
  maxtime: maxTime(UPDATED),
  mintime_started: minTime('time at which the session was started'),
  maxtime_started: maxTime('time at which the session was started'),
  mintime_completed: minTime('time at which the session was completed'),
  maxtime_completed: maxTime('time at which the session was completed'),
  sort: optional(
    words(['asc', 'desc'], {
      default: 'desc',
      description: 'Direction of the first pass; sessions are sorted by the time at which they were first stored.',
    }),
  ),
  limit: limit(),
  next: optional(
    text({
      description:
        'Token from `meta.next` of the previous page; all other parameters must stay the same. Every page has one. After the last session, it leads to the sessions that changed since the first page was read, now or in a later request.',
    }),
  ),
};

export function queryOf(input: Static<TObject<typeof sessionFilters>>, after: Position | undefined): SessionQuery {
  const { activity_id, session_id, user_id, status: statuses, mintime, maxtime } = input;
  return {
    filter: {
      activityIds: activity_id,
      sessionIds: session_id,
      userIds: user_id,
      itemReferences: input.items,
      statuses,
      updated: period(mintime, maxtime),
      started: period(input.mintime_started, input.maxtime_started),
      completed: period(input.mintime_completed, input.maxtime_completed),
    },
    sort: input.sort ?? 'desc',
    limit: input.limit ?? 50,
    after,
  };
}

function period(from: number | undefined, to: number | undefined): Period | undefined {
  return from === undefined && to === undefined ? undefined : { from, to };
}
