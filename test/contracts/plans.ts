import { Database, type Parameter } from '#platform';

/** The maximum number of rows of a table that a statement may read for a few records. */
const MAX_ROWS = 100;

/**
 * Runs `work`, and examines the plans of its statements. Returns its result, the tables, and the steps that read too
 * many rows. On a server, these are the steps with more than `MAX_ROWS` rows.
 * @param excessive describes these steps on SQLite, whose plans contain no numbers of rows.
 */
export async function plansOf<T>(
  { database, url }: { database: Database; url: string },
  excessive: RegExp,
  work: () => Promise<T>,
): Promise<{ result: T; tables: string[]; excessiveSteps: string[] }> {
  const { rows } = database;
  const statements: [sql: string, parameters: readonly Parameter[]][] = [];
  database.rows = (sql, parameters = []) => {
    statements.push([sql, parameters]);
    return rows.call(database, sql, parameters) as never;
  };
  let result: T;
  try {
    result = await work();
  } finally {
    Object.assign(database, { rows });
  }
  const tables: string[] = [];
  const excessiveSteps: string[] = [];
  // A connection of its own: an embedded database keeps its snapshot after it explains a plan.
  const connection = await Database.open(url);
  try {
    for (const [sql, parameters] of statements)
      for (const step of await stepsOf(connection, excessive, sql, parameters)) {
        tables.push(step.table);
        if (step.isExcessive) excessiveSteps.push(`${step.description} in ${sql}`);
      }
  } finally {
    await connection.close();
  }
  return { result, tables, excessiveSteps };
}

interface Step {
  /** The name in the statement, or the name of the engine's temporary table. */
  table: string;
  isExcessive: boolean;
  description: string;
}

async function stepsOf(
  database: Database,
  excessive: RegExp,
  sql: string,
  parameters: readonly Parameter[],
): Promise<Step[]> {
  const { engine } = database.dialect;
  if (engine === 'sqlite') {
    // `m` reads only the greatest row, at the end of an index. A list must not be built again for each row.
    const tables = new Set(
      [
        ...sql.matchAll(
          /\b(?:FROM|JOIN) (?:bank_record|pool_record|holding|document|session|session_work) (?!m\b)(\w+)/g,
        ),
      ].map(([, alias]) => alias!),
    );
    if (/\bFROM job\b/.test(sql)) tables.add('job');
    if (/\bFROM audit\b/.test(sql)) tables.add('audit');
    const steps = await database.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
    return steps.map(({ detail }) => {
      const table = /^(?:SCAN|SEARCH) (\w+)/.exec(detail)?.[1] ?? '';
      return {
        table,
        isExcessive: (tables.has(table) && excessive.test(detail)) || detail.startsWith('CORRELATED LIST'),
        description: detail,
      };
    });
  }
  const explain = engine === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN';
  const steps = await database.rows<{ table: string | null; rows: number | string | null }>(
    `${explain} ${sql}`,
    parameters,
  );
  return steps.map((step) => ({
    table: step.table ?? '',
    isExcessive: Number(step.rows) > MAX_ROWS,
    description: JSON.stringify(step),
  }));
}
