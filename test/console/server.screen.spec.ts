import { type Browser, chromium } from 'playwright-core';
import { Config } from '#platform';
import { ensureBuilt } from '../support/built';
import { commandHere } from '../support/command-line';
import { aServer, queueEngines } from '../support/engines';
import { type Programs, startPrograms } from '../support/programs';
import { temporaryFolders } from '../support/processes';

const folder = temporaryFolders();
const GIFT = '// [id:air]\n::air:: Does air carry sound?{T}\n\n// [id:void]\n::void:: Does a void carry sound?{F}';
/** Processes of their own start slowly on a machine that does other work. */
const LONG = 120_000;

/* All other suites of the console use one process with SQLite. */
const combinations = queueEngines.includes('redis') ? aServer() : [];

describe('the console of an installation with a database server and a worker', () => {
  if (combinations.length === 0) it.todo('needs a database server and Redis');
  for (const engine of combinations)
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
