import { createHash } from 'node:crypto';
import { Consumers } from '#access';
import { JobRunner } from '#jobs';
import { Config, type Database } from '#platform';
import { type Declaration, declarationOf, hasEffect, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { apiWith } from '../support/applications';
import { type Answer, type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { goodRequest, provisionGoodRequests, seedGoodRequests } from '../support/good-requests';
import { SessionStore } from '#sessions';
import { store, storedSessions } from '../support/sessions';
import { serviceOfSuite, startService } from '../support/service';
import { DAY } from '../support/time';
import { until } from '../support/until';

/* No operation shows or changes data of another organisation. The operations come from the declarations. */

const declarations = operations.map(declarationOf);
/** Operations whose jobs read forms. The sessions of this suite have no forms. */
const READS_FORMS = ['sessions/item', 'jobs/sessions/statuses'];
const declarationsWithoutForms = declarations.filter(({ path }) => !READS_FORMS.includes(path));
/** Operations that answer from the request alone. */
const READS_NO_DATA = ['scoring', 'itembank/warnings', 'jobs/sessions/scores/subscores'];
const nameOf = ({ action, path, when }: Declaration) => [action, path, when && spellWhen(when)].join(' ').trim();

/** For each name of organisation 1, a name of equal length that no organisation uses. */
const UNUSED_NAMES: Record<string, string> = {
  good: 'gone',
  Good: 'Gone',
  still: 'stale',
  made: 'mint',
  '00000000-': 'ffffffff-',
};
const withUnusedNames = (text: string) =>
  text.replace(/good|Good|still|made|00000000-/g, (name) => UNUSED_NAMES[name]!);

describe.each(anEngine(__filename))('organisations on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let one: Client;
  /** Clients of further organisations, which are empty at first. */
  let two: Client;
  let three: Client;
  /** The answers to organisation 1. */
  const ownerAnswers = new Map<Declaration, Answer>();
  /** The rows of organisation 1. */
  let before: Record<string, string>;

  const send = (
    client: Client,
    { action, path, when }: Declaration,
    change = (text: string) => text,
  ): Promise<Answer> =>
    client.call(path, action, change(JSON.stringify(goodRequest(action, path, 1, when && spellWhen(when)))));
  const writer = (organisation: number) =>
    service.consumer({ grants: [{ organisation, access: 'write', primary: true }] });

  /** Runs all waiting jobs to their end. */
  const runJobs = async () => {
    const settings = { ...service.settings, LOG_LEVEL: 'silent' };
    const intervals = { leaseMs: DAY, heartbeatMs: DAY, sweepMs: 50, reenqueueMs: 1 };
    const worker = await apiWith(Config.read(settings), { clock: service.clock, intervals });
    await worker.init();
    const runner = worker.get(JobRunner, { strict: false });
    runner.start({ concurrency: 2 });
    await until(async () => {
      const open = await service.database.rows<{ status: string }>(
        `SELECT status FROM job WHERE status IN ('queued', 'running')`,
      );
      // Retries are due, and enqueued jobs are enqueued again.
      if (open.length > 0 && open.every(({ status }) => status === 'queued')) service.clock.advance(15_000);
      return open.length === 0 || undefined;
    });
    await runner.stop({ graceMs: 5_000 });
    await worker.close();
  };

  beforeAll(async () => {
    one = service.client;
    await service.service.app.get(Consumers, { strict: false }).addOrganisation({ id: 3, name: 'Organisation 3' });
    [two, three] = [await writer(2), await writer(3)];
    await seedGoodRequests(one);
    await provisionGoodRequests(service);
    // Creates the results of all operations too.
    for (const each of declarationsWithoutForms.filter(hasEffect)) await send(one, each);
    // Reads for polling omit the latest writes for a while.
    service.clock.advance(60_000);
    for (const each of declarations) if (!hasEffect(each)) ownerAnswers.set(each, await send(one, each));
    before = await rowsOf(service.database, 1);
    expect(Object.values(before).filter((rows) => rows !== '').length).toBeGreaterThan(20);
  });

  it.each(declarations.map((each) => [nameOf(each), each] as const))(
    '%s: gives the same answer for records of another organisation as for records that do not exist',
    async (_, declaration) => {
      const here = await send(two, declaration);
      const nowhere = await send(three, declaration, withUnusedNames);
      expect(comparable(here, withUnusedNames)).toEqual(comparable(nowhere));
      // The owner's answer differs.
      if (!hasEffect(declaration) && !READS_NO_DATA.includes(declaration.path))
        expect(comparable(ownerAnswers.get(declaration)!)).not.toEqual(comparable(here));
    },
  );

  it('keep their rows unchanged while others read and write', async () => {
    expect(await rowsOf(service.database, 1)).toEqual(before);
  });

  it('keep their rows unchanged while others write equal names and run jobs', async () => {
    // The organisation's own jobs would change its rows.
    await service.database.write('DELETE FROM job WHERE organisation_id = 1');
    const rowsBefore = await rowsOf(service.database, 1);
    await seedGoodRequests(two);
    const sessions = storedSessions(3, service.clock.now(), (index) => ({ sessionId: `good${index}` }));
    await store(service.get(SessionStore), 2, sessions);
    for (const each of declarationsWithoutForms) await send(two, each);
    await runJobs();
    expect(await rowsOf(service.database, 1)).toEqual(rowsBefore);
    // The other organisation has rows of its own, which its jobs have used.
    const others = await rowsOf(service.database, 2);
    expect(others.session_tag).not.toBe('');
    const ended = await service.database.rows<{ status: string }>(
      'SELECT DISTINCT status FROM job WHERE organisation_id = 2',
    );
    expect(ended).toEqual([{ status: 'completed' }]);
    expect(Object.keys(others).filter((table) => others[table] !== '').length).toBeGreaterThan(20);
  });
});

/** The length of the signature at the start of a paging token. It depends on the organisation. */
const SIGNED_BYTES = 16;

/** Returns an answer without generated values and without the number of the organisation. */
function comparable({ status, text }: Answer, rename = (part: string) => part): string {
  return `${status} ${rename(text)}`
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/[0-9a-f]{64}/g, 'HASH')
    .replace(/\/assets\/(private\/)?[23]\//g, '/assets/$1N/')
    .replace(/(organisation(_id":)? ?|item bank )[23]\b/g, '$1N')
    .replace(/(?<="next":")[^"]+/, (token) => Buffer.from(token, 'base64url').subarray(SIGNED_BYTES).toString());
}

/** Returns a checksum of the organisation's rows in each table. It is empty for a table without such rows. */
async function rowsOf(database: Database, organisation: number): Promise<Record<string, string>> {
  const names = await database.rows<{ name: string }>(
    database.dialect.engine === 'sqlite'
      ? `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'organisation_id' WHERE m.type = 'table'`
      : `SELECT table_name AS name FROM information_schema.columns
         WHERE table_schema = DATABASE() AND column_name = 'organisation_id'`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of names) {
    const rows = await database.rows(`SELECT * FROM ${name} WHERE organisation_id = ?`, [organisation]);
    const lines = rows.map((row) => JSON.stringify(row)).sort();
    sums[name] = lines.length === 0 ? '' : createHash('sha256').update(lines.join('\n')).digest('hex');
  }
  return sums;
}
