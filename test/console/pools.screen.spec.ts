import type { Route } from 'playwright-core';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { expectSuccess } from '../support/failure';
import { until } from '../support/until';
import { answerQuestions, barriers, comeBack, ConsoleBrowser, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

describe('pools in the console', () => {
  beforeAll(async () => {
    await write(console.service.client, { questions: [question({ reference: 'q-a' })] });
    await write(console.service.client, {
      items: [item(['q-a'], { reference: 'a', title: 'Item a', tags: { Subject: ['Geography'] } })],
    });
  });

  it('are created by an operator: the fill reports what it stored and what it left out', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create a pool' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reference' }).fill('autumn');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Autumn');
    await dialog.getByRole('button', { name: 'Start the fill' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/names nothing/)
      .first()
      .waitFor();
    await dialog.getByRole('textbox', { name: 'Items', exact: true }).fill('nowhere');
    await dialog.getByRole('button', { name: 'Add a combination: Items with tags' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('All of these tags').fill('Subject:Geography');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Start the fill' }).click();
    // A fill waits until earlier writes are committed; the clock of the service moves only when the test moves it.
    await page.getByRole('heading', { name: 'Progress of the fill' }).waitFor();
    console.service.clock.advance(10_000);
    await page.getByText('The fill is done.').waitFor();
    await page.getByText('Stored: Activities: 0, items: 1, questions: 1, features: 0').waitFor();
    await page.getByText('there is no item of this reference').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('Item a').waitFor();
  });

  it('show why a fill is refused beside the button, at the end of a long form', async () => {
    const { page } = await console.signIn(['operator'], { width: 320 });
    await console.visit(page, '/pools/autumn?tab=fill');
    const start = page.getByRole('button', { name: 'Start the fill' });
    await start.click();
    const alert = page.getByRole('alert').first();
    await alert.waitFor();
    const [above, below] = [(await alert.boundingBox())!, (await start.boundingBox())!];
    expect(below.y - above.y - above.height).toBeLessThan(40);
    expect(above.y + above.height).toBeGreaterThan(0);
  });

  it('keep what a person chose for a fill on other tabs, and ask before they leave the pool', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools/autumn');
    await page.getByRole('tab', { name: 'Fill', exact: true }).click();
    const items = page.getByRole('textbox', { name: 'Items', exact: true });
    await items.fill('a, b, c');
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('Item a').waitFor();
    await page.getByRole('tab', { name: 'Fill', exact: true }).click();
    await expectSoon(() => items.inputValue()).toBe('a, b, c');
    const questions = answerQuestions(page);
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await until(() => Promise.resolve(questions.asked.pop()?.message() === 'Discard what you typed?'));
    await expectSoon(() => items.inputValue()).toBe('a, b, c');
    questions.answer = 'accept';
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
  });

  it('say while a fill runs that the service cannot be reached, and go on by themselves', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools/autumn?tab=fill');
    await page.getByRole('textbox', { name: 'Items', exact: true }).fill('a');
    await page.getByRole('button', { name: 'Start the fill' }).click();
    await page.getByText('The pool is being filled.').waitFor();
    const calls = '**/console/api/**';
    await intercept(page, calls, (route) => route.abort());
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.unroute(calls);
    console.service.clock.advance(10_000);
    await page.getByText('The fill is done.').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('show before a fill what it would change, and afterwards what it changed', async () => {
    const { client } = console.service;
    await write(client, {
      items: [
        item(['q-a'], { reference: 'a', title: 'Item a, edited', tags: { Subject: ['Geography'] } }),
        item(['q-a'], { reference: 'b', title: 'Item b', tags: { Subject: ['Geography'] } }),
      ],
    });
    const { page } = await console.signIn(['operator'], { width: 320 });
    await console.visit(page, '/pools/autumn?tab=fill');
    await page.getByRole('combobox', { name: 'What the fill does' }).click();
    await page.getByRole('option', { name: /^Replace/ }).click();
    await page.getByRole('textbox', { name: 'Items', exact: true }).fill('a, b');
    await page.getByRole('button', { name: 'Show what would change' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What the fill would change' }).waitFor();
    console.service.clock.advance(10_000);
    await page.getByText('Nothing has changed yet.').waitFor();
    const counts = page.getByRole('table', { name: 'Change', exact: true });
    await counts.getByRole('row', { name: 'added Activities: 0, items: 1, questions: 0, features: 0' }).waitFor();
    await counts.getByRole('row', { name: 'changed Activities: 0, items: 1, questions: 0, features: 0' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await expectSoon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    if (process.env.TEST_PICTURES)
      await page.screenshot({ path: `${process.env.TEST_PICTURES}/pool-320.png`, fullPage: true });
    const { data } = await client.get('itembank/items', { item_pool_id: 'autumn' });
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['Item a']);
    // The counts hold for these items only.
    await page.getByRole('textbox', { name: 'Items', exact: true }).fill('a');
    await counts.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Items', exact: true }).fill('a, b');
    await counts.waitFor();
    await page.getByRole('button', { name: 'Start the fill' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('heading', { name: 'Progress of the fill' }).waitFor();
    console.service.clock.advance(10_000);
    await page.getByText('The fill is done.').waitFor();
    await console.visit(page, '/pools/autumn?tab=last');
    const changed = page.getByRole('table', { name: 'Changed content' });
    await changed.getByRole('row', { name: 'added Item b' }).waitFor();
    await page.getByRole('tab', { name: 'Compare fills' }).click();
    // The fill before changed nothing, so the last fill differs from both earlier ones in the same way.
    const earlier = page.getByRole('combobox', { name: 'Earlier fill' });
    for (const fill of ['first', 'last'] as const) {
      await earlier.click();
      await page.getByRole('option')[fill]().click();
      await changed.getByRole('row', { name: 'added Item b' }).waitFor();
      await changed.getByRole('row', { name: 'changed Item a' }).waitFor();
    }
    await page.getByRole('combobox', { name: 'Later fill' }).click();
    await page.getByRole('option').nth(1).click();
    await counts.getByRole('row', { name: 'added Activities: 0, items: 0, questions: 0, features: 0' }).waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toHaveLength(26);
    expect(await barriers(page)).toEqual([]);
    await expectSoon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    if (process.env.TEST_PICTURES)
      await page.screenshot({ path: `${process.env.TEST_PICTURES}/pool-compare-320.png`, fullPage: true });
  });

  it('show the seconds of their fills, because fills of one minute may have the same content', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools/autumn?tab=compare');
    await page.getByRole('combobox', { name: 'Earlier fill' }).click();
    await page.getByRole('option').first().waitFor();
    const fills = await page.getByRole('option').allTextContents();
    expect(fills.filter((fill) => /:\d\d:\d\d/.test(fill))).toHaveLength(2);
  });

  it('number their fills, because fills of one second may have the same content', async () => {
    const { page } = await console.signIn(['operator']);
    await page.route('**/itembank/pools/fills', async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { job_reference: string }[] };
      await route.fulfill({
        json: {
          ...answer,
          data: answer.data.map((fill) => ({ ...answer.data[0], job_reference: fill.job_reference })),
        },
      });
    });
    await console.visit(page, '/pools/autumn?tab=compare');
    await page.getByRole('combobox', { name: 'Earlier fill' }).click();
    await page.getByRole('option').first().waitFor();
    const fills = await page.getByRole('option').allTextContents();
    expect(fills.map((fill) => fill.split(' ', 1)[0])).toEqual(['2.', '1.']);
  });

  it('are not filled over a change that the person has not seen', async () => {
    const { client } = console.service;
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools/autumn?tab=fill');
    const name = page.getByRole('textbox', { name: 'Name' });
    const start = page.getByRole('button', { name: 'Start the fill' });
    const done = async () => {
      await page.getByRole('heading', { name: 'Progress of the fill' }).waitFor();
      console.service.clock.advance(10_000);
      await page.getByText('The fill is done.').waitFor();
      await settled(page);
    };
    await page.getByRole('textbox', { name: 'Items', exact: true }).fill('a');
    const content = { item_references: ['b'] };
    expectSuccess(await client.set('itembank/pools', { pools: [{ reference: 'autumn', name: 'Winter', content }] }));
    // The end of a fill changes the revision again.
    const present = () => client.get('itembank/pools', { references: ['autumn'] });
    await until(async () => (await present()).data[0].status !== 'pending' || undefined);
    await comeBack(page, '/itembank/pools');
    await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
    await expectSoon(() => name.inputValue()).toBe('Autumn');
    await start.click();
    await page.getByText('Somebody else has changed or filled this pool meanwhile').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect((await present()).data).toMatchObject([{ name: 'Winter' }]);
    await page.getByRole('button', { name: 'Show the pool as it is now' }).click();
    await until(async () => (await name.inputValue()) === 'Winter' || undefined);
    await expectSoon(() => page.getByRole('textbox', { name: 'Items', exact: true }).inputValue()).toBe('a');
    // The person's own fills are not changes of somebody else.
    for (const again of [1, 2]) {
      await name.fill(`Winter ${again}`);
      await start.click();
      await page.getByRole('heading', { level: 1, name: `Winter ${again}` }).waitFor();
      await done();
    }
  });

  it('keep the status that the last fill asked for, also while that fill waits', async () => {
    const { client } = console.service;
    const content = { item_references: ['a'] };
    const draft = { reference: 'draft', name: 'Draft', status: 'unpublished', content };
    expectSuccess(await client.set('itembank/pools', { pools: [draft] }));
    const present = async () => (await client.get('itembank/pools', { references: ['draft'] })).data[0].status;
    expect(await present()).toBe('pending');
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools/draft?tab=fill');
    const status = page.getByRole('combobox', { name: 'Status', exact: true });
    await status.waitFor();
    await expectSoon(() => status.inputValue()).toBe('unpublished');
    await page.getByRole('textbox', { name: 'Items', exact: true }).fill('a, b');
    // The end of a fill changes the revision. Nobody has changed the pool.
    console.service.clock.advance(10_000);
    await until(async () => (await present()) === 'unpublished' || undefined);
    await page.getByRole('button', { name: 'Start the fill' }).click();
    await page.getByRole('heading', { name: 'Progress of the fill' }).waitFor();
    console.service.clock.advance(10_000);
    await page.getByText('The fill is done.').waitFor();
    expect(await present()).toBe('unpublished');
  });

  it('say nothing of another pool or other fills while they are read', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/pools/autumn?tab=compare');
    const counts = page.getByRole('table', { name: 'Change', exact: true });
    await counts.waitFor();
    const held: Route[] = [];
    const hold = (calls: string, isHeld: (body: string) => boolean) =>
      intercept(page, calls, (route) =>
        isHeld(route.request().postData()!) ? void held.push(route) : route.continue(),
      );
    const isHeld = () => until(() => Promise.resolve(held.length > 0 || undefined));
    await hold('**/itembank/pools/changes', () => true);
    await page.getByRole('combobox', { name: 'Earlier fill' }).click();
    await page.getByRole('option').last().click();
    await isHeld();
    expect(await counts.count()).toBe(0);
    await held.pop()!.continue();
    await counts.waitFor();
    await hold('**/v1/itembank/pools', (body) => body.includes('status_after_fill'));
    await page.getByLabel('Go to a reference').first().fill('draft');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'draft' }).waitFor();
    await isHeld();
    expect(await page.getByText('There is no pool with this reference').count()).toBe(0);
    await held.pop()!.continue();
    await page.getByRole('heading', { level: 1, name: 'Draft' }).waitFor();
  });

  it('are shown to a viewer, who cannot fill them, without barriers in dark colours', async () => {
    const { page } = await console.signIn(['viewer'], { scheme: 'dark' });
    await console.visit(page, '/pools');
    expect(await page.getByRole('button', { name: 'Create a pool' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Winter' }).click();
    await page.getByText('Item a, edited').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Fill', exact: true }).click();
    await page.getByText('Only operators can fill pools.').waitFor();
  });
});
