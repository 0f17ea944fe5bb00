import { type Connection, type Opened, type OwnConnection } from '../database/engines';
import { type Tracing } from './tracing';

/** Adds a span for each statement to a database. */
export function tracedDatabase(opened: Opened, tracing: Tracing): Opened {
  if (!tracing.isOn) return opened;
  const system = opened.dialect.engine;
  const part = <T>(sql: string, work: () => Promise<T>): Promise<T> => {
    const summary = summaryOf(sql);
    return tracing.part(summary, { 'db.system.name': system, 'db.query.summary': summary }, work);
  };
  const rows =
    (connection: Pick<Connection, 'rows'>): Connection['rows'] =>
    (sql, parameters) =>
      part(sql, () => connection.rows(sql, parameters));
  const own = (connection: OwnConnection): OwnConnection => ({
    rows: rows(connection),
    write: (sql, parameters) => part(sql, () => connection.write(sql, parameters)),
    release: (usable) => connection.release(usable),
  });
  return { ...opened, reader: { rows: rows(opened.reader) }, connect: async () => own(await opened.connect()) };
}

/** The command and first table of a statement: `INSERT job`. The full text is long, and contains some values. */
function summaryOf(sql: string): string {
  const verb = /\w+/.exec(sql)?.[0] ?? '';
  const table = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/.exec(sql)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
