import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createPool, type PoolConnection, type RowDataPacket } from 'mysql2/promise';
import { LONG_LISTS } from './statements';

export const pool = createPool({ uri: process.env.DATABASE_URL!, charset: 'utf8mb4', connectionLimit: 10 });
pool.pool.on('connection', (connection) => {
  // Avoids gap locks, with which two concurrent inserts would wait for each other.
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  connection.query(LONG_LISTS);
});

/** A minimal server: form bodies in, JSON out, on the port in the environment. */
export function serve(answer: (path: string, body: string, headers: IncomingHttpHeaders) => Promise<string>): void {
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      answer(message.url!, Buffer.concat(chunks).toString('utf8'), message.headers).then(
        (body) => {
          response.writeHead(200, {
            'Content-Type': 'application/json; charset=utf-8',
            'Content-Length': Buffer.byteLength(body),
          });
          response.end(body);
        },
        (error: Error) => {
          console.error(error);
          response.writeHead(500, { 'Content-Length': 0 }).end();
        },
      );
    });
  });
  server.keepAliveTimeout = 65_000;
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

/** Uses a connection as the service does. Queries on the pool itself take ten times as long in garbage collection. */
export async function rowsOf<T extends RowDataPacket>(sql: string, parameters: unknown[]): Promise<T[]> {
  const connection = await pool.getConnection();
  try {
    const [rows] = await connection.query<T[]>(sql, parameters);
    return rows;
  } finally {
    connection.release();
  }
}

/** Retries after a lost lock, as the service does. */
export async function transaction(work: (connection: PoolConnection) => Promise<void>): Promise<void> {
  const connection = await pool.getConnection();
  try {
    for (let attempt = 1; ; attempt++) {
      await connection.query('START TRANSACTION');
      try {
        await work(connection);
        await connection.query('COMMIT');
        return;
      } catch (error) {
        await connection.query('ROLLBACK');
        if ((error as { code?: string }).code !== 'ER_LOCK_DEADLOCK' || attempt === 8) throw error;
      }
    }
  } finally {
    connection.release();
  }
}

/** A field of a form body. */
export function field(body: string, name: string): string {
  const start = body.indexOf(`${name}=`) + name.length + 1;
  const end = body.indexOf('&', start);
  return decodeURIComponent(body.slice(start, end < 0 ? undefined : end).replaceAll('+', ' '));
}

export const seconds = (): number => Math.floor(Date.now() / 1000);
