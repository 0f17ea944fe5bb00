import type { Page } from 'playwright-core';
import { People } from '#people';
import { Client } from '../support/client';
import { expectSuccess } from '../support/failure';
import { until } from '../support/until';
import type { TestService } from '../support/service';
import { answerQuestions, barriersInBothSchemes, ConsoleBrowser, settled } from './support/console-browser';
import { workflow } from '../support/builders';
import { write } from '../support/bank';
import { expectSoon } from '../support/expect-soon';

/** Waits for the dialog that an address opens. */
const seen = (page: Page) => page.getByRole('dialog').waitFor();

describe('the screens of operators', () => {
  let service: TestService;
  const browser = ConsoleBrowser.ofSuite();

  beforeAll(async () => {
    ({ service } = browser);
    await write(service.client, { workflows: [workflow('review', { draft: ['done'], done: ['draft'] })] });
    await service.client.set('itembank/tagging/tags', { tags: [{ type: 'Subject', name: 'History' }] });
  });

  it('meet no barrier that axe finds, with light and dark colours', async () => {
    const { page } = await browser.signIn(['operator']);
    const found: Record<string, string[]> = {};
    const addresses = [
      '/people',
      '/consumers',
      '/account',
      '/jobs',
      '/tags?type=Subject',
      '/workflows',
      '/workflows/review',
      '/workflows/review?edit=yes',
      '/reports',
    ];
    await browser.visit(page, addresses[0]!);
    for (const address of addresses) {
      await browser.follow(page, address);
      await page.getByText('Loading').first().waitFor({ state: 'hidden' });
      found[address] = await barriersInBothSchemes(page);
    }
    expect(found).toEqual(Object.fromEntries(addresses.map((address) => [address, []])));
  });

  it.each<[what: string, address: string, open: (page: Page) => Promise<unknown>]>([
    ['the menu of the person', '/items', (page) => page.getByRole('button', { name: /^Your account/ }).click()],
    ['the list of the keys', '/items', (page) => page.keyboard.press('?')],
    ['the results of the search box', '/items', (page) => page.getByRole('searchbox').first().fill('nothing')],
    ['the saved views', '/items', (page) => page.getByRole('button', { name: 'Views' }).click()],
    ['a new item', '/items', (page) => page.getByRole('button', { name: 'Create an item' }).click()],
    ['an invitation', '/people?invite=yes', seen],
    ['a tag', '/tags?type=Subject&tag=History', seen],
    ['a new workflow', '/workflows?create=yes', seen],
    ['a question before an action', '/account', (page) => page.getByRole('button', { name: /everywhere/ }).click()],
  ])('meet no barrier that axe finds in %s, with light and dark colours', async (_, address, open) => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, address);
    await open(page);
    await page.locator('[role=dialog], [role=menu], [role=listbox]').locator('visible=true').first().waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('invite a person by keyboard, and show the link of the invitation once, as an absolute address', async () => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/people');
    await page.getByRole('button', { name: 'Invite a person' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'E-mail address' }).waitFor();
    await page.getByRole('textbox', { name: 'E-mail address' }).focus();
    await page.keyboard.type('new@example.org');
    await page.keyboard.press('Enter');
    const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
    expect(link).toMatch(new RegExp(`^${service.url}/console/link#[\\w-]+$`));
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'new@example.org' }).click();
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    expect(await page.getByText(link).count()).toBe(0);
  });

  it('show the second of two operators the roles that the first has given, instead of replacing them', async () => {
    const { close: leave, email } = await browser.signIn(['author']);
    await leave();
    const { id } = await service.get(People).findByEmail(email);
    const rolesNow = async () => (await service.get(People).find(id)).roles.get(1)!;
    const [first, second] = [await browser.signIn(['operator']), await browser.signIn(['operator'])];
    for (const { page } of [first, second]) {
      await browser.visit(page, `/people?person=${id}`);
      await seen(page);
    }
    const save = (page: Page) => page.getByRole('button', { name: 'Save the roles' }).click();
    const saved = (page: Page) => page.getByText('The roles are saved.').first().waitFor();
    await first.page.getByRole('checkbox', { name: 'Marker' }).check();
    await save(first.page);
    await saved(first.page);
    await second.page.getByRole('checkbox', { name: 'Reviewer' }).check();
    await save(second.page);
    const alert = second.page.getByRole('alert');
    await alert.getByText('They are now: Author, Marker.').waitFor();
    expect(await rolesNow()).toEqual(['author', 'marker']);
    expect(await barriersInBothSchemes(second.page)).toEqual([]);
    await save(second.page);
    await saved(second.page);
    expect(await rolesNow()).toEqual(['author', 'reviewer']);
  });

  it('show beside the field why a consumer was refused', async () => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/consumers?create=yes');
    await page.getByRole('textbox', { name: 'Label' }).fill('Site');
    await page.getByRole('textbox', { name: 'Domains' }).fill('https://example.org/');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a consumer' }).click();
    await page.getByText('A domain is a host without scheme').waitFor();
    await expectSoon(() => page.getByRole('textbox', { name: 'Domains' }).getAttribute('aria-invalid')).toBe('true');
  });

  it('make a new secret for a consumer, show it once, and end the old one at once if the operator confirms that', async () => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/consumers?create=yes');
    await page.getByRole('textbox', { name: 'Label' }).fill('Rotated');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a consumer' }).click();
    const shown = async () => {
      const values = ['Key', 'Secret'].map((name) =>
        page.getByRole('textbox', { name, exact: true }).last().inputValue(),
      );
      const [key, secret] = (await Promise.all(values)) as [string, string];
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      return new Client(service.url, key, secret, service.clock);
    };
    await page.getByRole('textbox', { name: 'Secret', exact: true }).waitFor();
    const before = await shown();
    await page.getByRole('link', { name: 'Rotated' }).click();
    await page.getByRole('textbox', { name: 'Hours for which the old secret still works' }).fill('0');
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    await page.getByText('The old secret of Rotated stops working at once').waitFor();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Create a new secret' }).click();
    await page.getByRole('textbox', { name: 'Secret', exact: true }).waitFor();
    const after = await shown();
    expect([after.key, after.secret === before.secret]).toEqual([before.key, false]);
    expect((await before.get('itembank/items')).meta.code).toBe(41003);
    expectSuccess(await after.get('itembank/items'));
    await page.reload();
    await page.getByText('Rotated').first().waitFor();
    expect(await page.getByText(after.secret).count()).toBe(0);
  });

  it('ask before the back button or Escape discards rate limits that are not saved, or that the service refused', async () => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/consumers');
    await page.getByRole('link', { name: 'test', exact: true }).first().click();
    const questions = answerQuestions(page);
    await page.getByRole('button', { name: 'Add a limit' }).click();
    const pattern = page.getByRole('textbox', { name: 'Pattern 2' });
    const save = page.getByRole('button', { name: 'Save the limits' });
    const expectQuestions = async () => {
      const typed = await pattern.inputValue();
      for (const leave of [() => page.evaluate('history.back()'), () => pattern.press('Escape')]) {
        await leave();
        await until(() => Promise.resolve(questions.asked.pop()?.message() === 'Discard what you typed?'));
        await expectSoon(() => pattern.inputValue()).toBe(typed);
      }
    };
    await pattern.fill('read everything');
    await page.getByRole('textbox', { name: 'Hours for which the old secret still works' }).fill('12');
    await expectQuestions();
    await save.click();
    await page.locator('input[aria-invalid=true]').waitFor();
    await expectQuestions();
    await pattern.fill('get itembank/items');
    await save.click();
    await page.getByText(/^The limits of .* are saved/).waitFor();
    await page.evaluate('history.back()');
    await pattern.waitFor({ state: 'detached' });
    expect(questions.asked).toEqual([]);
  });

  it('have one title, which changes with the screen; the page of a link has one too', async () => {
    const { page } = await browser.signIn(['operator']);
    const titles = () => page.locator('head title').allTextContents();
    await browser.visit(page, '/people');
    await expectSoon(() => titles()).toEqual(['People – Itembank']);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    await expectSoon(() => titles()).toEqual(['Jobs – Itembank']);
    await browser.visit(page, '/link#unknown');
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await expectSoon(() => titles()).toEqual(['This link no longer works – Itembank']);
  });

  it('show viewers no actions that they may not perform', async () => {
    const { page } = await browser.signIn(['viewer']);
    await browser.visit(page, '/tags?type=Subject');
    await page.getByText('History').waitFor();
    expect(await page.getByRole('button', { name: 'Create a tag' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'History', exact: true }).count()).toBe(0);
    for (const name of ['People', 'Consumers', 'Jobs', 'Reports'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    for (const path of ['/tags?type=Subject&create=yes', '/workflows?create=yes']) {
      await browser.visit(page, path);
      await settled(page);
      expect([path, await page.getByRole('dialog').count()]).toEqual([path, 0]);
    }
    await browser.visit(page, '/workflows/review');
    await page.getByRole('table', { name: 'States' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change the workflow' }).count()).toBe(0);
  });

  it('say in one sentence that a page needs another role, instead of asking the service', async () => {
    const { close, page } = await browser.signIn(['viewer']);
    const refused: string[] = [];
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
    for (const [path, name] of [
      ['/imports', 'Import and export'],
      ['/sessions/s-1', 'Sessions'],
      ['/marking/round', 'Marking'],
      ['/rescoring', 'Rescoring'],
      ['/reports', 'Reports'],
      ['/jobs', 'Jobs'],
      ['/audit', 'Audit log'],
      ['/people', 'People'],
      ['/consumers', 'Consumers'],
      ['/organisations', 'Organisations'],
      ['/events', 'Events'],
      ['/learners', 'Data of learners'],
      ['/health', 'Health'],
      ['/verification', 'Verification'],
    ]) {
      await browser.visit(page, path!);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByText(`Your roles in this organisation do not include the page “${name}”.`).waitFor();
      expect([path, await page.getByRole('alert').count(), await page.locator('main form').count()]).toEqual([
        path,
        0,
        0,
      ]);
    }
    expect(refused).toEqual([]);
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bank' }).waitFor();
    await close();
  });

  it('offer no action on the next screen once a call was refused because an operator has taken a role away', async () => {
    const { page, email } = await browser.signIn(['author']);
    await browser.visit(page, '/tags?type=Subject');
    const people = service.get(People);
    const { id } = await people.findByEmail(email);
    await people.change(id, { roles: new Map([[1, ['viewer']]]) });
    await page.getByRole('button', { name: 'Create a tag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Zoology');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Your roles .* do not include set itembank\/tagging\/tags/).waitFor();
    await expectSoon(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Zoology');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Activities', exact: true }).click();
    await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Create an activity' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Audit log', exact: true }).waitFor({ state: 'detached' });
  });
});
