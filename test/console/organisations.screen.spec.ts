import type { Page } from 'playwright-core';
import { Consumers } from '#access';
import { expectSoon } from '../support/expect-soon';
import { until } from '../support/until';
import { barriers, ConsoleBrowser, testForBarriers } from './support/console-browser';

const HOSTILE = '<img src=x onerror="document.title=1">';

const console = ConsoleBrowser.ofSuite();

const stored = () => console.service.get(Consumers).organisations();

describe('organisations in the console', () => {
  it('are created by keyboard, can be used at once, and are renamed', async () => {
    const { page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/organisations');
    await page.getByRole('button', { name: 'Create an organisation' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create an organisation' });
    await dialog.getByRole('textbox', { name: 'Number' }).fill('1');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await page.keyboard.press('Enter');
    await dialog.getByText('Organisation 1 exists already').waitFor();
    await expectSoon(() => dialog.getByRole('textbox', { name: 'Number' }).getAttribute('aria-invalid')).toBe('true');
    await dialog.getByRole('textbox', { name: 'Number' }).fill('71');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const list = page.getByRole('table', { name: 'Your organisations' });
    await list.getByText(HOSTILE).waitFor();
    expect(await stored()).toContainEqual({ id: 71, name: HOSTILE });
    await page.getByLabel('Organisation', { exact: true }).first().waitFor();

    await page.getByRole('button', { name: `Rename ${HOSTILE}` }).press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Press');
    await page.keyboard.press('Enter');
    await list.getByText('Press', { exact: true }).waitFor();
    expect(await stored()).toContainEqual({ id: 71, name: 'Press' });
    expect([await page.locator('img[src="x"]').count(), errors]).toEqual([0, []]);
  });

  it('have consumers whose rate limits can be changed', async () => {
    const { service } = console;
    const { page } = await console.signIn(['operator']);
    const { key } = await service.get(Consumers).create({
      label: 'Player',
      domains: ['example.org'],
      features: [],
      rateLimits: { '*': 5 },
      legacySignatures: false,
      grants: [{ organisation: 1, access: 'read', primary: true }],
    });
    await console.visit(page, `/consumers?consumer=${key}`);
    await page.getByRole('button', { name: 'Add a limit' }).press('Enter');
    await page.getByRole('textbox', { name: 'Pattern 2' }).fill('read everything');
    await page.getByRole('textbox', { name: 'Requests in 5 seconds 2' }).fill('7');
    await page.keyboard.press('Enter');
    await page.getByText('pattern must be an action and a path').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Pattern 2' }).fill('get itembank/*');
    await page.getByRole('button', { name: 'Remove limit 1' }).click();
    await page.getByRole('button', { name: 'Save the limits' }).click();
    await page.getByText('The limits of Player are saved.').waitFor();
    expect((await service.get(Consumers).find(key)).rateLimits).toEqual({ 'get itembank/*': 7 });
    await page.getByRole('button', { name: 'Save the limits' }).waitFor({ state: 'hidden' });
  });

  testForBarriers(console, async (page, check) => {
    const { key } = (await console.service.get(Consumers).list()).find(({ label }) => label === 'Player')!;
    await console.visit(page, '/organisations');
    for (const address of ['/organisations', '/organisations?create=yes', `/consumers?consumer=${key}`]) {
      await console.follow(page, address);
      if (address.includes('?')) await page.getByRole('dialog').waitFor();
      await check();
    }
  });

  it('may have a long name without blanks, which fits into the page of the account', async () => {
    const { service } = console;
    await service.get(Consumers).renameOrganisation({ id: 1, name: 'w'.repeat(100) });
    const { close, page } = await console.signIn(['viewer'], { width: 320 });
    await console.visit(page, '/account');
    await page.getByRole('main').getByText('w'.repeat(100)).waitFor();
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await close();
    await service.get(Consumers).renameOrganisation({ id: 1, name: 'Organisation 1' });
  });

  it('are shown only to operators', async () => {
    const { page } = await console.signIn(['analyst', 'marker']);
    await console.visit(page, '/organisations');
    expect(await page.getByRole('link', { name: 'Organisations' }).count()).toBe(0);
  });

  it('stay chosen in their window after a reload', async () => {
    const { page, context } = await console.signIn(['operator']);
    await console.visit(page, '/organisations');
    await page.getByRole('button', { name: 'Create an organisation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an organisation' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Second window');
    await dialog.getByRole('textbox', { name: 'Number' }).fill('72');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const chosen = (of: Page) => of.getByRole('combobox', { name: 'Organisation', exact: true });
    await chosen(page).waitFor();
    const before = await chosen(page).inputValue();
    const other = await context.newPage();
    await console.visit(other, '/items');
    await chosen(other).click();
    await other.getByRole('option', { name: 'Second window' }).click();
    await until(async () => (await chosen(other).inputValue()) === 'Second window' || undefined);
    await page.reload();
    await chosen(page).waitFor();
    expect(before).not.toBe('Second window');
    await expectSoon(() => chosen(page).inputValue()).toBe(before);
    await other.reload();
    await chosen(other).waitFor();
    await expectSoon(() => chosen(other).inputValue()).toBe('Second window');
  });
});
