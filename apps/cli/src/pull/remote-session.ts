import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Note, note } from '#interchange';
import { isObject, type Json, type JsonObject } from '#kernel';
import { ITEM_SCORING_TYPES, itemScoringType, OUTCOMES } from '#scoring';
import { SESSION_STATUSES, type TakenItem, type TakenResponse, type TakenSession } from '#sessions';
import { type RemoteBankId } from './remote-records';

/* Converts sessions that reads of another server return. Servers differ in what they return, so most members are optional. */

/** A session that cannot be taken over. The message never contains an answer. */
class Unusable extends Error {}

const MAX_SCORE = 1_000_000_000;
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const id = Type.String({ minLength: 1, maxLength: 255 });
const reference = Type.String({ minLength: 1, maxLength: 150 });
const score = Type.Number({ minimum: -MAX_SCORE, maximum: MAX_SCORE });
const object = Type.Record(Type.String(), Type.Unknown());
const tagText = Type.String({ minLength: 1, maxLength: 255 });
const list = <T extends TSchema>(schema: T, maxItems = 10_000) => Type.Array(schema, { maxItems });

const Response = Type.Object({
  response_id: id,
  question_type: Type.String({ minLength: 1, maxLength: 64 }),
  dt_score_updated: optional(Type.String()),
  automarkable: Type.Boolean(),
  attempted: optional(Type.Boolean()),
  score: optional(score),
  max_score: optional(score),
  manual_score: optional(score),
  max_manual_score: optional(score),
  question_reference: optional(reference),
  response: optional(object),
});

const Session = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$' }),
  user_id: id,
  activity_id: id,
  status: Type.Union(SESSION_STATUSES.map((status) => Type.Literal(status))),
  dt_started: Type.String(),
  dt_completed: optional(Type.String()),
  score: optional(score),
  max_score: optional(score),
  subscores: optional(
    list(Type.Object({ id, title: Type.String({ maxLength: 255 }), items: list(Type.String()) }), 100),
  ),
  metadata: optional(
    Type.Object({
      activity_template_id: optional(reference),
      session_tags: optional(list(Type.Object({ type: tagText, name: tagText }), 1000)),
    }),
  ),
  items: list(
    Type.Object({
      reference,
      time: optional(Type.Number({ minimum: 0, maximum: MAX_SCORE })),
      user_flagged: optional(Type.Boolean()),
      response_ids: list(id),
      scoring: optional(
        Type.Object({ type: optional(Type.Union(ITEM_SCORING_TYPES.map((type) => Type.Literal(type)))) }),
      ),
      source: optional(Type.Object({ organisation_id: optional(Type.Integer()) })),
    }),
    1000,
  ),
  responses: list(Response),
  questions: optional(
    list(
      Type.Object({
        reference,
        item_reference: reference,
        definition_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        data: optional(Type.Intersect([object, Type.Object({ type: Type.String() })])),
      }),
    ),
  ),
});
type Session = Static<typeof Session>;

/** A record of `sessions/scores`: the score of each response, and its reasons. */
const Scores = Type.Object({
  responses: list(
    Type.Object({
      response_id: id,
      dt_score_updated: optional(Type.String()),
      score: optional(score),
      max_score: optional(score),
      reasons: optional(
        Type.Object({
          engine: optional(Type.String({ maxLength: 64 })),
          scored_by: optional(Type.Union([Type.Literal('engine'), Type.Literal('person')])),
          outcome: optional(Type.Union(OUTCOMES.map((outcome) => Type.Literal(outcome)))),
          author: optional(Type.String({ maxLength: 255 })),
          marking_round: optional(Type.String()),
          score_before: optional(score),
          changes: list(Type.Unknown()),
          changes_left_off: Type.Integer({ minimum: 0 }),
        }),
      ),
    }),
  ),
});
type ResponseScore = Static<typeof Scores>['responses'][number];

