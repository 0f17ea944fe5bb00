import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { write } from '../support/bank';
import { activity, item, question } from '../support/builders';
import { cutOff, intercept, loseAnswers } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { SECOND } from '../support/time';
import { unzip } from '../support/unzip';
import { ConsoleBrowser, testForBarriers } from './support/console-browser';

/** The most bytes of a call. The usual limit would need larger files. */
const MAX_BODY_BYTES = 100_000;

const console = ConsoleBrowser.ofSuite({ MAX_BODY_BYTES: String(MAX_BODY_BYTES) });
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'itembank-package-'));
  const { client } = console.service;
  const { data } = await client.get('itembank/upload/assets', { subkeys: ['map.png'] });
  const [{ public: picture }] = data as [{ public: string }];
  const pictured = question({ reference: 'q-map' });
  pictured.data.stimulus = `<p>Which number is even?</p><img src="${picture}" alt="A map">`;
  await write(client, {
    questions: [question({ reference: 'q-1' }), pictured],
    items: [
      item(['q-1'], { reference: 'i-1', status: 'published' }),
      item(['q-map'], { reference: 'i-map', status: 'published' }),
      item(['q-1'], { reference: 'i-draft', status: 'unpublished' }),
    ],
    activities: [
      activity(['i-1', 'i-map'], {
        reference: 'a-1',
        status: 'published',
        data: { items: ['i-1', 'i-map'], config: { title: 'Away from the net' } },
      }),
      activity(['i-1', 'i-draft'], { reference: 'a-draft', status: 'published' }),
      activity(['i-1'], {
        reference: 'a-adaptive',
        status: 'published',
        data: { items: ['i-1'], adaptive: { type: 'itemadaptive' } },
      }),
    ],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// Everything that a test has written is in the past of its package.
beforeEach(() => console.service.clock.advance(10 * SECOND));

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Makes the package of an activity, and waits for one of the texts. */
async function pack(page: Page, reference: string, ready: string, names = ['Offline package', 'Make the package']) {
  await console.visit(page, `/activities/${reference}`);
  await button(page, names[0]!).click();
  await button(page, names[1]!).click();
  await ended(page, ready);
}

/** Lets a job that has started pack the content of that moment, and waits for the text. */
async function ended(page: Page, ready: string) {
  await page.getByRole('dialog').getByRole('progressbar').waitFor();
  console.service.clock.advance(2 * SECOND);
  await page.getByText(ready).waitFor();
}

/** The text that a learner's page makes of these answers. */
const textOf = (document: object): string => Buffer.from(JSON.stringify(document)).toString('base64');
const session = (id: string, others: object = {}) => ({
  session_id: id,
  user_id: `learner-${id}`,
  activity_id: 'a-1',
  dt_started: '2026-01-31T09:30:00Z',
  dt_completed: '2026-01-31T09:40:00Z',
  responses: [{ item_reference: 'i-1', question_reference: 'q-1', revision: 2, type: 'array', value: ['1'] }],
  ...others,
});
const file = (name: string, content: object | string) => ({
  name: `${name}.txt`,
  mimeType: 'text/plain',
  buffer: Buffer.from(typeof content === 'string' ? content : textOf(content)),
});

const panel = (page: Page) => page.getByRole('dialog', { name: 'Bring in offline answers' });
const fileInput = (page: Page) => panel(page).getByLabel('Files of answers');
const outcome = (page: Page, name: string) => panel(page).getByRole('row').filter({ hasText: name });
const said = (page: Page, text: string | RegExp) => panel(page).getByRole('status').filter({ hasText: text }).waitFor();

async function openPanel(page: Page) {
  await console.visit(page, '/sessions');
  await button(page, 'Bring in offline answers').click();
  await fileInput(page).waitFor();
}
async function bringIn(page: Page, ...files: ReturnType<typeof file>[]) {
  await fileInput(page).setInputFiles(files);
  await button(page, 'Bring in').click();
}
async function scoreOf(id: string): Promise<number | undefined> {
  const { data } = await console.service.client.get('sessions/scores', { session_id: [id] });
  return (data as { score: number }[])[0]?.score;
}

describe('an offline package in the console', () => {
  it('lets a learner take the test without a network, and the answers are brought in and scored', async () => {
    const { context, page } = await console.signIn(['operator']);
    await pack(page, 'a-1', 'The package is ready.');
    const content = page.getByRole('table', { name: 'Content' });
    await expectSoon(() => content.getByRole('row', { name: 'Items' }).textContent()).toBe('Items2');
    await page.getByText('1 file is missing').waitFor();
    await page.getByText('Delete these files before learners get the folder').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download \(/ }).click();
    const files = await unzip(readFileSync(await (await downloading).path()));
    for (const [path, bytes] of files) {
      if (path.endsWith('.jsonl')) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }

    const learner = await context.newPage();
    await context.setOffline(true);
    await learner.goto(pathToFileURL(join(folder, 'index.html')).href);
    await learner.getByLabel('Your name or number').fill('learner-7');
    await button(learner, 'Away from the net').click();
    await button(learner, 'Start').click();
    await learner.getByRole('radio', { name: 'Two', exact: true }).check();
    await button(learner, 'Next').click();
    await learner.getByRole('group', { name: 'Item 2 of 2' }).waitFor();
    await button(learner, 'Finish').click();
    await button(learner, 'Submit').click();
    await learner.getByRole('heading', { name: 'The test is finished' }).waitFor();
    const keeping = learner.waitForEvent('download');
    await learner.getByRole('link').click();
    const kept = await keeping;
    await context.setOffline(false);

    await openPanel(page);
    const path = join(folder, kept.suggestedFilename());
    await kept.saveAs(path);
    await fileInput(page).setInputFiles(path);
    await button(page, 'Bring in').click();
    await said(page, '1 of 1 file: 1 brought in, 0 already stored, 0 refused.');
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Session of learner-7' }).click();
    const shown = await opening;
    await shown.getByRole('heading', { level: 1, name: 'Session of learner-7' }).waitFor();
    await shown.getByText('1 of 2', { exact: true }).first().waitFor();
    await shown.close();

    await fileInput(page).setInputFiles(path);
    await button(page, 'Bring in').click();
    await said(page, '2 of 2 files: 1 brought in, 1 already stored, 0 refused.');
    // The form has nothing to lose any more.
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'hidden' });
    const row = page.getByRole('row').filter({ hasText: 'learner-7' });
    await row.getByText('1 of 2').first().waitFor();
  });

  it('without its activity says which item is not published, and has no link', async () => {
    const { page } = await console.signIn(['operator']);
    await pack(page, 'a-draft', 'The activity is not in the package');
    await page.getByText('its item i-draft is unpublished').waitFor();
    expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0);
  });

  it('warns of an adaptive test and of unsaved changes before it is made', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/activities/a-adaptive');
    await button(page, 'Offline package').click();
    await page.getByText('Learners cannot take this test offline').waitFor();
    expect(await page.getByText('Your changes are not saved yet').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove i-1' }).click();
    await button(page, 'Offline package').click();
    await page.getByText('Your changes are not saved yet').waitFor();
  });

  it('can be asked for again after a lost connection', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/activities/a-adaptive');
    await cutOff(page, '**/console/api/v1/itembank/offlinepackage');
    await button(page, 'Offline package').click();
    await button(page, 'Make the package').click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.unrouteAll();
    await button(page, 'Make the package').click();
    await ended(page, 'The package is ready.');
  });

  it('shows why the service refuses it when an item is of an organisation that the operator may not read', async () => {
    const items = [{ reference: 'i-other', organisation_id: 2 }];
    await write(await console.service.consumerOf([2, 'write']), {
      questions: [question({ reference: 'q-other' })],
      items: [item(['q-other'], { reference: 'i-other', status: 'published' })],
    });
    await write(await console.service.consumerOf([1, 'write'], [2, 'read']), {
      activities: [activity([], { reference: 'a-other', status: 'published', data: { items } })],
    });
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/activities/a-other');
    await button(page, 'Offline package').click();
    await button(page, 'Make the package').click();
    await page.getByRole('alert').getByText('has items of organisation 2, which you may not read').waitFor();
    await button(page, 'Make the package').waitFor();
  });

  it('is offered to operators only, as is the import of answers', async () => {
    const { page } = await console.signIn(['author', 'reviewer', 'marker', 'analyst']);
    await console.visit(page, '/activities/a-1');
    await button(page, 'Duplicate').waitFor();
    expect(await button(page, 'Offline package').count()).toBe(0);
    await console.visit(page, '/sessions?answers=yes');
    await page.getByRole('group', { name: 'Find sessions' }).waitFor();
    expect(await page.getByText('Bring in offline answers').count()).toBe(0);
  });
});

