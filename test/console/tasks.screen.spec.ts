import { JobRunner } from '#jobs';
import { ensureBuilt } from '../support/built';
import { commandHere } from '../support/command-line';
import { aServer, queueEngines } from '../support/engines';
import { temporaryFolders } from '../support/processes';
import { type Programs, startPrograms } from '../support/programs';
import { ConsoleBrowser } from './support/console-browser';
import { Keyboard, Mouse } from './support/hands';
import { TASKS, writeBankOfTasks, writeLastWeek, writeSessionsOfTasks } from './support/twelve-tasks';

const WEEK = 7 * 24 * 60 * 60_000;
const folder = temporaryFolders();
const GIFT = '// [id:air]\n::air:: Does air carry sound?{T}\n\n// [id:void]\n::void:: Does a void carry sound?{F}';

/** A console that runs, on the bank of the tasks. */
interface Installation {
  console: ConsoleBrowser;
  wait: () => void;
}

/** Tests the twelve tasks with a mouse or a keyboard. */
function testTasks(Hand: typeof Mouse | typeof Keyboard, installation: () => Installation): void {
  it.each(TASKS)('$does', async ({ as, work }) => {
    const { console, wait } = installation();
    const { page, errors } = await console.signIn(as);
    await console.visit(page, '/');
    const hands = new Hand(page);
    await work({ page, hands, client: console.service.client, service: console.service, wait });
    expect({ errors, lost: hands.lost }).toEqual({ errors: [], lost: [] });
  });
}

describe('a person with a mouse, on SQLite,', () => {
  const console = ConsoleBrowser.ofSuite();
  const wait = () => console.service.clock.advance(10_000);
  beforeAll(async () => {
    await writeSessionsOfTasks(console.service);
    await writeBankOfTasks(console.service, wait);
    await writeLastWeek(console.service.client, () => console.service.clock.advance(WEEK));
  });

  testTasks(Mouse, () => ({ console, wait }));
});

/* Everything else about the console is tested with one process and SQLite. */
for (const engine of queueEngines.includes('redis') ? aServer() : [])
  describe(`a person with a keyboard, on ${engine} with Redis and a worker,`, () => {
    const console = new ConsoleBrowser();
    let programs: Programs;
    let place: string;
    /** Does nothing, because the service uses the system clock. */
    const wait = () => undefined;
    beforeAll(async () => {
      ensureBuilt();
      place = folder();
      programs = await startPrograms(engine, 'redis', place, {});
      const { behind, api, client, end } = programs;
      await writeSessionsOfTasks(behind);
      await behind.get(JobRunner).stop({ graceMs: 0 });
      behind.clock.advance(Date.now() - WEEK - behind.clock.now());
      await writeLastWeek(behind.client, () => behind.clock.advance(Date.now() - behind.clock.now()));
      await console.open({ ...behind, url: api.url, client, close: end });
      await writeBankOfTasks(console.service, wait);
    });
    afterAll(async () => {
      await console.close();
      await programs?.end();
    });

    testTasks(Keyboard, () => ({ console, wait }));

    it('signs in by the link that the command line prints, and imports a bank by jobs of the worker', async () => {
      const { api, worker, behind, client } = programs;
      const made = await commandHere(
        ['user', 'create', 'olga@example.org', '--organisation', '1', '--role', 'operator', '--url', api.url],
        { settings: { ...behind.settings, DATA_DIR: place } },
      );
      expect([made.code, made.stderr]).toEqual([0, '']);
      const [link] = /http\S+/.exec(made.stdout)!;
      const { page } = await console.visitor();
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
      expect(begun(worker!)).toBeGreaterThanOrEqual(2);
      expect(begun(api)).toBe(0);
    });
  });
