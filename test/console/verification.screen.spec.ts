import { intercept } from '../support/cut-off';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { ConsoleBrowser, testForBarriers } from './support/console-browser';

const HOSTILE = '<img src=x onerror="document.title=1">';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  await writeSessionBank(console.service.client);
  await submit(console.service, [wholeSession(HOSTILE)]);
});

describe('the verification in the console', () => {
  it('runs by keyboard, lists its checks, and reports first nothing, then damaged data', async () => {
    const { page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/verification');
    await page.getByRole('button', { name: 'Start' }).press('Enter');
    await page.getByText('No contradictions were found.').waitFor();
    await page.getByRole('table', { name: 'Checks' }).getByText('documents', { exact: true }).waitFor();

    await console.service.database.write(`UPDATE session SET score = score + 1`);
    await page.getByRole('button', { name: 'Start' }).press('Enter');
    await page.getByText('Findings: 1.').waitFor();
    await page.getByRole('table', { name: 'Findings' }).getByText(HOSTILE).waitFor();
    expect([await page.locator('img[src="x"]').count(), errors]).toEqual([0, []]);
  });

  it('reports a connection that ends before the last check', async () => {
    const { page } = await console.signIn(['operator']);
    await page.route('**/console/verifications/1', (route) =>
      route.fulfill({ body: '{"record":"progress","check":"documents","rows":3,"is_done":false}\n' }),
    );
    await console.visit(page, '/verification');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('alert').getByText('The connection ended').waitFor();
    await page.unroute('**/console/verifications/1');
    await intercept(page, '**/console/verifications/1', () => undefined);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').getByText('Stopped before').waitFor();
  });

  it('is shown only to operators, and refused to other people who know the address', async () => {
    const { page } = await console.signIn(['analyst', 'marker']);
    await console.visit(page, '/verification');
    expect(await page.getByRole('link', { name: 'Verification' }).count()).toBe(0);
    await page.getByText('Your roles in this organisation do not include the page “Verification”.').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).count()).toBe(0);
  });

  testForBarriers(console, async (page, check, language) => {
    await console.visit(page, '/verification');
    await page.getByRole('button', { name: language === 'en' ? 'Start' : 'Starten' }).click();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await page.getByRole('button', { name: language === 'en' ? 'Start' : 'Starten' }).waitFor();
    await check();
  });
});