describe('offline answers in the console', () => {
  it('are imported although other files are refused, and each refused file shows why', async () => {
    const { page } = await console.signIn(['operator']);
    await openPanel(page);
    await bringIn(page);
    await page.getByText('Choose a file or paste a text.').waitFor();
    await page.locator('input[type=file]:focus').waitFor();
    const withItem = (id: string, others: object) =>
      session(id, { items: [{ reference: 'i-1', ...others }], responses: [] });
    await bringIn(
      page,
      file('photo', String.fromCodePoint(0x89, 0x50, 0x4e, 0x47)),
      file('empty', ''),
      file('letter', Buffer.from('{"dear":"learner"}').toString('base64')),
      file('whole', 'A'.repeat(7_300_000)),
      file('good', session('r-1')),
      file('copy', session('r-1')),
      file('elsewhere', withItem('r-2', { organisation_id: 2 })),
      file('cut', session('r-3', { dt_started: undefined })),
      file('unknown', session('r-4', { items: [{ reference: 'no-such-item' }] })),
      file('fine', session('r-5', { activity_template_id: 'no-such-activity' })),
    );
    await said(page, '10 of 10 files: 2 brought in, 1 already stored, 7 refused.');
    for (const [name, text] of [
      ['photo', 'This is not a file of answers.'],
      ['empty', 'This is not a file of answers.'],
      ['letter', 'This is not a file of answers.'],
      ['whole', 'This file is too large'],
      ['good', 'Session of learner-r-1'],
      ['copy', 'Session of learner-r-1'],
      ['elsewhere', 'elsewhere.txt, decoded: items[0] is of organisation 2, which you may not read.'],
      ['cut', 'cut.txt, decoded: dt_started'],
      ['unknown', 'there is no item "no-such-item" in organisation 1'],
      ['fine', 'Brought in'],
    ])
      await expectSoon(() => outcome(page, `${name}.txt`).textContent()).toContain(text);
    expect(await scoreOf('r-5')).toBe(1);

    const answered = (revision: number, value: string, others: object = {}) =>
      session('r-5', {
        responses: [{ item_reference: 'i-1', question_reference: 'q-1', revision, type: 'array', value: [value] }],
        ...others,
      });
    await bringIn(
      page,
      file('older', answered(1, '0')),
      file('another', answered(3, '0', { user_id: 'somebody else' })),
    );
    await said(page, '9 refused.');
    await expectSoon(() => outcome(page, 'older.txt').textContent()).toContain('revision 2 is stored already');
    await expectSoon(() => outcome(page, 'another.txt').textContent()).toContain('the session belongs to another user');
    expect(await scoreOf('r-5')).toBe(1);
    // Nobody can tell that this text was changed by hand.
    await panel(page)
      .getByLabel('Or paste the text of a file')
      .fill(textOf(answered(2, '0')));
    await button(page, 'Bring in').click();
    await said(page, '3 brought in');
    await expectSoon(() => outcome(page, 'Pasted text 1').textContent()).toContain('Brought in');
    expect(await scoreOf('r-5')).toBe(0);
  });

  it('say what became of a file that is gone, and of one whose job was cancelled', async () => {
    const { page } = await console.signIn(['operator']);
    await openPanel(page);
    const path = join(folder, 'gone.txt');
    writeFileSync(path, textOf(session('g-1')));
    await fileInput(page).setInputFiles(path);
    rmSync(path);
    await button(page, 'Bring in').click();
    await said(page, '1 of 1 file: 0 brought in, 0 already stored, 1 refused.');
    await expectSoon(() => outcome(page, 'gone.txt').textContent()).toContain('The browser cannot read this file.');

    await intercept(page, '**/console/api/v1/jobs', async (route) => {
      const answer = await (await route.fetch()).json();
      const error = { code: 10000, message: 'The job was cancelled.' };
      for (const job of answer.data) Object.assign(job, { status: 'halted', results: null, error });
      await route.fulfill({ json: answer });
    });
    await bringIn(page, file('halted', session('g-2')));
    await said(page, '2 of 2 files: 0 brought in, 0 already stored, 2 refused.');
    await expectSoon(() => outcome(page, 'halted.txt').textContent()).toContain('The job was cancelled.');
  });

  it('of a whole class are sent in a few calls, which become smaller when the service finds them too large', async () => {
    const { page } = await console.signIn(['operator']);
    const calls: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/sessions')) calls.push(request.postDataJSON().request.data.length);
    });
    await openPanel(page);
    const number = (index: number) => `c-${String(index).padStart(2, '0')}`;
    await bringIn(page, ...Array.from({ length: 55 }, (_, index) => file(number(index), session(number(index)))));
    await said(page, '55 of 55 files: 55 brought in, 0 already stored, 0 refused.');
    expect(calls.splice(0)).toEqual([50, 5]);

    const twice = ['d-1', 'd-1', 'd-2', 'd-2', 'd-3', 'd-3'].map((id) => file(id, session(id)));
    await bringIn(page, ...twice);
    await said(page, '61 of 61 files: 58 brought in, 3 already stored, 0 refused.');
    expect(calls.splice(0)).toEqual([3, 3]);

    const large = (id: string, share: number) =>
      file(id, session(id, { custom_state: 'x'.repeat((share * MAX_BODY_BYTES * 3) / 4) }));
    await bringIn(page, large('l-1', 0.4), large('l-2', 0.4), large('l-3', 0.4), large('l-4', 1));
    await said(page, '65 of 65 files: 61 brought in, 3 already stored, 1 refused.');
    await expectSoon(() => outcome(page, 'l-4.txt').textContent()).toContain(
      `The body is larger than ${MAX_BODY_BYTES} bytes`,
    );
    expect(calls).toEqual([4, 2, 2, 1, 1]);
  });

  it('stay chosen after a lost connection, can be sent again by keyboard, and are stored once', async () => {
    const { page } = await console.signIn(['operator']);
    await openPanel(page);
    const found = await loseAnswers(page, '**/console/api/v1/sessions');
    await fileInput(page).setInputFiles([file('k-1', session('k-1')), file('k-2', session('k-2'))]);
    await fileInput(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('alert').getByText('The service cannot be reached').waitFor();
    await expectSoon(() => outcome(page, 'k-1.txt').textContent()).toContain('Not sent yet');
    await found();
    await page.locator('button:focus').getByText('Send the rest (2)').waitFor();
    await page.keyboard.press('Enter');
    await said(page, '2 of 2 files: 2 brought in, 0 already stored, 0 refused.');
    await page.locator('button:focus').getByText('Bring in').waitFor();
  });

  it('say what became of them in whole words on a narrow screen', async () => {
    const { page } = await console.signIn(['operator'], { language: 'de', width: 320 });
    await console.visit(page, '/sessions?answers=yes');
    await cutOff(page, '**/console/api/v1/sessions');
    await page.getByLabel('Antwortdateien').setInputFiles([file('n-1', session('n-1', { user_id: 'x'.repeat(250) }))]);
    await button(page, 'Einlesen').click();
    await page.getByRole('alert').getByText('Der Dienst ist nicht erreichbar.').waitFor();
    const cut = await page.evaluate(`[...document.querySelectorAll('[role=dialog] *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map(({ textContent }) => textContent)`);
    expect([await page.getByText('Noch nicht gesendet').count(), cut]).toEqual([1, []]);
  });

  testForBarriers(console, async (page, check, language) => {
    const t =
      language === 'en'
        ? {
            names: ['Offline package', 'Make the package'],
            ready: 'The package is ready.',
            bring: 'Bring in offline answers',
            files: 'Files of answers',
            send: 'Bring in',
            done: /^2 of 2 files/,
          }
        : {
            names: ['Offline-Paket', 'Paket erstellen'],
            ready: 'Das Paket ist fertig.',
            bring: 'Offline-Antworten einlesen',
            files: 'Antwortdateien',
            send: 'Einlesen',
            done: /^2 von 2 Dateien/,
          };
    await console.visit(page, '/activities/a-adaptive');
    await button(page, t.names[0]!).click();
    await button(page, t.names[1]!).waitFor();
    await check();
    await pack(page, 'a-1', t.ready, t.names);
    await check();
    await console.visit(page, '/sessions');
    await button(page, t.bring).click();
    await page.getByLabel(t.files).waitFor();
    await check();
    await page.getByLabel(t.files).setInputFiles([file('empty', ''), file('b-1', session('b-1'))]);
    await button(page, t.send).click();
    await page.getByRole('status').filter({ hasText: t.done }).waitFor();
    await check();
  });
});
