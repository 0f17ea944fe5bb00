import { Injectable } from '@nestjs/common';
import { foldCase, type Json } from '#kernel';
import { Database, type Parameter, type SqlPart } from '#platform';
import {
  type AnsweredSession,
  type Selection,
  type SessionOutcome,
  SessionScan,
} from '../application/ports/session-scan';
import { type SessionTag } from '../domain/session';

type OutcomeRow = Omit<SessionOutcome, 'duration' | 'tags'> & {
  startedAt: number;
  completedAt: number | null;
  tags: string;
};

/** The parts of a stored response that scans use. */
interface StoredResponse {
  item_reference: string;
  question_reference: string;
  question_type: string;
  score: number | null;
  max_score: number;
  attempted: boolean;
  response: { value?: Json } | null;
}

const COLUMNS = {
  answers: 's.id, s.form_id AS formId, w.responses',
  outcomes: `s.id, s.activity_id AS activityId, s.started_at AS startedAt, s.completed_at AS completedAt, s.score,
    s.max_score AS maxScore, s.num_questions AS numQuestions, s.num_attempted AS numAttempted, w.session_tags AS tags`,
} as const;

@Injectable()
export class SqlSessionScan extends SessionScan {
  constructor(private readonly database: Database) {
    super();
  }

  override async answered(
    organisation: number,
    of: Selection,
    limit: number,
    after?: string,
  ): Promise<AnsweredSession[]> {
    const rows = await this.slice<{ id: string; formId: string; responses: string }>(
      'answers',
      organisation,
      of,
      limit,
      after,
    );
    return rows.map((row) => ({ ...row, responses: storedResponses(row.responses) }));
  }

  override async outcomes(
    organisation: number,
    of: Selection,
    limit: number,
    after?: string,
  ): Promise<SessionOutcome[]> {
    const rows = await this.slice<OutcomeRow>('outcomes', organisation, of, limit, after);
    return rows.map(({ startedAt, completedAt, tags, ...row }) => ({
      ...row,
      duration: completedAt === null ? null : Math.max(0, completedAt - startedAt),
      tags: JSON.parse(tags) as SessionTag[],
    }));
  }

  override async any(organisation: number, of: Selection): Promise<boolean> {
    const { from, where } = sourceOf(organisation, of);
    const found = await this.database.row(
      `SELECT s.id FROM ${from} WHERE ${where.sql} AND s.status = 'Completed' LIMIT 1`,
      where.parameters,
    );
    return found !== undefined;
  }

  private slice<Row>(
    columns: 'answers' | 'outcomes',
    organisation: number,
    of: Selection,
    limit: number,
    after = '',
  ): Promise<Row[]> {
    const { from, where, order } = sourceOf(organisation, of);
    return this.database.rows<Row>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${COLUMNS[columns]} FROM ${from}
       JOIN session_work w ON w.organisation_id = s.organisation_id AND w.id = s.id
       WHERE ${where.sql} AND s.status = 'Completed' AND ${order} > ? ORDER BY ${order} LIMIT ${limit}`,
      [...where.parameters, after],
    );
  }
}

function storedResponses(text: string): AnsweredSession['responses'] {
  return (JSON.parse(text) as StoredResponse[]).map((response) => ({
    item: response.item_reference,
    question: response.question_reference,
    type: response.question_type,
    score: response.score,
    maxScore: response.max_score,
    attempted: response.attempted,
    value: response.response?.value ?? null,
  }));
}

/** The tables and conditions that select the sessions, and the column by which the index orders them. */
function sourceOf(organisation: number, of: Selection): { from: string; where: SqlPart; order: string } {
  const by = (sql: string, ...parameters: Parameter[]) => ({
    from: 'session s',
    where: { sql: `s.organisation_id = ? AND ${sql}`, parameters: [organisation, ...parameters] },
    order: 's.id',
  });
  if ('template' in of) return by('s.activity_template_id = ?', of.template);
  if ('form' in of) return by('s.form_id = ?', of.form);
  if ('activity' in of) {
    const { activity } = of;
    return by(
      's.activity_id = ? AND (s.activity_template_id IS NULL OR s.activity_template_id <> ?)',
      activity,
      activity,
    );
  }
  const { type, name } = of.tag;
  return {
    from: 'session_tag t JOIN session s ON s.organisation_id = t.organisation_id AND s.id = t.id',
    where: {
      sql: 't.organisation_id = ? AND t.type_key = ? AND t.name_key = ?',
      parameters: [organisation, foldCase(type), foldCase(name)],
    },
    order: 't.id',
  };
}