/** The records of one session, as reads return them. */
interface SessionRecords {
  session: JsonObject;
  scores: JsonObject | undefined;
  report: JsonObject | undefined;
}

export interface ConvertedSession {
  reference: string;
  session: TakenSession | null;
  notes: Note[];
}

export function takenSession(records: SessionRecords, at: string, bank: RemoteBankId): ConvertedSession {
  const { session_id: reference } = records.session;
  const name = typeof reference === 'string' ? reference.slice(0, 64) : '';
  const notes: Note[] = [];
  try {
    const shown = checked(Session, records.session);
    const scores = records.scores && checked(Scores, records.scores);
    return {
      reference: name,
      session: convert(shown, scores?.responses ?? [], records.report, bank, at, notes),
      notes,
    };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { reference: name, session: null, notes: [note('entry-refused', at, error.message)] };
  }
}

function checked<T extends TSchema>(schema: T, value: JsonObject): Static<T> {
  const wrong = Value.Errors(schema, value).First();
  if (wrong) throw new Unusable(`${wrong.path}: ${wrong.message}`);
  return value;
}

function convert(
  shown: Session,
  scores: readonly ResponseScore[],
  report: JsonObject | undefined,
  bank: RemoteBankId,
  at: string,
  notes: Note[],
): TakenSession {
  const { session_tags: tags, activity_template_id: template, ...metadata } = shown.metadata ?? {};
  const scoreOf = new Map(scores.map((each) => [each.response_id, each]));
  const questions = questionsOf(shown);
  const startedAt = timeOf(shown.dt_started, 'dt_started');
  const responses = new Map(
    shown.responses.map((response, index) => [
      response.response_id,
      responseOf(response, scoreOf.get(response.response_id), questions[index]!, startedAt),
    ]),
  );
  if (responses.size < shown.responses.length) throw new Unusable('two responses have the same id');
  const items = shown.items.map((item): TakenItem => {
    const organisation = item.source?.organisation_id ?? undefined;
    if (organisation !== undefined && !bank.owns(organisation))
      throw new Unusable(`${item.reference} is an item of organisation ${organisation}, which is not pulled`);
    return {
      reference: item.reference,
      time: item.time ?? 0,
      flagged: item.user_flagged ?? false,
      scoringType: itemScoringType(item.scoring?.type ?? undefined),
      responses: item.response_ids.map((responseId) => {
        const response = responses.get(responseId);
        if (!response) throw new Unusable(`the item ${item.reference} names a response that is missing or named twice`);
        responses.delete(responseId);
        return response;
      }),
    };
  });
  if (new Set(items.map((item) => item.reference)).size < items.length) throw new Unusable('it has an item twice');
  if (responses.size > 0) throw new Unusable('a response belongs to no item');
  if (shown.status === 'Pending Scoring')
    notes.push(note('session-status-changed', at, 'Pending Scoring became Completed'));
  const lost = historyOf(shown, scores);
  if (lost.length > 0) notes.push(note('session-history-dropped', at, lost.join(', ')));
  return {
    sessionId: shown.session_id,
    userId: shown.user_id,
    activityId: shown.activity_id,
    activityTemplateId: template ?? null,
    status: shown.status === 'Pending Scoring' ? 'Completed' : shown.status,
    startedAt,
    completedAt: typeof shown.dt_completed === 'string' ? timeOf(shown.dt_completed, 'dt_completed') : null,
    score: shown.score ?? 0,
    maxScore: shown.max_score ?? 0,
    items,
    subscores: shown.subscores?.map(({ id, title, items }) => ({ id, title, items })) ?? null,
    metadata,
    tags: tags?.map(({ type, name }) => ({ type, name })) ?? [],
    ...adaptiveOf(report),
  };
}

type Asked = Pick<TakenResponse, 'question' | 'asked'>;

