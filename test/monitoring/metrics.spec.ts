import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JobRunner, Jobs } from '#jobs';
import { Config, MonitoringServer } from '#platform';
import { Client } from '../support/client';
import { anEngine } from '../support/engines';
import { type Scrape, scrape } from '../support/scrape';
import { startService, type TestService } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { until } from '../support/until';

const REQUESTS = 'itembank_http_requests_total';

describe.each(anEngine(__filename))('metrics on %s', (engine) => {
  let service: TestService;
  let operations: MonitoringServer;
  let url: string;
  beforeAll(async () => {
    service = await startService(engine, { OPERATIONS_PORT: '0' });
    operations = service.get(MonitoringServer);
    url = (await operations.listen())!;
    await writeSessionBank(service.client);
  });
  afterAll(async () => {
    await operations?.close();
    await service?.close();
  });

  /** Returns the increase of each metric during an action. */
  async function growth(
    act: () => Promise<unknown>,
  ): Promise<(name: string, labels?: Record<string, string>) => number> {
    const before = await scrape(url);
    await act();
    const after = await scrape(url);
    return (name, labels) => after.value(name, labels) - before.value(name, labels);
  }
  /**
   * Lists the series, except those that Node adds at its first garbage collection of each kind, and while something is
   * open.
   */
  const seriesOf = ({ samples }: Scrape) =>
    samples
      .filter(({ name }) => !/^nodejs_(gc|active)_/.test(name))
      .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)
      .sort();

  it('count requests by operation and result, and measure their duration', async () => {
    const limited = await service.consumer({ rateLimits: { 'get itembank/items': 1 } });
    const forged = new Client(service.url, service.client.key, 'wrong', service.clock);
    const increase = await growth(async () => {
      await service.client.get('itembank/items');
      await service.client.get('itembank/items', { limit: 'x' });
      await service.client.get('itembank/questions');
      await forged.get('itembank/items');
      await limited.get('itembank/items');
      await limited.get('itembank/items');
      await service.client.call('itembank/items', 'destroy', {});
      await service.client.get('nowhere');
    });
    const items = { operation: 'get itembank/items' };
    expect(increase(REQUESTS, { ...items, status: '200', code: '' })).toBe(2);
    expect(increase(REQUESTS, { ...items, status: '400', code: '20003' })).toBe(1);
    expect(increase(REQUESTS, { ...items, status: '403', code: '41003' })).toBe(1);
    expect(increase(REQUESTS, { ...items, status: '429', code: '42000' })).toBe(1);
    expect(increase('itembank_rate_limit_hits_total', items)).toBe(1);
    expect(increase(REQUESTS, { operation: 'get itembank/questions', status: '200', code: '' })).toBe(1);
    expect(increase(REQUESTS, { operation: 'unknown', status: '404', code: '20012' })).toBe(2);
    expect(increase('itembank_http_request_duration_seconds_count', items)).toBe(5);
    expect(increase('itembank_http_request_duration_seconds_bucket', { ...items, le: '+Inf' })).toBe(5);
    expect((await scrape(url)).value('itembank_http_requests_in_flight')).toBe(0);
  });

  it('do not grow with texts that callers invent', async () => {
    const hostile = async (index: number) => {
      const made = `x${index}`;
      await service.client.get(`itembank/${made}`);
      await service.client.call('itembank/items', `${made}\n"} 1`, {});
      await service.client.send(`/v1/itembank/items/${made}`, { method: index % 2 ? 'DELETE' : 'PROPFIND' });
      await service.client.send(`/assets/${made}`, { method: index % 2 ? 'PATCH' : 'SEARCH' });
      await new Client(service.url, made, 'secret', service.clock).get('itembank/items');
    };
    await hostile(0);
    await hostile(1);
    const before = seriesOf(await scrape(url));
    for (let index = 2; index < 40; index++) await hostile(index);
    expect(seriesOf(await scrape(url))).toEqual(before);
    const operationsSeen = new Set((await scrape(url)).samples.flatMap(({ labels }) => labels.operation ?? []));
    expect(operationsSeen.size).toBeGreaterThan(3);
    for (const operation of operationsSeen)
      expect(operation).toMatch(
        /^(unknown|(GET|HEAD|PUT|OPTIONS) assets|(get|set|update) (itembank|jobs|sessions)\S*)$/,
      );
  });

  it('count the entries and attempts of jobs, and the stored sessions', async () => {
    const increase = await growth(() => submit(service, [wholeSession('one'), wholeSession('two')]));
    expect(increase('itembank_sessions_saved_total', { cause: 'submission' })).toBe(2);
    const type = 'save-sessions';
    expect(increase('itembank_job_entries_total', { type })).toBe(2);
    const seen = await until(async () => {
      const now = await scrape(url);
      return now.value('itembank_job_attempt_duration_seconds_count', { type, outcome: 'completed' }) > 0
        ? now
        : undefined;
    });
    expect(seen.value('itembank_jobs_running', { type })).toBe(0);
  });

  it('show the number and age of waiting jobs, and the number of running jobs', async () => {
    const lane = 'bulk';
    let finish: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    service.get(JobRunner).register({
      type: 'waits',
      run: async () => {
        await finished;
        return null;
      },
    });
    const { jobConcurrency } = service.service.app.get(Config, { strict: false });
    const scope = service.scope();
    const wanted = Array.from({ length: jobConcurrency + 3 }, () => ({
      type: 'waits',
      lane: 'bulk' as const,
      input: '{}',
    }));
    await service.get(Jobs).startAll(wanted, scope);
    service.clock.advance(90_000);
    const seen = await until(async () => {
      const now = await scrape(url);
      const running = now.value('itembank_jobs_running', { type: 'waits' });
      return running === jobConcurrency && now.value('itembank_job_queue_depth', { lane }) === 3 ? now : undefined;
    });
    expect(seen.value('itembank_job_queue_oldest_seconds', { lane })).toBe(90);
    expect(seen.value('itembank_job_queue_depth', { lane: 'short' })).toBe(0);
    finish!();
    await until(async () => {
      const now = await scrape(url);
      return now.value('itembank_job_queue_depth', { lane }) === 0 || undefined;
    });
  });

  it('show the connections to the database', async () => {
    // The work in the background may wait for a moment.
    const { value } = await until(async () => {
      const now = await scrape(url);
      return now.value('itembank_database_connection_waiters') === 0 ? now : undefined;
    });
    const max = value('itembank_database_connections_max');
    expect(max).toBe(engine === 'sqlite' ? 2 : 10);
    expect(value('itembank_database_connections_open')).toBeGreaterThan(0);
    expect(value('itembank_database_connections_open')).toBeLessThanOrEqual(max);
    expect(value('itembank_database_connections_in_use')).toBeLessThanOrEqual(max);
  });

  it('are not available on the public port', async () => {
    const { status, text } = await service.client.send('/metrics', {});
    expect(status).toBe(404);
    expect(text).not.toContain('itembank_http');
  });

  it('are exactly those in the documentation, with the same types and labels', async () => {
    const page = readFileSync(join(__dirname, '../../docs/metrics.md'), 'utf8');
    const rows = new Map(
      [...page.matchAll(/^\| `(itembank_\w+)` *\| (\w+) *\| ([^|]*) \|/gm)].map(([, name, type, labels]) => [
        name!,
        { type, labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!) },
      ]),
    );
    const { types, samples } = await scrape(url);
    const own = [...types].filter(([name]) => name.startsWith('itembank_'));
    expect([...rows].map(([name, { type }]) => [name, type]).sort()).toEqual(own.sort());
    for (const { name, labels } of samples) {
      const row = rows.get(name.replace(/_(bucket|sum|count)$/, '')) ?? rows.get(name);
      if (!row) continue;
      const shown = Object.keys(labels).filter((label) => label !== 'le');
      expect([name, shown.sort()]).toEqual([name, row.labels.sort()]);
    }
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds'])
      expect(types.has(name)).toBe(true);
  });

  it('omit values that cannot be read, and count the failed reads', async () => {
    const { database } = service;
    await database.write('ALTER TABLE event_sink RENAME TO event_sink_gone');
    try {
      const seen = await until(async () => {
        const now = await scrape(url);
        return now.value('itembank_metrics_read_failures_total') > 0 ? now : undefined;
      });
      expect(seen.samples.filter(({ name }) => name.startsWith('itembank_event_sinks'))).toEqual([]);
      expect(seen.samples.some(({ name }) => name === 'itembank_job_queue_depth')).toBe(true);
    } finally {
      await database.write('ALTER TABLE event_sink_gone RENAME TO event_sink');
    }
  });
});

describe('the operations port', () => {
  it('is closed unless it is configured, and is open only to this machine by default', async () => {
    const config = Config.read({ SECRETS_KEY: '11'.repeat(32) });
    expect(await new MonitoringServer(config).listen()).toBeUndefined();
    const asked = new MonitoringServer(
      Config.read({ SECRETS_KEY: '11'.repeat(32), OPERATIONS_PORT: '0', LOG_LEVEL: 'silent' }),
    );
    asked.answer('/metrics', async () => ({ status: 200, type: 'text/plain', body: 'first' }));
    asked.answer('/metrics', async () => ({ status: 200, type: 'text/plain', body: 'numbers' }));
    const url = (await asked.listen())!;
    try {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await (await fetch(`${url}/metrics?x=1`)).text()).toBe('numbers');
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
      expect((await fetch(`${url}/v1/itembank/items`)).status).toBe(404);
    } finally {
      await asked.close();
    }
    await expect(fetch(url)).rejects.toThrow();
  });
});
