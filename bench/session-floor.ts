/**
 * The floor of `bench -- sessions`: a bare `node:http` server over `mysql2` that reads the same form bodies, runs
 * minimal SQL over the same rows and gives the same answers. It checks neither signature nor input, does not handle
 * changes during paging, and knows no other request. bench/sessions.ts runs it as a process.
 */
import { type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { newId } from '#kernel';
import { field, pool, rowsOf, seconds, serve } from './floor-server';
import { ORGANISATION } from './seed';

interface Row extends RowDataPacket {
  id: string;
  session_id: string;
  user_id: string;
  activity_id: string;
  status: string;
  started_at: number;
  completed_at: number;
  num_questions: number;
  num_attempted: number;
  score: number;
  max_score: number;
  subscores: string | null;
  responses: string;
  items: string;
  metadata: string;
}

interface Request {
  activity_id?: string[];
  next?: string;
  data?: string[];
}

serve(answer);

async function answer(path: string, body: string): Promise<string> {
  const request = JSON.parse(field(body, 'request')) as Request;
  if (request.data) return accept(request);
  const rows = await rowsOf<Row>(
    `SELECT s.*, ${path.endsWith('responses') ? 'w.responses, w.items, w.metadata, ' : ''} w.subscores FROM (
       SELECT id FROM session WHERE organisation_id = ? AND activity_id = ? AND id < ? ORDER BY id DESC LIMIT 50) page
     JOIN session s ON s.organisation_id = ? AND s.id = page.id
     JOIN session_work w ON w.organisation_id = ? AND w.id = page.id ORDER BY s.id DESC`,
    [ORGANISATION, request.activity_id![0], request.next ?? 'Z', ORGANISATION, ORGANISATION],
  );
  const view = path.endsWith('responses') ? responsesView : path.endsWith('scores') ? scoresView : statusView;
  const next = rows.at(-1)?.id;
  return `{"meta":{"status":true,"timestamp":${seconds()},"records":${rows.length},"next":"${next ?? ''}"},"data":[${rows.map(view).join(',')}]}`;
}

const iso = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

function statusView(row: Row): string {
  return JSON.stringify({
    user_id: row.user_id,
    activity_id: row.activity_id,
    num_attempted: row.num_attempted,
    num_questions: row.num_questions,
    session_id: row.session_id,
    session_duration: Math.ceil((row.completed_at - row.started_at) / 60_000),
    status: row.status,
    dt_started: iso(row.started_at),
    dt_completed: iso(row.completed_at),
  });
}

function scoresView(row: Row): string {
  return `{"user_id":${JSON.stringify(row.user_id)},"activity_id":${JSON.stringify(row.activity_id)},"session_id":${JSON.stringify(row.session_id)},"score":${row.score},"max_score":${row.max_score},"subscores":${row.subscores},"status":"${row.status}"}`;
}

function responsesView(row: Row): string {
  return `${statusView(row).slice(0, -1)},"score":${row.score},"max_score":${row.max_score},"subscores":${row.subscores},"responses":${row.responses},"items":${row.items},"metadata":${row.metadata}}`;
}

/** Minimal storage of a submission: one row. */
async function accept(request: Request): Promise<string> {
  const now = Date.now();
  const id = newId(now);
  for (const text of request.data!) JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  await pool.query<ResultSetHeader>(
    `INSERT INTO job (organisation_id, id, type, lane, status, input, operation, token, done, attempts, available_at, due_at)
     VALUES (?, ?, 'floor', 'short', 'completed', ?, 'set sessions', 0, 0, 0, ?, ?)`,
    [ORGANISATION, id, JSON.stringify(request), now, now],
  );
  return `{"meta":{"status":true,"timestamp":${seconds()}},"data":{"job_reference":"${id}"}}`;
}
