import { expectSoon } from '../support/expect-soon';
import { ConsoleBrowser, testForBarriers } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

describe('the health in the console', () => {
  it('shows what works, refreshes by itself, and names what is down with the reason', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/health');
    await page.getByText('Ready', { exact: true }).waitFor();
    const needed = page.getByRole('table', { name: 'Dependencies' });
    await needed.getByText('Works').first().waitFor();
    await page.getByRole('table', { name: 'Storage' }).getByText(console.engine).waitFor();
    await page.getByRole('table', { name: 'Largest tables' }).getByText('person', { exact: true }).waitFor();

    const down = '<b onclick="x">timeout</b>';
    await page.route('**/console/health', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.readiness = { status: 'unavailable', dependencies: { database: { status: 'down', reason: down } } };
      await route.fulfill({ response, json: { ...body, work: null, storage: null } });
    });
    await page.getByText('Not ready', { exact: true }).waitFor();
    await needed.getByText(`Down: ${down}`).waitFor();
    await expectSoon(() => page.getByText('This could not be read in time').count()).toBe(3);

    await page.unroute('**/console/health');
    await page.route('**/console/health', (route) => route.abort());
    await page.getByRole('alert').getByText('did not answer').waitFor();
  });

  it('tells the service when nobody has used the page for five minutes, so that the sign-in can end', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/health');
    const nextRead = async () => (await page.waitForRequest('**/console/health')).headers()['x-unattended'];
    await page.getByText('Ready', { exact: true }).waitFor();
    expect(await nextRead()).toBeUndefined();
    await page.clock.setFixedTime(Date.now() + 6 * 60_000);
    expect(await nextRead()).toBe('yes');
    await page.keyboard.press('Tab');
    expect(await nextRead()).toBeUndefined();
  });

  it('leads to the failed jobs', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/health');
    await page.getByRole('link', { name: 'See the failed jobs' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(page.url()).toContain('status=halted');
  });

  it('is offered to operators alone, and refused to others who know the address', async () => {
    const { page } = await console.signIn(['analyst', 'marker']);
    await console.visit(page, '/health');
    await page.getByText('Your roles in this organisation do not include the page “Health”.').waitFor();
    expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0);
  });

  testForBarriers(console, async (page, check) => {
    await console.visit(page, '/health');
    await page.getByText(console.engine).waitFor();
    await check();
  });
});
