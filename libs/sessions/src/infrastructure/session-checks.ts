import { Injectable } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { foldCase, grouped } from '#kernel';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { FormStore } from '../application/ports/form-store';
import { type Form } from '../domain/form';
import { isAdaptive, type Session } from '../domain/session';
import { recount } from '../domain/totals';
import { SESSION_COLUMNS, sessionOf, type SessionRow, WORK_COLUMNS, type WorkRow } from './session-rows';

type Row = SessionRow & (WorkRow | { responses: null });

/** A small batch, because responses can be large. */
const SESSIONS = 100;

/** Checks sessions: the form exists, the responses belong to its questions, and the totals match the responses. */
@Injectable()
export class SessionChecks {
  constructor(
    private readonly database: Database,
    private readonly forms: FormStore,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'sessions',
      of: { table: 'session', column: 'id', batchSize: SESSIONS },
      find: (range) => this.sessions(range),
    });
  }

  private async sessions(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('s', 'id');
    const columns = [...SESSION_COLUMNS.map((name) => `s.${name}`), ...WORK_COLUMNS.map((name) => `w.${name}`)];
    const rows = await this.database.rows<Row>(
      `SELECT s.id, ${columns.join(', ')} FROM session s
       LEFT JOIN session_work w ON w.organisation_id = s.organisation_id AND w.id = s.id
       WHERE ${sql} ORDER BY s.id`,
      parameters,
    );
    const forms = await this.forms.find(
      range.organisation,
      rows.map(({ form_id }) => form_id),
    );
    const tags = await this.tagsOf(range);
    return rows.flatMap((row) => {
      const wrong = wrongIn(row, forms.get(row.form_id), tags.get(row.id) ?? '');
      return wrong.map(([found, expected]) => ({ kind: 'session', reference: row.session_id, found, expected }));
    });
  }

  /** The rows of session_tag, as one text per session. */
  private async tagsOf(range: RowRange): Promise<Map<string, string>> {
    const { sql, parameters } = range.in('t', 'id');
    const rows = await this.database.rows<{ id: string; type_key: string; name_key: string }>(
      `SELECT t.id, t.type_key, t.name_key FROM session_tag t WHERE ${sql}`,
      parameters,
    );
    const tags = grouped(rows.map((row) => [row.id, key(row.type_key, row.name_key)]));
    return new Map([...tags].map(([id, keys]) => [id, keys.sort().join()]));
  }
}

type Wrong = [found: string, expected: string];

function wrongIn(row: Row, form: Form | undefined, tags: string): Wrong[] {
  if (row.responses === null) return [['it has no row in session_work', 'a row with its responses']];
  if (!form) return [[`it was taken with the form ${row.form_id}`, 'a form that exists']];
  let session: Session;
  try {
    session = sessionOf(row);
  } catch (error) {
    return [[`its content cannot be read (${(error as Error).message})`, 'responses, each with its mark, and items']];
  }
  const asked = form.items.flatMap(({ reference, questions }) =>
    questions.map((question) => `${reference} ${question.reference} ${question.type}`),
  );
  const answered = session.responses.map((each) => `${each.itemReference} ${each.questionReference} ${each.type}`);
  const shown = session.items.map(({ reference }) => reference).join('\n');
  if (answered.join('\n') !== asked.join('\n') || shown !== form.items.map(({ reference }) => reference).join('\n'))
    return [['its items and responses differ from those of its form', 'one response to each question of the form']];
  const adaptive = Number(isAdaptive(session));
  const keys = new Set(session.tags.map(({ type, name }) => key(foldCase(type), foldCase(name))));
  return [
    ...wrongScores(session, recount(session, form)),
    ...wrongMarks(session, form),
    ...(row.is_adaptive === adaptive ? [] : [wrong('is_adaptive', row.is_adaptive, adaptive)]),
    ...([...keys].sort().join() === tags ? [] : [wrong('tags in session_tag', tags, [...keys].sort().join())]),
  ];
}

function wrongScores(session: Session, counted: Session): Wrong[] {
  const parts: [name: string, stored: unknown, counted: unknown][] = [
    ['totals', session.totals, counted.totals],
    ['subscores', session.subscores, counted.subscores],
    ...session.items.map(({ reference, scoring }, index): [string, unknown, unknown] => [
      `scores of the item ${JSON.stringify(reference)}`,
      scoring,
      counted.items[index]!.scoring,
    ]),
  ];
  return parts.flatMap(([name, is, should]) => {
    const [stored, expected] = [canonicalize(is), canonicalize(should)];
    return stored === expected ? [] : [wrong(name, stored, `${expected}, as its responses say`)];
  });
}

/** The marks of the engine must name the documents of the form. Scores from people may be older than the form. */
function wrongMarks(session: Session, form: Form): Wrong[] {
  const questions = form.items.flatMap((item) => item.questions);
  return session.responses.flatMap(({ questionReference, mark }, at) => {
    const { hash } = questions[at]!;
    if (mark.by !== 'engine' || mark.definition === hash) return [];
    const name = JSON.stringify(questionReference);
    return [wrong(`response to ${name}`, `scored by the document with the SHA-256 ${mark.definition}`, hash)];
  });
}

const wrong = (name: string, is: unknown, should: unknown): Wrong => [`its ${name}: ${String(is)}`, String(should)];

const key = (type: string, name: string): string => JSON.stringify([type, name]);
