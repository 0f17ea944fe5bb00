import type { Page } from 'playwright-core';
import { COLOUR_RULES } from '../support/axe';
import { write } from '../support/bank';
import { item, question, workflow } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { expectSuccess } from '../support/failure';
import { signal } from '../support/signal';
import { answer, submission, submit } from '../support/submissions';
import { until } from '../support/until';
import { barriers, ConsoleBrowser, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  const columns = ['Mountains', 'Rivers', 'Lakes', 'Deserts', 'Islands', 'Glaciers'];
  const data = {
    type: 'choicematrix',
    options: columns,
    stems: ['Nile', 'Andes'],
    validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: [[1], [0]] } },
  };
  await write(console.service.client, {
    questions: [
      ...['q-1', 'q-2'].map((reference) => question({ reference })),
      question({ reference: 'q-wide', type: 'choicematrix', data }),
    ],
    items: [
      item(['q-1', 'q-2'], { reference: 'edited', title: 'Rivers', status: 'unpublished' }),
      item(['q-wide'], { reference: 'wide' }),
    ],
    workflows: [workflow('review', { Draft: ['Checked'], Checked: [] })],
  });
  await submit(console.service, [
    submission('s-wide', {
      items: [{ reference: 'wide', organisation: 1, time: 1, flagged: false }],
      responses: [answer('wide', 'q-wide', [[1], [1]])],
    }),
  ]);
});

const HEADER_HEIGHT = 56;

/** Returns the upper edge of the bar with the button. */
const BAR_TOP = `(() => {
  let bar = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Save');
  while (getComputedStyle(bar).position !== 'sticky') bar = bar.parentElement;
  return bar.getBoundingClientRect().top;
})()`;

/** Returns the focused control if something of it is below the header or the bar. The page does not know what is focused in a frame. */
const hiddenFocus = (page: Page) =>
  page.evaluate<string | undefined>(`(() => {
    const control = document.activeElement;
    const { top, bottom } = control.getBoundingClientRect();
    const bar = ${BAR_TOP};
    const isInBar = top >= bar && control.matches('button') && /^(Save|Discard)/.test(control.textContent);
    const isInHeader = control.closest('header') !== null || control.className === 'skip-link';
    if (isInBar || isInHeader || control === document.body || control.matches('iframe')) return undefined;
    return top < ${HEADER_HEIGHT} || bottom > bar ? control.outerHTML.slice(0, 200) : undefined;
  })()`);

describe('the bar that saves an item', () => {
  it('is one row at 320 pixels, with the long words of German, and each save reads the item once', async () => {
    const { page } = await console.signIn(['author'], { width: 320, language: 'de' });
    await console.visit(page, '/items/edited?tab=edit');
    await page.getByRole('textbox', { name: 'Titel', exact: true }).fill('Lakes');
    await page.getByRole('status').getByText('Es gibt ungespeicherte Änderungen.').waitFor({ state: 'attached' });
    const boxOf = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())!;
    const [first, second] = [await boxOf('Speichern'), await boxOf('Verwerfen')];
    expect(second.x).toBeGreaterThan(first.x + first.width);
    expect(second.y + second.height / 2).toBeCloseTo(first.y + first.height / 2, 0);
    expect(second.height).toBeLessThan(50);
    const reads: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (request.url().endsWith('/itembank/items') && body.includes('"get"')) reads.push(body);
    });
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('Gespeichert', { exact: true }).first().waitFor();
    expect(reads).toHaveLength(1);
  });

  it('never hides the control that has the focus', async () => {
    const { page } = await console.signIn(['author'], { width: 320 });
    await console.visit(page, '/items/edited?tab=edit');
    for (const name of ['q-1', 'q-2']) {
      await page.getByRole('radiogroup', { name }).getByText('Form', { exact: true }).click();
      await settled(page);
    }
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ponds');
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('heading', { level: 1 }).focus();
    const hidden = new Set<string | undefined>();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let count = 0; count < 70; count++) {
        await page.keyboard.press(key);
        hidden.add(await hiddenFocus(page));
      }
    expect([...hidden].filter((each) => each !== undefined)).toEqual([]);
  });
});

