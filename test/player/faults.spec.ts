import type { Page } from 'playwright-core';
import { feature, item, question } from '../support/builders';
import { cutOff, intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { ServiceProcess, temporaryFolders } from '../support/processes';
import { freePort } from '../support/servers/free-port';
import { TestClock } from '../support/service';
import { signal } from '../support/signal';
import { DAY, HOUR, MINUTE } from '../support/time';
import { until } from '../support/until';
import {
  allSaved,
  button,
  BY_HAND,
  dialog,
  group,
  heard,
  hostPageWith,
  pressTwice,
  radio,
  valuesOf,
  onPage,
} from './host-page';

const folder = temporaryFolders();

const LONG = ['a', 'b', 'c', 'd'].map((name) => `q-long-${name}`);

describe('a test in a browser, during faults', () => {
  const host = hostPageWith({
    questions: [
      ...['1', '2'].map((name) => question({ reference: `q-${name}` })),
      ...['q-essay', ...LONG].map((reference) =>
        question({ reference, type: 'plaintext', data: { type: 'plaintext', stimulus: 'Write.' } }),
      ),
    ],
    features: [feature({ reference: 'f-passage' })],
    items: [
      ...['1', '2', 'essay'].map((name) => item([`q-${name}`], { reference: `i-${name}` })),
      item(LONG, { reference: 'i-long' }),
      item(['f-passage', 'q-1'], { reference: 'i-passage' }),
    ],
  });

  const request = (more: object = {}) => TestPage.request({ items: ['i-1', 'i-2'], ...more });
  const submitFrom = async (page: Page) => {
    for (const name of ['Next', 'Finish', 'Submit']) await button(page, name).click();
  };
  const crash = async (page: Page) => {
    const crashed = page.waitForEvent('crash');
    const session = await host.context.newCDPSession(page);
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  };
  const begin = async (wanted: object): Promise<Page> => {
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await radio(page, 'One').waitFor();
    return page;
  };

  it.each([
    ['ahead', DAY],
    ['behind', -DAY],
  ])('keeps a hard limit by the clock of the service when that of the browser is a day %s', async (_, shift) => {
    await host.context.addInitScript(`{
      const Real = Date;
      globalThis.Date = class extends Real {
        constructor(...given) { given.length === 0 ? super(Real.now() + ${shift}) : super(...given); }
        static now() { return Real.now() + ${shift}; }
      };
    }`);
    const wanted = request({ config: { ...BY_HAND, time: { max_time: 600, limit_type: 'hard' } } });
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await allSaved(page);
    await page.getByText(/^0:\d\d \/ 10:00$/).waitFor();
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
    // Only the service's clock decides when the time is over.
    host.service.clock.advance(611_000);
    await radio(page, 'One').check();
    await button(page, 'Save').click();
    await until(async () => (await host.session(wanted.session_id)).status === 'Completed');
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
    await page.getByRole('heading', { name: 'This test is over' }).waitFor();
    await page.getByText('Answers that came after its end are not stored.', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('tells the learner which answers a submission after the end leaves out', async () => {
    const wanted = request({ config: { ...BY_HAND, time: { max_time: 600, limit_type: 'hard' } } });
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await allSaved(page);
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 2').waitFor();
    await radio(page, 'One').check();
    host.service.clock.advance(611_000);
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    await page.getByText('Answers that came after its end are not stored.', { exact: true }).waitFor();
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('tells the learner that answers came after the time of their section', async () => {
    const limit = { time: { max_time: 600, limit_type: 'hard' } };
    const sections = [
      { items: ['i-1'], config: limit },
      { items: ['i-2'], config: limit },
    ];
    const wanted = request({ items: undefined, sections });
    const page = await begin(wanted);
    await radio(page, 'One').check();
    await button(page, 'Save').click();
    await allSaved(page);
    host.service.clock.advance(700_000);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await page.getByText('Answers that came after the time of their section are not stored.').first().waitFor();
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['0'], null]);
    await group(page, 'Item 2 of 2').waitFor();
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByText('Answers that came after its end are not stored.', { exact: true }).waitFor();
  });

  it('says after a reload that the test is over, and that what was submitted has arrived', async () => {
    const page = await begin(request());
    await radio(page, 'Two').check();
    await submitFrom(page);
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('This test is over. What you submitted has arrived. (20011)').waitFor();
  });

  it('tells the learner to load a page again whose request was signed too long ago', async () => {
    const page = await begin(request());
    host.service.clock.advance(4 * HOUR);
    await page.reload();
    await page.getByRole('alert').getByText('This page is too old to show the test. Load it again. (41004)').waitFor();
  });

  it('tells a learner how to get the answers when neither the service nor the browser takes them', async () => {
    await host.context.addInitScript(
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    );
    const page = await begin(request({ config: BY_HAND }));
    await radio(page, 'Two').check();
    // The token of the page has expired.
    host.service.clock.advance(8 * DAY);
    await button(page, 'Save').click();
    const text = 'Answers can no longer be saved from this page, and this browser cannot keep them. Submit to get them';
    await page.getByText(text).first().waitFor();
    await submitFrom(page);
    const failed = dialog(page, 'Your answers could not be submitted');
    await onPage(failed.getByText(text)).waitFor();
    const given = Buffer.from(await failed.getByRole('textbox').inputValue(), 'base64').toString();
    expect(JSON.parse(given)).toMatchObject({ responses: [{ value: ['1'] }] });
  });

  it('ends on every page when one of them has submitted the test', async () => {
    const wanted = request({ config: BY_HAND });
    const page = await begin(wanted);
    const other = await host.visit(wanted);
    await button(other, 'Start').click();
    await submitFrom(other);
    await other.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'This test is over' }).waitFor();
  });

  it('tells the learner that a submission after that of another page leaves answers out', async () => {
    const wanted = request({ config: BY_HAND });
    const page = await begin(wanted);
    const other = await begin(wanted);
    await radio(page, 'Two').check();
    await submitFrom(other);
    await other.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    await submitFrom(page);
    await page.getByText('Answers that came after its end are not stored.', { exact: true }).waitFor();
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([null, null]);
  });

  it('saves the other answers when one is too long, and names that one until it is shorter', async () => {
    const wanted = request({ items: ['i-essay', 'i-1'] });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await page.getByRole('textbox', { name: 'Write.' }).fill('x'.repeat(200_001));
    await button(page, 'Next').click();
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    // The text is also announced, when the answer becomes too long.
    const saved = page.locator('.itembank-saved');
    await saved.getByText('Question 1: the answer is too long to be saved. Shorten it.').waitFor();
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([null, ['1']]);
    await button(page, 'Finish').click();
    await onPage(
      page.getByRole('dialog').getByText('Question 1: the answer is too long to be saved. Shorten it.'),
    ).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Previous').click();
    await page.getByRole('textbox', { name: 'Write.' }).fill('Short enough.');
    await button(page, 'Save').click();
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual(['Short enough.', ['1']]);
  });

  it('tells the page which answer is too long to be saved, and that only the others are saved', async () => {
    const page = await host.visit(request({ items: ['i-essay', 'i-1'] }));
    await button(page, 'Start').click();
    await page.getByRole('textbox', { name: 'Write.' }).fill('x'.repeat(200_001));
    await button(page, 'Next').click();
    await radio(page, 'Two').check();
    const [essay, choice] = await page.evaluate<string[]>('app.attemptedQuestions()');
    expect(await page.evaluate('new Promise((success, error) => app.save({ success, error }))')).toEqual([choice]);
    expect(await page.evaluate('app.unsaveableQuestions()')).toEqual([essay]);
  });

  it.each([['saved'], ['submitted']])('keeps all of many long answers that are %s at once', async (how) => {
    const wanted = request({ items: ['i-long'], config: BY_HAND });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    // Each has three bytes for a character, so all of them exceed what one call may have.
    const texts = ['一', '二', '三', '四'].map((character) => character.repeat(190_000));
    for (const [at, text] of texts.entries()) await page.getByRole('textbox', { name: 'Write.' }).nth(at).fill(text);
    for (const name of how === 'saved' ? ['Save'] : ['Finish', 'Submit']) await button(page, name).click();
    if (how === 'saved') await allSaved(page);
    else await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    expect(valuesOf(await host.session(wanted.session_id))).toEqual(texts);
  });

  it('saves to the service when the browser stores nothing, and tells the learner when only this page has the answers', async () => {
    await host.context.addInitScript(
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    );
    const wanted = request();
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
    await host.context.setOffline(true);
    await radio(page, 'One').check();
    await button(page, 'Save').click();
    await onPage(page.getByText('this browser cannot keep them')).waitFor();
    await host.context.setOffline(false);
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['0'], null]);
  });

  it('restores the answers of a crashed tab, which nobody else can read in the browser', async () => {
    const wanted = request();
    const page = await begin(wanted);
    await cutOff(page, '**/sessions/current/**');
    await radio(page, 'Two').check();
    const kept = () => page.evaluate<string[]>('Object.values(localStorage)');
    await until(async () => (await kept()).length > 0);
    const text = (await kept()).join();
    expect(text).not.toMatch(/response|value/);
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toMatch(/response|value/);
    await crash(page);
    const again = await host.visit(wanted);
    await button(again, 'Start').click();
    await until(() => radio(again, 'Two').isChecked());
    await until(async () => (await host.session(wanted.session_id))?.num_attempted === 1);
    await until(async () => (await again.evaluate<number>('localStorage.length')) === 0);
  });

  it('sends the answers of a minute without a network once the network is back', async () => {
    await host.context.clock.install();
    const wanted = request();
    const page = await begin(wanted);
    await host.context.setOffline(true);
    await radio(page, 'Two').check();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 2').waitFor();
    await page.getByText('Answers could not be saved. Trying again.').first().waitFor();
    await host.context.clock.runFor(60_000);
    await radio(page, 'One').check();
    await host.context.setOffline(false);
    await until(async () => {
      await host.context.clock.runFor(1_000);
      return (await page.getByText('All answers are saved.').count()) > 0;
    });
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], ['0']]);
  });

  it('saves without being asked again after the button Save did not reach the service', async () => {
    const wanted = request({ config: BY_HAND });
    const page = await begin(wanted);
    await cutOff(page, '**/sessions/current/**');
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await page.getByText('Answers could not be saved. Trying again.').first().waitFor();
    await page.unroute('**/sessions/current/**');
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('announces once that answers could not be saved, however often it tries, and then that they are saved', async () => {
    await host.context.clock.install();
    const page = await begin(request({ config: BY_HAND }));
    await page.evaluate(`
      globalThis.announced = [];
      new MutationObserver((changes) => {
        for (const { target } of changes) if (/answers/i.test(target.role === 'status' && target.textContent)) announced.push(target.textContent.trim());
      }).observe(document.body, { subtree: true, childList: true });`);
    await cutOff(page, '**/sessions/current/**');
    let failures = 0;
    page.on('requestfailed', () => failures++);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    const runUntil = (look: () => Promise<boolean>) =>
      until(async () => {
        await host.context.clock.runFor(1_000);
        return look();
      });
    await runUntil(async () => failures > 2);
    await page.unroute('**/sessions/current/**');
    await runUntil(() => page.evaluate<boolean>(`announced.includes('All answers are saved.')`));
    expect(await page.evaluate('announced')).toEqual([
      'Answers could not be saved. Trying again.',
      'All answers are saved.',
    ]);
  });

  it('saves later what did not reach the service when the learner looked at another page', async () => {
    await host.context.clock.install();
    const wanted = request({ config: { navigation: { auto_save: { save_interval_duration: 300 } } } });
    const page = await begin(wanted);
    await cutOff(page, '**/sessions/current/**');
    await radio(page, 'Two').check();
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
    await page.getByText('Answers could not be saved. Trying again.').first().waitFor();
    await page.unroute('**/sessions/current/**');
    await until(async () => {
      await host.context.clock.runFor(20_000);
      return (await page.getByText('All answers are saved.').count()) > 0;
    });
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('starts a test whose items take a minute to arrive, and counts this minute', async () => {
    // The answer of the service begins at once, and goes on when the test calls `release`.
    await host.context.addInitScript(() => {
      const { fetch } = globalThis;
      globalThis.fetch = async (url, options) => {
        const answer = await fetch(url, { ...options, signal: null });
        if (!(url as string).endsWith('/sessions')) return answer;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const begin = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
          Object.assign(globalThis, {
            release() {
              controller.enqueue(bytes);
              controller.close();
            },
          });
          options!.signal!.addEventListener('abort', () => controller.error(new Error('The page gave up.')));
        };
        return new Response(new ReadableStream({ start: begin }), answer);
      };
    });
    await host.context.clock.install();
    const page = await host.visit(request({ config: { time: { max_time: 600, limit_type: 'hard' } } }));
    await until(() => page.evaluate<boolean>('"release" in globalThis'));
    await host.context.clock.runFor(60_000);
    await page.evaluate('release()');
    await button(page, 'Start').click();
    await radio(page, 'One').waitFor();
    await page.getByText(/^[1-9]:\d\d \/ 10:00$/).waitFor();
  });

  it('calls a service out of reach no more often after many moves than after one', async () => {
    await host.context.clock.install();
    const page = await begin(request());
    await cutOff(page, '**/delivery/**');
    let calls = 0;
    page.on('requestfailed', () => (calls += 1));
    for (let moves = 0; moves < 10; moves += 1) {
      await button(page, moves % 2 === 0 ? 'Next' : 'Previous').click();
      await until(() => Promise.resolve(calls > moves));
    }
    // From here on, only the test moves the clock of the page.
    await host.context.clock.pauseAt((await page.evaluate<number>('Date.now()')) + MINUTE);
    calls = 0;
    // The pauses between the tries: 1, 2, 5, 10 and 30 s.
    for (let seconds = 0; seconds < 48; seconds += 1) await host.context.clock.runFor(1_000);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(5);
  });

  it('tells the learner to load the page again when its token has expired, and finds the answers there', async () => {
    const wanted = request({ config: BY_HAND });
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    host.service.clock.advance(8 * DAY);
    await button(page, 'Save').click();
    await page.getByText('Load the page again to go on.').filter({ visible: true }).first().waitFor();
    const again = await host.visit(wanted);
    await button(again, 'Start').click();
    await allSaved(again);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('offers the answers as text, and no hope of the connection, when a submission is refused', async () => {
    const wanted = request();
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    host.service.clock.advance(8 * DAY);
    await page.evaluate('app.submit()');
    const failed = dialog(page, 'Your answers could not be submitted');
    await onPage(failed.getByText('Load the page again to go on.')).waitFor();
    expect(await failed.getByText('Check the connection').count()).toBe(0);
    expect(await failed.getByRole('textbox').inputValue()).not.toBe('');
  });

  it('tells a learner whose submission fails that a full browser does not keep the answers', async () => {
    const page = await begin(request());
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }");
    await radio(page, 'Two').check();
    await host.context.setOffline(true);
    await page.evaluate('app.submit()');
    await dialog(page, 'Your answers could not be submitted').getByText('This browser cannot keep them.').waitFor();
    await host.context.setOffline(false);
  });

  it('shows items of other types without a network', async () => {
    const wanted = request({ items: ['i-1', 'i-essay'] });
    const page = await begin(wanted);
    await until(() => page.evaluate<boolean>('customElements.get("itembank-plaintext") !== undefined'));
    await host.context.setOffline(true);
    await button(page, 'Next').click();
    await page.getByRole('textbox').fill('Offline.');
    await host.context.setOffline(false);
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([null, 'Offline.']);
  });

  it('shows a question once its code can be loaded, and moves on meanwhile', async () => {
    const page = await host.visit(request({ items: ['i-essay', 'i-1'] }));
    await button(page, 'Start').waitFor();
    await intercept(page, '**/player/assets/**', (route) => route.abort());
    await button(page, 'Start').click();
    const notice = page.getByText('This part could not be loaded. Trying again.').filter({ visible: true });
    await notice.waitFor();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 2').waitFor();
    await page.unroute('**/player/assets/**');
    await radio(page, 'One').waitFor();
    expect(await notice.count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
    await button(page, 'Previous').click();
    await page.getByRole('textbox').waitFor();
  });

  it('shows the parts of an item together, so that none moves another below the pointer', async () => {
    const released = signal();
    await host.context.route('**/player/assets/**', async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes('paginated_content')) await released.promise;
      await route.fulfill({ response });
    });
    const page = await host.visit(request({ items: ['i-passage'] }));
    await button(page, 'Start').click();
    await until(() => page.evaluate<boolean>('customElements.get("itembank-mcq") !== undefined'));
    expect(await radio(page, 'One').count()).toBe(0);
    released.give();
    await radio(page, 'One').waitFor();
    await expectSoon(() => page.getByText('It flows.').isVisible()).toBe(true);
  });

  it('saves long answers whose characters take several bytes', async () => {
    const wanted = request({ items: ['i-essay'] });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    const essay = '語'.repeat(30_000);
    await page.getByRole('textbox').fill(essay);
    await button(page, 'Save').click();
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([essay]);
  });

  it('submits once when the page is hidden while the submission is under way', async () => {
    const wanted = request();
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    await button(page, 'Next').click();
    await allSaved(page);
    await radio(page, 'One').check();
    await button(page, 'Finish').click();
    const released = signal();
    const asked = page.waitForRequest('**/submissions');
    await intercept(page, '**/submissions', async (route) => {
      await released.promise;
      await route.continue();
    });
    await button(page, 'Submit').click();
    await asked;
    // A second later, a save would differ from the submission.
    await page.evaluate('new Promise((done) => app.once("time:change", done))');
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
    // A save beside the submission would be here by now.
    await page.evaluate('new Promise((done) => setTimeout(done, 500))');
    released.give();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], ['0']]);
  });

  it('says that a test is submitted, and nothing of late answers, after the answer to the submission was lost', async () => {
    let isLost = false;
    await host.context.route('**/submissions', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    const wanted = request({ config: BY_HAND });
    const page = await begin(wanted);
    await radio(page, 'Two').check();
    await page.evaluate('app.submit()');
    await dialog(page, 'Your answers could not be submitted').getByText('Cancel').click();
    await button(page, 'Save').click();
    const ends = page.getByRole('heading', { name: /^(This test is over|Your answers have been submitted)$/ });
    await ends.waitFor();
    await expectSoon(() => ends.textContent()).toBe('Your answers have been submitted');
    expect(await page.getByText('Answers that came after its end are not stored.').count()).toBe(0);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it.each(['assess', 'inline'])('takes no answer of an %s test while it is being submitted', async (type) => {
    const config = {
      navigation: { show_intro: false, skip_submit_confirmation: true },
      questions_api_init_options: { renderSubmitButton: true },
    };
    const page = await host.visit(request({ items: ['i-1'], rendering_type: type, config }), {
      body: `<div id="learnosity_assess"></div><i class="learnosity-item" data-reference="i-1"></i>
        <i class="learnosity-submit-button"></i>`,
    });
    await radio(page, 'Two').check();
    let isLocked: boolean | undefined;
    await intercept(page, '**/submissions', async (route) => {
      isLocked = await radio(page, 'One').isDisabled();
      await route.abort();
    });
    await button(page, type === 'inline' ? 'Submit' : 'Finish').click();
    await until(() => Promise.resolve(isLocked !== undefined));
    expect(isLocked).toBe(true);
    if (type === 'assess') await dialog(page, 'Your answers could not be submitted').getByText('Cancel').click();
    await radio(page, 'One').check();
  });

  it('gives the focus back to Finish after a failed submission without a question before it', async () => {
    const page = await begin(request({ items: ['i-1'], config: { navigation: { skip_submit_confirmation: true } } }));
    await cutOff(page, '**/submissions');
    await button(page, 'Finish').press('Enter');
    await dialog(page, 'Your answers could not be submitted').getByText('Cancel').press('Enter');
    await button(page, 'Finish').and(page.locator(':focus')).waitFor();
  });

  it('pauses and goes on only when the service has stopped and restarted the clock', async () => {
    const wanted = request();
    const page = await begin(wanted);
    await host.context.setOffline(true);
    await button(page, 'Pause').click();
    await dialog(page, 'The test could not be paused').waitFor();
    await button(page, 'Stay here').click();
    await radio(page, 'One').check();
    await host.context.setOffline(false);
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await host.context.setOffline(true);
    await button(page, 'Go on').click();
    await page.getByRole('alert').filter({ hasText: 'The service could not be reached.' }).waitFor();
    await host.context.setOffline(false);
    await button(page, 'Go on').click();
    await dialog(page, 'The test is paused').waitFor({ state: 'hidden' });
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('keeps the unsaved answers of each tab of a session', async () => {
    const wanted = request();
    const first = await begin(wanted);
    await button(first, 'Save').click();
    await allSaved(first);
    const second = await host.visit(wanted);
    await radio(second, 'One').waitFor();
    await host.context.setOffline(true);
    await radio(first, 'Two').check();
    await button(second, 'Next').click();
    await group(second, 'Item 2 of 2').getByRole('radio', { name: 'One' }).check();
    await until(async () => (await second.evaluate<number>('localStorage.length')) === 2);
    // Both tabs crash.
    await first.close();
    await second.close();
    await host.context.setOffline(false);
    const again = await host.visit(wanted);
    await allSaved(again);
    await until(async () => (await again.evaluate<number>('localStorage.length')) === 0);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], ['0']]);
  });

  it('tells a learner whose pauses have lasted a day that there are no more', async () => {
    const page = await begin(request());
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').getByText('All pauses together can last one day.').waitFor();
    host.service.clock.advance(DAY);
    await button(page, 'Go on').click();
    await button(page, 'Pause').click();
    await dialog(page, 'Your pauses have lasted one day in all. The test can no longer be paused.').waitFor();
    await button(page, 'Stay here').click();
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await allSaved(page);
  });

  it('stays paused when the learner presses Escape repeatedly, and takes no answers meanwhile', async () => {
    const wanted = request();
    const page = await begin(wanted);
    await button(page, 'Pause').click();
    const paused = dialog(page, 'The test is paused');
    await paused.waitFor();
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Escape');
    await paused.waitFor();
    await button(page, 'Go on').click();
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('shows the remaining time by the clock of the service after the computer was asleep', async () => {
    const wanted = request({ config: { time: { max_time: 3600, limit_type: 'hard', countdown_option: true } } });
    const page = await begin(wanted);
    const sleep = async (seconds: number) => {
      host.service.clock.advance(seconds * 1_000);
      await page.evaluate(`{ const { now } = Date; Date.now = () => now.call(Date) + ${seconds}_000; }`);
    };
    await page.getByText(/^(1:00:00|5\d:\d\d) left$/).waitFor();
    await sleep(1_800);
    await page.getByText(/^[23]\d:\d\d left$/).waitFor();
    // The computer sleeps until the end.
    await sleep(2_000);
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    expect((await host.session(wanted.session_id)).status).toBe('Completed');
  });

  it('does not count a pause as time of a test that is not stored', async () => {
    const time = { max_time: 3600, limit_type: 'hard', countdown_option: true };
    const page = await begin(request({ type: 'local_practice', config: { time } }));
    const pass = (seconds: number) =>
      page.evaluate(`{ const { now } = performance; performance.now = () => now.call(performance) + ${seconds}_000; }`);
    await pass(1_200);
    await page.getByText(/^[34]\d:\d\d left$/).waitFor();
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await page.getByText(/^[34]\d:\d\d left$/).waitFor();
    await pass(1_200);
    await button(page, 'Go on').click();
    await dialog(page, 'The test is paused').waitFor({ state: 'hidden' });
    await page.getByText(/^[34]\d:\d\d left$/).waitFor();
  });

  it('tells the learner to load the page again when going on here needs a new signature', async () => {
    const wanted = request({ config: BY_HAND });
    const page = await begin(wanted);
    const other = await begin(wanted);
    await radio(other, 'One').check();
    await button(other, 'Save').click();
    await allSaved(other);
    host.service.clock.advance(DAY);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await button(page, 'Go on here').click();
    await page.locator('.itembank-saved').getByText('Load the page again to go on.').waitFor();
    await expectSoon(() => radio(page, 'Two').isDisabled()).toBe(true);
  });

  /** A page with the answer "Two", after another page of the test has saved "One". */
  async function changedElsewhere() {
    const wanted = request({ config: BY_HAND });
    const [page, other] = [await begin(wanted), await begin(wanted)];
    await radio(other, 'One').check();
    await button(other, 'Save').click();
    await allSaved(other);
    await radio(page, 'Two').check();
    await button(page, 'Save').click();
    await dialog(page, 'This test was changed on another page.').waitFor();
    return { wanted, page };
  }

  it('loads a test once when the learner is impatient to go on here', async () => {
    const { wanted, page } = await changedElsewhere();
    let calls = 0;
    page.on('request', (call) => (calls += call.url().endsWith('/sessions') ? 1 : 0));
    await button(page, 'Go on here').evaluate(pressTwice);
    await allSaved(page);
    expect(calls).toBe(1);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('keeps the answer of a page that goes on here and crashes before it can save', async () => {
    const wanted = request({ config: BY_HAND });
    const [page, other] = [await begin(wanted), await begin(wanted)];
    const kept = () => page.evaluate<string[]>('Object.values(localStorage)');
    for (const name of ['Two', 'One']) await radio(other, name).check();
    await button(other, 'Save').click();
    await allSaved(other);
    await until(async () => (await kept()).length === 0);
    await radio(page, 'Two').check();
    const [before] = await until(async () => ((await kept()).length > 0 ? kept() : undefined));
    await button(page, 'Save').click();
    await dialog(page, 'This test was changed on another page.').waitFor();
    await cutOff(page, '**/sessions/current/**');
    await button(page, 'Go on here').click();
    await until(async () => (await kept())[0] !== before);
    await crash(page);
    const again = await host.visit(wanted);
    await until(() => radio(again, 'Two').isChecked());
    await allSaved(again);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('lets the learner go on here once the network is back', async () => {
    const { wanted, page } = await changedElsewhere();
    await cutOff(page, '**/delivery/**');
    await button(page, 'Go on here').click();
    await page.getByRole('alert').filter({ hasText: 'The service could not be reached.' }).waitFor();
    await page.unroute('**/delivery/**');
    await button(page, 'Go on here').click();
    await allSaved(page);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['1'], null]);
  });

  it('continues after the service was killed and restarted', async () => {
    const settings = { ...host.service.settings, DATA_DIR: folder(), PORT: String(await freePort()) };
    let api = await ServiceProcess.listening({ settings });
    const { service } = host;
    host.service = { ...service, url: api.url, clock: new TestClock(Date.now()) };
    try {
      const wanted = request();
      const page = await host.visit(wanted);
      await button(page, 'Start').click();
      await radio(page, 'Two').check();
      await button(page, 'Save').click();
      await allSaved(page);
      await api.end('SIGKILL');
      await radio(page, 'One').check();
      await button(page, 'Next').click();
      await page.getByText('Answers could not be saved. Trying again.').first().waitFor();
      await radio(page, 'Two').check();
      api = await ServiceProcess.listening({ settings });
      await allSaved(page);
      await button(page, 'Finish').click();
      await button(page, 'Submit').click();
      await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
      expect(await host.session(wanted.session_id)).toMatchObject({ status: 'Completed', score: 1, max_score: 2 });
      await expectSoon(() => heard(page)).toContain('test:submit:success');
    } finally {
      host.service = service;
      await api.end('SIGKILL');
    }
  });
});
