import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { until } from '../support/until';
import { barriersInBothSchemes, ConsoleBrowser } from './support/console-browser';

const console = new ConsoleBrowser();

beforeAll(async () => {
  await console.open();
  await write(console.service.client, {
    questions: [question({ reference: 'lakes' })],
    items: [item(['lakes'], { reference: 'lakes' })],
  });
}, 240_000);
afterAll(() => console.close());

describe('a console that cannot reach the service', () => {
  it('keeps what is typed when the code of a form cannot be loaded, and loads it later', async () => {
    const { close, page } = await console.signIn(['author', 'reviewer']);
    await console.visit(page, '/items/lakes?tab=edit');
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Deep lakes');
    const alerts = page.getByRole('alert').getByText('The service cannot be reached.');
    const again = page.getByRole('button', { name: 'Try again' });

    await page.context().setOffline(true);
    await page.getByRole('radiogroup', { name: 'lakes' }).getByText('Form', { exact: true }).click();
    await alerts.first().waitFor();
    await expectSoon(() => title.inputValue()).toBe('Deep lakes');
    await again.first().click();
    await alerts.first().waitFor();
    await page.context().setOffline(false);
    await again.first().click();
    const text = page.getByRole('textbox', { name: 'Question text', exact: true });
    await text.waitFor();
    expect(await alerts.count()).toBe(0);
    // The style sheet of the editor.
    await until(() =>
      page.evaluate("getComputedStyle(document.querySelector('.formatted')).borderTopStyle === 'solid'"),
    );

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('There are unsaved changes.').waitFor({ state: 'hidden' });
    await close();
  });

  it('keeps what is typed when the code of a form is gone after an update of the service', async () => {
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/items/lakes?tab=edit');
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Shallow lakes');
    await intercept(page, '**/assets/json-editor-*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('radiogroup', { name: 'lakes' }).getByText('JSON', { exact: true }).click();
    await page.getByText('This screen has an error. Reload the page').waitFor();
    await expectSoon(() => title.inputValue()).toBe('Shallow lakes');
    await page.unroute('**/assets/json-editor-*');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
    await page.getByText('This browser kept unsaved changes').waitFor();
    await close();
  });

  it('says so in place of a screen whose code cannot be loaded, and loads it later', async () => {
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/account');
    await page.context().setOffline(true);
    await page.getByRole('navigation').getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await close();
  });

  it('says so in a window when the code of the first dialog cannot be loaded, keeps the screen, and loads it later', async () => {
    // A window of another width is a new one, with an empty cache.
    const { close, page, errors } = await console.signIn(['author'], { width: 1_279 });
    await console.visit(page, '/tags');
    const create = page.getByRole('button', { name: 'Create a tag' });
    const dialog = page.getByRole('dialog', { name: 'Create a tag' });
    await page.context().setOffline(true);
    await create.click();
    await dialog.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    await create.click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await create.click();
    await dialog.locator('button:focus', { hasText: 'Try again' }).waitFor();
    await page.context().setOffline(false);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Type').fill('Subject');
    await dialog.getByLabel('Name').fill('Lakes');
    // Nor does an announcement whose code cannot be loaded take the screen away.
    await intercept(page, '**/assets/toasts-*', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Lakes', exact: true }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
