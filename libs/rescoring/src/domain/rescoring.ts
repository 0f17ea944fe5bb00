import { hash } from 'node:crypto';
import { type FormItem, type FormQuestion, type Session, type SessionResponse, type Verdict } from '#sessions';

/** A question that replaces one of a form: the parts of `FormQuestion` that depend on the document. */
export type NewQuestion = Pick<
  FormQuestion,
  'reference' | 'type' | 'document' | 'organisation' | 'hash' | 'automarkable' | 'maxScore'
>;

/** The rules of a rescoring, which scores one item of sessions by these questions. Plain JSON. */
export interface Rules {
  /** The record of the item. Its reference may have changed since a session was taken. */
  item: { organisation: number; record: string };
  /** In the order of the item. */
  questions: NewQuestion[];
  /**
   * The current references of the item's own questions, in order. Present when the new questions, which take their
   * places, belong to another item.
   */
  replaced?: string[];
  overwriteManual: boolean;
}

/** The parts of the rules that concern the item and its questions. */
export type QuestionRules = Omit<Rules, 'overwriteManual'>;

/**
 * Whether an earlier version, which named the item by reference and paired all questions by position, stored the rules.
 */
export const isOutdated = ({ item }: Partial<Rules>): boolean => item === undefined;

/** New questions by item of the form, in the order of the item's own questions. */
export type Replacements = ReadonlyMap<FormItem, readonly NewQuestion[]>;

/** The parts of a response that depend on scoring. */
export type Scored = Pick<
  SessionResponse,
  'score' | 'maxScore' | 'attempted' | 'automarkable' | 'manualScore' | 'maxManualScore' | 'scoredAt' | 'mark'
>;

/** A response to a question of the rescored item, with its old score and the new verdict. */
export interface RescoredResponse {
  /** Place in the session. */
  at: number;
  responseId: string;
  old: Scored;
  /** Null: a person's score stays. */
  verdict: Verdict | null;
}

/** Why the questions of `other` cannot replace those of `item` by position; undefined when they fit. */
export function whyUnlike(item: readonly { type: string }[], other: readonly { type: string }[]): string | undefined {
  if (item.length !== other.length) return `has ${count(item.length)} rather than ${other.length}`;
  const at = item.findIndex(({ type }, index) => type !== other[index]!.type);
  if (at === -1) return undefined;
  return `has as question ${at + 1} one of the type ${item[at]!.type} rather than ${other[at]!.type}`;
}

const count = (questions: number) => (questions === 1 ? '1 question' : `${questions} questions`);

/**
 * The new questions for an item of a form, in the order of its own questions, or a text that says why they do not fit.
 * This pairs questions of the same item by reference, and those of another item by position.
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
 * A hash of the status, the form, the responses and their scores. It changes whenever one of them changes, even when a
 * person gives an equal score again. It ignores other changes of the session.
 */
export function fingerprint({ status, formId, responses }: Session): string {
  const known: unknown[] = [status, formId];
  for (const { response, score, maxScore, manualScore, maxManualScore, mark } of responses)
    known.push(response, score, maxScore, manualScore, maxManualScore, mark.by, mark.changedAt);
  return hash('sha256', JSON.stringify(known));
}

/** Whether the score or the maximum of a response changes. */
export function isChanged({ old, verdict }: RescoredResponse): boolean {
  return verdict !== null && (verdict.score !== old.score || verdict.maxScore !== old.maxScore);
}
