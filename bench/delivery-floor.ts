/**
 * The floor of `bench -- delivery`: a bare `node:http` server over `mysql2`. It reads the same content and stores the
 * same rows for starts and saves of pages, in transactions that the server commits in the same way. Like the service, it
 * knows only the items of a request, and finds their questions in the database. It checks neither signature nor input,
 * scores nothing, caches nothing, and its answers have a fixed shape. bench/delivery.ts runs it as a process.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type RowDataPacket } from 'mysql2/promise';
import { newId } from '#kernel';
import { rowsOf, serve, transaction } from './floor-server';
import { ORGANISATION } from './seed';

const HOUR = 3_600_000;

type Row = RowDataPacket & Record<string, string | number | null>;

serve((path, body, headers) => {
  if (path.endsWith('/sessions')) return start(JSON.parse(body) as { request: string });
  return save(JSON.parse(body) as Save, headers.authorization!.slice('Bearer '.length));
});

interface Save {
  save_number: number;
  responses: Record<string, { value: unknown; type: string }>;
  current_item?: string;
  elapsed_seconds?: number;
}

/** Rows of a session that the service stored earlier. New rows copy their long columns. */
let template: Promise<{ attempt: Row; session: Row; work: Row; token: Row }> | undefined;

async function templateRows() {
  const one = async (sql: string) => (await rowsOf<Row>(sql, []))[0]!;
  const [attempt, token] = [
    await one('SELECT * FROM attempt LIMIT 1'),
    await one('SELECT * FROM delivery_token LIMIT 1'),
  ];
  return {
    attempt,
    token,
    session: await one('SELECT * FROM session LIMIT 1'),
    work: await one('SELECT * FROM session_work LIMIT 1'),
  };
}

async function start({ request }: { request: string }): Promise<string> {
  const {
    session_id: sessionId,
    user_id: userId,
    items: references,
  } = JSON.parse(request) as { session_id: string; user_id: string; items: string[] };
  const { attempt, token } = await (template ??= templateRows());
  const items = await bodiesOf('r', references);
  const questions = await bodiesOf('q', references);
  const secret = randomBytes(32).toString('base64url');
  const now = Date.now();
  await transaction(async (connection) => {
    await connection.query('INSERT INTO attempt SET ?', [
      { ...attempt, session_id: sessionId, user_id: userId, started_at: now, save_number: 0, saved_hash: null },
    ]);
    await connection.query('INSERT INTO delivery_token SET ?', [
      { ...token, hash: hashOf(secret), session_id: sessionId, user_id: userId, ends_at: now + HOUR },
    ]);
  });
  return JSON.stringify({
    token: secret,
    session: { session_id: sessionId, save_number: 0 },
    items: items.map(({ body }) => JSON.parse(String(body)) as unknown),
    questions: questions.map(({ body }) => JSON.parse(String(body)) as unknown),
  });
}

const HELD = `JOIN holding l ON l.organisation_id = r.organisation_id AND l.id = r.holding_id
  JOIN bank_record q ON q.organisation_id = r.organisation_id AND q.kind = 'question' AND q.id = l.held_id`;

/** The bodies of items (`r`), or of the questions that they hold (`q`). */
const bodiesOf = (alias: 'r' | 'q', items: string[]): Promise<Row[]> =>
  rowsOf<Row>(
    `SELECT ${alias}.reference, d.body FROM bank_record r ${alias === 'q' ? HELD : ''}
     JOIN document d ON d.organisation_id = r.organisation_id AND d.id = ${alias}.document_id
     WHERE r.organisation_id = ? AND r.family = 'item' AND r.reference IN (?)`,
    [ORGANISATION, items],
  );

async function save({ save_number: number, responses, ...place }: Save, token: string): Promise<string> {
  const { session: other, work: otherWork } = await (template ??= templateRows());
  const [permission] = await rowsOf<Row>(
    `SELECT a.*, t.session_id, t.user_id, t.terms FROM delivery_token t
     JOIN attempt a ON a.organisation_id = t.organisation_id AND a.session_id = t.session_id
     WHERE t.organisation_id = ? AND t.hash = ?`,
    [ORGANISATION, hashOf(token)],
  );
  const key = [ORGANISATION, String(permission!.session_id)];
  const now = Date.now();
  await transaction(async (connection) => {
    const [[stored]] = await connection.query<Row[]>(
      `SELECT s.id, w.responses FROM session s JOIN session_work w ON w.organisation_id = s.organisation_id AND w.id = s.id
       WHERE s.organisation_id = ? AND s.session_id = ? FOR UPDATE`,
      key,
    );
    if (stored) {
      const all = JSON.parse(String(stored.responses)) as { response_id: string; response: unknown }[];
      for (const response of all)
        if (responses[response.response_id]) response.response = responses[response.response_id];
      await connection.query(
        'UPDATE session SET num_attempted = ?, score = ?, updated_at = ? WHERE organisation_id = ? AND id = ?',
        [number, number, now, ORGANISATION, stored.id],
      );
      await connection.query(
        'UPDATE session_work SET responses = ?, marks = ?, items = ? WHERE organisation_id = ? AND id = ?',
        [JSON.stringify(all), otherWork.marks, otherWork.items, ORGANISATION, stored.id],
      );
    } else {
      const id = newId(now);
      await connection.query('INSERT INTO session SET ?', [
        {
          ...other,
          id,
          session_id: String(permission!.session_id),
          user_id: String(permission!.user_id),
          started_at: now,
          updated_at: now,
        },
      ]);
      await connection.query('INSERT INTO session_work SET ?', [{ ...otherWork, id }]);
    }
    await connection.query(
      `UPDATE attempt SET save_number = ?, saved_hash = ?, current_item = ?, elapsed = ?, version = version + 1
       WHERE organisation_id = ? AND session_id = ?`,
      [number, hashOf(String(number)), place.current_item ?? null, place.elapsed_seconds ?? 0, ...key],
    );
  });
  return JSON.stringify({ save_number: number, stored: Object.keys(responses) });
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
