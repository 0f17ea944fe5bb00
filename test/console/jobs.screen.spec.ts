import { JobRunner } from '#jobs';
import { newId } from '#kernel';
import { TYPES } from '../../apps/console/src/routes/jobs/types';
import { until } from '../support/until';
import { barriers, ConsoleBrowser } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

/** Stores a job without entries, which no worker takes before a retry. */
async function place(values: Record<string, string> = {}): Promise<string> {
  const { service } = console;
  const id = newId(service.clock.now());
  const farFuture = service.clock.now() + 1_000_000_000;
  const input = JSON.stringify({ submissions: [], ignoreRevisions: false });
  const what = { type: 'save-sessions', lane: 'short', status: 'queued', input, operation: 'set sessions', token: 7 };
  const times = { done: 0, attempts: 1, available_at: farFuture, due_at: farFuture, lease_until: farFuture };
  const row = { organisation_id: 1, id, ...what, ...times, ...values };
  await service.database.insert('job', Object.keys(row), [Object.values(row)]);
  return id;
}

/** Stores completed jobs of a type. */
async function placeCompleted(count: number, type: string, results: object): Promise<void> {
  const { database, clock } = console.service;
  const rows = Array.from({ length: count }, () => {
    clock.advance(1);
    const now = clock.now();
    return {
      organisation_id: 1,
      id: newId(now),
      type,
      lane: 'short',
      status: 'completed',
      input: '{}',
      operation: 'test',
      results: JSON.stringify(results),
      token: 1,
      done: 0,
      attempts: 1,
      available_at: now,
      due_at: now,
      completed_at: now,
    };
  });
  await database.insert(
    'job',
    Object.keys(rows[0]!),
    rows.map((row) => Object.values(row)),
  );
}

const statusOf = async (id: string) => {
  const { data } = await console.service.client.get('jobs', { references: [id] });
  return (data as { status: string }[])[0]!.status;
};

describe('jobs in the console', () => {
  it('are found by type behind many newer jobs of other types', async () => {
    await placeCompleted(1, 'fill-pool', {});
    await placeCompleted(1, 'dataset', { dataset_id: 'older-test' });
    await placeCompleted(120, 'rename-tag', {});
    const { page } = await console.signIn(['operator']);
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/console/api/v1/jobs')) reads.push(request.postData()!);
    });
    await console.visit(page, '/jobs?type=fill-pool');
    await page.getByRole('link', { name: 'Fill a pool' }).waitFor();
    await console.visit(page, '/reports');
    await page.getByRole('cell', { name: 'older-test' }).waitFor();
    await console.visit(page, '/jobs?type=plan-import');
    await page.getByText('There is no such job').waitFor();
    expect(reads).toHaveLength(3);
  });

  it('say what they are about before they have results', async () => {
    await place({ type: 'dataset', subject: 'geometry-test' });
    await place({ type: 'fill-pool', subject: 'pool-of-may' });
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/reports');
    await page.getByRole('row', { name: /geometry-test Waits/ }).waitFor();
    await console.visit(page, '/jobs');
    await page.getByRole('row', { name: /pool-of-may Waits/ }).waitFor();
    await page.getByRole('link', { name: 'Report', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Job' }).getByRole('row', { name: 'About geometry-test' }).waitFor();
  });

  it('show the times of their start and end whole', async () => {
    await placeCompleted(1, 'fill-pool', {});
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/jobs?status=completed&type=fill-pool');
    const cells = page.getByRole('cell', { name: /20\d\d/ });
    await cells.first().waitFor();
    for (const cell of await cells.all())
      expect(await cell.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  });

  it('are named as gone, with a link to all jobs, when the address has one that does not exist', async () => {
    const id = newId(console.service.clock.now());
    const { page } = await console.signIn(['operator']);
    await console.visit(page, `/jobs?status=halted&job=${id}`);
    const details = page.getByRole('dialog', { name: 'Job' });
    await details.getByText('There is no such job').waitFor();
    await details.getByText(/a while after they end/).waitFor();
    await details.getByText(id).waitFor();
    expect(await barriers(page)).toEqual([]);
    await details.getByRole('link', { name: 'Show all jobs' }).press('Enter');
    await details.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('have a name for every type that the service runs', () => {
    expect([...TYPES]).toEqual(console.service.get(JobRunner).types.toSorted());
  });

  it('can be cancelled by keyboard after a confirmation, and continue after a retry', async () => {
    const id = await place();
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/jobs');
    await page.getByRole('link', { name: 'Store sessions' }).first().press('Enter');
    const details = page.getByRole('dialog', { name: 'Job' });
    await details.getByText(id).waitFor();
    await details.getByRole('button', { name: 'Cancel' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Cancel jobs' });
    await question.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await question.waitFor({ state: 'hidden' });
    expect(await statusOf(id)).toBe('queued');

    await details.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.getByRole('button', { name: 'Cancel jobs' }).press('Enter');
    await details.getByText('An operator cancelled the job.').waitFor();
    await details.getByText('Halted', { exact: true }).waitFor();
    expect(await statusOf(id)).toBe('halted');

    await details.getByRole('button', { name: 'Retry' }).press('Enter');
    await details.getByText('Completed', { exact: true }).waitFor();
    await until(async () => ((await statusOf(id)) === 'completed' ? true : undefined));
  });

  it('are shown to analysts without a button to cancel them', async () => {
    const id = await place();
    const { page } = await console.signIn(['analyst']);
    await console.visit(page, `/jobs?job=${id}`);
    await page.getByRole('dialog', { name: 'Job' }).getByText(id).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });
});
