import canonicalize from 'canonicalize';
import { type Json, type JsonObject } from '#kernel';
import { type ItemScoringType, type SubscoreDefinition } from '#scoring';
import { type Form, type FormQuestion } from './form';
import {
  type Mark,
  recordedReport,
  type Session,
  type SessionResponse,
  type SessionStatus,
  type SessionTag,
} from './session';
import { recount } from './totals';

/** A response as another server returns it. */
export interface TakenResponse extends Pick<
  SessionResponse,
  | 'responseId'
  | 'type'
  | 'response'
  | 'attempted'
  | 'automarkable'
  | 'score'
  | 'maxScore'
  | 'manualScore'
  | 'maxManualScore'
  | 'scoredAt'
> {
  /** Absent: the question at the same place of the item. */
  question?: string;
  /** The question as asked, and the SHA-256 of its document there. Absent if the other server does not return it. */
  asked?: { hash: string; definition: JsonObject & { type: string } };
  /** Absent: unknown. */
  revision?: number;
  mark: Pick<Mark, 'by' | 'engine' | 'outcome' | 'author' | 'before' | 'changedAt'>;
}

/** An item of this service's bank, with the responses in the order of its questions. */
export interface TakenItem {
  reference: string;
  time: number;
  flagged: boolean;
  scoringType: ItemScoringType;
  responses: TakenResponse[];
}

/** A session that took place on another server, as it returns it. */
export interface TakenSession {
  sessionId: string;
  userId: string;
  activityId: string;
  activityTemplateId: string | null;
  status: SessionStatus;
  /** Milliseconds since 1970. */
  startedAt: number;
  completedAt: number | null;
  score: number;
  maxScore: number;
  items: TakenItem[];
  subscores: SubscoreDefinition[] | null;
  metadata: JsonObject;
  tags: SessionTag[];
  adaptive: JsonObject | null;
  customState: Json;
}

const NO_TOTALS = { score: 0, maxScore: 0, numQuestions: 0, numAttempted: 0 };

/**
 * The session with the scores and marks that it has on the other server. Computes the totals again.
 * @param form contains the items of the session in the same order.
 * @param before the stored session; it keeps what the other server does not return.
 */
export function takenOver(taken: TakenSession, form: Form, before: Session | undefined, id: string): Session {
  const known = new Map(before?.responses.map((response) => [response.responseId, response]));
  const questions = form.items.flatMap((item) => item.questions.map((question) => ({ item, question })));
  const responses = taken.items
    .flatMap((item) => item.responses)
    .map((response, at): SessionResponse => {
      const { item, question } = questions[at]!;
      return responseOf(response, item.reference, question, known.get(response.responseId));
    });
  const { sessionId, userId, activityId, activityTemplateId, status, startedAt, metadata, tags, customState } = taken;
  const session: Session = {
    id: before?.id ?? id,
    sessionId,
    userId,
    activityId,
    activityTemplateId,
    formId: form.id,
    status,
    startedAt,
    completedAt: status === 'Completed' ? Math.max(startedAt, taken.completedAt ?? startedAt) : null,
    updatedAt: before?.updatedAt ?? 0,
    totals: NO_TOTALS,
    responses,
    items: taken.items.map(({ reference, time, flagged, scoringType: type }, index) => ({
      reference,
      organisation: form.items[index]!.organisation,
      time,
      flagged,
      scoring: { score: 0, maxScore: 0, type },
    })),
    subscores: taken.subscores?.map((each) => ({ ...each, ...NO_TOTALS, attemptedMaxScore: 0 })) ?? null,
    metadata,
    tags,
    adaptive: null,
    customState,
  };
  const counted = recount(session, form);
  if (canonicalize(counted.adaptive) === canonicalize(taken.adaptive)) return counted;
  // The estimate of the other server stays, as that of an external engine (decision 26).
  return { ...counted, adaptive: taken.adaptive && recordedReport(taken.adaptive) };
}

function responseOf(
  { question: _question, asked: _asked, revision, mark: { author, before, ...mark }, ...facts }: TakenResponse,
  itemReference: string,
  { reference: questionReference, hash: definition }: FormQuestion,
  stored: SessionResponse | undefined,
): SessionResponse {
  const isSame = stored !== undefined && canonicalize(stored.response) === canonicalize(facts.response);
  const unknown = isSame ? stored.revision : stored ? stored.revision + 1 : Number(facts.response !== null);
  return {
    ...facts,
    itemReference,
    questionReference,
    revision: revision ?? unknown,
    mark: {
      ...mark,
      definition,
      ...(mark.by === 'person' && { author: author ?? null }),
      ...(before !== undefined && { before }),
    },
  };
}
