import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Pool, type RowDataPacket } from 'mysql2/promise';

/** The barest server: form bodies in, JSON out, on the port that the environment names. */
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

/** As the service asks: of a connection, as what is asked of the pool itself costs collections of memory ten times as long. */
export async function rowsOf<T extends RowDataPacket>(pool: Pool, sql: string, parameters: unknown[]): Promise<T[]> {
  const connection = await pool.getConnection();
  try {
    const [rows] = await connection.query<T[]>(sql, parameters);
    return rows;
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
