import { type Json, type JsonObject, type JsonText } from '#kernel';
import { type Parameter } from '#platform';
import { itemScoringType, type Subscore } from '#scoring';
import { isAdaptive, type Session, type SessionResponse, type SessionStatus, type SessionTag } from '../domain/session';
import { isoTime, subscoreRecord } from '../domain/wire';
import { packMarks, unpackMarks } from './packed-marks';

/* Rows of sessions. The columns that reads show contain the exact text that reads return. */

export interface SessionRow {
  id: string;
  session_id: string;
  user_id: string;
  activity_id: string;
  activity_template_id: string | null;
  form_id: string;
  status: SessionStatus;
  started_at: number;
  completed_at: number | null;
  num_questions: number;
  num_attempted: number;
  score: number;
  max_score: number;
  /** 1 when the session has an adaptive report; see `isAdaptive`. */
  is_adaptive: number;
  updated_at: number;
}

export interface WorkRow {
  responses: JsonText;
  marks: JsonText;
  items: JsonText;
  subscores: JsonText | null;
  metadata: JsonText;
  session_tags: JsonText;
  adaptive: JsonText | null;
  custom_state: JsonText | null;
}

export const SESSION_COLUMNS = [
  'session_id',
  'user_id',
  'activity_id',
  'activity_template_id',
  'form_id',
  'status',
  'started_at',
  'completed_at',
  'num_questions',
  'num_attempted',
  'score',
  'max_score',
  'is_adaptive',
  'updated_at',
] as const satisfies (keyof SessionRow)[];

export const WORK_COLUMNS = [
  'responses',
  'marks',
  'items',
  'subscores',
  'metadata',
  'session_tags',
  'adaptive',
  'custom_state',
] as const satisfies (keyof WorkRow)[];

export function factsOf(row: SessionRow) {
  return {
    id: row.id,
    sessionId: row.session_id,
    userId: row.user_id,
    activityId: row.activity_id,
    activityTemplateId: row.activity_template_id,
    formId: row.form_id,
    status: row.status,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    updatedAt: row.updated_at,
    totals: {
      score: row.score,
      maxScore: row.max_score,
      numQuestions: row.num_questions,
      numAttempted: row.num_attempted,
    },
  };
}

export function sessionRow(organisation: number, session: Session): Parameter[] {
  const { totals } = session;
  return [
    organisation,
    session.id,
    session.sessionId,
    session.userId,
    session.activityId,
    session.activityTemplateId,
    session.formId,
    session.status,
    session.startedAt,
    session.completedAt,
    totals.numQuestions,
    totals.numAttempted,
    totals.score,
    totals.maxScore,
    Number(isAdaptive(session)),
    session.updatedAt,
  ];
}

/** A response in the JSON of reads. */
interface ShownResponse {
  response_id: string;
  question_type: string;
  dt_score_updated: string | null;
  automarkable: boolean;
  attempted: boolean;
  score: number | null;
  max_score: number;
  manual_score?: number | null;
  max_manual_score?: number | null;
  item_reference: string;
  question_reference: string;
  response: JsonObject | null;
}

interface ShownItem {
  reference: string;
  time: number;
  response_ids: string[];
  user_flagged: boolean;
  scoring: { score: number; max_score: number; type: string };
  source: { organisation_id: number };
}

interface ShownSubscore {
  id: string;
  title: string;
  num_questions: number;
  num_attempted: number;
  score: number;
  max_score: number;
  attempted_max_score: number;
  items: string[];
}

export function workRow(organisation: number, session: Session): Parameter[] {
  const { responses, items, subscores } = session;
  const idsOf = new Map<string, string[]>();
  for (const { itemReference, responseId } of responses) {
    const ids = idsOf.get(itemReference);
    if (ids) ids.push(responseId);
    else idsOf.set(itemReference, [responseId]);
  }
  return [
    organisation,
    session.id,
    JSON.stringify(responses.map(shownResponse)),
    packMarks(responses),
    JSON.stringify(
      items.map(({ reference, organisation: of, time, flagged, scoring }): ShownItem => ({
        reference,
        time,
        response_ids: idsOf.get(reference) ?? [],
        user_flagged: flagged,
        scoring: { score: scoring.score, max_score: scoring.maxScore, type: scoring.type },
        source: { organisation_id: of },
      })),
    ),
    subscores && JSON.stringify(subscores.map(subscoreRecord satisfies (subscore: Subscore) => ShownSubscore)),
    JSON.stringify(session.metadata),
    JSON.stringify(session.tags),
    session.adaptive && JSON.stringify(session.adaptive),
    session.customState === null ? null : JSON.stringify(session.customState),
  ];
}

function shownResponse(response: SessionResponse): ShownResponse {
  const { manualScore, maxManualScore } = response;
  return {
    response_id: response.responseId,
    question_type: response.type,
    dt_score_updated: response.scoredAt === null ? null : isoTime(response.scoredAt),
    automarkable: response.automarkable,
    attempted: response.attempted,
    score: response.score,
    max_score: response.maxScore,
    ...(manualScore === null ? {} : { manual_score: manualScore }),
    ...(maxManualScore === null ? {} : { max_manual_score: maxManualScore }),
    item_reference: response.itemReference,
    question_reference: response.questionReference,
    response: response.response,
  };
}

export function responsesOf({ responses, marks }: Pick<WorkRow, 'responses' | 'marks'>): SessionResponse[] {
  const shown = JSON.parse(responses) as ShownResponse[];
  const stored = unpackMarks(marks);
  return shown.map((response, index) => {
    const { mark, revision, scoredAt } = stored[index]!;
    return {
      responseId: response.response_id,
      itemReference: response.item_reference,
      questionReference: response.question_reference,
      type: response.question_type,
      response: response.response,
      revision,
      attempted: response.attempted,
      automarkable: response.automarkable,
      score: response.score,
      maxScore: response.max_score,
      manualScore: response.manual_score ?? null,
      maxManualScore: response.max_manual_score ?? null,
      scoredAt,
      mark,
    };
  });
}

export function sessionOf(row: SessionRow & WorkRow): Session {
  return Object.assign(factsOf(row), {
    responses: responsesOf(row),
    items: (JSON.parse(row.items) as ShownItem[]).map(({ reference, time, user_flagged, scoring, source }) => ({
      reference,
      organisation: source.organisation_id,
      time,
      flagged: user_flagged,
      scoring: { score: scoring.score, maxScore: scoring.max_score, type: itemScoringType(scoring.type) },
    })),
    subscores: row.subscores === null ? null : (JSON.parse(row.subscores) as ShownSubscore[]).map(subscoreOf),
    metadata: JSON.parse(row.metadata) as JsonObject,
    tags: JSON.parse(row.session_tags) as SessionTag[],
    adaptive: row.adaptive === null ? null : (JSON.parse(row.adaptive) as JsonObject),
    customState: row.custom_state === null ? null : (JSON.parse(row.custom_state) as Json),
  });
}

function subscoreOf(shown: ShownSubscore): Subscore {
  return {
    id: shown.id,
    title: shown.title,
    items: shown.items,
    numQuestions: shown.num_questions,
    numAttempted: shown.num_attempted,
    score: shown.score,
    maxScore: shown.max_score,
    attemptedMaxScore: shown.attempted_max_score,
  };
}
