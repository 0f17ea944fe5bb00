import { type Form, type FormQuestion } from './form';
import { type Mark, type Session, type SessionResponse } from './session';
import { recount } from './totals';

/** What the engine says of a response: its score, and how that came about. Plain JSON. */
export interface Verdict
  extends Pick<SessionResponse, 'score' | 'maxScore' | 'attempted' | 'automarkable'>, Pick<Mark, 'engine' | 'outcome'> {
  /** Place of the response in the session. */
  at: number;
  by: 'engine' | null;
}

/**
 * The session with these verdicts on its responses, and everything that follows from them counted anew. A verdict goes
 * before what a person said.
 * @param form the one that the session points at; its questions are what was judged by.
 * @param job the one that has it done, for the record.
 */
export function judged(
  session: Session,
  form: Form,
  verdicts: readonly Verdict[],
  { now, job }: { now: number; job?: string },
): Session {
  const questions = form.items.flatMap((item) => item.questions);
  const responses = [...session.responses];
  for (const verdict of verdicts)
    responses[verdict.at] = after(responses[verdict.at]!, verdict, questions[verdict.at]!, now, job);
  return recount({ ...session, responses }, form);
}

/** A response for which nothing changed stays as it is. */
function after(
  before: SessionResponse,
  { at: _, by, engine, outcome, ...facts }: Verdict,
  { hash: definition }: FormQuestion,
  now: number,
  job: string | undefined,
): SessionResponse {
  const { mark } = before;
  const moved = before.score !== facts.score;
  const same =
    !moved &&
    before.maxScore === facts.maxScore &&
    before.attempted === facts.attempted &&
    before.automarkable === facts.automarkable &&
    mark.definition === definition &&
    mark.by === by &&
    mark.engine === engine &&
    mark.outcome === outcome;
  if (same) return before;
  return {
    ...before,
    ...facts,
    ...(mark.by === 'person' ? { manualScore: null, maxManualScore: null } : {}),
    scoredAt: moved ? now : before.scoredAt,
    mark: {
      by,
      engine,
      outcome,
      job,
      definition,
      changedAt: now,
      ...(moved && before.scoredAt !== null
        ? { before: before.score }
        : mark.before === undefined
          ? {}
          : { before: mark.before }),
    },
  };
}
