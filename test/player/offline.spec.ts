import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { activity, feature, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { unzip } from '../support/unzip';
import { until } from '../support/until';
import { button, dialog, group, hostPageWith, radio, onPage } from './host-page';
import { putInOrder } from './ordering';

/**
 * A text in members that reveal the right answer. Records of the package may contain it, but scripts of its page may
 * not.
 */
const KEY = 'only the key says this';

describe('an offline package that is opened from a folder', () => {
  let files: Map<string, Buffer>;
  let folder: string;
  const host = hostPageWith({
    questions: [
      question({ reference: 'q-choice' }),
      {
        reference: 'q-order',
        type: 'orderlist',
        data: {
          type: 'orderlist',
          stimulus: 'From small to large.',
          list: ['one', 'two', 'three'],
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [0, 1, 2] } },
          metadata: { distractor_rationale: KEY },
        },
      },
      {
        reference: 'q-formula',
        type: 'shorttext',
        data: {
          type: 'shorttext',
          stimulus: 'What is \\(2^3\\)?',
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: '8' } },
        },
      },
    ],
    features: [feature({ reference: 'f-passage' })],
    items: [
      item(['f-passage', 'q-choice'], { reference: 'i-1', status: 'published', title: KEY }),
      item(['q-order', 'q-formula'], { reference: 'i-2' }),
    ],
    activities: [
      activity(['i-1', 'i-2'], {
        reference: 'a-offline',
        status: 'published',
        data: {
          items: ['i-1', 'i-2'],
          config: { title: 'Away from the net', time: { max_time: 3600, countdown_option: true } },
        },
      }),
      activity(['i-1'], {
        reference: 'a-adaptive',
        status: 'published',
        data: { items: ['i-1'], adaptive: { type: 'itemadaptive' } },
      }),
    ],
  });

  beforeAll(async () => {
    host.service.clock.advance(10_000);
    const { data } = await host.service.client.get('itembank/offlinepackage', {
      activity_references: ['a-offline', 'a-adaptive'],
    });
    host.service.clock.advance(2_000);
    const [{ job_reference: reference }] = data as [{ job_reference: string }];
    const job = await host.service.client.ended(reference);
    const zip = await fetch(job.results.address);
    files = await unzip(Buffer.from(await zip.arrayBuffer()));
    folder = mkdtempSync(join(tmpdir(), 'itembank-package-'));
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (learner: string): Promise<Page> => {
    const page = await host.context.newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByLabel('Your name or number').fill(learner);
    await button(page, 'Away from the net').click();
    return page;
  };
  const focused = (page: Page, heading: string) =>
    page.getByRole('heading', { name: heading, level: 1 }).and(page.locator(':focus')).waitFor();
  const answers = (page: Page) => page.getByLabel('Your answers as text:').inputValue();
  /** The session that the service makes of the answers as text. */
  async function brought(text: string) {
    const { session_id: sessionId } = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as {
      session_id: string;
    };
    const { data } = await host.service.client.set('sessions', { data: [text] });
    await host.service.client.ended(data.job_reference);
    return host.session(sessionId);
  }

  it('runs a test without a network, and the service accepts and scores the resulting file', async () => {
    await host.context.setOffline(true);
    const requests: string[] = [];
    host.context.on('request', (request) => requests.push(request.url()));
    const page = await open('learner-7');
    await button(page, 'Start').click();
    await onPage(page.getByText('It flows.')).waitFor();
    await radio(page, 'Two').check();
    await button(page, 'Next').click();
    await putInOrder(page, page.getByRole('list', { name: 'From small to large.' }), ['one', 'two', 'three']);
    await page.getByRole('textbox').fill('8');
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'The test is finished' }).waitFor();
    const text = await answers(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link').click()]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(text);
    expect(requests.filter((url) => !/^(file|blob|data):/.test(url))).toEqual([]);

    expect(await brought(text)).toMatchObject({ user_id: 'learner-7', status: 'Completed', score: 3, max_score: 3 });
  });

  it('makes a file that the service accepts when the clock of the computer was set back during the test', async () => {
    const page = await open('gita');
    await button(page, 'Start').click();
    await radio(page, 'Two').check();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 2').waitFor();
    await page.close();
    await host.context.addInitScript(`{
      const Right = Date;
      Date = class extends Right {
        constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); }
        static now() { return Right.now() - 86_400_000; }
      };
    }`);
    const again = await open('gita');
    await group(again, 'Item 2 of 2').waitFor();
    await button(again, 'Finish').click();
    await button(again, 'Submit').click();
    await again.getByRole('heading', { name: 'The test is finished' }).waitFor();
    expect(await brought(await answers(again))).toMatchObject({ user_id: 'gita', status: 'Completed', score: 1 });
  });

  it('restores the answers of each learner after a reload', async () => {
    const page = await open('anna');
    await button(page, 'Start').click();
    await radio(page, 'One').check();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 2').waitFor();
    await page.close();
    const again = await open('anna');
    await group(again, 'Item 2 of 2').waitFor();
    await button(again, 'Previous').click();
    await until(() => radio(again, 'One').isChecked());
    await button(await open('bert'), 'Start').waitFor();
  });

  it('gives back no time after a sleep of the computer or a pause', async () => {
    const page = await open('hana');
    await button(page, 'Start').click();
    const left = page.getByRole('timer');
    await left.getByText(/^(1:00:00|5\d:\d\d) left$/).waitFor();
    await page.evaluate('{ const { now } = performance; performance.now = () => now.call(performance) + 1_200_000; }');
    await left.getByText(/^[34]\d:\d\d left$/).waitFor();
    await button(page, 'Pause').click();
    await button(page, 'Go on').click();
    await dialog(page, 'The test is paused').waitFor({ state: 'hidden' });
    await expectSoon(() => left.textContent()).toMatch(/^[34]\d:\d\d left$/);
  });

  it('says what it needs when its scripts do not run or are missing', async () => {
    const page = await host.context.newPage();
    const parts = join(folder, 'parts');
    mkdirSync(parts);
    writeFileSync(join(parts, 'index.html'), files.get('index.html')!);
    await page.goto(pathToFileURL(join(parts, 'index.html')).href);
    await onPage(page.getByText('unpack the whole zip first')).waitFor();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByLabel('Your name or number').waitFor();
    expect(await page.getByText('unpack the whole zip first').count()).toBe(0);
  });

  it('speaks German in a German browser', async () => {
    await host.context.addInitScript("Object.defineProperty(navigator, 'language', { value: 'de-AT' })");
    const page = await host.context.newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByLabel('Ihr Name oder Ihre Nummer').fill('ilse');
    await button(page, 'Away from the net').click();
    await button(page, 'Beginnen').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  });

  it('moves the focus to the heading of each page, and announces that the test is finished', async () => {
    const page = await open('listener');
    await focused(page, 'Away from the net');
    await button(page, 'Start').click();
    await button(page, 'Next').click();
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByRole('status').filter({ hasText: 'The test is finished' }).waitFor({ state: 'attached' });
    await button(page, 'Close').click();
    await focused(page, 'Tests');
  });

  it('offers the answers of a finished test again, and does not restart it', async () => {
    const page = await open('carla');
    await button(page, 'Start').click();
    await radio(page, 'Two').check();
    await page.getByRole('button', { name: /^Item 2/ }).click();
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'The test is finished' }).waitFor();
    const text = await answers(page);
    const again = await open('carla');
    await again.getByRole('heading', { name: 'The test is finished' }).waitFor();
    const responses = (encoded: string) =>
      (JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')) as { responses: unknown }).responses;
    expect(responses(await answers(again))).toEqual(responses(text));
  });

  it('runs from a server of the school without TLS, whose browsers make no random ids', async () => {
    await host.context.addInitScript('delete Crypto.prototype.randomUUID');
    await button(await open('emil'), 'Start').waitFor();
  });

  it('runs in a browser that stores nothing, says so, and gives the answers at the end', async () => {
    await host.context.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('off', 'SecurityError'); } })",
    );
    const page = await open('fatma');
    await button(page, 'Start').click();
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await page.locator('.itembank-saved').getByText('this browser cannot keep them').waitFor();
    await button(page, 'Next').click();
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await onPage(page.getByText('Download them and give the file to whoever runs this test.')).waitFor();
    expect(await brought(await answers(page))).toMatchObject({ user_id: 'fatma', status: 'Completed', score: 1 });
  });

  it('loses no answer when a learner has opened a test twice', async () => {
    const [first, second] = [await open('gino'), await open('gino')];
    for (const page of [first, second]) await button(page, 'Start').click();
    await radio(first, 'Two').check();
    await button(first, 'Next').click();
    await first.getByRole('textbox').fill('8');
    await button(first, 'Save').click();
    // A browser tells its other pages a moment later what one of them has stored.
    const isStored = `Object.values(localStorage).some((text) => /"saveNumber".*"value":"8"/.test(text))`;
    await until(() => second.evaluate<boolean>(isStored));
    await button(second, 'Next').click();
    await dialog(second, 'This test was changed on another page.').waitFor();
    await button(second, 'Go on here').click();
    await button(second, 'Finish').click();
    await button(second, 'Submit').click();
    await second.getByRole('heading', { name: 'The test is finished' }).waitFor();
    const { responses } = JSON.parse(Buffer.from(await answers(second), 'base64').toString('utf8'));
    expect(responses.map(({ value }: { value: unknown }) => value)).toEqual([['1'], '8']);
  });

  it('has no accessibility violations', async () => {
    const page = await host.context.newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByLabel('Your name or number').fill('dora');
    const found = [await axeViolations(page)];
    await button(page, 'Away from the net').click();
    await button(page, 'Start').click();
    await radio(page, 'One').waitFor();
    found.push(await axeViolations(page));
    expect(found).toEqual([[], []]);
  });

  it('lists its activities, and its scripts contain no key, title or rationale', () => {
    const scripts = [...files].filter(([path]) => path.startsWith('player/') && path !== 'player/offline.js');
    expect(scripts.map(([path]) => path)).toEqual(['player/activity-1.js', 'player/activities.js']);
    for (const [, content] of scripts)
      expect(content.toString()).not.toMatch(new RegExp(`${KEY}|validation|valid_response`));
    expect(files.get('player/activities.js')!.toString()).not.toContain('a-adaptive');
  });
});