/** The question of each response. Itembank lists them in the order of the responses. */
function questionsOf({ responses, questions }: Session): Asked[] {
  return responses.map(({ question_reference: reference }, index): Asked => {
    if (typeof reference !== 'string') return {};
    const question = questions?.[index];
    if (question?.reference !== reference || !question.data) return { question: reference };
    return {
      question: reference,
      asked: { hash: question.definition_hash, definition: question.data as JsonObject & { type: string } },
    };
  });
}

function responseOf(
  shown: Static<typeof Response>,
  scores: ResponseScore | undefined,
  asked: Asked,
  startedAt: number,
): TakenResponse {
  const response = (shown.response ?? null) as JsonObject | null;
  const points = shown.score ?? scores?.score ?? null;
  const scoredAt =
    typeof shown.dt_score_updated === 'string' ? timeOf(shown.dt_score_updated, 'dt_score_updated') : null;
  const changed = scores?.dt_score_updated;
  const reasons = scores?.reasons ?? undefined;
  const manualScore = shown.manual_score ?? null;
  const isManual = points !== null && (manualScore !== null || !shown.automarkable);
  const by = reasons ? (reasons.scored_by ?? null) : isManual ? 'person' : points === null ? null : 'engine';
  const revision = response?.revision;
  return {
    ...asked,
    responseId: shown.response_id,
    type: shown.question_type,
    response,
    ...(typeof revision === 'number' && Number.isInteger(revision) && revision >= 0 && { revision }),
    attempted: shown.attempted ?? response !== null,
    automarkable: shown.automarkable,
    score: points,
    maxScore: shown.max_score ?? scores?.max_score ?? 0,
    manualScore,
    maxManualScore: shown.max_manual_score ?? null,
    scoredAt,
    mark: {
      by,
      engine: reasons?.engine ?? null,
      outcome: reasons?.outcome ?? null,
      ...(typeof reasons?.author === 'string' && { author: reasons.author }),
      ...(typeof reasons?.score_before === 'number' && { before: reasons.score_before }),
      changedAt: typeof changed === 'string' ? timeOf(changed, 'dt_score_updated') : (scoredAt ?? startedAt),
    },
  };
}

/** The parts of the history that are lost, because reads do not return them or this service cannot store them. */
function historyOf({ responses }: Session, scores: readonly ResponseScore[]): string[] {
  const revisions = responses.filter(({ response }) => response && !('revision' in response)).length;
  const changes = scores.reduce(
    (sum, { reasons }) => sum + (reasons ? reasons.changes.length + reasons.changes_left_off : 0),
    0,
  );
  const rounds = scores.filter(({ reasons }) => typeof reasons?.marking_round === 'string').length;
  return [
    ...(revisions > 0 ? [`revision numbers of responses (${revisions})`] : []),
    ...(changes > 0 ? [`earlier scores (${changes})`] : []),
    ...(rounds > 0 ? [`marking rounds of scores (${rounds})`] : []),
  ];
}

/** The stored adaptive members, without those that reports add. */
function adaptiveOf(report: JsonObject | undefined): Pick<TakenSession, 'adaptive' | 'customState'> {
  if (!report) return { adaptive: null, customState: null };
  const { adaptive, custom_state: customState = null } = report;
  if (!isObject(adaptive)) return { adaptive: null, customState };
  const { items, exposed_items: exposed, ability_estimate: estimate, ...more } = adaptive;
  const isEmpty = (value: Json | undefined): boolean =>
    value === undefined ||
    value === null ||
    (isObject(value) && Object.values(value).every((each) => Array.isArray(each) && each.length === 0));
  const kept = {
    ...more,
    ...(!isEmpty(items) && { items: items! }),
    ...(!isEmpty(exposed) && { exposed_items: exposed! }),
    ...(!isEmpty(estimate) && { ability_estimate: estimate! }),
  };
  return { adaptive: Object.keys(kept).length > 0 ? kept : null, customState };
}

function timeOf(text: string, member: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time) || time < 0) throw new Unusable(`${member} is not a time`);
  return time;
}
