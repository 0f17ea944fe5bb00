import { hash } from 'node:crypto';
import { type Form, type FormItem, formOf, type FormQuestion, questionId } from './form';
import { type Session, type SessionResponse } from './session';
import { recount } from './totals';
import { judged, type Verdict } from './verdict';

/** A question that an item of sessions is scored by from now on: what of a form's question depends on its document. */
export type NewQuestion = Pick<
  FormQuestion,
  'reference' | 'type' | 'document' | 'organisation' | 'hash' | 'automarkable' | 'maxScore'
>;

/** What rescoring does to sessions: one item of theirs is scored by these questions. Plain JSON. */
export interface Rules {
  /** The item is its record: its reference may have been another one when a session was taken. */
  item: { organisation: number; record: string };
  /** In the order of their item. */
  questions: NewQuestion[];
  /**
   * Present when the questions are those of another item. They take the places of the item's own, whose references these
   * are, in their present order.
   */
  replaced?: string[];
  overwriteManual: boolean;
}

/** What rules say of the item and its questions. */
export type QuestionRules = Omit<Rules, 'overwriteManual'>;

/** Whether an earlier version stored the rules: it named the item, and paired all questions by their places. */
export const isOutdated = ({ item }: Partial<Rules>): boolean => item === undefined;

/** Items of a form, each with the questions that it is scored by from now on, in the order of its own. */
export type Replacements = ReadonlyMap<FormItem, readonly NewQuestion[]>;

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

/** How an item differs from questions that are to replace its own by their order; undefined when they can. */
export function whyUnlike(item: readonly { type: string }[], other: readonly { type: string }[]): string | undefined {
  if (item.length !== other.length) return `has ${count(item.length)} rather than ${other.length}`;
  const at = item.findIndex(({ type }, index) => type !== other[index]!.type);
  if (at === -1) return undefined;
  return `has as question ${at + 1} one of the type ${item[at]!.type} rather than ${other[at]!.type}`;
}

const count = (questions: number) => (questions === 1 ? '1 question' : `${questions} questions`);

/**
 * The questions to score an item of a form by, in the order of its own; or, as a text, why there are none. An item's own
 * questions are paired by reference, those of another item by their order.
 */
export function pairedWith(item: Pick<FormItem, 'questions'>, rules: Omit<QuestionRules, 'item'>) {
  return rules.replaced ? pairedByOrder(item, rules.questions, rules.replaced) : pairedByReference(item, rules);
}

function pairedByReference(
  { questions: before }: Pick<FormItem, 'questions'>,
  { questions }: Pick<QuestionRules, 'questions'>,
): readonly NewQuestion[] | string {
  const present = new Map(questions.map((question) => [question.reference, question]));
  const paired: NewQuestion[] = [];
  for (const { reference, type } of before) {
    const question = present.get(reference);
    const named = `the question ${JSON.stringify(reference)}`;
    if (!question) return `${named} is not in the item any more; put it back`;
    if (question.type !== type)
      return `${named} is of the type ${question.type} now, and was of the type ${type}; give it that type again`;
    paired.push(question);
  }
  const added = questions.find(({ reference }) => !before.some((question) => question.reference === reference));
  if (!added) return paired;
  return `the question ${JSON.stringify(added.reference)} was not in the item when the session was taken; take it out`;
}

function pairedByOrder(
  { questions: before }: Pick<FormItem, 'questions'>,
  questions: readonly NewQuestion[],
  replaced: readonly string[],
): readonly NewQuestion[] | string {
  const difference = whyUnlike(before, questions);
  if (difference !== undefined) return `its item ${difference} in copy_item; name an item that fits`;
  for (const [at, { reference }] of before.entries()) {
    const now = replaced.indexOf(reference);
    if (now !== -1 && now !== at)
      return `the question ${JSON.stringify(reference)} was number ${at + 1} of the item and is number ${now + 1} now; put it back in its place`;
  }
  return questions;
}

/**
 * The form with the questions of items replaced. What an item is called, how it makes one score of its questions'
 * and what its questions are called stays: scores are still reported against it.
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

/** Places in a session of the responses to these items. */
export function placesOf(form: Form, replacements: Replacements): number[] {
  let first = 0;
  return form.items.flatMap((item) => {
    const from = first;
    first += item.questions.length;
    return replacements.has(item) ? item.questions.map((_, position) => from + position) : [];
  });
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
