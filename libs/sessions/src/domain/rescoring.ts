import { hash } from 'node:crypto';
import { type Form, type FormItem, formOf, type FormQuestion, questionId } from './form';
import { type Session, type SessionResponse } from './session';
import { recount } from './totals';
import { judged, type Verdict } from './verdict';

/** A question that replaces one of a form: what of a form's question depends on its document. */
export type NewQuestion = Pick<
  FormQuestion,
  'type' | 'document' | 'organisation' | 'hash' | 'automarkable' | 'maxScore'
> & {
  /** Present where questions are paired by reference; absent where they are paired by their order. */
  reference?: string;
};

/** What rescoring does to sessions: one item of theirs is scored by these questions. Plain JSON. */
export interface Rules {
  target: {
    organisation: number;
    /** The item's present reference. Sessions may know the item by an earlier one. */
    reference: string;
    /** Id of the item's record. Absent in jobs of releases that told items apart by their reference. */
    record?: string;
  };
  /** In the order of the item. */
  questions: NewQuestion[];
  overwriteManual: boolean;
}

/** Whether an item of a form is the one to rescore. */
export type IsTarget = (item: FormItem) => boolean;

/** @param documents all documents that the record of the target has had; needed where the target names its record. */
export function isTarget(
  { organisation, reference, record }: Rules['target'],
  documents: ReadonlySet<string>,
): IsTarget {
  if (record === undefined) return (item) => item.organisation === organisation && item.reference === reference;
  return (item) => item.organisation === organisation && documents.has(item.document);
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
export function whyUnlike(
  item: readonly { type: string; reference?: string }[],
  other: readonly { type: string; reference?: string }[],
): string | undefined {
  if (item.length !== other.length) return `has ${count(item.length)} rather than ${other.length}`;
  for (const [at, question] of item.entries()) {
    const replacement = replacementOf(question, at, other);
    const named =
      question.reference === undefined ? `question ${at + 1}` : `the question ${JSON.stringify(question.reference)}`;
    if (!replacement) return `has ${named}, which is not there`;
    if (replacement.type !== question.type)
      return `has ${named} of the type ${question.type} rather than ${replacement.type}`;
  }
  return undefined;
}

/** By reference where the new questions have one: an author may have put them in another order. */
function replacementOf<Q extends { reference?: string }>(
  { reference }: { reference?: string },
  at: number,
  questions: readonly Q[],
): Q | undefined {
  if (questions[at]?.reference === undefined) return questions[at];
  return questions.find((question) => question.reference === reference);
}

const count = (questions: number) => (questions === 1 ? '1 question' : `${questions} questions`);

/**
 * The form with the questions of the item replaced. What the item is called, how it makes one score of its questions'
 * and what its questions are called stays: scores are still reported against it.
 */
export function withQuestions(form: Form, changed: FormItem, questions: readonly NewQuestion[]): Form {
  const { organisation, reference } = changed;
  const replaced: FormItem = {
    ...changed,
    questions: changed.questions.map((question, position) => {
      const replacement = replacementOf(question, position, questions)!;
      return {
        ...question,
        ...replacement,
        reference: question.reference,
        questionId: questionId(organisation, reference, position, replacement.hash),
      };
    }),
  };
  return formOf(
    form.items.map((item) => (item === changed ? replaced : item)),
    form.settings,
  );
}

/** Places in a session of the responses to the item. */
export function placesOf(form: Form, isTarget: IsTarget): number[] {
  let first = 0;
  for (const item of form.items) {
    if (isTarget(item)) return item.questions.map((_, position) => first + position);
    first += item.questions.length;
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
