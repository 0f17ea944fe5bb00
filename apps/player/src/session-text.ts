import type { DeliveredItem, Started, StoredResponse } from './delivery/port';

/** The progress of a learner, with times of items in seconds. */
interface Progress {
  items: readonly { item: DeliveredItem; time: number; flagged: boolean }[];
  answers: { get(responseId: string): StoredResponse | null };
  /** Milliseconds since the page got the session, with pauses. */
  shownFor: number;
}

/** A session as text, which the operation `set sessions` accepts: JSON in base64. */
export function sessionText(
  { session, activity, time: { server_now: begun } }: Started,
  { items, answers, shownFor }: Progress,
): string {
  const completed = Date.parse(begun) + shownFor;
  const document = {
    session_id: session.session_id,
    user_id: session.user_id,
    activity_id: activity.activity_id || session.session_id,
    activity_template_id: activity.activity_template_id ?? null,
    status: 'Completed',
    dt_started: session.started_at,
    // Somebody may have set back the clock of the computer since the start.
    dt_completed: new Date(Math.max(completed, Date.parse(session.started_at))).toISOString(),
    items: items.map(({ item, time, flagged }) => ({
      reference: item.reference,
      organisation_id: item.organisation_id,
      time,
      user_flagged: flagged,
    })),
    responses: items.flatMap(({ item }) =>
      item.response_ids.flatMap((responseId) => {
        const response = answers.get(responseId);
        if (!response) return [];
        const { value, type, revision } = response;
        const { moved, ...names } = item.stored?.[responseId] ?? {};
        const stored = moved ? withPositions(value, moved) : value;
        return [{ response_id: responseId, item_reference: item.reference, ...names, revision, type, value: stored }];
      }),
    ),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

/** The value with the author's positions in place of those in the shuffled list. */
function withPositions(value: unknown, moved: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => withPositions(entry, moved));
  const authored = /^\d+$/.test(String(value)) ? moved[Number(value)] : undefined;
  if (authored === undefined) return value;
  return typeof value === 'string' ? String(authored) : authored;
}
