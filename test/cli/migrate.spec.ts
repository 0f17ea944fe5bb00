import { Database, migrate, migrationStates, SchemaMismatch } from '#platform';
import { commandHere } from '../support/command-line';
import { emptyDatabase, type EmptyDatabase, engines } from '../support/engines';
import { ServiceProcess, temporaryFolders, WORKER } from '../support/processes';

interface Listed {
  name: string;
  state: string;
  applied_at: string | null;
}

const folder = temporaryFolders();

describe.each(engines)('migrations from the command line on %s', (engine) => {
  let empty: EmptyDatabase;
  let database: Database;
  let place: { settings: Record<string, string> };
  beforeAll(async () => {
    empty = await emptyDatabase(engine);
    database = await Database.open(empty.url);
    place = { settings: { DATABASE_URL: empty.url, DATA_DIR: folder(), SECRETS_KEY: '33'.repeat(32) } };
  });
  afterAll(async () => {
    await database?.close();
    await empty?.drop();
  });

  const status = async (): Promise<{ code: number | null; listed: Listed[] }> => {
    const { code, stdout, stderr } = await commandHere(['migrate', '--status', '--json'], place);
    expect(stderr).toBe('');
    return { code, listed: JSON.parse(stdout) as Listed[] };
  };

  it('are listed as pending by --status, which changes nothing', async () => {
    const { code, listed } = await status();
    expect(code).toBe(3);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.every(({ state, applied_at }) => state === 'pending' && applied_at === null)).toBe(true);
    expect((await status()).listed).toEqual(listed);
    const { stderr } = await commandHere(['consumer', 'list'], place);
    expect(stderr).toBe(
      `itembank: The database lacks the migration ${listed[0]!.name} and ${listed.length - 1} more of this version; run the command migrate first, or start the service, which does the same.\n`,
    );
  });

  it('are listed as applied by --status, with their times', async () => {
    const began = Date.now();
    expect(await commandHere(['migrate'], place)).toMatchObject({ code: 0, stderr: '' });
    const { code, listed } = await status();
    expect(code).toBe(0);
    for (const { state, applied_at } of listed) {
      expect(state).toBe('applied');
      expect(Date.parse(applied_at!)).toBeGreaterThanOrEqual(began);
      expect(Date.parse(applied_at!)).toBeLessThanOrEqual(Date.now());
    }
    // Earlier versions did not record the times of migrations.
    await database.write('UPDATE migration SET applied_at = NULL WHERE name = ?', [listed[0]!.name]);
    const { stdout } = await commandHere(['migrate', '--status'], place);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['MIGRATION', 'STATE', 'APPLIED AT'],
      [listed[0]!.name, 'applied', '-'],
      ...listed.slice(1).map(({ name, applied_at }) => [name, 'applied', applied_at]),
    ]);
  });

  describe('on a database of a newer version', () => {
    const NEWER = 'Tomorrow1999999999999';
    const REFUSAL = `The database belongs to a newer version: this one does not know the migration ${NEWER}; run that version, or a later one.`;
    beforeAll(() => database.write(`INSERT INTO migration (timestamp, name) VALUES (1999999999999, '${NEWER}')`));

    it('are listed by --status with the unknown one', async () => {
      const { code, listed } = await status();
      expect([code, listed.at(-1)]).toEqual([4, { name: NEWER, state: 'unknown', applied_at: null }]);
    });

    it.each([[['migrate']], [['consumer', 'list']], [['organisation', 'create', '9', 'Nine']], [['jobs', 'list']]])(
      'make %j refuse to run',
      async (args) => {
        expect(await commandHere(args, place)).toEqual({ code: 1, stdout: '', stderr: `itembank: ${REFUSAL}\n` });
      },
    );

    it('do not run, even if they are pending', async () => {
      const [last] = (await migrationStates(database)).filter(({ state }) => state === 'applied').slice(-1);
      await database.write('DELETE FROM migration WHERE name = ?', [last!.name]);
      await expect(migrate(database)).rejects.toThrow(SchemaMismatch);
      expect((await migrationStates(database)).filter(({ state }) => state === 'pending')).toMatchObject([
        { name: last!.name },
      ]);
    });

    // The check at start is the same on every engine.
    if (engine === engines[0])
      it.each([
        ['the service', undefined],
        ['a worker', WORKER],
      ])('keep %s from starting', async (_, main) => {
        const QUEUE_URL = process.env.TEST_REDIS_URL;
        if (main !== undefined && QUEUE_URL === undefined) return;
        const settings = { ...place.settings, ...(main === undefined ? {} : { QUEUE_URL: QUEUE_URL! }) };
        const started = new ServiceProcess({ settings }, main);
        expect(await started.ended).toBe(1);
        expect(started.stderr).toContain(`itembank: ${REFUSAL}\n`);
      });
  });
});
