import type { Locator } from 'playwright-core';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { ConsoleBrowser } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  await write(console.service.client, { questions: [question({ reference: 'q' })] });
  await write(console.service.client, { items: [item(['q'], { reference: 'i', title: 'One' })] });
});

declare const getComputedStyle: (element: unknown) => { backgroundColor: string };
const groundOf = (locator: Locator): Promise<string> =>
  locator.first().evaluate((element) => getComputedStyle(element).backgroundColor);

/** High-contrast modes, in which the browser replaces all colours by a few, and removes grounds. */
describe('in forced colours', () => {
  it('the chosen screen, tab, view and option differ from the others', async () => {
    const { page } = await console.signIn(['operator']);
    await page.emulateMedia({ forcedColors: 'active' });
    await console.visit(page, '/items/i');
    const differ = async (chosen: Locator, other: Locator) =>
      expect(await groundOf(chosen)).not.toBe(await groundOf(other));
    const navigation = page.getByRole('navigation').first();
    await differ(navigation.getByRole('link', { name: 'Bank' }), navigation.getByRole('link', { name: 'Pools' }));
    await differ(page.getByRole('tab', { name: 'Preview' }), page.getByRole('tab', { name: 'Edit' }));
    await page.getByRole('tab', { name: 'Edit' }).click();
    await differ(page.locator('label', { hasText: /^Fields$/ }), page.locator('label', { hasText: /^Item as JSON$/ }));
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Archived' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await differ(page.locator('[role=option][data-combobox-selected]'), page.getByRole('option', { name: 'Archived' }));
  });
});
