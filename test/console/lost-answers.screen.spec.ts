import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { cutOff, intercept, loseAnswers } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { changeKey, wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { until } from '../support/until';
import { ConsoleBrowser } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  await writeSessionBank(console.service.client);
  await submit(console.service, [wholeSession('s-1', { activityId: 'essays' })]);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const records = async (path: string, request: object = {}): Promise<object[]> =>
  (await console.service.client.get(path, request)).data as object[];

describe('a form that is sent again after the answer to it was lost', () => {
  it('creates one marking round', async () => {
    const { page } = await console.signIn(['analyst']);
    await console.visit(page, '/marking');
    await button(page, 'Create a round').click();
    await page.getByLabel('Name').fill('Sent twice');
    await page.getByLabel('Question').first().click();
    await page.getByRole('option', { name: /^essay/ }).click();
    const found = await loseAnswers(page, '**/console/api/v1/sessions/marking/rounds');
    await button(page, 'Create the round').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    await expectSoon(() => page.getByLabel('Name').inputValue()).toBe('Sent twice');
    await button(page, 'Create the round').click();
    await page.getByRole('heading', { level: 1, name: 'Sent twice' }).waitFor();
    expect(await records('sessions/marking/rounds')).toHaveLength(1);
  });

  it('creates one activity, and does not say that its reference is taken', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities');
    await button(page, 'Create an activity').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference').fill('sent-twice');
    const found = await loseAnswers(page, '**/console/api/v1/itembank/activities');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('The service cannot be reached.').waitFor();
    await found();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/activities/sent-twice');
  });

  it('starts one job, and another one when it is sent after the answer', async () => {
    const { page } = await console.signIn(['analyst', 'author']);
    await console.visit(page, '/reports');
    await page.getByLabel('Reference or activity_id of the activity').fill('essays');
    const found = await loseAnswers(page, '**/console/api/v1/jobs/reports/datasets');
    await button(page, 'Create the report').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    await button(page, 'Create the report').click();
    await page.getByText('The report is being made.').waitFor();
    expect(await records('jobs', { type: ['dataset'] })).toHaveLength(1);
    await button(page, 'Create the report').click();
    await until(async () => (await records('jobs', { type: ['dataset'] })).length === 2);
  });

  it('plans one import of a file, and uploads it once', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports');
    const puts: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && puts.push(request.url()));
    const buffer = Buffer.from('::Sent twice:: Does air carry sound?{T}');
    await page.locator('input[type=file]').setInputFiles({ name: 'twice.gift', mimeType: 'text/plain', buffer });
    const found = await loseAnswers(page, '**/console/api/v1/itembank/imports');
    await button(page, 'Upload and plan').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    await button(page, 'Upload and plan').click();
    await page.getByText('This is the plan. Nothing is stored yet.').waitFor();
    expect([puts.length, (await records('itembank/imports')).length]).toEqual([1, 1]);
    // The dialog forgets its last error when it is closed.
    const dialog = page.getByRole('dialog');
    await cutOff(page, '**/itembank/imports/apply');
    await button(page, 'Apply the plan').click();
    await dialog.getByRole('button', { name: 'Apply the plan' }).click();
    await dialog.getByText('The service cannot be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Apply the plan').click();
    await dialog.getByRole('button', { name: 'Apply the plan' }).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('starts one export', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports?tab=export');
    const start = button(page, 'Export');
    const found = await loseAnswers(page, '**/console/api/v1/itembank/exports');
    await start.click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    await start.click();
    await page.getByText('Exporting: ').waitFor();
    expect(await records('jobs', { type: ['export-bank'] })).toHaveLength(1);
  });
});

