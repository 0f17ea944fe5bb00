import type { Locator, Page, Route } from 'playwright-core';
import { TagHierarchies } from '#tagging';
import { intercept } from '../support/cut-off';
import { write } from '../support/bank';
import { item, question, several, workflow } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { DAY, HOUR } from '../support/time';
import { signal } from '../support/signal';
import { until } from '../support/until';
import { barriers, ConsoleBrowser, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

const ITEMS = 120;
/** A field with choices. */
const field = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('combobox', { name }).or(within.getByRole('textbox', { name })).first();
/** The references in the list, which may be read after the number of its items. */
const references = async (page: Page) => {
  const rows = page.locator('tbody [data-row-focus]');
  await rows.first().waitFor();
  return rows.allTextContents();
};
const shows = (page: Page, count: string) =>
  page.getByText(count === '1' ? '1 item fits' : `${count} items fit`, { exact: true }).waitFor();
/** Leaves the field that has the focus and presses the control, before the page can show anything. */
const pressAtOnce = (control: Locator) =>
  control.evaluate((element) => {
    element.ownerDocument.activeElement.blur();
    element.click();
  });
/** Chooses all rows, as soon as no more come. */
const chooseAllRows = async (page: Page) => {
  await settled(page);
  await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).check();
};
const read = async (request: object) =>
  (await console.service.client.get('itembank/items', request)).data as {
    reference: string;
    status: string;
    tags: Record<string, string[]>;
  }[];

