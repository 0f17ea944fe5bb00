import { type Pool } from 'mysql2/promise';
import { foldCase } from '#kernel';
import { mysqlDialect } from '../libs/platform/src/database/dialect';
import { type BenchDatabase, type Engine, note, openBenchDatabase, type Rows } from './databases';
import { markdownTable, median, milliseconds, race, type Times, type Variant } from './measure';
import { itemReference, ORGANISATION, randomFrom, type Tag, tagQueryOf } from './seed';
import {
  COLUMNS,
  DOCUMENT,
  itemsByReference,
  itemsInOrder,
  itemsOf,
  marks,
  recordsByTags,
  TAG_BY_NAME,
  TAG_LIST,
  TAG_ROWS,
  tagParameters,
} from './statements';

/**
 * Measures the data model of records, revisions and documents (docs/decisions/0003) on both servers: several ways to
 * read it, and a pool of the same size that points into it.
 */
export async function spike({
  engines,
  quick,
  keep,
}: {
  engines: readonly Engine[];
  quick: boolean;
  keep: boolean;
}): Promise<void> {
  const size = { items: quick ? 10_000 : 100_000, rounds: quick ? 3 : 9, calls: quick ? 10 : 40 };
  const figures = new Map<string, Map<string, Partial<Record<Engine, string>>>>();
  const versions: string[] = [];
  for (const engine of engines) {
    const database = await openBenchDatabase(engine, size.items, keep);
    try {
      versions.push(`${engine} ${database.version}`);
      await new Spike(database, size, (section, name, figure) => {
        const rows = figures.get(section) ?? figures.set(section, new Map()).get(section)!;
        rows.set(name, { ...rows.get(name), [engine]: figure });
      }).run();
    } finally {
      await database.close();
    }
  }
  console.log(`${size.items} items, ${2 * size.items} questions; ${versions.join(', ')}; Node ${process.version}\n`);
  for (const [section, rows] of figures) {
    const lines = [...rows].map(([name, row]) => [name, ...engines.map((engine) => row[engine] ?? '')]);
    console.log(`${markdownTable([section, ...engines], lines)}\n`);
  }
}

interface Size {
  items: number;
  rounds: number;
  calls: number;
}

/** Tags on very many or very few items. Only `bank_tag` has them. */
const EXTRA_TAGS = {
  all: '1 = 1',
  half: 'MOD(n, 4) < 2',
  odd: 'MOD(n, 2) = 1',
  old: 'n < total / 100',
  rare: 'MOD(n, 3333) = 7',
};
type ExtraTag = keyof typeof EXTRA_TAGS;

const POOL = 'P'.padEnd(26, '0');
const LAST_ID = 'Z'.repeat(26);

class Spike {
  constructor(
    private readonly database: BenchDatabase,
    private readonly size: Size,
    private readonly report: (section: string, name: string, figure: string) => void,
  ) {}

  private pool!: Pool;

  async run(): Promise<void> {
    this.pool = this.database.pool(1);
    try {
      await this.addExtraTags();
      await this.byReference();
      await this.byTags();
      await this.deepPages();
      await this.fillPools();
      await this.readPool();
      await this.sizes();
    } finally {
      await this.pool.end();
    }
  }

  private async rows(sql: string, parameters: unknown[] = []): Promise<Rows> {
    const [rows] = await this.pool.query<Rows>(sql, parameters);
    return rows;
  }

  private async compare(section: string, variants: Record<string, Variant>): Promise<Times> {
    note(`${this.database.engine}: ${section}`);
    const times = await race(variants, this.size.rounds, this.size.calls);
    for (const [name, time] of times) this.report(`${section}, ms`, name, milliseconds(time));
    return times;
  }

  private references(number: number): string[] {
    const random = randomFrom(number);
    return Array.from({ length: 50 }, () => itemReference(random(this.size.items)));
  }

