import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { type Pool, type PoolOptions } from 'mysql2';
import { DataSource } from 'typeorm';
import { Fault } from '#kernel';
import { Config, Database, questionMarks } from '#platform';
import { sayFailure } from '#runtime';
import { anyCharacter } from '../support/any-character';
import { type Ports, signal } from './ports';

const ROOT = join(__dirname, '../..');

/** The behaviour that every engine shares: statements and units of work. */
export function databaseContract(ports: Ports): void {
  let database: Database;
  let url: string;
  /** Further connections, which are closed after the tests. */
  const others: Database[] = [];

  beforeAll(async () => {
    ({ database, url } = ports);
    const { types, tableOptions } = database.dialect;
    await database.source.query(
      `CREATE TABLE contract (k ${types.exact(150)} NOT NULL, n ${types.time} NULL, body ${types.long} NULL, PRIMARY KEY (k))
       ${tableOptions(false)}`,
    );
  });

  afterAll(async () => {
    for (const other of others) await other.close();
  });

  async function openConnection(connections?: number): Promise<Database> {
    const opened = await Database.open(url, connections);
    others.push(opened);
    return opened;
  }

  const put = (k: string, n: number | null = null, body: string | null = null) =>
    database.insert('contract', ['k', 'n', 'body'], [[k, n, body]]);
  const numberOf = async (k: string) =>
    (await database.row<{ n: number }>('SELECT n FROM contract WHERE k = ?', [k]))?.n;
  const keysLike = async (beginning: string) =>
    (await database.rows<{ k: string }>('SELECT k FROM contract ORDER BY k'))
      .map(({ k }) => k)
      .filter((k) => k.startsWith(beginning));

  it('closes its connections when its first statements fail', async () => {
    const sources: DataSource[] = [];
    const query = jest.spyOn(DataSource.prototype, 'query').mockImplementation(async function (this: DataSource) {
      sources.push(this);
      throw new Error('The server has stopped.');
    });
    try {
      await expect(Database.open(url)).rejects.toThrow('The server has stopped.');
    } finally {
      query.mockRestore();
    }
    expect(sources.map(({ isInitialized }) => isInitialized)).toEqual([false]);
  });

  describe('statements', () => {
    it('return the rows of a SELECT, or its first row or undefined', async () => {
      await database.insert(
        'contract',
        ['k', 'n'],
        [
          ['rows 1', 1],
          ['rows 2', 2],
        ],
      );
      const both = "SELECT k, n FROM contract WHERE k LIKE 'rows %' ORDER BY k";
      expect(await database.rows(both)).toEqual([
        { k: 'rows 1', n: 1 },
        { k: 'rows 2', n: 2 },
      ]);
      expect(await database.row(both)).toEqual({ k: 'rows 1', n: 1 });
      const none = "SELECT k FROM contract WHERE k = 'no such row'";
      expect(await database.rows(none)).toEqual([]);
      expect(await database.row(none)).toBeUndefined();
    });

    it('return the number of changed rows', async () => {
      const insert = 'INSERT INTO contract (k, n) VALUES (?, ?), (?, ?), (?, ?)';
      expect(await database.write(insert, ['changed 1', 1, 'changed 2', 1, 'changed 3', 2])).toBe(3);
      expect(await database.write("UPDATE contract SET n = 5 WHERE k LIKE 'changed %' AND n = ?", [1])).toBe(2);
      expect(await database.write("UPDATE contract SET n = 5 WHERE k LIKE 'changed %' AND n = ?", [77])).toBe(0);
      expect(await database.write("DELETE FROM contract WHERE k LIKE 'changed %'")).toBe(3);
    });

    it('insert any number of rows, including none', async () => {
      await database.insert('contract', ['k', 'n'], []);
      // More parameters than an embedded database accepts in one statement.
      const rows = Array.from({ length: 12_000 }, (_, index) => [`many ${index}`, index, 'body']);
      await database.insert('contract', ['k', 'n', 'body'], rows);
      const sums = "SELECT COUNT(*) AS rows_, SUM(n) AS sum_ FROM contract WHERE k LIKE 'many %'";
      const { rows_, sum_ } = (await database.row<{ rows_: unknown; sum_: unknown }>(sums))!;
      expect([Number(rows_), Number(sum_)]).toEqual([12_000, 71_994_000]);
      await database.write("DELETE FROM contract WHERE k LIKE 'many %'");
    });

    it('insert over existing rows: named columns get the new values, the others stay', async () => {
      await put('upsert 1', 1, 'old');
      const { dialect } = database;
      await database.insert(
        'contract',
        ['k', 'n', 'body'],
        [
          ['upsert 1', 2, 'new'],
          ['upsert 2', 2, 'new'],
        ],
        dialect.onDuplicate(['k'], ['n']),
      );
      await database.insert('contract', ['k', 'n', 'body'], [['upsert 2', 3, 'newer']], dialect.onDuplicate(['k'], []));
      expect(await database.rows("SELECT k, n, body FROM contract WHERE k LIKE 'upsert %' ORDER BY k")).toEqual([
        { k: 'upsert 1', n: 2, body: 'old' },
        { k: 'upsert 2', n: 2, body: 'new' },
      ]);
    });

    it('accept lists of a thousand values and of a thousand pairs', async () => {
      await database.insert(
        'contract',
        ['k', 'n'],
        [
          ['pair 1', 1],
          ['pair 2', 2],
          ['pair 3', 3],
        ],
      );
      const keys = Array.from({ length: 1000 }, (_, index) => `pair ${index}`);
      const listed = `SELECT k FROM contract WHERE k IN (${questionMarks(1000)}) ORDER BY k`;
      expect(await database.rows(listed, keys)).toEqual([{ k: 'pair 1' }, { k: 'pair 2' }, { k: 'pair 3' }]);
      // Only the pair of the second row has the right number.
      const pairs = keys.flatMap((k, index) => [k, index === 2 ? 2 : index + 1000]);
      const paired = `SELECT k FROM contract WHERE ${database.dialect.pairs('k', 'n', 1000)}`;
      expect(await database.rows(paired, pairs)).toEqual([{ k: 'pair 2' }]);
    });

    it('collect rows as JSON', async () => {
      await database.insert(
        'contract',
        ['k', 'n'],
        [
          ['json "1"', 1],
          ['json \\2', null],
        ],
      );
      const collect = async (condition: string) => {
        const sql = `SELECT ${database.dialect.jsonRows('n', 'k')} AS list FROM contract WHERE ${condition}`;
        const { list } = (await database.row<{ list: string | null }>(sql))!;
        return list === null ? [] : (JSON.parse(list) as [number | null, string][]);
      };
      const both = await collect("k LIKE 'json %'");
      expect(both).toHaveLength(2);
      expect(both).toEqual(
        expect.arrayContaining([
          [1, 'json "1"'],
          [null, 'json \\2'],
        ]),
      );
      expect(await collect("k = 'no such row'")).toEqual([]);
    });

    it('find a part of a text exactly: case, accents and wildcards are literal', async () => {
      await put('part', null, '{"stimulus":"Ä 100% of Trees 🌲"}');
      const containsPart = async (part: string) =>
        (
          await database.rows(`SELECT k FROM contract WHERE k = 'part' AND ${database.dialect.contains('body')}`, [
            part,
          ])
        ).length === 1;
      for (const part of ['Trees', '100% of', '"stimulus":"Ä', '🌲'])
        expect([part, await containsPart(part)]).toEqual([part, true]);
      for (const part of ['trees', 'A 100', '100_', 'T%s', '🌳'])
        expect([part, await containsPart(part)]).toEqual([part, false]);
    });
  });

  describe('values', () => {
    const texts = [
      '',
      ' ',
      'trailing blanks  ',
      '\ttab, \r\n line ends \n',
      `quotes ' " \` and \\ backslashes \\' \\`,
      'percent % and _ underscore ? question mark :name',
      '\u001a control \u0001\u001f\u007f',
      '\ufeff byte order mark',
      'e\u0301 decomposed, é composed',
      'ß ẞ ς σ ı İ',
      '😀 👩‍👩‍👧‍👦 𝒳 four bytes',
      '\u{10ffff}',
      '日本語 עברית العربية',
    ];

    it.each(texts)('text is stored unchanged: %j', async (text) => {
      const key = `text ${text}`;
      await put(key, null, text);
      expect(await database.rows('SELECT k, body FROM contract WHERE k = ?', [key])).toEqual([{ k: key, body: text }]);
    });

    it('any text is stored unchanged, and is found only by an equal text', async () => {
      // An embedded database cuts text at NUL on reading; requests with NUL are rejected.
      const text = fc.string({ unit: anyCharacter, maxLength: 40 }).map((any) => any.replaceAll('\u0000', ''));
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (parts) => {
          const prefix = `any ${run++} `;
          const keys = [...new Set(parts)].map((part) => prefix + part);
          await database.insert(
            'contract',
            ['k', 'body'],
            keys.map((key) => [key, key]),
          );
          for (const key of keys)
            expect(await database.rows('SELECT k, body FROM contract WHERE k = ?', [key])).toEqual([
              { k: key, body: key },
            ]);
        }),
        { numRuns: 15 },
      );
    });

    it('keys are distinguished by case, accents, composition and trailing blanks', async () => {
      const keys = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'ä', 'æ', 'ae', 'ß', 'ss', 'ı', 'i', ''].map(
        (k) => `key ${k}`,
      );
      await database.insert(
        'contract',
        ['k'],
        keys.map((key) => [key]),
      );
      for (const key of keys)
        expect(await database.rows('SELECT k FROM contract WHERE k IN (?)', [key])).toEqual([{ k: key }]);
    });

    it('keys are sorted by their code points', async () => {
      const sorted = [
        'sort  ',
        'sort A',
        'sort A ',
        'sort A!',
        'sort B',
        'sort Z',
        'sort a',
        'sort z',
        'sort é',
        'sort ﬀ',
        'sort 😀',
      ];
      await database.insert(
        'contract',
        ['k'],
        [...sorted].reverse().map((key) => [key]),
      );
      expect(await keysLike('sort ')).toEqual(sorted);
    });

    it.each([0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 1_795_000_000_000, 2 ** 53 - 1, -(2 ** 53) + 1])(
      'whole numbers are returned as numbers: %d',
      async (number) => {
        await put(`number ${number}`, number);
        expect(await numberOf(`number ${number}`)).toBe(number);
        expect(
          await database.rows(`SELECT k FROM contract WHERE k = ? AND n = ?`, [`number ${number}`, number]),
        ).toHaveLength(1);
      },
    );

    it('null is returned as null, distinct from the empty text', async () => {
      await put('null');
      await put('empty', 0, '');
      expect(await database.rows("SELECT k, n, body FROM contract WHERE k IN ('null', 'empty') ORDER BY k")).toEqual([
        { k: 'empty', n: 0, body: '' },
        { k: 'null', n: null, body: null },
      ]);
    });

    it('JSON is returned byte for byte', async () => {
      const json = '{"z": 1.0, "a": [1e2, 12345678901234567890, "\\u0041\\/"], "a2" :{}}';
      await put('json text', null, json);
      expect(await database.row("SELECT body FROM contract WHERE k = 'json text'")).toEqual({ body: json });
    });

    it('five megabytes of text are returned unchanged', async () => {
      const text = 'Ä😀"\\\'\n'.repeat(600_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000);
      await put('large', null, text);
      const { body } = (await database.row<{ body: string }>("SELECT body FROM contract WHERE k = 'large'"))!;
      expect(body === text).toBe(true);
    });

    it('rows of twenty megabytes together are stored', async () => {
      const text = 'x'.repeat(1_000_000);
      const rows = Array.from({ length: 20 }, (_, index) => [`wide ${index}`, text]);
      await database.insert('contract', ['k', 'body'], rows);
      expect(await keysLike('wide ')).toHaveLength(20);
      await database.write("DELETE FROM contract WHERE k LIKE 'wide %'");
    });
  });

  describe('a unit of work', () => {
    it('commits its writes and returns the result of the function', async () => {
      const given = await database.run(async () => {
        await put('commit 1');
        await put('commit 2');
        return 'done';
      });
      expect(given).toBe('done');
      expect(await keysLike('commit ')).toEqual(['commit 1', 'commit 2']);
    });

    it('rolls back when the function throws, and rethrows the error', async () => {
      const failure = new Error('no');
      const work = async () => {
        await put('rollback 1');
        await put('rollback 2');
        throw failure;
      };
      await expect(database.run(work)).rejects.toBe(failure);
      expect(await keysLike('rollback ')).toEqual([]);
      await database.run(() => put('rollback 3'));
      expect(await keysLike('rollback ')).toEqual(['rollback 3']);
    });

    it('rolls back when a statement fails', async () => {
      const work = async () => {
        await put('broken 1');
        await database.write('UPDATE no_such_table SET n = 1');
      };
      await expect(database.run(work)).rejects.toThrow(/no_such_table/);
      expect(await keysLike('broken ')).toEqual([]);
    });

    it('includes the writes of all functions that it calls', async () => {
      const work = async () => {
        await sleep(1);
        await Promise.all([put('below 1'), sleep(1).then(() => put('below 2'))]);
        expect(await keysLike('below ')).toEqual(['below 1', 'below 2']);
        throw new Error('no');
      };
      await expect(database.run(work)).rejects.toThrow('no');
      expect(await keysLike('below ')).toEqual([]);
    });

    it('includes a nested unit of work', async () => {
      const work = async () => {
        await put('nested 1');
        await database.run(async () => {
          expect(await keysLike('nested ')).toEqual(['nested 1']);
          await put('nested 2');
        });
        expect(await keysLike('nested ')).toEqual(['nested 1', 'nested 2']);
      };
      await expect(database.run(() => work().then(() => Promise.reject(new Error('no'))))).rejects.toThrow('no');
      expect(await keysLike('nested ')).toEqual([]);
      await database.run(work);
      expect(await keysLike('nested ')).toEqual(['nested 1', 'nested 2']);
    });

    it('runs after-commit callbacks once, and only those of the successful attempt', async () => {
      const followed: string[] = [];
      await put('follow taken');
      let attempt = 0;
      await database.run(async () => {
        attempt++;
        database.afterCommit(() => followed.push(`attempt ${attempt}`));
        await database.run(async () => database.afterCommit(() => followed.push('nested')));
        if (attempt === 1) await put('follow taken');
        await put('follow');
        expect(followed).toEqual([]);
      });
      expect(followed).toEqual(['attempt 2', 'nested']);
      const work = async () => {
        database.afterCommit(() => followed.push('failed'));
        throw new Error('no');
      };
      await expect(database.run(work)).rejects.toThrow('no');
      database.afterCommit(() => followed.push('outside'));
      expect(followed).toEqual(['attempt 2', 'nested', 'outside']);
    });

    it('is invisible to others before it commits', async () => {
      const written = signal();
      const seen = signal();
      const unit = database.run(async () => {
        await put('unseen');
        written.give();
        await seen.promise;
      });
      await written.promise;
      expect(await keysLike('unseen')).toEqual([]);
      seen.give();
      await unit;
      expect(await keysLike('unseen')).toEqual(['unseen']);
    });

    it('is isolated from concurrent units of work', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          database.run(async () => {
            await put(`apart ${index} a`);
            await sleep(index % 3);
            await put(`apart ${index} b`);
            if (index % 2 === 1) throw new Error('no');
          }),
        ),
      );
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual(results.map((_, index) => index % 2 === 0));
      const expected = [0, 2, 4, 6, 8, 10].flatMap((index) => [`apart ${index} a`, `apart ${index} b`]).sort();
      expect(await keysLike('apart ')).toEqual(expected);
    });

    it('loses no update when it locks what it reads', async () => {
      await put('counter', 0);
      const { forUpdate } = database.dialect;
      await Promise.all(
        Array.from({ length: 25 }, () =>
          database.run(async () => {
            const row = await database.row<{ n: number }>(`SELECT n FROM contract WHERE k = 'counter' ${forUpdate}`);
            await database.write("UPDATE contract SET n = ? WHERE k = 'counter'", [row!.n + 1]);
          }),
        ),
      );
      expect(await numberOf('counter')).toBe(25);
    });

    it('uses one connection at any depth, so that many concurrent ones do not block each other', async () => {
      const narrow = await openConnection(2);
      const count = async () => Number((await narrow.row<{ c: unknown }>('SELECT COUNT(*) AS c FROM contract'))!.c);
      const before = await count();
      const units = Array.from({ length: 12 }, (_, index) =>
        narrow.run(async () => {
          await narrow.write('INSERT INTO contract (k) VALUES (?)', [`narrow ${index}`]);
          return narrow.run(count);
        }),
      );
      for (const seen of await Promise.all(units)) expect(seen).toBeGreaterThan(before);
      expect(await count()).toBe(before + 12);
    });

    it('runs again from its start after a deadlock', async () => {
      await database.insert(
        'contract',
        ['k', 'n'],
        [
          ['lock a', 0],
          ['lock b', 0],
        ],
      );
      const locked = { a: signal(), b: signal() };
      let attempts = 0;
      const add = async (first: 'a' | 'b', second: 'a' | 'b') =>
        database.run(async () => {
          attempts++;
          await database.write('UPDATE contract SET n = n + 1 WHERE k = ?', [`lock ${first}`]);
          locked[first].give();
          // With a single writer, the other one starts only after this one.
          if (database.dialect.engine !== 'sqlite') await locked[second].promise;
          await database.write('UPDATE contract SET n = n + 1 WHERE k = ?', [`lock ${second}`]);
        });
      await Promise.all([add('a', 'b'), add('b', 'a')]);
      expect([await numberOf('lock a'), await numberOf('lock b')]).toEqual([2, 2]);
      // Both cannot succeed at the first attempt, because each held the row for which the other waited.
      expect(attempts).toBe(database.dialect.engine === 'sqlite' ? 2 : 3);
    });

    it('runs again when another writer inserts the same key first', async () => {
      let attempts = 0;
      let found = 0;
      const twoFoundNone = signal();
      await Promise.all(
        Array.from({ length: 10 }, () =>
          database.run(async () => {
            attempts++;
            if ((await numberOf('first')) === undefined) {
              if (++found === 2) twoFoundNone.give();
              // With a single writer, the others begin only after this one.
              if (database.dialect.engine !== 'sqlite') await twoFoundNone.promise;
              await put('first', 1);
            } else await database.write("UPDATE contract SET n = n + 1 WHERE k = 'first'");
          }),
        ),
      );
      expect(await numberOf('first')).toBe(10);
      if (database.dialect.engine !== 'sqlite') expect(attempts).toBeGreaterThan(10);
    });

    it('keeps nothing of a failed attempt', async () => {
      await put('again', 0);
      let attempts = 0;
      await database.run(async () => {
        attempts++;
        await put(`again ${attempts}`);
        if (attempts === 1) await put('again');
      });
      expect([attempts, await keysLike('again')]).toEqual([2, ['again', 'again 2']]);
    });

    it('gives up after several attempts', async () => {
      await put('always there');
      const busy = { sqlite: 'SQLITE_BUSY', mariadb: 'ER_LOCK_DEADLOCK', mysql: 'ER_LOCK_DEADLOCK' }[
        database.dialect.engine
      ];
      const attempts = { duplicate: 0, deadlock: 0 };
      const duplicate = database.run(async () => {
        attempts.duplicate++;
        await put('always there');
      });
      const deadlock = database.run(async () => {
        attempts.deadlock++;
        throw Object.assign(new Error('deadlock'), { code: busy });
      });
      await Promise.all([
        expect(duplicate).rejects.toThrow(/duplicate|unique/i),
        // The caller is not at fault: the same request may succeed later.
        expect(deadlock).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable' }),
      ]);
      for (const made of Object.values(attempts)) {
        expect(made).toBeGreaterThan(2);
        expect(made).toBeLessThan(20);
      }
    });

    it('treats an unprepared cluster node, a read-only server and its limit of time as unavailable', async () => {
      if (database.dialect.engine === 'sqlite')
        return expect(database.dialect.isUnreachable(new Error('x'))).toBe(false);
      for (const number of [1047, 1290, 1836, { mariadb: 1969, mysql: 3024 }[database.dialect.engine]])
        await expect(
          database.rows(`SIGNAL SQLSTATE '08S01' SET MYSQL_ERRNO = ${number}, MESSAGE_TEXT = 'not now'`),
        ).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable' });
    });

    it('treats a server that refuses another connection as unavailable', async () => {
      if (database.dialect.engine === 'sqlite') return;
      const refused = await openConnection(2);
      const { pool } = refused.source.driver as unknown as {
        pool: Pool & { config: { connectionConfig: PoolOptions } };
      };
      const work = signal();
      const held = refused.run(async () => work.promise);
      pool.config.connectionConfig.user = 'unknown';
      const unavailable = { name: 'Fault', kind: 'unavailable', cause: { code: 'ER_ACCESS_DENIED_ERROR' } };
      try {
        await expect(refused.rows('SELECT 1')).rejects.toMatchObject(unavailable);
        await expect(refused.run(async () => undefined)).rejects.toMatchObject(unavailable);
      } finally {
        work.give();
        await held;
      }
      expect(await refused.row('SELECT 1 AS one')).toEqual({ one: 1 });
    });

    it('treats a full disk as unavailable, keeps nothing of the unit of work, and goes on when there is room', async () => {
      const noRoom = { name: 'Fault', kind: 'unavailable', message: expect.stringMatching(/room/) };
      if (database.dialect.engine === 'sqlite') {
        const [{ page_count: pages }] = await database.source.query<[{ page_count: number }]>('PRAGMA page_count');
        const [{ freelist_count: free }] =
          await database.source.query<[{ freelist_count: number }]>('PRAGMA freelist_count');
        await database.source.query(`PRAGMA max_page_count = ${pages + 5}`);
        const work = async () => {
          await put('full, first');
          await put('full, second', null, 'x'.repeat((free + 10) * 4096));
        };
        await expect(database.run(work)).rejects.toMatchObject(noRoom);
        expect(await keysLike('full')).toEqual([]);
        await database.source.query('PRAGMA max_page_count = 1000000000');
        await database.run(work);
        expect(await keysLike('full')).toEqual(['full, first', 'full, second']);
        return;
      }
      for (const number of [1021, 1114])
        await expect(
          database.rows(`SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}, MESSAGE_TEXT = 'no space'`),
        ).rejects.toMatchObject(noRoom);
    });

    it('treats a refused right to write as unavailable, with the right in the cause', async () => {
      const refused = { name: 'Fault', kind: 'unavailable', message: expect.stringMatching(/right/) };
      if (database.dialect.engine === 'sqlite') {
        await database.source.query('PRAGMA query_only = 1');
        await expect(put('refused')).rejects.toMatchObject(refused);
        await database.source.query('PRAGMA query_only = 0');
        return;
      }
      const address = new URL(url);
      address.username = address.password = `reader${process.pid}`;
      const user = `${address.username}@'%'`;
      await database.source.query(`CREATE USER ${user} IDENTIFIED BY '${address.password}'`);
      await database.source.query(`GRANT SELECT ON \`${address.pathname.slice(1)}\`.* TO ${user}`);
      const reader = await Database.open(address.href, 1);
      try {
        const failure: unknown = await reader.write('DELETE FROM contract').catch((error: unknown) => error);
        const cause = { message: expect.stringMatching(/^DELETE command denied to user/) };
        expect(failure).toMatchObject({ ...refused, cause });
        const config = Config.read({ DATABASE_URL: address.href, SECRETS_KEY: 'ab'.repeat(32) });
        expect(sayFailure(failure, config)).toMatch(
          /^The database server refuses a right to this user \(DELETE .*\); grant/,
        );
      } finally {
        await reader.close();
        await database.source.query(`DROP USER ${user}`);
      }
    });

    it('does not run again after a Fault or any other error', async () => {
      for (const failure of [new Fault('conflict', 'no'), new Error('bug')]) {
        let attempts = 0;
        const work = async () => {
          attempts++;
          throw failure;
        };
        await expect(database.run(work)).rejects.toBe(failure);
        expect(attempts).toBe(1);
      }
    });
  });

  it('keeps no references to rows after a read, so that minor garbage collections free them', async () => {
    const script = join(__dirname, 'rows-released.ts');
    // A large heap prevents major garbage collections. They would free the rows in any case.
    const memory = ['--expose-gc', '--initial-heap-size=256'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...memory, '-r', './test/support/ts.cjs', script, url],
      { cwd: ROOT },
    );
    // The process has read 20 MB.
    expect(Number(stdout)).toBeLessThan(2_000_000);
    expect(stdout).toMatch(/^-?\d+\n$/);
  });

  describe('several processes', () => {
    /** Runs `other-process.ts` on the same database. It increments a counter in one unit of work each time. */
    async function addInOtherProcess(key: string, times: number): Promise<void> {
      const script = join(__dirname, 'other-process.ts');
      const child = spawn(process.execPath, ['-r', './test/support/ts.cjs', script, url, key, String(times)], {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`The other process ended with ${code}.`);
    }

    it('write concurrently without losing or doubling anything', async () => {
      await put('shared', 0);
      const { forUpdate } = database.dialect;
      let ended = false;
      const other = addInOtherProcess('shared', 100).finally(() => (ended = true));
      let own = 0;
      // Writes as long as the other process runs.
      while (!ended) {
        await database.run(async () => {
          const row = await database.row<{ n: number }>(`SELECT n FROM contract WHERE k = 'shared' ${forUpdate}`);
          await put(`shared ${row!.n}`);
          await database.write("UPDATE contract SET n = ? WHERE k = 'shared'", [row!.n + 1]);
        });
        own++;
        await sleep(3);
      }
      await other;
      expect(await numberOf('shared')).toBe(own + 100);
      expect(await keysLike('shared ')).toHaveLength(own + 100);
    });

    it('wait for a slow writer, and read meanwhile', async () => {
      const other = await openConnection();
      await put('slow', 0);
      const locked = signal();
      const go = signal();
      const slow = other.run(async () => {
        await other.write("UPDATE contract SET n = n + 1 WHERE k = 'slow'");
        locked.give();
        await go.promise;
      });
      await locked.promise;
      const waiting = database.run(() => database.write("UPDATE contract SET n = n + 10 WHERE k = 'slow'"));
      await sleep(200);
      expect(await numberOf('slow')).toBe(0);
      go.give();
      await Promise.all([slow, waiting]);
      expect(await numberOf('slow')).toBe(11);
    });
  });
}
