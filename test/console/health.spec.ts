import { EventSinks } from '#events';
import { firstIdAt, newId, UnitOfWork } from '#kernel';
import { ROLES } from '#people';
import { type Browser, signedIn } from '../support/browser';
import { engines } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { until } from '../support/until';
import { HOUR } from '../support/time';

/** A number of rows above the limit up to which the service counts. */
const MANY = 10_001;

describe.each(engines)('the health that operators see on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let operator: Browser;
  // Written before the first reading, because the service keeps a slow one for a hundred times as long as it took.
  beforeAll(async () => {
    const now = service.clock.now();
    const farFuture = now + 1000 * HOUR;
    const columns = { type: 'save-sessions', lane: 'bulk', input: '{}', operation: 'set sessions', token: 7 };
    const job = (status: string, at: number) => ({
      organisation_id: 1,
      id: firstIdAt(at),
      ...columns,
      status,
      done: 0,
      attempts: 1,
      available_at: farFuture,
      due_at: farFuture,
      lease_until: farFuture,
    });
    const jobs = [
      job('queued', now - 2 * HOUR),
      job('queued', now - HOUR),
      job('halted', now - HOUR + 1),
      job('halted', now - 25 * HOUR),
      job('completed', now - HOUR + 2),
    ];
    await service.database.insert(
      'job',
      Object.keys(jobs[0]!),
      jobs.map((row) => Object.values(row)),
    );
    const webhook = {
      type: 'webhook',
      name: 'grades',
      url: 'https://example.org/hook',
      kinds: null,
      secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    } as const;
    await service.get(UnitOfWork).run(() => service.get(EventSinks).putWebhooks(1, [webhook]));
    await service.database.insert(
      'audit',
      ['organisation_id', 'id', 'author_id', 'operation', 'subject', 'subject_key', 'detail'],
      Array.from({ length: MANY }, () => [1, newId(now), null, 'test', 'tag', 'key', '{}']),
    );
    ({ browser: operator } = await signedIn(service, ['operator']));
  });

  /** The health once everything could be read in time. */
  const readHealth = () =>
    until(async () => {
      const { status, body } = await operator.send('GET', '/console/health');
      expect(status).toBe(200);
      return body.readiness.status === 'ok' && body.work !== null && body.storage !== null && body;
    });

  it('shows whether the service is ready, its dependencies, its process and its storage', async () => {
    const body = await readHealth();
    expect(body).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      readiness: {
        status: 'ok',
        dependencies: expect.objectContaining({ database: { status: 'up' }, files: { status: 'up' } }),
      },
      process: {
        uptime_seconds: expect.any(Number),
        memory_bytes: expect.any(Number),
        memory_limit_bytes: body.process.memory_limit_bytes === null ? null : expect.any(Number),
        node: process.version,
        database_connections: { max: expect.any(Number), in_use: expect.any(Number), waiting: expect.any(Number) },
      },
      work: expect.objectContaining({ jobs: expect.anything(), events: expect.anything() }),
      storage: expect.objectContaining({ engine: service.database.dialect.engine, files: 'folder' }),
    });
    expect(body.process.memory_bytes).toBeGreaterThan(10_000_000);
    expect(body.storage.bytes).toBeGreaterThan(10_000);
    expect(body.storage.disk.free_bytes).toBeGreaterThan(0);
    expect(body.storage.disk.free_bytes).toBeLessThanOrEqual(body.storage.disk.bytes);
  });

  it('counts the jobs that wait, with the age of the oldest, and those that failed within a day', async () => {
    const { jobs } = (await readHealth()).work;
    expect(jobs).toEqual({
      waiting: [{ lane: 'bulk', jobs: 2, oldest_seconds: expect.any(Number) }],
      failed: 1,
    });
    expect(Math.round(jobs.waiting[0].oldest_seconds / 3600)).toBe(2);
  });

  it('counts the receivers of events and how far they are behind', async () => {
    expect((await readHealth()).work.events).toEqual({
      unnumbered: 0,
      sinks: [{ type: 'webhook', sinks: 1, failing: 0, paused: 0, behind: 0, waiting: 0, dead: 0 }],
    });
  });

  it('shows the sizes of tables without counting large ones to the end', async () => {
    const audit = (await readHealth()).storage.tables.find(({ name }: { name: string }) => name === 'audit');
    if (engine === 'sqlite') expect(audit).toEqual({ name: 'audit', rows: MANY - 1, is_rough: true, bytes: null });
    else expect(audit).toMatchObject({ is_rough: true, bytes: expect.any(Number) });
  });

  it.each(ROLES.filter((role) => role !== 'operator'))('is refused to a %s', async (role) => {
    const { browser } = await signedIn(service, [role]);
    expect((await browser.send('GET', '/console/health')).status).toBe(403);
  });

  it('is refused to people who are not signed in', async () => {
    operator.csrf = undefined;
    expect((await operator.send('GET', '/console/health')).status).toBe(403);
    await operator.readSession();
    operator.cookies.clear();
    expect((await operator.send('GET', '/console/health')).status).toBe(401);
  });
});
