import type { Page } from 'playwright-core';
import { expectSuccess } from '../support/failure';
import { until } from '../support/until';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { ConsoleBrowser } from './support/console-browser';
import { workflow } from '../support/builders';
import { write } from '../support/bank';
import { expectSoon } from '../support/expect-soon';

const console = ConsoleBrowser.ofSuite();
let job: string;
/** References that a browser would resolve as parts of an address. */
const DOTS = ['.', '..'];
beforeAll(async () => {
  const { service } = console;
  await writeSessionBank(service.client);
  expectSuccess(
    await service.client.set('itembank/items', {
      items: ['a/b & 50% #1?', ...DOTS].map((reference) => ({
        reference,
        title: `Item ${reference}`,
        definition: { widgets: [{ reference: 'choice' }] },
      })),
    }),
  );
  const pool = { reference: 'autumn', name: 'Autumn', content: { item_references: ['i-1'] } };
  const filled = await service.client.set('itembank/pools', { pools: [pool] });
  job = filled.data[0].job_reference;
  await write(service.client, { workflows: [workflow('review', { Draft: [] })] });
  await submit(service, [wholeSession('s-ada', { userId: 'ada' })]);
});

const inAddress = (page: Page, end: string) => page.waitForURL((url) => decodeURIComponent(url.href).endsWith(end));

describe('the search box', () => {
  it.each([
    ['an item', () => 'i-1', () => '/items/i-1'],
    ['an item with unusual characters', () => 'a/b & 50% #1?', () => '/items/a/b & 50% #1?'],
    ['the item of a question', () => 'essay', () => '/items/i-2'],
    ['a pool', () => 'autumn', () => '/pools/autumn'],
    ['a workflow', () => 'review', () => '/workflows/review'],
    ['a session', () => 's-ada', () => '/sessions/s-ada'],
    ['a job', () => job, () => `/jobs?job=${job}`],
    ['the bank for other words', () => 'nothing else', () => '/items?text=nothing+else'],
  ])('opens %s after Enter, however quickly it follows', async (_what, text, end) => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/tags');
    await page.keyboard.press('/');
    await page.keyboard.type(text());
    await page.keyboard.press('Enter');
    await inAddress(page, end());
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toBe('There is no such page');
  });

  it.each(DOTS)('opens the item %s and its history, also after a reload', async (reference) => {
    const { page } = await console.signIn(['operator']);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await console.visit(page, '/items');
    await page.getByRole('link', { name: reference, exact: true }).click();
    await heading(`Item ${reference}`);
    await page.getByRole('link', { name: 'History' }).click();
    await heading(`History of ${reference}`);
    await page.reload();
    await heading(`History of ${reference}`);
    await page.goBack();
    await heading(`Item ${reference}`);
  });

  it.each(['true', '1.50', '1e3', 'null', '"a phrase"'])('searches the bank for exactly %s', async (text) => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/tags');
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.getByRole('option', { name: `Search the bank for “${text}”` }).click();
    const field = page.getByLabel('Words in the content');
    await until(async () => (await field.inputValue()) === text || undefined);
  });

  it('offers a viewer no sessions', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/tags');
    await page.keyboard.press('/');
    await page.keyboard.type('s-ada');
    await page.getByRole('option', { name: /^Search the bank/ }).waitFor();
    await expectSoon(() => page.getByRole('option').count()).toBe(1);
  });
});