  private async byReference(): Promise<void> {
    const read = (sql: string) => (number: number) => this.rows(sql, this.references(number));
    const ids =
      '(SELECT GROUP_CONCAT(tag_id) FROM tag_set WHERE tag_set.organisation_id = r.organisation_id AND tag_set.id = r.tag_set_id)';
    await this.compare('50 items by reference', {
      'tags by GROUP_CONCAT in the statement': read(itemsByReference(50)),
      'the same, prepared': (number) => this.pool.execute(itemsByReference(50), this.references(number)),
      'tags by JSON_ARRAYAGG': read(itemsByReference(50, TAG_ROWS)),
      'tags by a second statement': async (number) => {
        const rows = await this.rows(itemsByReference(50, 'r.tag_set_id'), this.references(number));
        const sets = [...new Set(rows.map((row) => row.tags as string))];
        await this.rows(
          `SELECT s.id, y.name AS type, t.name FROM tag_set s
           JOIN tag t ON t.organisation_id = s.organisation_id AND t.id = s.tag_id
           JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
           WHERE s.organisation_id = ${ORGANISATION} AND s.id IN (${marks(sets.length)}) ORDER BY s.id, s.position`,
          sets,
        );
      },
      'ids of tags only': read(itemsByReference(50, ids)),
      'id of the tag set only': read(itemsByReference(50, 'r.tag_set_id')),
    });
  }

  private tagId = ({ type, name }: Tag): string => this.database.seeded.tagIds.get(`${type}:${name}`)!;

  private async byTags(): Promise<void> {
    const usual = (number: number) => {
      const { all, none } = tagQueryOf(number % 50);
      return tagParameters(all.map(this.tagId), this.tagId(none[0]!));
    };
    const byName = (number: number) => {
      const { all, none } = tagQueryOf(number % 50);
      return tagParameters(all, none[0]!).flatMap(({ type, name }) => [foldCase(name), foldCase(type)]);
    };
    await this.compare('page of 50: two required tags, one forbidden', {
      'records first, LEFT JOIN … IS NULL': (number) => this.rows(itemsOf(recordsByTags()), usual(number)),
      'records first, NOT EXISTS': (number) => this.rows(itemsOf(recordsByTags({ none: 'not exists' })), usual(number)),
      'in written order': (number) => this.rows(itemsOf(recordsByTags({ hint: 'STRAIGHT_JOIN' })), usual(number)),
      'tags by name in the statement': (number) =>
        this.rows(itemsOf(recordsByTags({ tag: TAG_BY_NAME })), byName(number)),
      'without the tags of the items': (number) => this.rows(itemsOf(recordsByTags(), ''), usual(number)),
    });
    const variants: Record<string, Variant> = {};
    const pairs = [
      ['all', 'rare'],
      ['rare', 'all'],
      ['all', 'old'],
      ['old', 'all'],
      ['all', 'half'],
      ['half', 'all'],
    ] as const;
    for (const [first, second] of pairs) {
      const parameters = tagParameters([first, second].map(extraTag), extraTag('odd'));
      const add = (how: string, options: Parameters<typeof recordsByTags>[0]) => {
        variants[`${first} and ${second}: ${how}`] = () => this.rows(recordsByTags(options), parameters);
      };
      add('ordered by the first', {});
      add('ordered by the second', { order: 'b' });
      add('NOT EXISTS', { none: 'not exists' });
      add('in written order', { hint: 'STRAIGHT_JOIN' });
    }
    await this.compare('ids by tags on all, half, the oldest 1 % and 31 of the items', variants);
  }

  private async addExtraTags(): Promise<void> {
    for (const [name, condition] of Object.entries(EXTRA_TAGS))
      await this.rows(
        `INSERT IGNORE INTO bank_tag SELECT organisation_id, 'item', ?, id
         FROM (SELECT organisation_id, id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS n, COUNT(*) OVER () AS total
               FROM bank_record WHERE organisation_id = ? AND kind = 'item') numbered WHERE ${condition}`,
        [extraTag(name as ExtraTag), ORGANISATION],
      );
    await this.rows('ANALYZE TABLE bank_tag');
  }

  private async deepPages(): Promise<void> {
    const pages = this.size.items / 50;
    const variants: Record<string, Variant> = {};
    for (const column of ['id', 'updated_at', 'title_key'] as const) {
      const [position] = await this.rows(
        `SELECT id, ${column} AS value FROM bank_record WHERE organisation_id = ? AND kind = 'item'
         ORDER BY ${column} DESC, id DESC LIMIT 1 OFFSET ${50 * (pages - 1) - 1}`,
        [ORGANISATION],
      );
      const { id, value } = position as { id: string; value: unknown };
      variants[`by ${column}: page 1`] = () => this.rows(itemsInOrder(column, false));
      const after = column === 'id' ? [id] : [value, value, id];
      variants[`by ${column}: page ${pages}`] = () => this.rows(itemsInOrder(column, true), after);
    }
    await this.compare('pages of all items', variants);
  }

