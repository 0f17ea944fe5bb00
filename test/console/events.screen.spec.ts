import { Deliveries } from '#events';
import { expectSoon } from '../support/expect-soon';
import { Receiver } from '../support/receiver';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { until } from '../support/until';
import { barriers, ConsoleBrowser, settled, testForBarriers } from './support/console-browser';
import { DAY } from '../support/time';

const HOSTILE = '<img src=x onerror="document.title=1">';

const console = ConsoleBrowser.ofSuite({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HTTP: 'true' });
const receiver = new Receiver();
beforeAll(async () => {
  await receiver.listen();
  await writeSessionBank(console.service.client);
});
afterAll(async () => {
  await receiver.close();
});

const states = () => console.service.get(Deliveries).states([1]);

describe('the receivers of events in the console', () => {
  it('are added by keyboard; the secret is shown once; a refused address is explained beside its field', async () => {
    const { page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/events');
    await page.getByText('Nobody receives events yet').waitFor();
    await page.getByRole('button', { name: 'Create a receiver' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a receiver' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('grades');
    const address = dialog.getByRole('textbox', { name: 'Address' });
    await address.fill('ftp://example.org');
    await page.keyboard.press('Enter');
    await dialog.getByText('The url must').waitFor();
    await expectSoon(() => address.getAttribute('aria-invalid')).toBe('true');
    await address.fill(`${receiver.url}?${HOSTILE}`);
    for (const kind of ['Scores of sessions', 'Start and end of sessions', 'Erased learners'])
      await dialog.getByRole('checkbox', { name: kind }).press('Space');
    await address.press('Enter');
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'grades' }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    expect((await states()).map(({ sink }) => sink.kinds)).toEqual([['session-status']]);
    expect([await page.locator('img[src="x"]').count(), errors]).toEqual([0, []]);
  });

  it('show deliveries that were given up and why, and receive them again', async () => {
    const { service } = console;
    receiver.behaviour = () => 400;
    await submit(service, [wholeSession(HOSTILE)]);
    await until(async () => {
      service.clock.advance(DAY);
      return (await states())[0]!.dead > 0 ? true : undefined;
    });
    const { page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/events');
    await page.getByRole('link', { name: 'grades' }).press('Enter');
    const dead = page.getByRole('table', { name: 'Deliveries that were given up' });
    await dead.getByText(HOSTILE).waitFor();
    await page.getByRole('table', { name: 'Failed attempts' }).getByText('Refused · 400').first().waitFor();
    expect(page.url()).toContain('sink=');
    expect(await barriers(page)).toEqual([]);

    receiver.behaviour = () => 204;
    await page.getByRole('button', { name: 'Deliver all again' }).press('Enter');
    await page.getByText('No delivery was given up.').waitFor();
    await until(async () => (receiver.received.some(({ event }) => event.key === HOSTILE) ? true : undefined));
    expect([await page.locator('img[src="x"]').count(), errors]).toEqual([0, []]);
  });

  it('are paused and resumed by keyboard, and the list says so', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/events?sink=webhook:grades');
    await page.getByRole('button', { name: 'Pause the receiver' }).press('Enter');
    await page.getByText('grades is paused.').waitFor();
    await page.getByRole('cell', { name: /^Paused since / }).waitFor();
    expect((await states()).map(({ pausedAt }) => pausedAt)).toEqual([console.service.clock.now()]);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume the receiver' }).press('Enter');
    await page.getByText('grades receives events again.').waitFor();
    await page.getByRole('button', { name: 'Pause the receiver' }).waitFor();
    expect((await states()).map(({ pausedAt }) => pausedAt)).toEqual([null]);
  });

  testForBarriers(console, async (page, check) => {
    for (const address of ['', '?sink=webhook:grades', '?create=yes']) {
      await console.visit(page, `/events${address}`);
      await page.getByText('grades').first().waitFor();
      if (address !== '') await page.getByRole('dialog').waitFor();
      await settled(page);
      await check();
    }
  });

  it('are removed after a confirmation', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/events?sink=webhook:grades');
    await page.getByRole('button', { name: 'Remove the receiver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the receiver' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expectSoon(() => states()).toHaveLength(1);
    await page.getByRole('button', { name: 'Remove the receiver' }).click();
    await dialog.getByRole('button', { name: 'Remove the receiver' }).click();
    await page.getByText('Nobody receives events yet').waitFor();
    await expectSoon(() => states()).toEqual([]);
  });

  it('are offered to operators alone, and refused to others who know the address', async () => {
    const { page } = await console.signIn(['analyst', 'marker']);
    await console.visit(page, '/events');
    await page.getByText('Your roles in this organisation do not include the page “Events”.').waitFor();
    expect(await page.getByRole('link', { name: 'Events', exact: true }).count()).toBe(0);
  });
});