describe('a change that is sent again after its answer was lost', () => {
  /** Presses twice: the answer to the first press is lost. */
  async function pressTwice(page: Page, path: string, send: Locator): Promise<void> {
    const found = await loseAnswers(page, `**/console/api/v1/${path}`);
    await send.click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    await send.click();
  }

  it('makes one view, one item and one tag, and finds no conflict with itself', async () => {
    const { page } = await console.signIn(['author']);
    const dialog = page.getByRole('dialog');
    await console.visit(page, '/items');
    await button(page, 'Views').click();
    await button(page, 'Save this view …').click();
    await dialog.getByLabel('Name').fill('Kept');
    await pressTwice(page, 'itembank/views', dialog.getByRole('button', { name: 'Save' }));
    await page.getByText('The view “Kept” is saved').waitFor();
    await button(page, 'Views').click();
    await button(page, 'Kept').first().waitFor();
    await expectSoon(() => button(page, 'Kept').count()).toBe(1);
    await page.keyboard.press('Escape');

    await button(page, 'Create an item').click();
    await dialog.getByLabel('Reference').fill('sent-twice');
    await pressTwice(page, 'itembank/items', dialog.getByRole('button', { name: 'Create' }));
    await page.waitForURL('**/items/sent-twice?tab=edit');
    const made = (await records('itembank/questions', { limit: 50 })) as { reference: string }[];
    expect(made.filter(({ reference }) => reference.startsWith('sent-twice-'))).toHaveLength(1);

    await console.visit(page, '/tags?create=yes');
    await dialog.getByLabel('Type').fill('Subject');
    await dialog.getByLabel('Name').fill('Sent twice');
    await pressTwice(page, 'itembank/tagging/tags', dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'detached' });
  });

  it('applies a rescoring once, and offers to revert it', async () => {
    const { client } = console.service;
    await changeKey(client, '2');
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/rescoring?item=i-1');
    await button(page, 'Dry run').click();
    await button(page, 'Apply the plan').click();
    await pressTwice(page, 'sessions/item', page.getByRole('dialog').getByRole('button', { name: 'Apply' }));
    await page.getByRole('main').getByText('Applied: 1 of 1 session').waitFor();
    await button(page, 'Revert').waitFor();
  });

  it('has its effect again once another change of the same kind was answered', async () => {
    const { page } = await console.signIn(['operator']);
    const dialog = page.getByRole('dialog');
    const change = async (status: string) => {
      await button(page, 'Change status').click();
      await page.getByRole('menuitem', { name: `To ${status}` }).click();
      await dialog.getByRole('button', { name: `To ${status}` }).click();
    };
    const has = (status: string) =>
      until(async () => {
        const [session] = (await records('sessions/statuses', { session_id: ['s-1'] })) as { status: string }[];
        return session!.status === status;
      });
    await console.visit(page, '/sessions/s-1');
    const found = await loseAnswers(page, '**/console/api/v1/jobs/sessions/statuses');
    await change('Discarded');
    await dialog.getByText('The service cannot be reached.').waitFor();
    await has('Discarded');
    await found();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await change('Incomplete');
    await has('Incomplete');
    await change('Discarded');
    await has('Discarded');
  });
});

describe('a form whose second sending would be refused', () => {
  it('says after a lost answer that the consumer may exist, and lists it', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/consumers?create=yes');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Unseen');
    await intercept(page, '**/console/consumers', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Create a consumer' }).click();
    await dialog.getByText('It may have been created all the same.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Unseen' }).waitFor();
  });

  it('says after a lost answer that the organisation may exist, and lists it', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/organisations?create=yes');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number').fill('81');
    await dialog.getByLabel('Name').fill('Unheard');
    const found = await loseAnswers(page, '**/console/organisations');
    await dialog.getByRole('button', { name: 'Create an organisation' }).click();
    await dialog.getByText('It may have been created all the same.').waitFor();
    await found();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('table').getByText('Unheard', { exact: true }).waitFor();
  });

  it('keeps the screen of organisations while the service is away, and reads the list later', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/organisations?create=yes');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number').fill('82');
    await dialog.getByLabel('Name').fill('Unseen');
    const found = await loseAnswers(page, '**/console/organisations');
    await dialog.getByRole('button', { name: 'Create an organisation' }).click();
    await dialog.getByText('It may have been created all the same.').waitFor();
    await cutOff(page, '**/console/session');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Organisations' }).waitFor();
    await page.unroute('**/console/session');
    await found();
    await button(page, 'Try again').click();
    await page.getByRole('table').getByText('Unseen', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('an answer that ends in the middle', () => {
  it('shows that the service cannot be reached, and no error of JavaScript', async () => {
    const broken = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"meta":');
      setTimeout(() => response.destroy(), 50);
    });
    await new Promise<void>((done) => broken.listen(0, '127.0.0.1', done));
    const { port } = broken.address() as AddressInfo;
    try {
      const { close, page } = await console.signIn(['author']);
      await console.visit(page, '/activities');
      await button(page, 'Create an activity').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reference').fill('cut-off');
      await intercept(page, '**/console/api/v1/itembank/activities', (route) =>
        route.continue({ url: `http://127.0.0.1:${port}/` }),
      );
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('The service cannot be reached.').waitFor();
      await close();
    } finally {
      broken.closeAllConnections();
      await new Promise((done) => broken.close(done));
    }
  });
});
