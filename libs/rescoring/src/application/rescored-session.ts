import {
  type Form,
  formOf,
  judged,
  questionId,
  recount,
  type Session,
  type SessionResponse,
  type Verdict,
} from '#sessions';
import { type Replacements, type RescoredResponse, type Scored } from '../domain/rescoring';

/* Computes the form and the session that a rescoring produces. */

/** The result of rescoring one session. */
export interface Rescored {
  after: Session;
  responses: RescoredResponse[];
}

/**
 * The form with the questions of some items replaced. The references of items and questions, and the scoring type of
 * items, stay, because reports of scores use them.
 */
export function withQuestions(form: Form, replacements: Replacements): Form {
  return formOf(
    form.items.map((item) => {
      const replacing = replacements.get(item);
      if (!replacing) return item;
      const questions = item.questions.map((question, position) => {
        const { reference: _, ...content } = replacing[position]!;
        const id = questionId(item.organisation, item.reference, position, content.hash);
        return { ...question, ...content, questionId: id };
      });
      return { ...item, questions };
    }),
    form.settings,
  );
}

/** The places of these items' responses in a session. */
export function placesOf(form: Form, replacements: Replacements): number[] {
  let first = 0;
  return form.items.flatMap((item) => {
    const from = first;
    first += item.questions.length;
    return replacements.has(item) ? item.questions.map((_, position) => from + position) : [];
  });
}

/**
 * @param form the new form.
 * @param places of the responses to the rescored item.
 * @param verdicts for the responses at `places`, except for those that keep their score.
 */
export function rescored(
  before: Session,
  form: Form,
  places: readonly number[],
  verdicts: readonly Verdict[],
  how: { now: number; job: string },
): Rescored {
  const byPlace = new Map(verdicts.map((verdict) => [verdict.at, verdict]));
  return {
    after: judged({ ...before, formId: form.id }, form, verdicts, how),
    responses: places.map((at) => {
      const response = before.responses[at]!;
      const { responseId } = response;
      return { at, responseId, old: scoredOf(response), verdict: byPlace.get(at) ?? null };
    }),
  };
}

/** The session with the old scores of the responses restored. */
export function restored(session: Session, form: Form, old: readonly RescoredResponse[]): Session {
  const responses = [...session.responses];
  for (const { at, old: before } of old) responses[at] = { ...responses[at]!, ...before };
  return recount({ ...session, formId: form.id, responses }, form);
}

function scoredOf(response: SessionResponse): Scored {
  const { score, maxScore, attempted, automarkable, manualScore, maxManualScore, scoredAt, mark } = response;
  return { score, maxScore, attempted, automarkable, manualScore, maxManualScore, scoredAt, mark };
}