describe('the bank in the console', () => {
  beforeAll(async () => {
    const { client } = console.service;
    await write(client, {
      workflows: [workflow('Review', { Draft: ['Done'], Done: [] })],
      questions: [
        question({ reference: 'q-plain' }),
        question({ reference: 'q-picture', data: { ...question().data, stimulus: '<img src="a.png" alt="A map">' } }),
      ],
    });
    await write(client, {
      items: [
        item(['q-picture'], {
          reference: 'maps',
          status: 'published',
          adaptive: { difficulty: 1.5 },
          tags: { Subject: ['Geography'], Topic: ['Rivers'] },
        }),
        item(['q-plain'], {
          reference: 'dates',
          status: 'archived',
          adaptive: { difficulty: -1 },
          tags: { Subject: ['History'] },
        }),
        item(['q-plain'], { reference: 'used', status: 'published' }),
      ],
    });
    await client.set('itembank/activities', { activities: [{ reference: 'test', data: { items: ['used'] } }] });
    for (let from = 0; from < ITEMS; from += 40)
      await write(client, {
        items: several(40, (index) =>
          item(['q-plain'], {
            reference: `many-${String(from + index).padStart(3, '0')}`,
            status: 'unpublished',
            tags: { Set: ['Many'] },
          }),
        ),
      });
    await console.service.get(TagHierarchies).put(1, [
      {
        reference: 'Subjects',
        tagTypes: [
          { name: 'Subject', description: null },
          { name: 'Topic', description: null },
        ],
      },
    ]);
  });

  it.each([
    ['a medium', 'media=["image"]', ['maps']],
    ['the lowest difficulty', 'easiest=0', ['maps']],
    ['the highest difficulty', 'hardest=0', ['dates']],
    ['items that no activity holds', 'unused=true&status=["published"]', ['maps']],
    ['invalid values, which are ignored', 'easiest=hard&media=smell&unused=no&status=published', ['maps', 'used']],
  ])('filters by %s from an address', async (_what, address, expected) => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, `/items?${address}`);
    await shows(page, String(expected.length));
    await page.getByRole('link', { name: expected[0], exact: true }).waitFor();
    expect((await references(page)).sort()).toEqual(expected);
  });

  it('writes filters into the address, and shows the number of items for each choice', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items');
    await shows(page, '123');
    await field(page, 'Status').click();
    await page.getByRole('option', { name: 'Published (2)' }).waitFor();
    await page.getByRole('option', { name: 'Unpublished (120)' }).waitFor();
    await page.getByRole('option', { name: 'Archived (1)' }).click();
    await shows(page, '1');
    await expectSoon(() => references(page)).toEqual(['dates']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows(page, '123');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('textbox', { name: 'Difficulty from' }).fill('1,5');
    await shows(page, '1');
    expect(page.url()).toContain('easiest=1.5');
    await page.getByRole('textbox', { name: 'Difficulty from' }).fill('');
    // The address says whether it is checked, so a slow page shows it a moment after the click.
    await page.getByRole('checkbox', { name: 'In no activity' }).click();
    await shows(page, '122');
    expect(page.url()).toContain('unused=true');
  });

  it('offers to choose all rows when there are rows, and all items that fit when their number is known', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items');
    await shows(page, '123');
    const held: Record<'items' | 'facets', Route[]> = { items: [], facets: [] };
    for (const name of ['items', 'facets'] as const)
      await intercept(page, `**/console/api/v1/itembank/${name}`, (route) => void held[name].push(route));
    await field(page, 'Status').click();
    await page.getByRole('option', { name: 'Archived (1)' }).click();
    const chooseRows = page.getByRole('checkbox', { name: 'Select all rows that are loaded' });
    await page.locator('tbody [data-row-focus]').first().waitFor({ state: 'detached' });
    await expectSoon(() => chooseRows.isDisabled()).toBe(true);
    await until(() => Promise.resolve(held.items.length > 0));
    for (const route of held.items) await route.continue();
    await page.getByRole('link', { name: 'dates', exact: true }).waitFor();
    await chooseRows.check();
    await page.getByText('1 chosen', { exact: true }).waitFor();
    expect(await page.getByText(/123 (items|that) fit/).count()).toBe(0);
    await until(() => Promise.resolve(held.facets.length > 0));
    for (const route of held.facets) await route.continue();
    await shows(page, '1');
  });

  it.each(['/items?text=&status=["published"]', '/people', '/workflows'])(
    'shows rows of %s also in the window of 320 by 256 pixels that a zoom of 400 %% leaves',
    async (path) => {
      const { page } = await console.signIn(['operator'], { width: 320 });
      await page.setViewportSize({ width: 320, height: 256 });
      await console.visit(page, path);
      const row = page.locator('tbody [data-row-focus]').first();
      await row.scrollIntoViewIfNeeded();
      // A person can point at the row, because nothing covers it or cuts it off.
      await row.click();
    },
  );

  it('chooses tags from a hierarchy, by keyboard', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items');
    await page.getByRole('button', { name: 'Choose from hierarchies' }).press('Enter');
    await page.getByRole('button', { name: 'Show what is below Geography' }).press('Enter');
    await page.getByRole('checkbox', { name: 'Rivers' }).press('Space');
    await page.keyboard.press('Escape');
    await shows(page, '1');
    await expectSoon(() => references(page)).toEqual(['maps']);
  });

  it('keeps the chosen columns in the address', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items?easiest=0');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Difficulty' }).click();
    await page.getByRole('checkbox', { name: 'Question types' }).click();
    await page.getByRole('cell', { name: '1.5' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: '1.5' }).waitFor();
    const titles = await page.getByRole('columnheader').allTextContents();
    expect(titles).toEqual(['Reference', 'Title', 'Status', 'Points', 'Difficulty', 'Changed']);
  });

  it('saves views under names, shared or private, and nobody deletes those of others', async () => {
    const [ada, ben] = [await console.signIn(['author']), await console.signIn(['viewer'])];
    const keep = async (name: string, isShared: boolean) => {
      await ada.page.getByRole('button', { name: 'Views' }).click();
      await ada.page.getByRole('button', { name: 'Save this view …' }).click();
      const dialog = ada.page.getByRole('dialog', { name: 'Save this view' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      if (isShared) await dialog.getByRole('checkbox', { name: 'Everybody in the organisation sees it' }).check();
      await ada.page.keyboard.press('Enter');
      await ada.page.getByText(`The view “${name}” is saved`).waitFor();
    };
    await console.visit(ada.page, '/items?media=["image"]&columns=["tags"]');
    await keep('Pictures', true);
    await console.visit(ada.page, '/items?hardest=0');
    await keep('Easy ones', false);

    await console.visit(ben.page, '/items');
    await ben.page.getByRole('button', { name: 'Views' }).click();
    await ben.page.getByRole('button', { name: 'Pictures' }).waitFor();
    expect(await ben.page.getByRole('button', { name: 'Easy ones' }).count()).toBe(0);
    await ben.page.getByRole('button', { name: 'Pictures' }).click();
    await shows(ben.page, '1');
    await expectSoon(() => references(ben.page)).toEqual(['maps']);
    await expectSoon(() => ben.page.getByRole('columnheader').allTextContents()).toEqual(['Reference', 'Tags']);
    await ben.page.getByRole('button', { name: 'Views' }).click();
    await ben.page.getByRole('button', { name: 'Manage views …' }).click();
    await ben.page.getByText('of somebody else').waitFor();
    expect(await ben.page.getByRole('button', { name: /Delete the view/ }).count()).toBe(0);

    await ada.page.getByRole('button', { name: 'Views' }).click();
    await ada.page.getByRole('button', { name: 'Manage views …' }).click();
    await ada.page.getByRole('button', { name: 'Delete the view Easy ones' }).press('Enter');
    await ada.page.getByRole('button', { name: 'Delete the view Easy ones' }).waitFor({ state: 'detached' });
    await ada.page.getByRole('button', { name: 'Delete the view Pictures' }).waitFor();
    await picture(ada.page, 'bank-views');
    expect(await barriers(ada.page)).toEqual([]);
  });

  it('changes all items that match the filters, loaded or not, after a preview', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items?tags=["Set:Many"]');
    await shows(page, '120');
    await chooseAllRows(page);
    await page.getByRole('button', { name: 'Choose all 120 that fit' }).click();
    await page.getByRole('button', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags' });
    await dialog.getByText('Items to change: 120.').waitFor();
    await dialog.getByText('Unpublished (120)').waitFor();
    await field(dialog, /Tags to add/).fill('Year:7');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Change items (120)' }).click();
    await dialog.getByText('120 changed, 0 unchanged, 0 refused.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const { data } = await console.service.client.get('itembank/facets', {
      tags: [{ type: 'Year', name: '7' }],
      facets: [],
    });
    expect(data).toEqual({ total: 120, complete: true });
  });

  it('closes the dialog of a change that is done while the list is still being read again', async () => {
    await write(console.service.client, {
      items: [item(['q-plain'], { reference: 'read-again', status: 'unpublished', tags: { Set: ['Read again'] } })],
    });
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/items?tags=["Set:Read again"]');
    await page.getByRole('checkbox', { name: 'read-again' }).check();
    await page.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status' });
    await field(dialog, 'New status').click();
    await page.getByRole('option', { name: 'Archived' }).click();
    const [changing, reading] = [signal(), signal()];
    await settled(page);
    await intercept(page, '**/console/api/v1/itembank/*', async (route) => {
      const { action } = route.request().postDataJSON() as { action: string };
      if (action === 'set') await changing.promise;
      if (route.request().url().endsWith('/facets')) await reading.promise;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Change items (1)' }).click();
    await dialog.getByRole('button', { name: 'Stop' }).waitFor();
    // A running change is stopped, not closed.
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
    // The spinner of the button is in its middle, also without movement.
    const [button, spinner] = await Promise.all(
      ['.mantine-Button-root[data-loading]', '.mantine-Button-loader'].map((each) =>
        dialog.locator(each).boundingBox(),
      ),
    );
    expect(spinner!.x + spinner!.width / 2).toBeCloseTo(button!.x + button!.width / 2, 0);
    expect(spinner!.y + spinner!.height / 2).toBeCloseTo(button!.y + button!.height / 2, 0);
    changing.give();
    await dialog.getByText('1 changed, 0 unchanged, 0 refused.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await dialog.waitFor({ state: 'detached' });
    reading.give();
    await close();
  });

  it.each([
    ['shows the text', (clear: Locator) => clear.click()],
    ['is too slow to show the text', pressAtOnce],
  ])('clears a text that was typed just before, if the page %s', async (_, press) => {
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/items?hardest=1');
    const text = page.getByRole('textbox', { name: 'Words in the content' });
    await text.fill('dates');
    await press(page.getByRole('button', { name: 'Clear filters' }).first());
    // Longer than the field waits before its text takes effect.
    await page.waitForTimeout(500);
    await settled(page);
    expect(new URL(page.url()).search).toBe('');
    await expectSoon(() => text.inputValue()).toBe('');
    await close();
  });

  it('keeps a typed filter when a slow page shows it only after the next choice', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items?easiest=0');
    await page.getByRole('textbox', { name: 'Words in the content' }).fill('map');
    await pressAtOnce(page.getByRole('checkbox', { name: 'In no activity' }));
    await page.waitForURL(/unused=true/);
    expect(new URL(page.url()).searchParams.get('text')).toBe('map');
  });

  it('offers to choose all items that fit also when more rows come after the choice of all rows', async () => {
    const { page } = await console.signIn(['author']);
    const held: Route[] = [];
    await page.route('**/console/api/v1/itembank/items', (route) => {
      const { request } = route.request().postDataJSON() as { request: { next?: string } };
      return request.next === undefined ? route.continue() : void held.push(route);
    });
    await page.goto(`${console.service.url}/console/items?tags=["Set:Many"]`);
    await shows(page, '120');
    await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).check();
    await page.getByText('50 chosen', { exact: true }).waitFor();
    await until(() => Promise.resolve(held.length > 0));
    for (const route of held) await route.continue();
    await page.getByText('Rows so far: 100').waitFor();
    await page.getByRole('button', { name: 'Choose all 120 that fit' }).click();
    await page.getByText('All 120 items that fit are chosen').waitFor();
  });

  it('shows other items by a link or the back button with none of them chosen', async () => {
    const { page } = await console.signIn(['author']);
    const chosen = page.getByText('1 chosen', { exact: true });
    await console.visit(page, '/items?status=["archived"]&hardest=0');
    await page.getByRole('checkbox', { name: /dates$/ }).check();
    await chosen.waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Bank' }).click();
    await page.getByRole('checkbox', { name: /many-/ }).first().waitFor();
    expect(await chosen.count()).toBe(0);
    await page.getByRole('checkbox', { name: /many-/ }).first().check();
    await chosen.waitFor();
    await page.goBack();
    await page.getByRole('checkbox', { name: /many-/ }).first().waitFor({ state: 'detached' });
    expect(await chosen.count()).toBe(0);
  });

  it('names on the button how many of the chosen items change', async () => {
    const { page } = await console.signIn(['reviewer']);
    await console.visit(page, '/items?tags=["Subject:Geography","Subject:History"]&match=any');
    await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).check();
    await page.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status' });
    await dialog.getByText('Items to change: 1. Unchanged: 1.').waitFor();
    await dialog.getByRole('button', { name: 'Change items (1)' }).waitFor();
  });

  it('keeps its columns wide enough for letters of twice the size', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items');
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const head = page.getByRole('columnheader', { name: 'Reference' });
    expect((await head.boundingBox())!.width).toBeGreaterThanOrEqual(320);
  });

  it('shows the space between two words of a name where the name could be cut', async () => {
    const { client } = console.service;
    await client.set('itembank/activities', {
      activities: [{ reference: 'two-words', title: 'Reading and nature', data: { items: [] } }],
    });
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/activities?references=["two-words"]');
    const parts = page.getByRole('link', { name: 'Reading and nature' }).locator('span');
    expect(await parts.evaluateAll((all) => all.map(({ innerText }) => innerText as string))).toEqual([
      'Reading and ',
      'nature',
    ]);
  });

  it('shows the end of long references, by which many of them differ', async () => {
    const start = 'tagged-by-the-department-of-geography-and-history-in-the-year-2026';
    const tags = { Topic: ['Longest'] };
    await write(console.service.client, {
      items: ['A', 'B', 'C'].map((end) => item(['q-plain'], { reference: `${start}-${end}`, tags })),
    });
    const { page } = await console.signIn(['author']);
    await console.visit(page, `/items?tags=${encodeURIComponent('["Topic:Longest"]')}`);
    await shows(page, '3');
    const cell = (end: string) =>
      page.getByRole('cell').filter({ has: page.getByRole('link', { name: `${start}-${end}`, exact: true }) });
    const [first, second] = [await cell('A').screenshot(), await cell('B').screenshot()];
    expect(first.equals(second)).toBe(false);
  });

  it('lists items that changed meanwhile and items that the service refuses, and changes the others', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items?tags=["Set:Many"]&sort=reference');
    await page
      .getByRole('link', { name: /^many-/ })
      .first()
      .waitFor();
    const chosen = (await references(page)).slice(0, 4);
    for (const reference of chosen) await page.getByRole('checkbox', { name: `${reference}`, exact: false }).check();
    const [before] = await read({ references: [chosen[0]] });
    await console.service.client.set('itembank/items', { items: [{ ...before, title: 'Changed elsewhere' }] });
    const [other] = await read({ references: [chosen[1]] });
    await console.service.client.set('itembank/items', { items: [{ ...other, status: 'archived' }] });
    await page.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status' });
    await field(dialog, 'New status').click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await dialog.getByText('Items to change: 3. Unchanged: 1.').waitFor();
    await dialog.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByText('2 changed, 0 unchanged, 2 refused.').waitFor();
    await dialog.getByText(`${chosen[0]}: Somebody changed it after you chose it.`).waitFor();
    await dialog.getByText(`${chosen[1]}: Somebody changed it after you chose it.`).waitFor();
    const now = await read({ references: chosen, sort: 'asc', sort_field: 'reference' });
    expect(
      now
        .filter(({ status }) => status === 'archived')
        .map(({ reference }) => reference)
        .sort(),
    ).toEqual(chosen.slice(1).sort());
  });

  it('publishes no items for a person who may not publish one, and lists each refusal', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items?status=["archived"]&hardest=0');
    await shows(page, '1');
    await page.getByRole('checkbox', { name: /dates/ }).check();
    await page.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status' });
    await dialog.getByText('Only reviewers publish and move items.').waitFor();
    await dialog.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByText('0 changed, 0 unchanged, 1 refused.').waitFor();
    await dialog.getByText(/dates: Publishing an item takes the role reviewer/).waitFor();
    expect((await read({ references: ['dates'] }))[0]!.status).toBe('archived');
  });

  it('moves items through a workflow, duplicates and exports them', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/items?tags=["Subject:Geography"]');
    await shows(page, '1');
    const choose = async (action: string) => {
      await page.getByRole('checkbox', { name: /maps$/ }).check();
      await page.getByRole('button', { name: action, exact: true }).click();
      return page.getByRole('dialog', { name: action });
    };
    const move = await choose('Move in workflow');
    await field(move, 'Workflow').click();
    await page.getByRole('option', { name: 'Review' }).click();
    await field(move, 'New state').click();
    await page.getByRole('option', { name: 'Draft' }).click();
    await move.getByRole('button', { name: 'Change items (1)' }).click();
    await move.getByText('Done. 1 changed').waitFor();
    await move.getByRole('button', { name: 'Close' }).last().click();

    const copy = await choose('Duplicate');
    await copy.getByText('Copies to create: 1.').waitFor();
    await copy.getByRole('button', { name: 'Create copies (1)' }).click();
    await copy.getByText('Done. 1 changed').waitFor();
    await copy.getByRole('button', { name: 'Close' }).last().click();
    await shows(page, '2');

    const pack = await choose('Export');
    await pack.getByRole('button', { name: 'Start the export' }).click();
    await pack.getByRole('link', { name: 'See its progress and the file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import and export' }).waitFor();
    const [moved] = await read({ references: ['maps'], include: { items: ['authoring_workflow'] } });
    expect(moved).toMatchObject({ authoring_workflow: { reference: 'Review', state: 'Draft' } });
  });

  it('asks once for more rows that the service refuses', async () => {
    const { page } = await console.signIn(['viewer']);
    let asked = 0;
    await page.route('**/console/api/v1/itembank/items', async (route) => {
      const { request } = route.request().postDataJSON() as { request: { next?: string } };
      if (request.next === undefined) return route.continue();
      asked++;
      return route.fulfill({ status: 400, json: { meta: { status: false, code: 20001, message: 'Not these.' } } });
    });
    await console.visit(page, '/items');
    await page.getByText('Not these.').waitFor();
    await page.waitForTimeout(1_000);
    expect(asked).toBe(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Not these.').waitFor({ state: 'detached' });
  });

  it.each(['light', 'dark'] as const)('has no barriers that axe finds, in %s colours', async (scheme) => {
    const { page } = await console.signIn(['operator'], { scheme });
    await console.visit(page, '/items?unused=true&tags=["Set:Many"]&columns=["title","tags","workflow","difficulty"]');
    await shows(page, '120');
    await chooseAllRows(page);
    await picture(page, `bank-${scheme}`);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByText('By status').waitFor();
    await picture(page, `bank-bulk-${scheme}`);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    await picture(page, `bank-columns-${scheme}`);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Choose from hierarchies' }).click();
    await page.getByRole('checkbox', { name: 'Geography' }).waitFor();
    await picture(page, `bank-hierarchy-${scheme}`);
    expect(await barriers(page)).toEqual([]);
  });

  it.each(['/items', '/activities', '/pools'])(
    'says at %s that the list cannot be read, and not that there is nothing',
    async (path) => {
      const { page } = await console.signIn(['operator']);
      await page.route('**/console/api/**', (route) =>
        route.fulfill({
          status: 500,
          json: { meta: { status: false, code: 50001, message: 'The service failed.', request_uuid: 'r' } },
        }),
      );
      await console.visit(page, path);
      const message = page.getByRole('alert').getByText('The service failed.');
      await message.waitFor();
      await expectSoon(() => message.getAttribute('lang')).toBe('en');
      expect(await page.getByText(/The bank is empty|There are no (activities|pools) yet/).count()).toBe(0);
    },
  );

  it('needs no scrolling to the side in German at 320 pixels', async () => {
    const { page } = await console.signIn(['operator'], { language: 'de', width: 320 });
    await console.visit(page, '/items?unused=true&tags=["Set:Many"]');
    await page.getByText('120 Aufgaben passen').waitFor();
    await settled(page);
    await page.getByRole('checkbox', { name: /alle/i }).first().check();
    await picture(page, 'bank-320');
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.getByRole('button', { name: 'Im Arbeitsablauf bewegen' }).click();
    await page.getByText('Nach Zustand').waitFor();
    await picture(page, 'bank-bulk-320');
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it.each([
    ['was lost on the way', 'kept', (route: Route) => route.abort()],
    ['came too late for a proxy', 'late', (route: Route) => route.fulfill({ status: 504, body: '<h1>Too late</h1>' })],
  ])('counts its own changes as such, although the answer %s', async (_, set, answer) => {
    const { page } = await console.signIn(['author']);
    const of = [0, 1, 2].map((number) => `${set}-${number}`);
    await write(console.service.client, {
      items: of.map((reference) => item(['q-plain'], { reference, status: 'unpublished', tags: { Set: [set] } })),
    });
    let calls = 0;
    await page.route('**/console/api/v1/itembank/items/tags', async (route) => {
      if (++calls > 1) return route.continue();
      await route.fetch();
      return answer(route);
    });
    await console.visit(page, `/items?tags=["Set:${set}"]`);
    await shows(page, '3');
    for (const reference of of) await page.getByRole('checkbox', { name: reference }).check();
    await page.getByRole('button', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags' });
    await dialog.getByRole('combobox', { name: 'Tags to add' }).fill('Set:Lost answer');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await dialog.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByText('Done. 3 changed, 0 unchanged, 0 refused.').waitFor();
  });

  it('creates each copy once, although the connection was lost on the way', async () => {
    const { page } = await console.signIn(['author']);
    const { client } = console.service;
    const total = 120;
    for (let from = 0; from < total; from += 40)
      await write(client, {
        items: several(40, (index) =>
          item(['q-plain'], { reference: `lost-${from + index}`, status: 'unpublished', tags: { Set: ['Lost'] } }),
        ),
      });
    // The second answer gets lost after the service has made its copies.
    let calls = 0;
    await page.route('**/console/api/v1/itembank/items/duplicate', async (route) => {
      if (++calls !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await console.visit(page, '/items?tags=["Set:Lost"]');
    await shows(page, String(total));
    await chooseAllRows(page);
    await page.getByRole('button', { name: `Choose all ${total} that fit` }).click();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate' });
    await dialog.getByRole('button', { name: `Create copies (${total})` }).click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await dialog.getByText(/^Interrupted\./).waitFor();
    await dialog.getByRole('button', { name: /^Create copies/ }).click();
    await dialog.getByText(`Done. ${total} changed, 0 unchanged, 0 refused.`).waitFor();
    const tags = [{ type: 'Set', name: 'Lost' }];
    expect((await client.get('itembank/facets', { tags, facets: [] })).data).toMatchObject({ total: 2 * total });
  });

  it('shows what a bulk change did also when no item fits the filters any more', async () => {
    for (let from = 0; from < ITEMS; from += 40)
      await write(console.service.client, {
        items: Array.from({ length: 40 }, (_, index) =>
          item(['q-plain'], {
            reference: `leaving-${from + index}`,
            status: 'unpublished',
            tags: { Set: ['Leaving'] },
          }),
        ),
      });
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/items?status=["unpublished"]&tags=["Set:Leaving"]');
    await shows(page, '120');
    await chooseAllRows(page);
    await page.getByRole('button', { name: 'Choose all 120 that fit' }).click();
    await page.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status' });
    await field(dialog, 'New status').click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await dialog.getByRole('button', { name: 'Change items (120)' }).click();
    await shows(page, '0');
    await dialog.getByText('120 changed, 0 unchanged, 0 refused.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Set status' }).count()).toBe(0);
    await close();
  });
});

/** Saves a screenshot if `TEST_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe('days in the bank of the console', () => {
  it('are those of the creation in the time zone of the reader, for the list and the count alike', async () => {
    const { clock, client } = console.service;
    const written = { reference: 'of-a-day', tags: { Set: ['Days'] } };
    await write(client, { items: [item(['q-plain'], written)] });
    const today = () => new Date(clock.now() - 5 * HOUR).toISOString().slice(0, 10);
    const created = today();
    clock.advance(3 * DAY);
    await write(client, { items: [item(['q-plain'], { ...written, title: 'Changed' })] });
    const { page, context } = await console.signIn(['viewer']);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Etc/GMT+5' });
    await console.visit(page, `/items?tags=["Set:Days"]&from=${created}&to=${created}`);
    await shows(page, '1');
    await page.getByRole('link', { name: 'of-a-day', exact: true }).waitFor();
    await console.visit(page, `/items?tags=["Set:Days"]&from=${today()}`);
    await shows(page, '0');
    await page.getByText('No item fits these filters').waitFor();
    await devtools.detach();
  });

  it('are those of the reader in the list of activities too', async () => {
    const { clock, client } = console.service;
    await client.set('itembank/activities', { activities: [{ reference: 'of-a-day', data: { items: [] } }] });
    const { page, context } = await console.signIn(['viewer']);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Etc/GMT+5' });
    const today = new Date(clock.now() - 5 * HOUR).toISOString().slice(0, 10);
    await console.visit(page, `/activities?from=${today}&to=${today}`);
    await page.getByRole('link', { name: 'of-a-day' }).waitFor();
    await devtools.detach();
  });
});
