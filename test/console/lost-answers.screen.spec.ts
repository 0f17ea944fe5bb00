import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { loseAnswers } from '../support/cut-off';
import { wholeSession, writeSessionBank } from '../support/session-bank';
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
    const { close, page } = await console.signIn(['analyst']);
    await console.visit(page, '/marking');
    await button(page, 'Create a round').click();
    await page.getByLabel('Name').fill('Sent twice');
    await page.getByLabel('Question').first().click();
    await page.getByRole('option', { name: /^essay/ }).click();
    const found = await loseAnswers(page, '**/console/api/v1/sessions/marking/rounds');
    await button(page, 'Create the round').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    expect(await page.getByLabel('Name').inputValue()).toBe('Sent twice');
    await button(page, 'Create the round').click();
    await page.getByRole('heading', { level: 1, name: 'Sent twice' }).waitFor();
    expect(await records('sessions/marking/rounds')).toHaveLength(1);
    await close();
  });

  it('creates one activity, and does not say that its reference is taken', async () => {
    const { close, page } = await console.signIn(['author']);
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
    await close();
  });

  it('starts one job, and another one when it is sent after the answer', async () => {
    const { close, page } = await console.signIn(['analyst', 'author']);
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
    await close();
  });

  it('starts one export', async () => {
    const { close, page } = await console.signIn(['operator']);
    await console.visit(page, '/imports?tab=export');
    const start = button(page, 'Export');
    const found = await loseAnswers(page, '**/console/api/v1/itembank/exports');
    await start.click();
    await page.getByText('The service cannot be reached.').waitFor();
    await found();
    await start.click();
    await page.getByText('Exporting: ').waitFor();
    expect(await records('jobs', { type: ['export-bank'] })).toHaveLength(1);
    await close();
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
      await page.route('**/console/api/v1/itembank/activities', (route) =>
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
