import { Database } from '#platform';
import { type Tags } from '#tagging';
import { highlightsIn } from '../libs/content/src/domain/highlights';
import { indexedTerm, termsOf } from '../libs/content/src/domain/search-words';
import { SqlSearchIndex } from '../libs/content/src/infrastructure/sql-search-index';
import { type Engine, note, openBenchDatabase } from './databases';
import { markdownTable, milliseconds, race } from './measure';

/** The titles of the seeded items end in their number, so a number of three digits begins that of 111 of 100,000. */
const SEARCHES: [name: string, text: (number: number) => string][] = [
  ['a rare beginning', (number) => String(100 + (number % 800))],
  ['a rare beginning and a word of most items', (number) => `${100 + (number % 800)} ocean`],
  ['a reference', (number) => String(number % 10_000).padStart(7, '0')],
  ['two words of most items', () => 'angle ocean'],
];

/** Compares a search with its highlights, up to 50 hits, with the bare query of the engine for the same items. */
export async function search({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const items = quick ? 10_000 : 100_000;
  const rows: string[][] = [];
  for (const engine of engines) {
    const bench = await openBenchDatabase(engine, items, false);
    const database = await Database.open(bench.url);
    try {
      const index = new SqlSearchIndex(database, { lookUp: () => Promise.resolve(new Map()) } as unknown as Tags);
      await fill(database, index, engine);
      for (const [name, textOf] of SEARCHES) {
        const found = async (number: number) => {
          const terms = termsOf(textOf(number), '/text');
          const { hits } = await index.find(1, terms, {}, { offset: 0, limit: 50 });
          const texts = await index.texts(1, hits.map(({ id }) => id)); // prettier-ignore
          return hits.map((hit) => highlightsIn(texts.get(hit.id)!, terms));
        };
        const match = 'MATCH (words) AGAINST (? IN BOOLEAN MODE)';
        const bare = (number: number) => {
          const text = database.dialect.fullTextQuery(termsOf(textOf(number), '/text').map(indexedTerm));
          return database.rows(
            `SELECT r.reference, r.status, d.body, ${match} AS score FROM search_text s
             JOIN bank_record r ON r.organisation_id = s.organisation_id AND r.kind = 'item' AND r.id = s.record_id
             JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
             WHERE s.organisation_id = 1 AND ${match} ORDER BY score DESC LIMIT 50`,
            [text, text],
          );
        };
        const times = await race({ bare, found }, 7, 20);
        const ratio = times.get('bare')! / times.get('found')!;
        rows.push([
          name,
          engine,
          milliseconds(times.get('bare')!),
          milliseconds(times.get('found')!),
          ratio.toFixed(2),
        ]);
      }
    } finally {
      await database.close();
      await bench.close();
    }
  }
  console.log(`${items} items; Node ${process.version}\n`);
  console.log(
    markdownTable(['search', 'engine', 'bare query, ms', 'search with highlights, ms', 'share of the rate'], rows),
  );
}

async function fill(database: Database, index: SqlSearchIndex, engine: Engine): Promise<void> {
  await database.write(
    `INSERT INTO search_pending (organisation_id, record_id)
     SELECT organisation_id, id FROM bank_record WHERE kind = 'item'`,
  );
  const start = performance.now();
  let indexed = 0;
  for (let more = 1; more > 0;) {
    more = await index.fill(20);
    indexed += more;
  }
  note(`${engine}: ${(indexed / ((performance.now() - start) / 1000)).toFixed(0)} items indexed per second`);
}
