import { Database } from '#platform';
import { type Tags } from '#tagging';
import { type Workflows } from '#workflows';
import { ItemSearch } from '../libs/content/src/application/item-search';
import { indexedTerm, termsOf } from '../libs/content/src/domain/search-words';
import { SqlFacetReader } from '../libs/content/src/infrastructure/sql-facet-reader';
import { SqlSearchIndex } from '../libs/content/src/infrastructure/sql-search-index';
import { type Engine, note, openBenchDatabase, openBenchFile } from './databases';
import { markdownTable, milliseconds, race } from './measure';

/** The titles of the seeded items end in their number. A prefix of three digits matches 111 of 100,000 items. */
const SEARCHES: [name: string, text: (number: number) => string][] = [
  ['a rare beginning', (number) => String(100 + (number % 800))],
  ['a rare beginning and a word of most items', (number) => `${100 + (number % 800)} ocean`],
  ['a reference', (number) => String(number % 10_000).padStart(7, '0')],
  ['two words of most items', () => 'angle ocean'],
];

/**
 * Compares a search of up to 50 hits with highlights and the bare query of the engine for the same items. Both run
 * alternately, on an embedded SQLite file and on the servers.
 */
export async function search({
  engines,
  quick,
}: {
  engines: readonly (Engine | 'sqlite')[];
  quick: boolean;
}): Promise<void> {
  const items = quick ? 10_000 : 100_000;
  const rows: string[][] = [];
  for (const engine of engines) {
    const bench = await (engine === 'sqlite' ? openBenchFile(items) : openBenchDatabase(engine, items));
    const database = await Database.open(bench.url);
    try {
      const tags = { lookUp: () => Promise.resolve(new Map()) } as unknown as Tags;
      const index = new SqlSearchIndex(database, tags);
      const facets = new SqlFacetReader(database, tags);
      const itemSearch = new ItemSearch(index, facets, {} as unknown as Workflows);
      await fill(database, index, engine);
      const { from, condition, score } = database.dialect.fullText('search_text', 'words');
      for (const [name, textOf] of SEARCHES) {
        const searchItems = (number: number) => itemSearch.find(1, { text: textOf(number), limit: 50 });
        const bare = (number: number) => {
          const text = database.dialect.fullTextQuery(termsOf(textOf(number), '/text').map(indexedTerm));
          return database.rows(
            `SELECT r.reference, r.status, d.body, ${score} AS score FROM ${from}
             JOIN bank_record r ON r.organisation_id = s.organisation_id AND r.kind = 'item' AND r.id = s.record_id
             JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
             WHERE s.organisation_id = 1 AND ${condition} ORDER BY score DESC LIMIT 50`,
            score.includes('?') ? [text, text] : [text],
          );
        };
        const times = await race({ bare, searchItems }, 7, 20);
        const ratio = times.get('bare')! / times.get('searchItems')!;
        rows.push([
          name,
          engine,
          milliseconds(times.get('bare')!),
          milliseconds(times.get('searchItems')!),
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

async function fill(database: Database, index: SqlSearchIndex, engine: string): Promise<void> {
  await database.write(
    `INSERT INTO search_pending (organisation_id, record_id)
     SELECT organisation_id, id FROM bank_record WHERE kind = 'item'`,
  );
  const start = performance.now();
  let indexed = 0;
  for (let more = 1; more > 0;) {
    more = await index.fill(200);
    indexed += more;
  }
  note(`${engine}: ${(indexed / ((performance.now() - start) / 1000)).toFixed(0)} items indexed per second`);
}
