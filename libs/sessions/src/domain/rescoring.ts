import { hash } from 'node:crypto';
import { type Form, type FormItem, formOf, type FormQuestion, questionId } from './form';
import { type Session, type SessionResponse } from './session';
import { recount } from './totals';
import { judged, type Verdict } from './verdict';

/** A question that an item of sessions is scored by from now on: what of a form's question depends on its document. */
export type NewQuestion = Pick<
  FormQuestion,
  'type' | 'document' | 'organisation' | 'hash' | 'automarkable' | 'maxScore'
>;

/** What rescoring does to sessions: one item of theirs is scored by these questions. Plain JSON. */
export interface Rules {
  /** The item by which sessions know it. */
  target: { organisation: number; reference: string };
  /** In the order of the item. */
  questions: NewQuestion[];
  overwriteManual: boolean;
}

/** What of a response depends on how it was scored. */
type Scored = Pick<
  SessionResponse,
  'score' | 'maxScore' | 'attempted' | 'automarkable' | 'manualScore' | 'maxManualScore' | 'scoredAt' | 'mark'
>;

/** A response to a question of the item: how it was scored, and what is to be said of it. */
export interface RescoredResponse {
  /** Place in the session. */
  at: number;
  responseId: string;
  old: Scored;
  /** Null: a person scored it, and that stays. */
  verdict: Verdict | null;
}

/** What rescoring makes of one session. */
export interface Rescored {
  after: Session;
  responses: RescoredResponse[];
}

/** How an item differs from questions that are to replace its own; undefined when they can. */
export function whyUnlike(item: readonly { type: string }[], other: readonly { type: string }[]): string | undefined {
  if (item.length !== other.length) return `has ${count(item.length)} rather than ${other.length}`;
  const at = item.findIndex(({ type }, index) => type !== other[index]!.type);
  if (at === -1) return undefined;
  return `has as question ${at + 1} one of the type ${item[at]!.type} rather than ${other[at]!.type}`;
}

const count = (questions: number) => (questions === 1 ? '1 question' : `${questions} questions`);

export function itemIn({ items }: Form, { organisation, reference }: Rules['target']): FormItem | undefined {
  return items.find((item) => item.organisation === organisation && item.reference === reference);
}

/**
 * The form with the questions of the item replaced. What the item is called, how it makes one score of its questions'
 * and what its questions are called stays: scores are still reported against it.
 */
export function withQuestions(form: Form, { target, questions }: Pick<Rules, 'target' | 'questions'>): Form {
  const changed = itemIn(form, target)!;
  const replaced: FormItem = {
    ...changed,
    questions: changed.questions.map((question, position) => ({
      ...question,
      ...questions[position]!,
      questionId: questionId(target.organisation, target.reference, position, questions[position]!.hash),
    })),
  };
  return formOf(
    form.items.map((item) => (item === changed ? replaced : item)),
    form.settings,
  );
}

/** Places in a session of the responses to the item. */
export function placesOf(form: Form, target: Rules['target']): number[] {
  let first = 0;
  for (const { organisation, reference, questions } of form.items) {
    if (organisation === target.organisation && reference === target.reference)
      return questions.map((_, position) => first + position);
    first += questions.length;
  }
  return [];
}

/** @param form the new one; @param verdicts on the responses at `places`, but for those that stay as they are. */
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

/** The session with the responses scored as they once were. */
export function restored(session: Session, form: Form, old: readonly RescoredResponse[]): Session {
  const responses = [...session.responses];
  for (const { at, old: before } of old) responses[at] = { ...responses[at]!, ...before };
  return recount({ ...session, formId: form.id, responses }, form);
}

/**
 * Differs once the session has other responses or scores, another form or another status, and once a score came about
 * anew. Whatever else is known of it may change.
 */
export function fingerprint({ status, formId, responses }: Session): string {
  const known: unknown[] = [status, formId];
  for (const { response, score, maxScore, manualScore, maxManualScore, mark } of responses)
    known.push(response, score, maxScore, manualScore, maxManualScore, mark.by, mark.changedAt);
  return hash('sha256', JSON.stringify(known));
}

/** Whether a response gets another score, or another maximum. */
export function isChanged({ old, verdict }: RescoredResponse): boolean {
  return verdict !== null && (verdict.score !== old.score || verdict.maxScore !== old.maxScore);
}

function scoredOf(response: SessionResponse): Scored {
  const { score, maxScore, attempted, automarkable, manualScore, maxManualScore, scoredAt, mark } = response;
  return { score, maxScore, attempted, automarkable, manualScore, maxManualScore, scoredAt, mark };
}
