import { type Form, type FormQuestion } from './form';
import { type Mark, type Session, type SessionResponse } from './session';
import { recount } from './totals';

/** The engine's evaluation of a response: its score, and how it came about. Plain JSON. */
export interface Verdict
  extends Pick<SessionResponse, 'score' | 'maxScore' | 'attempted' | 'automarkable'>, Pick<Mark, 'engine' | 'outcome'> {
  /** Place of the response in the session. */
  at: number;
  by: 'engine' | null;
}

/**
 * Applies verdicts to the responses of a session and computes everything that depends on them again. A verdict
 * overrides a person's score.
 * @param form the form of the session. The verdicts are based on its questions.
 * @param job the job that caused the verdicts; it is recorded in the marks.
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

/** Applies one verdict. Returns the same response when nothing changed. */
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