  /** Fills a pool with the whole bank in several ways. The result of the last one stays. */
  private async fillPools(): Promise<void> {
    note(`${this.database.engine}: filling pools`);
    const fromBank = `SELECT organisation_id, '${POOL}', kind, id, 1, NULL, reference, type, status, document_id, tag_set_id
      FROM bank_record WHERE organisation_id = ${ORGANISATION} AND kind = ? AND id > ? AND id <= ?`;
    const within = `organisation_id = ${ORGANISATION} AND kind = ? AND record_id > ? AND record_id <= ?`;
    const asOf = `SELECT v.organisation_id, '${POOL}', v.kind, v.record_id, 1, NULL, v.reference, v.type, v.status, v.document_id,
        v.tag_set_id
      FROM (SELECT record_id, MAX(began_at) AS began_at FROM revision
            WHERE ${within} AND began_at <= ${Date.now()} GROUP BY record_id) latest
      JOIN revision v ON v.organisation_id = ${ORGANISATION} AND v.record_id = latest.record_id AND v.began_at = latest.began_at`;
    const withTags = `INSERT INTO spike_pool_tag SELECT r.organisation_id, '${POOL}', r.kind, s.tag_id, r.id, 1, NULL
      FROM bank_record r JOIN tag_set s ON s.organisation_id = r.organisation_id AND s.id = r.tag_set_id
      WHERE r.organisation_id = ${ORGANISATION} AND r.kind = ? AND r.id > ? AND r.id <= ? ORDER BY s.tag_id, r.id`;
    await this.fill('pointers as of a moment, from the revisions, 5,000 a transaction', 5_000, [
      `INSERT INTO spike_pool_entry ${asOf}`,
    ]);
    for (const batchSize of [1_000, 5_000])
      await this.fill(`pointers from the bank, ${batchSize.toLocaleString('en')} a transaction`, batchSize, [
        `INSERT INTO spike_pool_entry ${fromBank}`,
      ]);
    await this.fill('pointers and tags, 2,000 a transaction', 2_000, [
      `INSERT INTO spike_pool_entry ${fromBank}`,
      withTags,
    ]);
    await this.rows('ANALYZE TABLE spike_pool_entry, spike_pool_tag');
  }

  private async fill(name: string, batchSize: number, statements: string[]): Promise<void> {
    await this.makePoolTables();
    const transactions: number[] = [];
    const start = performance.now();
    for (const kind of ['item', 'question']) {
      let from = '';
      for (const to of await this.batchEnds(kind, batchSize)) {
        const began = performance.now();
        await this.rows('START TRANSACTION');
        for (const statement of statements) await this.rows(statement, [kind, from, to]);
        await this.rows('COMMIT');
        transactions.push(performance.now() - began);
        from = to;
      }
    }
    await this.rows('UPDATE spike_pool SET generation = 1 WHERE organisation_id = ? AND id = ?', [ORGANISATION, POOL]);
    const seconds = (performance.now() - start) / 1000;
    this.report(
      'filling a pool with the bank: seconds; median and longest transaction, ms',
      name,
      `${seconds.toFixed(1)}; ${median(transactions).toFixed(0)}, ${Math.max(...transactions).toFixed(0)}`,
    );
  }

  private async batchEnds(kind: string, size: number): Promise<string[]> {
    const ends: string[] = [];
    for (;;) {
      const [row] = await this.rows(
        `SELECT id FROM bank_record WHERE organisation_id = ? AND kind = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ${size - 1}`,
        [ORGANISATION, kind, ends.at(-1) ?? ''],
      );
      ends.push(row ? String(row.id) : LAST_ID);
      if (!row) return ends;
    }
  }

  private async makePoolTables(): Promise<void> {
    const { types, tableOptions } = mysqlDialect(this.database.engine);
    const { id, exact, integer, word } = types;
    await this.rows('DROP TABLE IF EXISTS spike_pool, spike_pool_entry, spike_pool_tag');
    await this.rows(`CREATE TABLE spike_pool (
      organisation_id ${integer} NOT NULL, id ${id} NOT NULL, generation ${integer} NOT NULL,
      PRIMARY KEY (organisation_id, id)) ${tableOptions(true)}`);
    await this.rows(`CREATE TABLE spike_pool_entry (
      organisation_id ${integer} NOT NULL, pool_id ${id} NOT NULL, kind ${word} NOT NULL, record_id ${id} NOT NULL,
      from_generation ${integer} NOT NULL, to_generation ${integer} NULL, reference ${exact(150)} NOT NULL,
      type ${exact(64)} NULL, status ${word} NULL, document_id ${id} NOT NULL, tag_set_id ${id} NULL,
      PRIMARY KEY (organisation_id, pool_id, kind, record_id, from_generation)) ${tableOptions(true)}`);
    await this.rows(
      'CREATE INDEX spike_pool_reference ON spike_pool_entry (organisation_id, pool_id, kind, reference, from_generation)',
    );
    await this.rows(`CREATE TABLE spike_pool_tag (
      organisation_id ${integer} NOT NULL, pool_id ${id} NOT NULL, kind ${word} NOT NULL, tag_id ${id} NOT NULL,
      record_id ${id} NOT NULL, from_generation ${integer} NOT NULL, to_generation ${integer} NULL,
      PRIMARY KEY (organisation_id, pool_id, kind, tag_id, record_id, from_generation)) ${tableOptions(true)}`);
    await this.rows('INSERT INTO spike_pool VALUES (?, ?, 0)', [ORGANISATION, POOL]);
  }

