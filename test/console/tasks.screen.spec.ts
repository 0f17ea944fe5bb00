import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { newId } from '#kernel';
import { Config } from '#platform';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { ensureBuilt } from '../support/built';
import { commandHere } from '../support/command-line';
import { aServer, queueEngines } from '../support/engines';
import { temporaryFolders } from '../support/processes';
import { type Programs, startPrograms } from '../support/programs';
import { ConsoleBrowser } from './support/console-browser';

const console = new ConsoleBrowser();
const MINUTE = 60_000;
const folder = temporaryFolders();
const GIFT = '// [id:air]\n::air:: Does air carry sound?{T}\n\n// [id:void]\n::void:: Does a void carry sound?{F}';
/** Processes of their own start slowly on a machine that does other work. */
const LONG = 120_000;

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
    const { close, page, errors } = await console.signIn(['reviewer']);
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
    await close();
  }, 180_000);

  it("restores last week's revision, by keyboard", async () => {
    const { close, page, errors } = await console.signIn(['reviewer']);
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
    await close();
  }, 180_000);

  it.each(['mouse', 'keyboard'] as const)(
    'creates a consumer by %s, and the first call that the page shows is answered',
    async (way) => {
      const { close, page, errors } = await console.signIn(['operator']);
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
      // The clock of the service does not move by itself.
      const now = new Date(console.service.clock.now()).toISOString();
      const timestamp = `${now.slice(0, 10).replaceAll('-', '')}-${now.slice(11, 16).replace(':', '')}`;
      // Without blocking: the service runs in this process.
      const { stdout } = await promisify(execFile)('bash', ['-c', `date() { echo ${timestamp}; }\n${script}`]);
      expect(JSON.parse(stdout)).toMatchObject({ meta: { status: true, records: 2 } });
      await use('Close');
      expect(errors).toEqual([]);
      await close();
    },
    180_000,
  );

  it('cancels a job, by mouse', async () => {
    const { service } = console;
    const farFuture = service.clock.now() + 1_000_000_000;
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
      available_at: farFuture,
      due_at: farFuture,
      lease_until: farFuture,
    };
    await service.database.insert('job', Object.keys(row), [Object.values(row)]);
    const { close, page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/jobs');
    await page.getByRole('link', { name: 'Store sessions' }).first().click();
    await page.getByRole('dialog', { name: 'Job' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Cancel jobs' }).getByRole('button', { name: 'Cancel jobs' }).click();
    await page.getByRole('cell', { name: 'An operator cancelled the job.' }).waitFor();
    const { data } = await service.client.get('jobs', { references: [row.id] });
    expect(data).toMatchObject([{ status: 'halted' }]);
    expect(errors).toEqual([]);
    await close();
  }, 180_000);
});

/* Everything else about the console is tested with one process and SQLite. */
describe('the console of an installation with a database server and a worker', () => {
  for (const engine of queueEngines.includes('redis') ? aServer() : [])
    it(`signs an operator in, imports a bank by jobs of the worker and publishes an item, on ${engine}`, async () => {
      ensureBuilt();
      let programs: Programs | undefined;
      let browser: Browser | undefined;
      try {
        const place = folder();
        programs = await startPrograms(engine, 'redis', place, {});
        const { api, worker, behind, client } = programs;
        expect(worker).toBeDefined();
        browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
        const context = await browser.newContext({ locale: 'en' });
        context.setDefaultTimeout(LONG);
        const page = await context.newPage();
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));

        const { databaseUrl } = behind.service.app.get(Config, { strict: false });
        const made = await commandHere(
          ['user', 'create', 'olga@example.org', '--organisation', '1', '--role', 'operator', '--url', api.url],
          { settings: { DATABASE_URL: databaseUrl, DATA_DIR: place, SECRETS_KEY: '11'.repeat(32) } },
        );
        expect([made.code, made.stderr]).toEqual([0, '']);
        const [link] = /http\S+/.exec(made.stdout)!;
        await page.goto(link);
        await page.getByLabel('New password').first().fill('a long enough password');
        await page.getByRole('button', { name: /^Sign in/ }).click();
        await page.getByRole('link', { name: 'Import and export' }).click();
        await page.locator('input[type=file]').setInputFiles({
          name: 'sound.gift',
          mimeType: 'text/plain',
          buffer: Buffer.from(GIFT),
        });
        await page.getByRole('button', { name: 'Upload and plan' }).click();
        await page.getByText('This is the plan. Nothing is stored yet.').waitFor();
        await page.getByRole('button', { name: 'Apply the plan' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Apply the plan' }).click();
        await page.getByText('The import is applied.').waitFor();
        await page.getByRole('link', { name: 'Show the items in the bank' }).click();
        await page.getByRole('link', { name: 'air', exact: true }).click();
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.getByRole('button', { name: 'Unpublish' }).waitFor();
        const { data } = await client.get('itembank/items', { references: ['air', 'void'] });
        const statuses = (data as { reference: string; status: string }[]).map((item) => [item.reference, item.status]);
        expect(statuses.sort()).toEqual([
          ['air', 'published'],
          ['void', 'unpublished'],
        ]);
        const begun = ({ stdout }: { stdout: string }) => stdout.split('"msg":"job begins"').length - 1;
        expect([begun(worker!), begun(api)]).toEqual([2, 0]);
        expect(errors).toEqual([]);
      } finally {
        await browser?.close();
        await programs?.end();
      }
    }, 600_000);
});
