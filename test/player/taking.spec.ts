import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { write } from '../support/bank';
import { activity, item } from '../support/builders';
import { cutOff } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { signedStart, TestPage } from '../support/page';
import { signal } from '../support/signal';
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
import { putInOrder } from './ordering';

const CAPITALS = [
  ['Australia', ['Sydney', 'Canberra', 'Perth'], 'Canberra'],
  ['Canada', ['Toronto', 'Ottawa', 'Montreal'], 'Ottawa'],
  ['Brazil', ['Rio', 'Salvador', 'Brasília'], 'Brasília'],
] as const;

describe('a learner who takes a test in a page of another host', () => {
  const host = hostPageWith({
    questions: CAPITALS.map(([country, cities, capital]) => ({
      reference: `q-${country}`,
      type: 'mcq',
      data: {
        type: 'mcq',
        stimulus: `<p>The capital of ${country}?</p>`,
        options: cities.map((city) => ({ label: city, value: city })),
        instant_feedback: country === 'Canada',
        feedback_attempts: 2,
        validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [capital] } },
      },
    })),
    items: [
      ...CAPITALS.map(([country]) => item([`q-${country}`], { reference: `i-${country}` })),
      item(['q-Australia', 'q-Canada'], { reference: 'i-two' }),
    ],
  });

  const request = (more: object = {}) =>
    TestPage.request({ items: CAPITALS.map(([country]) => `i-${country}`), name: 'Capitals', ...more });

  it('completes a test by keyboard alone, and the service stores the answers as a completed session', async () => {
    const wanted = request({ config: { configuration: { onsubmit_redirect_url: '/after' } } });
    const page = await host.visit(wanted);
    await button(page, 'Start').focus();
    await page.keyboard.press('Enter');
    await group(page, 'Item 1 of 3').waitFor();
    for (const position of CAPITALS.keys()) {
      // The focus is on the heading of the question once the item is shown.
      const focused = "document.activeElement?.closest('.itembank-item')?.dataset.reference";
      await until(async () => (await page.evaluate(focused)) === `i-${CAPITALS[position]![0]}`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      const [, cities, capital] = CAPITALS[position]!;
      for (const city of cities.slice(
        0,
        cities.findIndex((city) => city === capital),
      )) {
        await until(() => radio(page, city).isChecked());
        await page.keyboard.press('ArrowDown');
      }
      await until(() => radio(page, capital).isChecked());
      await button(page, position < 2 ? 'Next' : 'Finish').focus();
      await page.keyboard.press('Enter');
    }
    await dialog(page, 'Submit this test?').waitFor();
    await button(page, 'Submit').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    const session = await host.session(wanted.session_id);
    expect(session).toMatchObject({ status: 'Completed', score: 3, max_score: 3 });
    expect(valuesOf(session)).toEqual([['Canberra'], ['Ottawa'], ['Brasília']]);
    await button(page, 'Close').click();
    await page.waitForURL(/\/after$/);
  });

  it('meets no accessibility violation on any screen of the player', async () => {
    const page = await host.visit(request());
    await button(page, 'Start').waitFor();
    const found: Record<string, string[]> = { intro: await axeViolations(page) };
    await button(page, 'Start').click();
    await radio(page, 'Canberra').check();
    found.item = await axeViolations(page);
    for (const name of ['Review', 'Display', 'Pause']) {
      await button(page, name).click();
      await page.getByRole('dialog').waitFor();
      found[name] = await axeViolations(page);
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.setViewportSize({ width: 320, height: 640 });
    found.narrow = await axeViolations(page);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: /^Item 3/ }).click();
    await button(page, 'Finish').click();
    found.confirm = await axeViolations(page);
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    found.done = await axeViolations(page);
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });

  it('finds the answers again after a reload, in a page that passes the request as an object', async () => {
    const wanted = request();
    const page = await host.visit(wanted, { asText: false });
    await button(page, 'Start').click();
    await radio(page, 'Perth').check();
    await button(page, 'Next').click();
    await allSaved(page);
    const isKept = () => page.evaluate<boolean>('localStorage.length > 0');
    await until(async () => !(await isKept()));
    await radio(page, 'Ottawa').check();
    await until(isKept);
    await page.reload();
    await group(page, 'Item 2 of 3').waitFor();
    await until(() => radio(page, 'Ottawa').isChecked());
    await button(page, 'Previous').click();
    await until(() => radio(page, 'Perth').isChecked());
  });

  it('gets one item of an adaptive test at a time, without a way back, until the test ends', async () => {
    const steps = [
      { id: '1', reference: 'i-Canada', next: { correct: '2', incorrect: null } },
      { id: '2', reference: 'i-Brazil', next: null },
    ];
    const wanted = request({ items: undefined, adaptive: { type: 'itembranching', steps } });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await group(page, 'Item 1').waitFor();
    expect(await button(page, 'Previous').count()).toBe(0);
    await radio(page, 'Ottawa').check();
    await button(page, 'Next').click();
    await group(page, 'Item 2').waitFor();
    expect(await button(page, 'Previous').count()).toBe(0);
    await page.reload();
    await group(page, 'Item 2').waitFor();
    await radio(page, 'Rio').check();
    await button(page, 'Next').click();
    await dialog(page, 'Submit this test?').waitFor();
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    expect(await host.session(wanted.session_id)).toMatchObject({ status: 'Completed', score: 1, max_score: 2 });
  });

  describe('in an adaptive test', () => {
    const STEPS = [
      { id: '1', reference: 'i-Canada', next: '2' },
      { id: '2', reference: 'i-Brazil', next: null },
    ].map(({ next, ...step }) => ({ ...step, next: { correct: next, incorrect: next } }));
    const wantedSteps = () => request({ items: undefined, adaptive: { type: 'itembranching', steps: STEPS } });

    it('changes no answer once the next item was asked for, also when the answer to that was lost', async () => {
      const wanted = wantedSteps();
      let wasLocked: boolean | undefined;
      await host.context.route('**/sessions/current/items', async (route) => {
        wasLocked = await radio(page, 'Toronto').isDisabled();
        await route.fetch();
        await route.abort();
      });
      const page = await host.visit(wanted);
      await button(page, 'Start').click();
      await radio(page, 'Ottawa').check();
      const failed = page.evaluate('new Promise((done) => app.once("items:fetch:error", () => done()))');
      await button(page, 'Next').click();
      await failed;
      expect(wasLocked).toBe(true);
      await allSaved(page);
      await expectSoon(() => radio(page, 'Toronto').isDisabled()).toBe(true);
      await host.context.unroute('**/sessions/current/items');
      await button(page, 'Next').click();
      await group(page, 'Item 2').waitFor();
      await radio(page, 'Rio').check();
      await button(page, 'Save').click();
      await until(async () => (await host.session(wanted.session_id)).num_attempted === 2);
      expect(valuesOf(await host.session(wanted.session_id))).toEqual([['Ottawa'], ['Rio']]);
    });

    it('goes on after a reload with an answer that came too late for its item', async () => {
      const wanted = wantedSteps();
      const [page, other] = [await host.visit(wanted), await host.visit(wanted)];
      for (const each of [page, other]) await button(each, 'Start').click();
      await cutOff(page, '**/sessions/current/**');
      await radio(page, 'Toronto').check();
      await until(() => page.evaluate<boolean>('localStorage.length > 0'));
      await radio(other, 'Ottawa').waitFor();
      await button(other, 'Next').click();
      await group(other, 'Item 2').waitFor();
      await page.unroute('**/sessions/current/**');
      await page.reload();
      await group(page, 'Item 2').waitFor();
      await radio(page, 'Rio').check();
      await button(page, 'Save').click();
      await page
        .locator('.itembank-saved')
        .getByText(/^(All answers are saved\.|Answers can no longer be saved from this page\..*)$/)
        .waitFor();
      expect(valuesOf(await host.session(wanted.session_id))).toEqual([null, ['Rio']]);
    });
  });

  describe('in a test that gives one testlet at a time', () => {
    const part = (page: Page, number: number, at: number, count: number) =>
      group(page, `Part ${number}, item ${at} of ${count}`);
    const testlets = (more: object = {}) =>
      request({
        items: undefined,
        adaptive: { type: 'branching', sequence: ['one', 'two'].map((name) => ({ required_tags: { Part: [name] } })) },
        ...more,
      });

    beforeAll(async () => {
      const part = (name: string, items: string[]) =>
        activity(items, { reference: `part-${name}`, adaptive: { difficulty: 0 }, tags: { Part: [name] } });
      await write(host.service.client, {
        activities: [part('one', ['i-Australia', 'i-Canada']), part('two', ['i-Brazil'])],
      });
    });

    it('moves freely within a testlet by keyboard, confirms its end, and cannot go back', async () => {
      const wanted = testlets();
      const page = await host.visit(wanted);
      await onPage(page.getByText('Each part follows from your answers.')).waitFor();
      const violations = { intro: await axeViolations(page) } as Record<string, string[]>;
      const press = async (name: string) => {
        await button(page, name).focus();
        await page.keyboard.press('Enter');
      };
      await press('Start');
      await part(page, 1, 1, 2).waitFor();
      await press('Next');
      await part(page, 1, 2, 2).waitFor();
      await radio(page, 'Ottawa').focus();
      await page.keyboard.press('Space');
      await press('Previous');
      await part(page, 1, 1, 2).waitFor();
      await press('Item 2, answered');
      await part(page, 1, 2, 2).waitFor();
      violations.item = await axeViolations(page);
      await press('Next');
      const asked = dialog(page, 'Finish this part?');
      await onPage(asked.getByText('One question is not answered.')).waitFor();
      violations.dialog = await axeViolations(page);
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'hidden' });
      await part(page, 1, 2, 2).waitFor();
      await press('Next');
      await press('Go on');
      await part(page, 2, 1, 1).waitFor();
      expect(await button(page, 'Previous').count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Item \d/ }).count()).toBe(0);
      await expect(page.evaluate('app.items().goto(1)')).rejects.toThrow('over');
      await page.reload();
      await part(page, 2, 1, 1).waitFor();
      await radio(page, 'Rio').check();
      await press('Next');
      await press('Go on');
      await dialog(page, 'Submit this test?').waitFor();
      await press('Submit');
      await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
      const session = await host.session(wanted.session_id);
      expect(session).toMatchObject({ status: 'Completed', score: 1, max_score: 3 });
      expect(valuesOf(session)).toEqual([null, ['Ottawa'], ['Rio']]);
      expect(Object.entries(violations).filter(([, faults]) => faults.length > 0)).toEqual([]);
    });

    it('continues in the testlet that another page has reached', async () => {
      const wanted = testlets({ config: BY_HAND });
      const first = await host.visit(wanted);
      await button(first, 'Start').click();
      const second = await host.visit(wanted);
      await button(second, 'Start').click();
      await button(first, 'Next').click();
      await part(first, 1, 2, 2).waitFor();
      await button(first, 'Next').click();
      await button(first, 'Go on').click();
      await part(first, 2, 1, 1).waitFor();
      await radio(second, 'Perth').check();
      await button(second, 'Save').click();
      await button(second, 'Go on here').click();
      await part(second, 2, 1, 1).waitFor();
      await radio(second, 'Salvador').check();
      await button(second, 'Save').click();
      await until(
        async () => JSON.stringify(valuesOf(await host.session(wanted.session_id))) === '[null,null,["Salvador"]]',
      );
    });

    it('is warned about an unanswered item at the end of a testlet too, as warning_on_change says', async () => {
      const warned = async (warning: unknown) => {
        const page = await host.visit(testlets({ config: { navigation: { warning_on_change: warning } } }));
        await button(page, 'Start').click();
        await radio(page, 'Perth').check();
        await button(page, 'Next').click();
        await part(page, 1, 2, 2).waitFor();
        await button(page, 'Next').click();
        await dialog(page, 'Some of this item is not answered.').waitFor();
        return page;
      };
      const page = await warned(true);
      await button(page, 'Go on').click();
      await dialog(page, 'Finish this part?').waitFor();
      const locked = await warned({ disable_item_navigation: true });
      expect(await button(locked, 'Go on').count()).toBe(0);
    });

    it('stays in the testlet when the page cancels the move, and the service still accepts answers to it', async () => {
      const wanted = testlets({ config: { navigation: { skip_submit_confirmation: true } } });
      const page = await host.visit(wanted);
      await button(page, 'Start').click();
      await page.evaluate('app.once("item:beforeunload", (event) => event.preventDefault())');
      await page.getByRole('button', { name: /^Item 2/ }).click();
      await part(page, 1, 1, 2).waitFor();
      await page.getByRole('button', { name: /^Item 2/ }).click();
      await part(page, 1, 2, 2).waitFor();
      await page.evaluate('app.once("item:beforeunload", (event) => event.preventDefault())');
      await button(page, 'Next').click();
      await radio(page, 'Ottawa').check();
      await button(page, 'Save').click();
      // The first save creates the session.
      await until(async () => (await host.session(wanted.session_id))?.num_attempted === 1);
      await page.evaluate('app.items().next()');
      await part(page, 2, 1, 1).waitFor();
    });

    it('finishes on a page that submits the test when items:fetch:done reports the end', async () => {
      const wanted = testlets({ config: { navigation: { show_intro: false } } });
      const page = await host.visit(wanted);
      await part(page, 1, 1, 2).waitFor();
      await page.evaluate(`app.on('items:fetch:done', ({ testEnd }) => {
        heard.push('end ' + testEnd);
        if (testEnd) app.submit({ show_submit_confirmation: false });
      })`);
      await page.evaluate("app.items().goto('i-Canada')");
      const goOn = async () => {
        await button(page, 'Next').click();
        await button(page, 'Go on').click();
      };
      await cutOff(page, '**/sessions/current/items');
      await goOn();
      await until(async () => (await heard(page)).includes('items:fetch:error'));
      await page.unroute('**/sessions/current/items');
      await goOn();
      await part(page, 2, 1, 1).waitFor();
      await goOn();
      await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
      expect((await heard(page)).filter((line) => /^(end|items:|test:submit)/.test(line))).toEqual([
        'items:fetch',
        'items:fetch:error',
        'items:fetch',
        'end false',
        'items:fetch:done',
        'items:fetch',
        'end true',
        'test:submit',
        'items:fetch:done',
        'test:submit:success',
      ]);
      // The page has confirmed the submission, so only the ends of parts were asked about.
      expect((await heard(page)).filter((line) => line === 'test:panel:show')).toHaveLength(3);
    });
  });

  it.each([390, 460])('presses buttons that stay in place while the text by them changes: %d pixels', async (width) => {
    const page = await host.visit(request({ config: BY_HAND }));
    await page.setViewportSize({ width, height: 640 });
    await button(page, 'Start').click();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    const places = () =>
      page.evaluate(`[...document.querySelectorAll('.itembank-bottom button')].map((button) => {
        const { left, top } = button.getBoundingClientRect();
        return [left, top + scrollY];
      })`);
    const saved = await places();
    await radio(page, 'Ottawa').check();
    await onPage(page.getByText('Some answers are not saved yet.')).waitFor();
    await expectSoon(() => places()).toEqual(saved);
  });

  it('loses no answer while the network is down, and sees what is saved', async () => {
    const wanted = request();
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await radio(page, 'Canberra').waitFor();
    await host.context.setOffline(true);
    await radio(page, 'Canberra').check();
    await button(page, 'Next').click();
    await page.getByText('Answers could not be saved. Trying again.').first().waitFor();
    await radio(page, 'Toronto').check();
    await host.context.setOffline(false);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await allSaved(page);
    await until(
      async () => JSON.stringify(valuesOf(await host.session(wanted.session_id))) === '[["Canberra"],["Toronto"],null]',
    );
  });

  it('gets the answers as text after three failed submissions, and the service accepts exactly that text', async () => {
    await write(host.service.client, {
      questions: [
        {
          reference: 'q-order',
          type: 'orderlist',
          data: {
            type: 'orderlist',
            stimulus: 'From small to large.',
            list: ['one', 'two', 'three', 'four'],
            validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [0, 1, 2, 3] } },
          },
        },
      ],
    });
    await write(host.service.client, { items: [item(['q-order'], { reference: 'i-order' })] });
    const wanted = request({ items: ['i-Canada', 'i-order'] });
    const page = await host.visit(wanted);
    await cutOff(page, '**/submissions');
    await button(page, 'Start').click();
    await radio(page, 'Ottawa').check();
    await button(page, 'Next').click();
    const list = page.getByRole('list', { name: 'From small to large.' });
    await putInOrder(page, list, ['one', 'two', 'three', 'four']);
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    for (let failures = 1; failures < 3; failures += 1) await button(page, 'Try again').click();
    const text = await page.getByLabel(/Your answers as text/).inputValue();
    const job = await host.service.client.set('sessions', { data: [text] });
    await host.service.client.ended(job.data.job_reference);
    expect(await host.session(wanted.session_id)).toMatchObject({ status: 'Completed', score: 2, max_score: 2 });
  });

  it('can select the text of the answers, which stays as it is while time goes on', async () => {
    const page = await host.visit(request({ items: ['i-Canada'] }));
    await cutOff(page, '**/submissions');
    await button(page, 'Start').click();
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    for (let failures = 1; failures < 3; failures += 1) await button(page, 'Try again').click();
    const text = page.getByLabel(/Your answers as text/);
    await text.selectText();
    const selected = () => page.evaluate('getSelection().toString()');
    const before = await text.inputValue();
    await expectSoon(() => selected()).toBe(before);
    const time = await page.evaluate<number>('app.getTime()');
    await until(async () => (await page.evaluate<number>('app.getTime()')) > time + 1);
    await expectSoon(() => text.inputValue()).toBe(before);
    await expectSoon(() => selected()).toBe(before);
  });

  it('chooses which page continues when two are open', async () => {
    const wanted = request({ config: BY_HAND });
    const first = await host.visit(wanted);
    await button(first, 'Start').click();
    const second = await host.visit(wanted);
    await button(second, 'Start').click();
    await radio(first, 'Sydney').check();
    await button(first, 'Save').click();
    await allSaved(first);
    await radio(second, 'Perth').check();
    await button(second, 'Save').click();
    await dialog(second, 'This test was changed on another page.').waitFor();
    await button(second, 'Go on here').click();
    await until(async () => valuesOf(await host.session(wanted.session_id))[0]?.toString() === 'Perth');
  });

  it('keeps the times and flags of another page when it goes on here', async () => {
    const wanted = request({ config: BY_HAND });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await radio(page, 'Perth').check();
    const other = await TestPage.start(host.service, wanted);
    host.service.clock.advance(600_000);
    await other.save({}, { items: [{ id: 'i-Brazil', time: 500, user_flagged: true }], elapsed_seconds: 550 });
    await button(page, 'Save').click();
    await button(page, 'Go on here').click();
    await allSaved(page);
    const { items } = await other.stored();
    expect(items[2]).toMatchObject({ reference: 'i-Brazil', time: 500, user_flagged: true });
    expect(await page.evaluate('app.getTime()')).toBeGreaterThanOrEqual(550);
  });

  it('checks an answer as often as the question allows', async () => {
    const page = await host.visit(request({ items: ['i-Canada'] }));
    await button(page, 'Start').click();
    await radio(page, 'Toronto').check();
    await button(page, 'Check answer').click();
    await onPage(page.getByText('Attempts left: 1')).waitFor();
    await button(page, 'Try again').click();
    await radio(page, 'Ottawa').check();
    await button(page, 'Check answer').click();
    await onPage(page.getByText('Attempts left: 0')).waitFor();
    const scores = await page.evaluate<{ score: number }[]>('Object.values(app.getScores())');
    expect(scores).toEqual([{ score: 1, max_score: 1 }]);
  });

  it('uses up one check when the learner presses the button twice before the result is there', async () => {
    const page = await host.visit(request({ items: ['i-Canada'] }));
    await button(page, 'Start').click();
    await radio(page, 'Toronto').check();
    let calls = 0;
    page.on('request', (call) => (calls += call.url().endsWith('/checks') ? 1 : 0));
    await button(page, 'Check answer').evaluate(pressTwice);
    await page.getByText(/^Attempts left: [01]$/).waitFor();
    expect(calls).toBe(1);
  });

  it('tells the learner that a check did not reach the service', async () => {
    const page = await host.visit(request({ items: ['i-Canada'] }));
    await button(page, 'Start').click();
    await radio(page, 'Toronto').check();
    await cutOff(page, '**/checks');
    await button(page, 'Check answer').click();
    const told = page.locator('.itembank-check').getByRole('status');
    await until(async () => (await told.textContent()) !== '');
    await expectSoon(() => told.textContent()).toBe('The service could not be reached. Try again.');
  });

  it('hears the result of a check, and keeps the focus', async () => {
    const page = await host.visit(request({ items: ['i-Canada'] }));
    await button(page, 'Start').click();
    const hears = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
    const focused = (name: string) => page.locator(':focus').filter({ hasText: name }).waitFor();
    for (const [city, result] of [
      ['Toronto', 'Incorrect. Score: 0 of 1'],
      ['Ottawa', 'Correct. Score: 1 of 1'],
    ] as const) {
      await radio(page, city).check();
      await button(page, 'Check answer').focus();
      await page.keyboard.press('Enter');
      await hears(result);
      if (city === 'Ottawa') break;
      await focused('Try again');
      await page.keyboard.press('Enter');
      await focused('Check answer');
    }
    // No attempts are left, so the button is disabled.
    await page.getByRole('heading', { name: 'Question 1' }).and(page.locator(':focus')).waitFor();
  });

  it('uses a page that receives objects, events and errors', async () => {
    const page = await host.visit(request({ config: { navigation: { show_intro: false } } }));
    await group(page, 'Item 1 of 3').waitFor();
    await radio(page, 'Canberra').check();
    await page.evaluate("app.items().goto('i-Brazil')");
    expect(await page.evaluate('app.getCurrentItem()')).toMatchObject({
      reference: 'i-Brazil',
      is_last_item: true,
      viewed: true,
    });
    expect(await page.evaluate('Object.values(app.getResponses())')).toEqual([
      { value: ['Canberra'], type: 'array', revision: 1 },
    ]);
    expect(await page.evaluate('app.attemptedItems()')).toEqual(['i-Australia']);
    expect(await page.evaluate('Object.keys(app.questions()).length')).toBe(3);
    expect(await page.evaluate('Object.keys(app.getQuestions()).every((id) => id in app.questions())')).toBe(true);
    await expectSoon(() => heard(page)).toEqual(
      expect.arrayContaining(['ready', 'test:start', 'item:load', 'item:changing', 'item:changed']),
    );
    expect(await page.evaluate('(() => { try { app.addItems() } catch (error) { return error.message } })()')).toBe(
      'Itembank: addItems is not supported, because the items of a session are those of the signed request.',
    );
  });

  it('answers items at their places in an inline page', async () => {
    const wanted = request({ rendering_type: 'inline' });
    const body = CAPITALS.map(
      ([country]) => `<span class="learnosity-item" data-reference="i-${country}"></span>`,
    ).join('');
    const page = await host.visit(wanted, { body });
    for (const [, , capital] of CAPITALS) await radio(page, capital).check();
    await page.evaluate('new Promise((success, error) => app.submit({ success, error }))');
    expect(await host.session(wanted.session_id)).toMatchObject({ status: 'Completed', score: 3 });
  });

  it('reads a passage, plays a sound with its transcript, and sees which features are not supported', async () => {
    await write(host.service.client, {
      questions: [{ reference: 'q-drawing', type: 'drawing', data: { type: 'drawing', stimulus: 'Draw a boat.' } }],
      features: [
        {
          reference: 'f-passage',
          type: 'sharedpassage',
          data: {
            type: 'sharedpassage',
            heading: 'The ferry',
            content: '<p>It was late.</p><script>alert(1)</script>',
          },
        },
        {
          reference: 'f-sound',
          type: 'audioplayer',
          data: {
            type: 'audioplayer',
            src: 'https://example.org/bell.mp3',
            playback_limit: 2,
            metadata: { transcript: 'A bell rings.' },
          },
        },
      ],
    });
    await write(host.service.client, {
      items: [
        {
          reference: 'i-ferry',
          status: 'published',
          definition: { widgets: ['f-passage', 'f-sound', 'q-drawing'].map((reference) => ({ reference })) },
        },
      ],
    });
    const page = await host.visit(request({ items: ['i-ferry'] }));
    await button(page, 'Start').click();
    await page.getByRole('heading', { name: 'The ferry' }).waitFor();
    await onPage(page.getByText('It was late.')).waitFor();
    await onPage(page.getByText('Can be played 2 more times.')).waitFor();
    await page.getByText('What it says, as text').click();
    await onPage(page.getByText('A bell rings.')).waitFor();
    await onPage(page.getByText('A question of the type “drawing” cannot be shown here.')).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('gets no test from a page without an element or with an unknown item, and the page hears why', async () => {
    const missing = await host.visit(request(), { body: '' });
    await until(async () => (await heard(missing)).some((each) => each.startsWith('error 50001')));
    const unknown = await host.visit(request({ items: ['nobody'] }));
    await until(async () => (await heard(unknown)).some((each) => each.startsWith('error 20013')));
  });

  it.each([429, 503, 0])(
    'starts a test after the service was busy or out of reach for a moment: %d',
    async (status) => {
      let tries = 0;
      const seen = signal();
      await host.context.route('**/delivery/v1/sessions', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        if (++tries > 2) return seen.promise.then(() => route.continue());
        if (status === 0) return route.abort();
        const headers = { 'Access-Control-Allow-Origin': host.origin, 'Content-Type': 'application/json' };
        return route.fulfill({ status, headers, body: '{"errors":[{"code":42000,"message":"Busy."}]}' });
      });
      const page = await host.visit(request());
      await page.getByRole('status').getByText('The test is loading …').waitFor();
      seen.give();
      await button(page, 'Start').waitFor();
      expect(await page.getByText('The test is loading …').count()).toBe(0);
      expect((await heard(page)).filter((line) => line.startsWith('error'))).toEqual([]);
    },
  );

  it('is told on the page that there is no test, until the page starts another one', async () => {
    const page = await host.visit(request({ items: ['nobody'] }), { init: 'LearnosityItems.init(signed)' });
    await page.getByRole('alert').getByText('The test cannot be shown. (20013)').waitFor();
    const other = JSON.stringify(signedStart(host.service.client, host.service.clock.now(), request()));
    await page.evaluate(`app.reset(); LearnosityItems.init(${other})`);
    await button(page, 'Start').waitFor();
    expect(await page.getByText('The test cannot be shown.').count()).toBe(0);
  });

  it.each(['local_practice', 'submit_practice'])(
    'sees the score of an item that is scored as a whole: %s',
    async (type) => {
      const wanted = request({ items: ['i-two'], scoring_type: 'dichotomous', type });
      const page = await host.visit(wanted);
      await button(page, 'Start').click();
      await radio(page, 'Canberra').check();
      await radio(page, 'Toronto').check();
      for (const name of ['Finish', 'Submit']) await button(page, name).click();
      await button(page, 'Close').waitFor();
      const shown = type === 'local_practice' ? page : await host.visit({ ...wanted, state: 'review' });
      await onPage(shown.getByText('Your score: 0 of 2 points')).waitFor();
    },
  );

  it('sees marks and right answers in a signed review', async () => {
    const wanted = request();
    const page = await host.visit(wanted, { init: 'LearnosityItems.init(signed, callbacks)' });
    await button(page, 'Start').click();
    await radio(page, 'Sydney').check();
    await page.evaluate('new Promise((success, error) => app.submit({ success, error }))');
    const review = await host.visit({ ...wanted, state: 'review' });
    await review.getByText('Incorrect', { exact: false }).first().waitFor();
    await review.getByText('Canberra').first().waitFor();
    await until(() => radio(review, 'Sydney').isChecked());
  });
});