describe('a long dialog', () => {
  it('keeps the control that has the focus clear of its title', async () => {
    const { page } = await console.signIn(['operator']);
    await page.setViewportSize({ width: 1280, height: 500 });
    await console.visit(page, '/pools');
    await page.getByRole('button', { name: 'Create a pool' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a pool' });
    await dialog.getByRole('button', { name: 'Start the fill' }).focus();
    const end = (await dialog.getByRole('banner').or(dialog.locator('header')).boundingBox())!;
    const hidden: (string | null)[] = [];
    const reference = dialog.getByRole('textbox', { name: 'Reference' });
    const hasFocus = (element: { matches(selector: string): boolean }) => element.matches(':focus');
    while (!(await reference.evaluate(hasFocus))) {
      await page.keyboard.press('Shift+Tab');
      const focused = page.locator(':focus');
      if ((await focused.boundingBox())!.y < end.y + end.height) hidden.push(await focused.getAttribute('id'));
    }
    expect(hidden).toEqual([]);
  });
});

describe('a table that is wider than the screen', () => {
  it.each<[string, (page: Page) => Promise<void>]>([
    ['/items/wide?tab=edit', (page) => page.getByText('Form', { exact: true }).click()],
    ['/items/wide?tab=try', (page) => tried(page)],
    ['/sessions/s-wide?key=1', (page) => page.getByRole('button', { name: /^q-wide/ }).click()],
    ['/workflows/review', () => Promise.resolve()],
  ])('scrolls by keyboard on %s', async (path, show) => {
    const { page } = await console.signIn(['operator'], { width: 320 });
    await console.visit(page, path);
    await show(page);
    const scrolled = page.getByRole('group').filter({ has: page.locator('> table') });
    await scrolled.first().focus();
    await page.keyboard.press('ArrowRight');
    await until(() => scrolled.first().evaluate((element): boolean => element.scrollLeft > 0));
    expect(await barriers(page)).toEqual([]);
  });
});

describe('a frame with content', () => {
  it('says that it is busy until its content has its final height', async () => {
    const { page } = await console.signIn(['operator']);
    const sent = signal();
    await page.route('**/console/frame.html', (route) => sent.promise.then(() => route.continue()));
    const visit = console.visit(page, '/sessions/s-wide');
    await page.getByRole('button', { name: /^q-wide/ }).waitFor();
    const frame = page.locator('iframe');
    await expectSoon(() => frame.getAttribute('aria-busy')).toBe('true');
    sent.give();
    await visit;
    const height = await page.frameLocator('iframe').locator('html').evaluate(heightOf);
    await expectSoon(() => frame.getAttribute('aria-busy')).toBe('false');
    expect((await frame.boundingBox())!.height).toBe(Math.ceil(height));
  });

  it.each([
    ['the scores', '**/console/api/v1/sessions/scores'],
    ['the layout', '**/console/api/v1/itembank/items'],
  ])('comes only after %s of its answers, because they change its height', async (_, calls) => {
    const { page } = await console.signIn(['operator']);
    const sent = signal();
    await page.route(calls, (route) => sent.promise.then(() => route.continue()));
    const visit = console.visit(page, '/sessions/s-wide');
    await page.getByRole('definition').getByText('Completed', { exact: true }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    sent.give();
    await visit;
    await page.locator('iframe').waitFor();
  });

  it.each([
    ['the code of its question', '**/assets/element-*'],
    ['its own code', '**/assets/frame-*.js'],
    ['its document', '**/console/frame.html'],
  ])('says that it cannot show the content when %s cannot be loaded, and loads it on request', async (_, address) => {
    // A window of another width is a new one, with an empty cache.
    const { page } = await console.signIn(['operator'], { width: 1_278, mayFail: true });
    await page.route(address, (route) => route.abort());
    await console.visit(page, '/sessions/s-wide');
    const alert = page.getByRole('alert');
    await alert.getByText('The content could not be loaded.').waitFor();
    await expectSoon(() => page.locator('iframe').getAttribute('aria-busy')).toBe('false');
    expect(await barriers(page, COLOUR_RULES)).toEqual([]);
    await page.unroute(address);
    await alert.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.frameLocator('iframe').getByText('Andes').waitFor();
    await settled(page);
    expect(await alert.count()).toBe(0);
    await expectSoon(() => page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
  });
});

const heightOf = (element: { getBoundingClientRect(): { height: number } }) => element.getBoundingClientRect().height;

async function tried(page: Page): Promise<void> {
  await page.frameLocator('iframe').getByRole('radio').first().click();
  await page.getByRole('button', { name: 'Score my answers' }).click();
  await page.getByRole('table').waitFor();
}

describe('a control under the pointer', () => {
  it.each(['light', 'dark'] as const)('has the contrast that its text needs, in %s colours', async (scheme) => {
    const { page } = await console.signIn(['operator'], { scheme });
    const check = async (role: 'link' | 'button', name: string) => {
      await page.getByRole(role, { name, exact: true }).hover();
      expect([name, await barriers(page, COLOUR_RULES)]).toEqual([name, []]);
    };
    await console.visit(page, '/items');
    await check('link', 'Bank');
    await check('button', 'More filters');
    await console.follow(page, '/account');
    await check('button', 'Sign out everywhere');
  });
});

describe('the progress of a job', () => {
  it('is read again by Try again, after a read has failed', async () => {
    const planned = await console.service.client.update('sessions/item', {
      sessions: {},
      target_item: { reference: 'edited' },
      dry_run: true,
    });
    expectSuccess(planned);
    const { job_reference: job } = planned.data as { job_reference: string };
    const { page } = await console.signIn(['operator']);
    await page.route('**/console/api/v1/jobs', (route) =>
      route.fulfill({ status: 500, json: { meta: { status: false, code: 50001, message: 'The service failed.' } } }),
    );
    await console.visit(page, `/rescoring?item=edited&plan=${job}`);
    await page.getByRole('alert').getByText('The service failed.').waitFor();
    await page.unroute('**/console/api/v1/jobs');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Dry run: Done').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: `Job ${job}` }).click();
    await page.getByRole('dialog', { name: 'Job' }).getByText('Rescore an item').waitFor();
  });
});

describe('a refused call', () => {
  it('is explained in German, and the words of the service are marked as English', async () => {
    const { page } = await console.signIn(['author'], { language: 'de' });
    await console.visit(page, '/items/edited?tab=edit');
    await page
      .getByRole('combobox', { name: 'Schlagwörter' })
      .or(page.getByRole('textbox', { name: 'Schlagwörter' }))
      .first()
      .fill(`Subject:${'x'.repeat(300)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Eine Angabe ist zu lang, zu kurz oder zu groß.').waitFor();
    const message = alert.getByText('items[0].tags.Subject');
    expect(await message.evaluate((element): string => element.closest('[lang]')!.getAttribute('lang')!)).toBe('en');
  });
});

describe('a refused sign-in', () => {
  it('is explained in the language of the page', async () => {
    const { page } = await console.visitor({ width: 320, language: 'de' });
    await console.visit(page, '/');
    await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill('nobody@example.org');
    await page.getByLabel('Passwort').first().fill('wrong horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
  });
});

describe('a field for tags', () => {
  const tagsOf = (page: Page) =>
    page
      .getByRole('combobox', { name: 'Tags' })
      .or(page.getByRole('textbox', { name: 'Tags' }))
      .first();

  it('takes a pasted text in place of the marked one', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/items/edited?tab=edit');
    const field = tagsOf(page);
    await field.fill('Subject:Geography');
    await field.press('ControlOrMeta+a');
    await field.press('ControlOrMeta+c');
    await field.fill('Geography');
    await field.press('ControlOrMeta+a');
    await field.press('ControlOrMeta+v');
    await expectSoon(() => field.inputValue()).toBe('Subject:Geography');
    await field.press('Enter');
    await expectSoon(() => page.locator('.mantine-Pill-label').allTextContents()).toEqual(['Subject:Geography']);
  });

  it('stays low with many tags, which keys scroll', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `A long name of a tag, number ${index}`);
    await write(console.service.client, {
      items: [item(['q-1'], { reference: 'tagged', tags: { Subject: names }, status: 'unpublished' })],
    });
    const { page } = await console.signIn(['author'], { width: 320 });
    await console.visit(page, '/items/tagged?tab=edit');
    const list = page.getByRole('group', { name: 'Tags' });
    await list.focus();
    await page.keyboard.press('End');
    await tagsOf(page).focus();
    expect((await list.boundingBox())!.height).toBeLessThan(300);
    expect(await barriers(page)).toEqual([]);
  });
});

describe('the motion of the console', () => {
  it('is off for a person who wants reduced motion', async () => {
    const { page } = await console.signIn(['author']);
    await page.addInitScript(`
      globalThis.moved = 0;
      for (const name of ['transitionrun', 'animationstart']) addEventListener(name, () => (moved += 1), true);`);
    const open = async () => {
      await console.visit(page, '/items');
      await page.getByRole('button', { name: 'Create an item' }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return page.evaluate<number>('moved');
    };
    expect(await open()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await open()).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });
});
