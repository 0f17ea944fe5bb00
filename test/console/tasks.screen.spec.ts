import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { newId } from '#kernel';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { ConsoleBrowser } from './support/console-browser';

const console = new ConsoleBrowser();
const MINUTE = 60_000;

beforeAll(async () => {
  await console.open();
  const { client, clock } = console.service;
  await write(client, { questions: [question({ reference: 'q-rivers' }), question({ reference: 'q-lakes' })] });
  const rivers = { reference: 'rivers', tags: { Subject: ['Geography'] }, status: 'unpublished' as const };
  await write(client, {
    items: [
      item(['q-rivers'], { ...rivers, title: 'Rivers of last week' }),
      item(['q-lakes'], { reference: 'lakes', title: 'Lakes', tags: { Subject: ['Biology'] }, status: 'unpublished' }),
    ],
  });
  clock.advance(7 * 24 * 60 * MINUTE);
  await write(client, { items: [item(['q-rivers'], { ...rivers, title: 'Rivers' })] });
}, 240_000);
afterAll(() => console.close());

const stored = async (reference: string) => {
  const { data } = await console.service.client.get('itembank/items', { references: [reference] });
  return (data as { status: string; title: string }[])[0]!;
};

/** Tasks of docs/console.md by mouse or by keys, where the other suites cover only the other way. */
describe('a person in the console', () => {
  it('finds an item by its tag and publishes it, by keyboard', async () => {
    const { context, page, errors } = await console.signIn(['reviewer']);
    await console.visit(page, '/items');
    const tags = page
      .getByRole('combobox', { name: 'Tags' })
      .or(page.getByRole('textbox', { name: 'Tags' }))
      .first();
    await tags.pressSequentially('Subject:Geography');
    await tags.press('Enter');
    await page.getByRole('link', { name: 'lakes' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'rivers' }).press('Enter');
    await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    expect((await stored('rivers')).status).toBe('published');
    expect(errors).toEqual([]);
    await context.close();
  }, 180_000);

  it("restores last week's revision, by keyboard", async () => {
    const { context, page, errors } = await console.signIn(['reviewer']);
    await console.visit(page, '/history/item/rivers');
    const restore = page.getByRole('button', { name: /^Restore the revision/ }).last();
    console.service.clock.advance(MINUTE);
    await restore.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Rivers of last week', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).press('Enter');
    await page.getByText('The revision is restored.').waitFor();
    expect((await stored('rivers')).title).toBe('Rivers of last week');
    expect(errors).toEqual([]);
    await context.close();
  }, 180_000);

  it.each(['mouse', 'keyboard'] as const)(
    'creates a consumer by %s, and the first call that the page shows is answered',
    async (way) => {
      const { context, page, errors } = await console.signIn(['operator']);
      const use = (name: string) => {
        const button = page.getByRole('button', { name, exact: true }).last();
        return way === 'mouse' ? button.click() : button.press('Enter');
      };
      await console.visit(page, '/consumers');
      await use('Make a consumer');
      await page.getByRole('textbox', { name: 'Label' }).pressSequentially('Site');
      await use('Make a consumer');
      const example = page.getByRole('dialog').getByRole('tabpanel').locator('pre').first();
      const script = await example.innerText();
      // The clock of the service stands.
      const now = new Date(console.service.clock.now()).toISOString();
      const timestamp = `${now.slice(0, 10).replaceAll('-', '')}-${now.slice(11, 16).replace(':', '')}`;
      // Without blocking: the service runs in this process.
      const { stdout } = await promisify(execFile)('bash', ['-c', `date() { echo ${timestamp}; }\n${script}`]);
      expect(JSON.parse(stdout)).toMatchObject({ meta: { status: true, records: 2 } });
      await use('Close');
      expect(errors).toEqual([]);
      await context.close();
    },
    180_000,
  );

  it('cancels a job, by mouse', async () => {
    const { service } = console;
    const never = service.clock.now() + 1_000_000_000;
    const row = {
      organisation_id: 1,
      id: newId(service.clock.now()),
      type: 'save-sessions',
      lane: 'short',
      status: 'queued',
      input: JSON.stringify({ submissions: [], ignoreRevisions: false }),
      operation: 'set sessions',
      token: 7,
      done: 0,
      attempts: 1,
      available_at: never,
      due_at: never,
      lease_until: never,
    };
    await service.database.insert('job', Object.keys(row), [Object.values(row)]);
    const { context, page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/jobs');
    await page.getByRole('link', { name: 'Store sessions' }).first().click();
    await page.getByRole('dialog', { name: 'Job' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Cancel jobs' }).getByRole('button', { name: 'Cancel jobs' }).click();
    await page.getByRole('cell', { name: 'An operator cancelled the job.' }).waitFor();
    const { data } = await service.client.get('jobs', { references: [row.id] });
    expect(data).toMatchObject([{ status: 'halted' }]);
    expect(errors).toEqual([]);
    await context.close();
  }, 180_000);
});
