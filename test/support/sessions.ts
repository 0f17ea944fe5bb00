import { newId } from '#kernel';
import { ENGINE_VERSION } from '#scoring';
import { type Session, type SessionResponse, type SessionStore } from '#sessions';
import { newReference, several } from './builders';

/* Stored sessions with valid defaults. The functions write them directly, without a submission and its job. */

/** The id of a form that does not exist. Only code that reads forms notices. */
const NO_FORM = '0'.repeat(26);

/** 1 January 2026, 10:00 UTC. */
const STARTED = Date.UTC(2026, 0, 1, 10);

/** A scored response to a multiple-choice question: one of one point. */
export function storedResponse(values: Partial<SessionResponse> = {}): SessionResponse {
  return {
    responseId: newReference('response'),
    itemReference: 'item',
    questionReference: newReference('question'),
    type: 'mcq',
    response: { value: ['1'], type: 'array', apiVersion: 'v2.100.0', revision: 1 },
    revision: 1,
    attempted: true,
    automarkable: true,
    score: 1,
    maxScore: 1,
    manualScore: null,
    maxManualScore: null,
    scoredAt: STARTED,
    mark: { by: 'engine', engine: ENGINE_VERSION, outcome: 'scored', definition: 'ab'.repeat(32), changedAt: STARTED },
    ...values,
  };
}

/** A completed session of one item with one response. @param now its creation time. */
export function storedSession(now: number, values: Partial<Session> = {}): Session {
  const responses = values.responses ?? [storedResponse()];
  const sum = (points: readonly (number | null)[]) => points.reduce<number>((total, each) => total + (each ?? 0), 0);
  const score = sum(responses.map((response) => response.score));
  const maxScore = sum(responses.map((response) => response.maxScore));
  return {
    id: newId(now),
    sessionId: newReference('session'),
    userId: 'learner',
    activityId: 'activity',
    activityTemplateId: null,
    formId: NO_FORM,
    status: 'Completed',
    startedAt: STARTED,
    completedAt: STARTED + 500_000,
    updatedAt: now,
    totals: {
      score,
      maxScore,
      numQuestions: responses.length,
      numAttempted: responses.filter(({ attempted }) => attempted).length,
    },
    responses,
    items: [
      {
        reference: 'item',
        organisation: 1,
        time: 12,
        flagged: false,
        scoring: { score, maxScore, type: 'per-question' },
      },
    ],
    subscores: null,
    metadata: {},
    tags: [],
    adaptive: null,
    customState: null,
    ...values,
  };
}

/** This many sessions with these values. */
export function storedSessions(
  count: number,
  now: number,
  values: (index: number) => Partial<Session> = () => ({}),
): Session[] {
  return several(count, (index) => storedSession(now, values(index)));
}

/** Stores new sessions in batches of 200. */
export async function store(sessions: SessionStore, organisation: number, added: readonly Session[]): Promise<void> {
  for (let from = 0; from < added.length; from += 200)
    await sessions.save(
      organisation,
      added.slice(from, from + 200).map((session) => ({ session, isNew: true, tagsChanged: true })),
      [],
    );
}

/** Replaces stored sessions with their new state. */
export async function replace(
  sessions: SessionStore,
  organisation: number,
  changed: readonly Session[],
): Promise<void> {
  await sessions.save(
    organisation,
    changed.map((session) => ({ session, isNew: false, tagsChanged: true })),
    [],
  );
}
