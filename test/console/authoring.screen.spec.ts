import type { Page } from 'playwright-core';
import { intercept } from '../support/cut-off';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { DAY } from '../support/time';
import { until } from '../support/until';
import { barriersInBothSchemes, comeBack, ConsoleBrowser, saved, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

const HOSTILE = '<img src=x onerror="top.hacked = 1; parent.hacked = 1"><script>hacked = 1</script>';

const stored = async (reference: string) => {
  const { data } = await console.service.client.get('itembank/items', {
    references: [reference],
    include: { items: ['last_updated_by'] },
  });
  return (data as { status: string; title: string; definition: object; tags: object; last_updated_by: string }[])[0]!;
};
const shownIn = (page: Page) => page.frameLocator('iframe').first();
/** The labels of buttons that are wider than their buttons. */
const cutLabels = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('button, a')].flatMap((button) =>
      [...button.querySelectorAll('span')].filter((label) => label.clientWidth > 0 && label.scrollWidth > label.clientWidth).map((label) => label.textContent))`,
  );
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
};

describe('an author in the console', () => {
  beforeAll(async () => {
    const [first, second] = [question({ reference: 'q-rivers' }), question({ reference: 'q-lakes' })];
    const grid = question({
      reference: 'q-grid',
      type: 'choicematrix',
      data: {
        stimulus: 'Is it true?',
        stems: ['A right-angled triangle has two equal sides', 'Two sides are parallel'],
        options: ['Always', 'Sometimes', 'Never'],
        validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [[1], [2]] } },
      },
    });
    await write(console.service.client, { questions: [first, second, grid] });
    await write(console.service.client, {
      items: [
        item(['q-rivers'], {
          reference: 'rivers',
          title: 'Rivers',
          tags: { Subject: ['Geography'] },
          status: 'unpublished',
        }),
        item(['q-lakes'], {
          reference: 'lakes',
          title: 'Lakes',
          tags: { Subject: ['Biology'] },
          status: 'unpublished',
        }),
        item(['q-grid'], { reference: 'grid', title: 'Grid', status: 'published' }),
      ],
    });
  });

  it('keeps unsaved work over a reload, and offers it again', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/lakes?tab=edit');
    await page.getByRole('textbox', { name: 'Title' }).fill('Lakes and ponds');
    await page.getByText('There are unsaved changes.').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Continue with them' }).click();
    await expectSoon(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Lakes and ponds');
    expect((await stored('lakes')).title).toBe('Lakes');
  });

  it('keeps the unsaved work of each of two tabs', async () => {
    const { close, context, page } = await console.signIn(['author']);
    const tabs = [await context.newPage(), await context.newPage()];
    const title = (of: Page) => of.getByRole('textbox', { name: 'Title' });
    const take = (of: Page) => of.getByRole('button', { name: 'Continue with them' });
    for (const tab of tabs) {
      tab.on('dialog', (dialog) => void dialog.accept());
      await console.visit(tab, '/items/lakes?tab=edit');
      await title(tab).waitFor();
    }
    for (const [at, tab] of tabs.entries()) {
      await title(tab).fill(`Lakes of tab ${at}`);
      await tab.getByText('There are unsaved changes.').waitFor();
    }
    for (const [at, tab] of tabs.entries()) {
      await tab.reload();
      await take(tab).click();
      await expectSoon(() => title(tab).inputValue()).toBe(`Lakes of tab ${at}`);
    }
    // A closed tab loses nothing either. What was typed before the person continues with it is offered in turn.
    for (const tab of tabs) await tab.close();
    await console.visit(page, '/items/lakes?tab=edit');
    await title(page).fill('Lakes of the third');
    const found = new Set<string>();
    for (let count = 0; count < 3; count++) {
      await page.getByText('There are unsaved changes.').waitFor();
      found.add(await title(page).inputValue());
      await take(page).click();
    }
    expect([...found].sort()).toEqual(['Lakes of tab 0', 'Lakes of tab 1', 'Lakes of the third']);
    expect((await stored('lakes')).title).toBe('Lakes');
    await close();
  });

  it('keeps unsaved work of a closed tab for 90 days, says until when, and then deletes it', async () => {
    // A window of another width is a new one, because the clock of its pages changes.
    const { context, page } = await console.signIn(['author'], { width: 1_277 });
    const tab = await context.newPage();
    await console.visit(tab, '/items/lakes?tab=edit');
    await tab.getByRole('textbox', { name: 'Title' }).fill('Lakes of a closed tab');
    await tab.getByText('There are unsaved changes.').waitFor();
    await tab.close();
    const now = Date.now();
    const offer = page.getByText('This browser kept unsaved changes');
    await page.clock.setFixedTime(now + 89 * DAY);
    await console.visit(page, '/items/lakes?tab=edit');
    await offer.waitFor();
    const end = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(now + 90 * DAY);
    await expectSoon(() => offer.textContent()).toContain(`It deletes them on ${end}`);
    await page.clock.setFixedTime(now + 91 * DAY);
    await console.visit(page, '/items/lakes?tab=edit');
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    expect(await offer.count()).toBe(0);
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("lakes"))')).toEqual([]);
  });

  it('shows the second of two authors the differences, instead of overwriting the work of the first', async () => {
    const [first, second] = [await console.signIn(['author']), await console.signIn(['author'])];
    for (const { page } of [first, second]) await console.visit(page, '/items/lakes?tab=edit');
    await first.page.getByRole('textbox', { name: 'Title' }).fill('Lakes of the north');
    await save(first.page);
    await second.page.getByRole('textbox', { name: 'Title' }).fill('Lakes of the south');
    await second.page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = second.page.getByRole('dialog', { name: 'Somebody else has changed this meanwhile' });
    await dialog.getByRole('row', { name: 'Title Lakes of the south Lakes of the north' }).waitFor();
    expect(await barriersInBothSchemes(second.page)).toEqual([]);
    expect((await stored('lakes')).title).toBe('Lakes of the north');
    await dialog.getByRole('button', { name: 'Save my version' }).click();
    await second.page
      .getByText(/^Saved/)
      .first()
      .waitFor();
    expect((await stored('lakes')).title).toBe('Lakes of the south');
  });

  it('shows both versions beside each other at 320 pixels', async () => {
    const [first, second] = [await console.signIn(['author']), await console.signIn(['author'], { width: 320 })];
    for (const { page } of [first, second]) await console.visit(page, '/items/lakes?tab=edit');
    await first.page.getByRole('textbox', { name: 'Title' }).fill('Lakes of the east');
    await save(first.page);
    await second.page.getByRole('textbox', { name: 'Title' }).fill('Lakes of the west');
    await second.page.getByRole('button', { name: 'Save', exact: true }).click();
    const theirs = second.page.getByRole('dialog').getByRole('cell', { name: 'Lakes of the east' });
    await theirs.waitFor();
    const { x, width } = (await theirs.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(320);
  });

  describe('whose item somebody else changes meanwhile', () => {
    const change = (title: string) =>
      console.service.client.set('itembank/items', {
        items: [item(['q-lakes'], { reference: 'lakes', title, status: 'unpublished' })],
      });
    const title = (page: Page) => page.getByRole('textbox', { name: 'Title' });
    const note = (page: Page) => page.getByRole('textbox', { name: 'Note for authors' });
    const saveAndMeet = async (page: Page, row: string) => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this meanwhile' });
      await dialog.getByRole('row', { name: row }).waitFor();
    };

    it('sees the difference also after the page has read the item again', async () => {
      await change('Before');
      const { page } = await console.signIn(['author']);
      await console.visit(page, '/items/lakes?tab=edit');
      await note(page).fill('My note');
      await change('Theirs');
      await comeBack(page, '/itembank/features');
      await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
      await saveAndMeet(page, 'Title Before Theirs');
      expect((await stored('lakes')).title).toBe('Theirs');
    });

    it('sees the difference also when the work was kept from an earlier visit', async () => {
      await change('Before');
      const { page } = await console.signIn(['author']);
      await console.visit(page, '/items/lakes?tab=edit');
      await note(page).fill('My note');
      await page.getByText('There are unsaved changes.').waitFor();
      await page.getByRole('link', { name: 'Bank', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Bank' }).waitFor();
      await change('Theirs');
      await console.visit(page, '/items/lakes?tab=edit');
      await page.getByRole('button', { name: 'Continue with them' }).click();
      await expectSoon(() => note(page).inputValue()).toBe('My note');
      await saveAndMeet(page, 'Title Before Theirs');
      expect((await stored('lakes')).title).toBe('Theirs');
    });

    it('gets the new version, and no unsaved changes, where nothing was typed', async () => {
      await change('Before');
      const { page } = await console.signIn(['author']);
      await console.visit(page, '/items/lakes?tab=edit');
      await title(page).waitFor();
      await change('Theirs');
      await comeBack(page, '/itembank/features');
      await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
      await expectSoon(() => title(page).inputValue()).toBe('Theirs');
      expect(await page.getByText('There are unsaved changes.').count()).toBe(0);
    });

    it('discards changes in JSON too', async () => {
      await change('Before');
      const { page } = await console.signIn(['author']);
      await console.visit(page, '/items/lakes?tab=edit');
      await page.getByText('Item as JSON', { exact: true }).click();
      const editor = page.getByRole('textbox', { name: 'Item as JSON' });
      await editor.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('{"definition": {"widgets": [{"reference": "q-lakes"}]}, "title": "Thrown away"}');
      await page.getByText('There are unsaved changes.').waitFor();
      await page.getByRole('button', { name: 'Discard', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.getByText('Thrown away').count()).toBe(0);
    });
  });

  it('must save or discard changes before publishing an item', async () => {
    await write(console.service.client, { questions: [question({ reference: 'q-streams' })] });
    await write(console.service.client, {
      items: [item(['q-streams'], { reference: 'streams', title: 'Streams', status: 'unpublished' })],
    });
    const { page } = await console.signIn(['author', 'reviewer']);
    await console.visit(page, '/items/streams?tab=edit');
    const title = page.getByRole('textbox', { name: 'Title' });
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await title.fill('Streams and brooks');
    await publish.click();
    await dialog.getByText('There are unsaved changes. Save or discard them first.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    // The preview does not show the form, but its changes wait there.
    await page.getByRole('tab', { name: 'Preview' }).click();
    await publish.click();
    await dialog.waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Go to the changes' }).click();
    expect(await stored('streams')).toMatchObject({ title: 'Streams', status: 'unpublished' });
    await page.getByRole('button', { name: 'Continue with them' }).click();
    await expectSoon(() => title.inputValue()).toBe('Streams and brooks');
    await save(page);
    await publish.click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    expect(await stored('streams')).toMatchObject({ title: 'Streams and brooks', status: 'published' });
  });

  it('signs in again without losing what was typed, when the sign-in ends', async () => {
    const { context, page } = await console.signIn(['author']);
    await console.visit(page, '/items/lakes?tab=edit');
    await page.getByRole('textbox', { name: 'Title' }).fill('Typed before');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your sign-in has ended.').waitFor();
    await expectSoon(() => page.getByRole('textbox', { name: 'Title', includeHidden: true }).inputValue()).toBe(
      'Typed before',
    );
  });

  it('shows a viewer items without right answers, and nothing that changes them', async () => {
    const { page } = await console.signIn(['viewer']);
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/console/api/')) answers.push(response.text().catch(() => ''));
    });
    await console.visit(page, '/items/rivers');
    await shownIn(page).getByRole('radio').first().waitFor();
    await expectSoon(() => page.getByRole('tab').allTextContents()).toEqual(['Preview']);
    expect(await page.getByRole('button', { name: /Publish|History|Unpublish/ }).count()).toBe(0);
    // The address of a tab that a viewer does not have shows the preview.
    await console.visit(page, '/items/rivers?tab=edit');
    await page.getByRole('tab', { name: 'Preview', selected: true }).waitFor();
    await shownIn(page).getByRole('radio').first().waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    const bodies = (await Promise.all(answers)).join();
    expect(bodies).toContain('Which number is even?');
    expect(bodies).not.toMatch(/valid_response|validation/);
  });

  it('shows a refused save with its place', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/lakes?tab=edit');
    await page
      .getByRole('combobox', { name: 'Tags' })
      .or(page.getByRole('textbox', { name: 'Tags' }))
      .first()
      .fill(`Subject:${'x'.repeat(300)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'items[0].tags.Subject' }).waitFor();
  });

  it('keeps what is typed while a save is under way, and shows content anew only when learners would see a change', async () => {
    const { page } = await console.signIn(['author']);
    let letGo = () => {};
    const mayGo = new Promise<void>((done) => (letGo = done));
    await page.route('**/console/api/v1/itembank/items', async (route) => {
      if ((route.request().postDataJSON() as { action: string }).action === 'set') await mayGo;
      await route.continue();
    });
    await console.visit(page, '/items/rivers?tab=edit');
    await shownIn(page).locator('section').waitFor();
    const preview = page.frames()[1]!;
    await preview.evaluate("document.querySelector('section').dataset.shown = 'once'");
    const note = page.getByRole('textbox', { name: 'Note for authors' });
    await note.fill('first');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await note.fill('second');
    letGo();
    await saved(page);
    await expectSoon(() => note.inputValue()).toBe('second');
    await page.getByText('There are unsaved changes.').waitFor();
    await save(page);
    await page.getByText('There are unsaved changes.').waitFor({ state: 'hidden' });
    const { data } = await console.service.client.get('itembank/items', { references: ['rivers'] });
    expect(data[0].note).toBe('second');
    expect(await preview.evaluate("document.querySelector('section').dataset.shown")).toBe('once');
  });

  it('keeps what is typed while an existing question is looked up', async () => {
    await write(console.service.client, {
      questions: [question({ reference: 'q-added' })],
      items: [item(['q-rivers'], { reference: 'adding', status: 'unpublished' })],
    });
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/items/adding?tab=edit');
    let letGo = () => {};
    const mayGo = new Promise<void>((done) => (letGo = done));
    await intercept(page, '**/console/api/v1/itembank/questions', async (route) => {
      await mayGo;
      await route.continue();
    });
    const existing = page.getByRole('group', { name: 'Add an existing question or feature' });
    await existing.getByRole('textbox', { name: 'Reference' }).fill('q-added');
    await existing.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('group', { name: 'Add a question' }).getByRole('button', { name: 'Add', exact: true }).click();
    const fresh = page.getByRole('region', { name: /^adding-2-/ });
    await fresh.getByRole('textbox', { name: 'Question text' }).fill('Typed meanwhile');
    letGo();
    await page.getByRole('region', { name: 'q-added' }).waitFor();
    await fresh.getByText('Typed meanwhile').first().waitFor();
    await close();
  });

  it.each([320, 1280])(
    'can press the buttons below the form while it says that the item is saved, at %i pixels',
    async (width) => {
      await write(console.service.client, {
        items: [item(['q-rivers'], { reference: 'narrow', status: 'unpublished' })],
      });
      const { close, page } = await console.signIn(['author'], { width });
      await console.visit(page, '/items/narrow?tab=edit');
      await page.getByRole('textbox', { name: 'Title' }).fill('Narrow');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const discard = await page.getByRole('button', { name: 'Discard' }).elementHandle();
      // The page says it for some seconds only, so one call measures both.
      const room = await page
        .getByText('Saved', { exact: true })
        .first()
        .evaluate(
          (saying, button) => button.getBoundingClientRect().top - saying.getBoundingClientRect().bottom,
          discard,
        );
      expect(room).toBeGreaterThanOrEqual(0);
      await close();
    },
  );

  it('tries an item from the start while the scores of the trial before are on their way', async () => {
    const { close, page } = await console.signIn(['author']);
    await console.visit(page, '/items/grid?tab=try');
    let letGo = () => {};
    const mayGo = new Promise<void>((done) => (letGo = done));
    await intercept(page, '**/console/api/v1/scoring', async (route) => {
      await mayGo;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Score my answers' }).click();
    await page.getByRole('button', { name: 'Start over' }).click();
    letGo();
    await settled(page);
    expect(await shownIn(page).getByText('Not answered').count()).toBe(0);
    await until(() => page.getByRole('button', { name: 'Score my answers' }).isEnabled());
    await close();
  });

  it('shows long tags whole', async () => {
    const tags = {
      Standard: ['Reads and interprets', 'Reads and compares'].map((each) => `${each} ${'long '.repeat(9)}`),
    };
    await write(console.service.client, { items: [item(['q-rivers'], { reference: 'long-tags', tags })] });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/long-tags?tab=edit');
    for (const name of tags.Standard) {
      const tag = page.getByText(`Standard:${name}`, { exact: true });
      expect(await tag.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      expect((await tag.boundingBox())!.height).toBeLessThan(100);
    }
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('closes the list of tags when a tag has been typed, so that it covers no button', async () => {
    await write(console.service.client, { items: [item(['q-rivers'], { reference: 'typed-tag' })] });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/typed-tag?tab=edit');
    const field = page.getByRole('combobox', { name: 'Tags' });
    await field.click();
    const offered = page.getByRole('option').first();
    await offered.waitFor();
    await field.pressSequentially('Course:Rivers');
    await page.keyboard.press('Enter');
    // Longer than the field waits before it asks for all tags.
    await page.waitForTimeout(500);
    expect(await page.getByRole('option').count()).toBe(0);
    await field.pressSequentially('S');
    await offered.click();
    await offered.waitFor();
  });

  it('keeps a text that is no tag in the field with the reason, and leaves the other tags alone', async () => {
    const tags = { 'lom:difficulty': ['easy'] };
    await write(console.service.client, {
      items: [item(['q-rivers'], { reference: 'tagged', status: 'unpublished', tags })],
    });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/tagged?tab=edit');
    const field = page.getByRole('combobox', { name: 'Tags' });
    for (const wrong of ['algebra', 'Subject:']) {
      await field.fill(wrong);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'A tag has a type and a name' }).waitFor();
      await expectSoon(() => field.inputValue()).toBe(wrong);
    }
    for (const right of ['Reading, writing', 'constructor:x']) {
      await field.pressSequentially(right);
      await page.keyboard.press('Enter');
    }
    await save(page);
    const added = { Subject: ['Reading, writing'], constructor: ['x'] };
    expect((await stored('tagged')).tags).toEqual({ ...tags, ...added });
  });

  it('saves an item whose first save was refused after its question was stored', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/rivers?tab=edit');
    await page.getByRole('radiogroup', { name: 'q-rivers' }).getByText('Form', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Question text', exact: true }).fill('Which river is longer?');
    const tags = page
      .getByRole('combobox', { name: 'Tags' })
      .or(page.getByRole('textbox', { name: 'Tags' }))
      .first();
    await tags.fill(`Subject:${'x'.repeat(300)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'items[0].tags.Subject' }).waitFor();
    await tags.press('Backspace');
    await page.getByRole('textbox', { name: 'Title' }).fill('Rivers of the north');
    await save(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await stored('rivers')).title).toBe('Rivers of the north');
  });

  it('runs no markup that somebody stored in texts', async () => {
    await write(console.service.client, {
      questions: [question({ reference: 'q-hostile', data: { ...question().data, stimulus: HOSTILE } })],
    });
    await write(console.service.client, {
      items: [
        item(['q-hostile'], {
          reference: 'hostile',
          title: HOSTILE,
          description: HOSTILE,
          note: HOSTILE,
          tags: { [HOSTILE]: [HOSTILE] },
        }),
      ],
    });
    const { page } = await console.signIn(['author']);
    for (const path of ['/items?item=hostile', '/items/hostile', '/items/hostile?tab=try', '/items/hostile?tab=edit']) {
      await console.visit(page, path);
      await settled(page);
      for (const frame of page.frames()) expect(await frame.evaluate('typeof hacked')).toBe('undefined');
    }
  });

  it('refuses ten megabytes of JSON at once, says so, and keeps the definition', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/rivers?tab=edit');
    await page.getByText('JSON', { exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'JSON' });
    await editor.focus();
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', '{"stimulus": "' + 'x'.repeat(10_000_000) + '"}');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await page.getByRole('alert').filter({ hasText: 'the editor takes at most 1,000,000 characters' }).waitFor();
    await expectSoon(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect((await editor.textContent())!.length).toBeLessThan(10_000);
    await editor.press('End');
    await page.keyboard.type(' ');
  });

  it('lists the warnings of the service when an item is saved', async () => {
    const odd = question({ reference: 'q-odd' });
    await write(console.service.client, { questions: [odd] });
    await write(console.service.client, { items: [item(['q-odd'], { reference: 'odd', status: 'unpublished' })] });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/odd?tab=edit');
    await page.getByText('JSON', { exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'JSON' });
    await editor.focus();
    await page.keyboard.press('Control+A');
    const data = {
      type: 'mcq',
      stimulus: 'x',
      options: [
        { label: 'A', value: 'a' },
        { label: 'B', value: 'b' },
      ],
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['nothing'] } },
    };
    await page.keyboard.insertText(JSON.stringify(data));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const warnings = page.getByRole('list', { name: 'Warnings' });
    await warnings.getByText('q-odd').waitFor();
    await page.getByText('Saved, with 1 warning', { exact: true }).first().waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('puts questions in order by dragging them', async () => {
    await write(console.service.client, {
      questions: ['q-one', 'q-two', 'q-three'].map((reference) => question({ reference })),
    });
    await write(console.service.client, {
      items: [item(['q-one', 'q-two', 'q-three'], { reference: 'ordered', status: 'unpublished' })],
    });
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/ordered?tab=edit');
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    await card('q-three')
      .getByText('q-three', { exact: true })
      .dragTo(card('q-one'), { targetPosition: { x: 100, y: 4 } });
    await save(page);
    const { definition } = (await stored('ordered')) as { definition: { widgets: { reference: string }[] } };
    expect(definition.widgets.map(({ reference }) => reference)).toEqual(['q-three', 'q-one', 'q-two']);
  });

  it('has no barriers that axe finds, in light and dark colours', async () => {
    const { page } = await console.signIn(['author', 'reviewer']);
    await console.visit(page, '/items');
    for (const path of [
      '/items',
      '/items?item=rivers',
      '/items/rivers',
      '/items/rivers?tab=try',
      '/items/rivers?tab=edit',
      '/items/nothing-here',
    ]) {
      await console.follow(page, path);
      expect([path, await barriersInBothSchemes(page)]).toEqual([path, []]);
    }
  });

  it.each(['/items', '/activities', '/items/rivers'])(
    'says at %s that the service cannot be reached, and reads again on request',
    async (path) => {
      const { page } = await console.signIn(['author']);
      await page.route('**/console/api/**', (route) => route.abort());
      await console.visit(page, path);
      await page.getByText('The service cannot be reached').first().waitFor();
      expect(await page.getByText('Nothing here').count()).toBe(0);
      await page.unroute('**/console/api/**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('The service cannot be reached').first().waitFor({ state: 'detached' });
    },
  );

  it.each([
    ['en', 320],
    ['de', 320],
  ])('needs no scrolling to the side in %s at %i pixels', async (language, width) => {
    const { page } = await console.signIn(['author', 'reviewer'], { language, width });
    await console.visit(page, '/items');
    for (const path of ['/items', '/items/rivers', '/items/rivers?tab=edit', '/items/grid?tab=edit']) {
      await console.follow(page, path);
      const form = page.getByText(language === 'de' ? 'Formular' : 'Form', { exact: true });
      if (path.includes('edit')) await form.click();
      await settled(page);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      expect([path, await cutLabels(page)]).toEqual([path, []]);
    }
    // The buttons of a row are not beside its text, because they would leave too little room.
    const { width: ofText } = (await page.getByRole('textbox', { name: /^(Row|Zeile) 1/ }).boundingBox())!;
    expect(ofText).toBeGreaterThan(150);
  });
});
