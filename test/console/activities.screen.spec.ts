import type { Page } from 'playwright-core';
import { intercept } from '../support/cut-off';
import { write } from '../support/bank';
import { activity, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { until } from '../support/until';
import { barriersInBothSchemes, ConsoleBrowser } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

interface Stored {
  title: string | null;
  tags: object;
  status: string;
  data: { items: (string | { reference: string })[]; config?: object };
}

const stored = async (reference: string): Promise<Stored> => {
  const { data } = await console.service.client.get('itembank/activities', {
    references: [reference],
    include: { activities: ['title'] },
  });
  return (data as Stored[])[0]!;
};
const itemsOf = async (reference: string) =>
  (await stored(reference)).data.items.map((each) => (typeof each === 'string' ? each : each.reference));
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The activity is saved.').first().waitFor();
};

describe('activities in the console', () => {
  beforeAll(async () => {
    await write(console.service.client, {
      questions: ['a', 'b', 'c'].map((name) => question({ reference: `q-${name}` })),
    });
    await write(console.service.client, {
      items: ['a', 'b', 'c'].map((name) =>
        item([`q-${name}`], {
          reference: name,
          title: `Item ${name}`,
          status: name === 'c' ? 'unpublished' : 'published',
        }),
      ),
    });
    await write(console.service.client, {
      activities: [activity(['a', 'b', 'c'], { reference: 'test-1' }), activity(['a'], { reference: 'shared' })],
    });
  });

  it('have no barriers in light and dark colours', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities');
    await page.getByRole('link', { name: 'An activity' }).first().waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await console.follow(page, '/activities/test-1');
    await page.getByText('Points in all: 3').waitFor();
    await page.getByText('1 is not published: c').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Time limit in seconds').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('show their reference once if they have no title', async () => {
    const { page } = await console.signIn(['author']);
    await write(console.service.client, { activities: [activity(['a'], { reference: 'untitled', title: '' })] });
    await console.visit(page, '/activities/untitled');
    await page.getByRole('heading', { name: 'untitled', exact: true }).waitFor();
    await expectSoon(() => page.getByRole('main').getByText('untitled', { exact: true }).count()).toBe(1);
  });

  it('show whole in 320 pixels in German why an item needs a look', async () => {
    const { page } = await console.signIn(['author'], { width: 320, language: 'de' });
    await console.visit(page, '/activities/test-1');
    const reason = page.getByRole('listitem').getByText('unveröffentlicht', { exact: true });
    expect(await reason.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  it('are created, filled with items, configured and saved by an author', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities');
    await page.getByRole('button', { name: 'Create an activity' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference').fill('test-1');
    await page.keyboard.press('Enter');
    await dialog.getByText('An activity with this reference already exists.').waitFor();
    await dialog.getByLabel('Reference').fill('test-2');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add items', exact: true }).click();
    await dialog.getByLabel('References').fill('b, a, nowhere');
    await page.keyboard.press('Enter');
    await dialog.getByText('Not found: nowhere').waitFor();
    await dialog.getByRole('checkbox', { name: 'Select a', exact: true }).check();
    await dialog.getByRole('checkbox', { name: 'Select b', exact: true }).check();
    await dialog.getByRole('button', { name: 'Add 2 items' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Time limit in seconds').fill('90');
    await page.getByRole('switch', { name: 'Shuffle the items' }).click();
    await save(page);
    expect((await itemsOf('test-2')).sort()).toEqual(['a', 'b']);
    expect(await stored('test-2')).toMatchObject({
      status: 'unpublished',
      data: { config: { time: { max_time: 90 }, configuration: { shuffle_items: true } } },
    });
  });

  it('start at a fixed time, which an author chooses in the own time zone', async () => {
    await write(console.service.client, { activities: [activity(['a'], { reference: 'exam' })] });
    const { page } = await console.signIn(['author']);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Etc/GMT+5' });
    await console.visit(page, '/activities/exam?tab=settings');
    await page.getByRole('combobox', { name: 'Start', exact: true }).click();
    await page.getByRole('option', { name: 'At a fixed time for all learners' }).click();
    await page.getByText('Without them, no learner can start.').waitFor();
    await page.getByLabel('Fixed time').fill('2026-08-15T20:05');
    await save(page);
    const startTime = { type: 'hard', value: '20260816-0105' };
    expect(await stored('exam')).toMatchObject({ data: { config: { time: { start_time: startTime } } } });
    await console.visit(page, '/activities/exam?tab=settings');
    await expectSoon(() => page.getByLabel('Fixed time').inputValue()).toBe('2026-08-15T20:05');
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Start', exact: true }).click();
    await page.getByRole('option', { name: 'When a learner first opens the test' }).click();
    await save(page);
    expect(await stored('exam')).toMatchObject({ data: { config: { time: { start_time: { type: 'soft' } } } } });
    await devtools.detach();
  });

  it('are found by a text that was typed before another filter was chosen', async () => {
    const { close, page } = await console.signIn(['viewer']);
    await console.visit(page, '/activities');
    const references = page.getByRole('textbox', { name: 'References' });
    await references.fill('shared');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'all', exact: true }).click();
    await page.waitForURL(/status=all/);
    await expectSoon(() => references.inputValue()).toBe('shared');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL(/references=shared/);
    await page.goBack();
    await until(async () => (await references.inputValue()) === '');
    await close();
  });

  it('are put in order by keyboard and by dragging, and changes outlive a reload until they are saved', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities/test-1');
    await page.getByRole('button', { name: 'Move c up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('c is now item 2 of 3.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('c is now item 1 of 3.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Item b' })
      .dragTo(page.getByRole('listitem').filter({ hasText: 'Item a' }), { targetPosition: { x: 100, y: 5 } });
    await page.getByText('b is now item 2 of 3.').waitFor();
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByText(/This browser kept unsaved changes from/).waitFor();
    expect(await itemsOf('test-1')).toEqual(['a', 'b', 'c']);
    await save(page);
    expect(await itemsOf('test-1')).toEqual(['c', 'b', 'a']);
  });

  it('keep the unsaved changes of each of two tabs', async () => {
    const { close, context, page } = await console.signIn(['author']);
    const tabs = [page, await context.newPage()];
    const title = (of: Page) => of.getByRole('textbox', { name: 'Title', exact: true });
    for (const tab of tabs) {
      tab.on('dialog', (dialog) => void dialog.accept());
      await console.visit(tab, '/activities/shared?tab=settings');
      await title(tab).waitFor();
    }
    for (const [at, tab] of tabs.entries()) await title(tab).fill(`Of tab ${at}`);
    for (const [at, tab] of tabs.entries()) {
      await tab.reload();
      await tab.getByText(/This browser kept unsaved changes from/).waitFor();
      await expectSoon(() => title(tab).inputValue()).toBe(`Of tab ${at}`);
    }
    await close();
  });

  it('take an item that is dropped before a slow page has shown the place', async () => {
    await write(console.service.client, { activities: [activity(['a', 'b', 'c'], { reference: 'dropped' })] });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities/dropped');
    await page.getByText('Item c', { exact: true }).waitFor();
    await page.evaluate(`(async () => {
      const [first, , third] = document.querySelectorAll('li[draggable=true]');
      const { x, y } = first.getBoundingClientRect();
      const dataTransfer = new DataTransfer();
      const happens = (type, on) => on.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, clientX: x + 100, clientY: y + 5 }));
      happens('dragstart', third);
      await new Promise((done) => setTimeout(done));
      happens('dragover', first);
      happens('drop', first);
    })()`);
    await page.getByText('c is now item 1 of 3.').waitFor();
  });

  it('show what another person saved meanwhile instead of writing over it', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities/shared?tab=settings');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Mine');
    console.service.clock.advance(60_000);
    await write(console.service.client, { activities: [activity(['a'], { reference: 'shared', title: 'Theirs' })] });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else saved this activity meanwhile' });
    await dialog.getByText('Theirs').first().waitFor();
    expect((await stored('shared')).title).toBe('Theirs');
    await dialog.getByRole('button', { name: 'Continue with mine' }).click();
    await save(page);
    expect((await stored('shared')).title).toBe('Mine');
  });

  it('keep what is typed while they are saved', async () => {
    await write(console.service.client, { activities: [activity(['a'], { reference: 'typed', title: 'First' })] });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities/typed?tab=settings');
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Second');
    const calls = '**/console/api/v1/itembank/activities';
    await intercept(page, calls, async (route) => {
      if (route.request().postData()!.includes('"set"')) await title.fill('Third');
      await route.continue();
    });
    await save(page);
    await page.unroute(calls);
    expect((await stored('typed')).title).toBe('Second');
    await expectSoon(() => title.inputValue()).toBe('Third');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until(async () => (await stored('typed')).title === 'Third' || undefined);
  });

  it('keep tags whose type contains a colon', async () => {
    const tags = { 'lom:difficulty': ['easy'] };
    await write(console.service.client, { activities: [activity(['a'], { reference: 'coloned', tags })] });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities/coloned?tab=settings');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Another title');
    await save(page);
    expect((await stored('coloned')).tags).toEqual(tags);
  });

  it('can be tried: an answer is scored with its reasons', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/activities/shared?tab=try');
    await page.frameLocator('iframe').getByRole('radio', { name: 'Two' }).check();
    await page.getByRole('button', { name: 'Score my answers' }).click();
    await page.getByText('1 of 1 point').waitFor();
    await page.frameLocator('iframe').getByText('Score: 1 of 1').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('cannot be changed by a viewer', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/activities/test-1');
    await page.getByRole('link', { name: 'a', exact: true }).waitFor();
    const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => text !== '')).toEqual([]);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expectSoon(() => page.getByLabel('Time limit in seconds').isDisabled()).toBe(true);
  });

  it('keep what is typed as JSON on other tabs, save it, and drop it when it is discarded', async () => {
    const { page, errors } = await console.signIn(['author']);
    await console.visit(page, '/activities/shared?tab=json');
    const editor = page.getByRole('textbox', { name: 'JSON', exact: true });
    const write = async (text: string) => {
      await editor.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    };
    await editor.waitFor();
    await write('{"items": ["a", "b"]}');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('Item b', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await editor.getByText('"b"').waitFor();
    await save(page);
    expect(await itemsOf('shared')).toEqual(['a', 'b']);

    // A list may have any entries while it is typed.
    await write('{"items": [null, "a"]}');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('Item a', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await write('{"items": [');
    await page.getByText('This is not a JSON object.').waitFor();
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard the changes' }).click();
    await editor.getByText('"b"').waitFor();
    expect([await page.getByText('Not saved yet').count(), errors]).toEqual([0, []]);
  });
});
