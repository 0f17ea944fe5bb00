import canonicalize from 'canonicalize';
import { type Form } from './form';
import { distinctTags, recordedReport, type Session, type SessionItem, type SessionResponse } from './session';
import { type Submission, type SubmittedItem, type SubmittedResponse } from './submission';

/** The reason why a session was not saved. The stored session stays unchanged. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The result of merging a submission into a session, before scoring. */
export interface Saved {
  session: Session;
  /** Places of the responses that changed. */
  changed: number[];
}

const NO_TOTALS = { score: 0, maxScore: 0, numQuestions: 0, numAttempted: 0 };

/**
 * Merges a submission into a session.
 * A response with a lower revision than the stored one fails the whole save. One with the same revision and value
 * changes nothing. A changed response loses its score, even a person's. A submission without changed responses that
 * does not complete the session keeps the status, tags, activity and metadata. Operators may have set these in the
 * meantime.
 * @param form contains every item of the session and of the submission.
 * @param before the stored session; `form` starts with the items of its form.
 * @param options.responseIds response ids of a new session, in the order of the form. Absent: those of the submission,
 * else generated ones.
 * @throws Refused
 */
export function saved(
  before: Session | undefined,
  submission: Submission,
  form: Form,
  {
    ignoreRevisions,
    id,
    now,
    responseIds,
  }: { ignoreRevisions: boolean; id: string; now: number; responseIds?: readonly string[] },
): Saved {
  if (before && before.userId !== submission.userId)
    throw new Refused(`the session belongs to another user than ${JSON.stringify(submission.userId)}`);
  const sent = byQuestion(submission, form);
  const changed: number[] = [];
  const responses: SessionResponse[] = [];
  for (const item of form.items)
    for (const question of item.questions) {
      const index = responses.length;
      const stored = before?.responses[index];
      const given = sent.get(keyOf(item.reference, question.reference));
      const base: SessionResponse = stored ?? {
        responseId: given?.responseId ?? responseIds?.[index] ?? `${submission.sessionId}_${question.questionId}`,
        itemReference: item.reference,
        questionReference: question.reference,
        type: question.type,
        response: null,
        revision: 0,
        attempted: false,
        automarkable: question.automarkable,
        score: null,
        maxScore: question.maxScore,
        manualScore: null,
        maxManualScore: null,
        scoredAt: null,
        mark: { by: null, engine: null, outcome: null, definition: question.hash, changedAt: now },
      };
      const next = given ? responseAfter(base, given, stored !== undefined, ignoreRevisions, now) : base;
      if (next !== base || !stored) changed.push(index);
      responses.push(next);
    }
  checkIds(responses);
  const completes = before?.status === 'Incomplete' && submission.status !== 'Incomplete';
  const repeated = before && changed.length === 0 && !completes ? before : undefined;
  const startedAt = Math.min(before?.startedAt ?? Infinity, submission.startedAt);
  // A late save does not reopen a completed session.
  const status =
    repeated?.status ??
    (before?.status === 'Completed' && submission.status === 'Incomplete' ? 'Completed' : submission.status);
  const completedAt = repeated?.completedAt ?? submission.completedAt ?? before?.completedAt ?? now;
  const subscores = before
    ? before.subscores
    : (submission.subscores?.map((each) => ({ ...each, ...NO_TOTALS, attemptedMaxScore: 0 })) ?? null);
  const session: Session = {
    id: before?.id ?? id,
    sessionId: submission.sessionId,
    userId: submission.userId,
    activityId: (repeated ?? submission).activityId,
    activityTemplateId: (repeated ?? submission).activityTemplateId ?? before?.activityTemplateId ?? null,
    formId: form.id,
    status,
    startedAt,
    // The clock of the learner's device may be wrong.
    completedAt: status === 'Completed' ? Math.max(startedAt, completedAt) : null,
    updatedAt: before?.updatedAt ?? 0,
    totals: NO_TOTALS,
    responses,
    items: itemsAfter(before, submission, form),
    subscores: subscores && subscores.length > 0 ? subscores : null,
    metadata: { ...before?.metadata, ...submission.metadata, ...repeated?.metadata },
    tags: repeated?.tags ?? (submission.tags ? distinctTags(submission.tags) : (before?.tags ?? [])),
    adaptive: submission.adaptive ? recordedReport(submission.adaptive) : (before?.adaptive ?? null),
    customState: submission.customState ?? before?.customState ?? null,
  };
  return { session, changed };
}

function responseAfter(
  base: SessionResponse,
  { responseId, response, revision }: SubmittedResponse,
  isStored: boolean,
  ignoreRevisions: boolean,
  now: number,
): SessionResponse {
  if (isStored && revision < base.revision && !ignoreRevisions)
    throw new Refused(
      `the response ${JSON.stringify(responseId ?? base.responseId)} has revision ${revision}, and revision ${base.revision} is stored already; set ignore_response_revisions to replace it`,
    );
  if (isStored && answerOf(response) === answerOf(base.response))
    return revision > base.revision ? { ...base, response, revision } : base;
  return {
    ...base,
    responseId: responseId ?? base.responseId,
    response,
    revision,
    manualScore: null,
    maxManualScore: null,
    mark: { ...base.mark, by: null, changedAt: now },
  };
}

/** The learner's answer. Players also store their change counter in it, which is ignored. */
function answerOf(response: SessionResponse['response']): string | undefined {
  return canonicalize(response && { ...response, revision: null });
}

/** @throws Refused when two responses have the same id, because the id would be ambiguous. */
function checkIds(responses: readonly SessionResponse[]): void {
  const ids = new Set<string>();
  for (const { responseId } of responses) {
    if (ids.has(responseId)) throw new Refused(`there are two responses ${JSON.stringify(responseId)}`);
    ids.add(responseId);
  }
}

/** @throws Refused for responses to questions that the form does not contain, and for repeated ones. */
function byQuestion({ responses }: Submission, form: Form): Map<string, SubmittedResponse> {
  const known = new Set(
    form.items.flatMap((item) => item.questions.map(({ reference }) => keyOf(item.reference, reference))),
  );
  const sent = new Map<string, SubmittedResponse>();
  for (const response of responses) {
    const key = keyOf(response.item, response.question);
    if (!known.has(key))
      throw new Refused(
        `${named(response)} is to a question ${JSON.stringify(response.question)} that the item ${JSON.stringify(response.item)} does not have`,
      );
    if (sent.has(key))
      throw new Refused(`there are two responses to the question ${JSON.stringify(response.question)}`);
    sent.set(key, response);
  }
  return sent;
}

function named({ responseId }: SubmittedResponse): string {
  return responseId === undefined ? 'a response without an id' : `the response ${JSON.stringify(responseId)}`;
}

function itemsAfter(before: Session | undefined, submission: Submission, form: Form): SessionItem[] {
  const sent = new Map<string, SubmittedItem>(submission.items.map((item) => [item.reference, item]));
  return form.items.map((item, index): SessionItem => {
    const stored = before?.items[index];
    const given = sent.get(item.reference);
    return {
      reference: item.reference,
      organisation: item.organisation,
      time: given?.time ?? stored?.time ?? 0,
      flagged: given?.flagged ?? stored?.flagged ?? false,
      scoring: { score: 0, maxScore: 0, type: item.scoringType },
    };
  });
}

/** A key for a question of a session. References contain no line feeds. */
function keyOf(item: string, question: string): string {
  return `${item}\n${question}`;
}