  private async readPool(): Promise<void> {
    const generation = `(SELECT generation FROM spike_pool WHERE organisation_id = ${ORGANISATION} AND id = '${POOL}')`;
    const shown = (
      alias: string,
    ) => `${alias}.organisation_id = ${ORGANISATION} AND ${alias}.pool_id = '${POOL}' AND ${alias}.kind = 'item'
      AND ${alias}.from_generation <= ${generation} AND (${alias}.to_generation IS NULL OR ${alias}.to_generation > ${generation})`;
    const columns = COLUMNS(TAG_LIST).replace('r.id', 'r.record_id');
    const byReference = `SELECT ${columns} FROM spike_pool_entry r ${DOCUMENT}
      WHERE ${shown('r')} AND r.reference IN (${marks(50)}) ORDER BY r.record_id DESC LIMIT 51`;
    const carries = (alias: string) => `${shown(alias)} AND ${alias}.tag_id = ?`;
    const byTags = `SELECT ${columns} FROM (SELECT a.record_id FROM spike_pool_tag a
        JOIN spike_pool_tag b ON ${carries('b')} AND b.record_id = a.record_id
        LEFT JOIN spike_pool_tag x ON ${carries('x')} AND x.record_id = a.record_id
        WHERE x.tag_id IS NULL AND ${carries('a')} ORDER BY a.record_id DESC LIMIT 51) page
      JOIN spike_pool_entry r ON ${shown('r')} AND r.record_id = page.record_id ${DOCUMENT} ORDER BY page.record_id DESC`;
    const all = `SELECT ${columns} FROM spike_pool_entry r ${DOCUMENT} WHERE ${shown('r')} ORDER BY r.record_id DESC LIMIT 51`;
    const tags = (number: number) => {
      const query = tagQueryOf(number % 50);
      return tagParameters(query.all.map(this.tagId), this.tagId(query.none[0]!));
    };
    await this.compare('the same read from the bank and from a pool', {
      'bank: 50 by reference': (number) => this.rows(itemsByReference(50), this.references(number)),
      'pool: 50 by reference': (number) => this.rows(byReference, this.references(number)),
      'bank: page by tags': (number) => this.rows(itemsOf(recordsByTags()), tags(number)),
      'pool: page by tags': (number) => this.rows(byTags, tags(number)),
      'bank: page of all': () => this.rows(itemsInOrder('id', false)),
      'pool: page of all': () => this.rows(all),
    });
  }

  private async sizes(): Promise<void> {
    const tables = [
      'document',
      'bank_record',
      'bank_tag',
      'holding',
      'revision',
      'tag_set',
      'spike_pool_entry',
      'spike_pool_tag',
    ];
    await this.rows(`ANALYZE TABLE ${tables.join(', ')}`);
    if (this.database.engine === 'mysql') await this.rows('SET SESSION information_schema_stats_expiry = 0');
    const rows = await this.rows(
      `SELECT table_name AS name, data_length AS data, index_length AS indexes FROM information_schema.tables
       WHERE table_schema = DATABASE() AND table_name IN (${marks(tables.length)})`,
      tables,
    );
    for (const table of tables) {
      const row = rows.find(({ name }) => name === table)!;
      const megabytes = (bytes: unknown) => (Number(bytes) / 2 ** 20).toFixed(0);
      this.report('size: rows, further indexes, MB', table, `${megabytes(row.data)}, ${megabytes(row.indexes)}`);
    }
  }
}

const extraTag = (name: ExtraTag): string => `Z${name.toUpperCase()}`.padEnd(26, '0');
