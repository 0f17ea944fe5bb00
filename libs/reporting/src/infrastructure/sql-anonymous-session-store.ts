import { Injectable } from '@nestjs/common';
import { Database, type SqlPart } from '#platform';
import { type AnsweredSession, type SessionOutcome } from '#sessions';
import { type AnonymousSelection, AnonymousSessionStore } from '../application/ports/anonymous-session-store';
import { type AnonymousSession } from '../domain/anonymous-session';

const COLUMNS = [
  'organisation_id',
  'id',
  'form_id',
  'activity_id',
  'activity_template_id',
  'duration',
  'score',
  'max_score',
  'num_questions',
  'num_attempted',
  'responses',
];

type OutcomeRow = Omit<SessionOutcome, 'activityId' | 'tags'> & { activityId: string | null };

@Injectable()
export class SqlAnonymousSessionStore extends AnonymousSessionStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async keep(organisation: number, sessions: readonly AnonymousSession[]): Promise<void> {
    await this.database.insert(
      'anonymous_session',
      COLUMNS,
      sessions.map((session) => [
        organisation,
        session.id,
        session.formId,
        session.activityId,
        session.activityTemplateId,
        session.duration,
        session.score,
        session.maxScore,
        session.numQuestions,
        session.numAttempted,
        JSON.stringify(session.responses),
      ]),
    );
  }

  override async hasActivity(organisation: number, activityId: string): Promise<boolean> {
    return this.has({ sql: 'organisation_id = ? AND activity_id = ?', parameters: [organisation, activityId] });
  }

  override async answered(
    organisation: number,
    of: AnonymousSelection,
    limit: number,
    after?: string,
  ): Promise<AnsweredSession[]> {
    const columns = 'id, form_id AS formId, responses';
    const rows = await this.slice<{ id: string; formId: string; responses: string }>(
      columns,
      organisation,
      of,
      limit,
      after,
    );
    return rows.map((row) => ({ ...row, responses: JSON.parse(row.responses) as AnonymousSession['responses'] }));
  }

  override async outcomes(
    organisation: number,
    of: AnonymousSelection,
    limit: number,
    after?: string,
  ): Promise<SessionOutcome[]> {
    const columns = `id, activity_id AS activityId, duration, score, max_score AS maxScore, num_questions AS numQuestions,
      num_attempted AS numAttempted`;
    const rows = await this.slice<OutcomeRow>(columns, organisation, of, limit, after);
    return rows.map((row) => ({ ...row, activityId: row.activityId ?? '', tags: null }));
  }

  override async any(organisation: number, of: AnonymousSelection): Promise<boolean> {
    return this.has(conditionOf(organisation, of));
  }

  private async has({ sql, parameters }: SqlPart): Promise<boolean> {
    return (await this.database.row(`SELECT id FROM anonymous_session WHERE ${sql} LIMIT 1`, parameters)) !== undefined;
  }

  private slice<Row>(
    columns: string,
    organisation: number,
    of: AnonymousSelection,
    limit: number,
    after = '',
  ): Promise<Row[]> {
    const { sql, parameters } = conditionOf(organisation, of);
    return this.database.rows<Row>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${columns} FROM anonymous_session
       WHERE ${sql} AND id > ? ORDER BY id LIMIT ${limit}`,
      [...parameters, after],
    );
  }
}

function conditionOf(organisation: number, of: AnonymousSelection): SqlPart {
  if ('template' in of)
    return { sql: 'organisation_id = ? AND activity_template_id = ?', parameters: [organisation, of.template] };
  if ('form' in of) return { sql: 'organisation_id = ? AND form_id = ?', parameters: [organisation, of.form] };
  const { activity } = of;
  return {
    sql: `organisation_id = ? AND activity_id = ? AND (activity_template_id IS NULL OR activity_template_id <> ?)`,
    parameters: [organisation, activity, activity],
  };
}
