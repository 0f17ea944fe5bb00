import { type Submission } from '#sessions';
import { write } from './bank';
import { type Client } from './client';
import { answer, submission } from './submissions';

/** A multiple-choice question with the options 1, 2 and 3. */
export const choice = (reference: string, right: string, score = 1) => ({
  reference,
  type: 'mcq',
  data: {
    stimulus: reference,
    options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
    validation: { scoring_type: 'exactMatch', valid_response: { score, value: [right] } },
  },
});

export const essay = (reference: string, maxScore = 4) => ({
  reference,
  type: 'longtextV2',
  data: { stimulus: 'Write', validation: { max_score: maxScore } },
});

/** An item with these widgets. */
export const itemOf = (reference: string, ...widgets: string[]) => ({
  reference,
  status: 'published',
  definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
});

/**
 * Writes a small bank for sessions: `i-1` has the questions `choice` (2 points for 1) and `other` (3 points for 2), `i-2`
 * the essay `essay` (4 points by a person).
 */
export async function writeSessionBank(client: Client): Promise<void> {
  await write(client, {
    questions: [choice('choice', '1', 2), choice('other', '2', 3), essay('essay')],
    items: [{ ...itemOf('i-1', 'choice', 'other'), adaptive: { difficulty: 0 } }, itemOf('i-2', 'essay')],
    activities: [{ reference: 'adaptive', data: { items: ['i-1', 'i-2'], adaptive: { eap: {} } } }],
  });
}

/** Changes the key of `choice`. Existing sessions keep their scores and rules. */
export async function changeKey(client: Client, right: string): Promise<void> {
  await write(client, { questions: [choice('choice', right, 2)] });
}

export const ITEMS = ['i-1', 'i-2'].map((reference) => ({ reference, organisation: 1, time: 12, flagged: false }));

/** Response ids of the session. */
export const IDS = { choice: 'i-1-choice', other: 'i-1-other', essay: 'i-2-essay' } as const;

/** A session with an answer to each question: 2 of 2 points, 0 of 3, and an unscored essay. */
export function wholeSession(sessionId: string, wanted: Partial<Submission> = {}): Submission {
  return submission(sessionId, {
    items: ITEMS,
    responses: [answer('i-1', 'choice', ['1']), answer('i-1', 'other', ['1']), answer('i-2', 'essay', 'Words')],
    subscores: [
      { id: 'first', title: 'First', items: ['i-1'] },
      { id: 'second', title: 'Second', items: ['i-2'] },
    ],
    ...wanted,
  });
}
