import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { feature, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { DAY, HOUR, MINUTE } from '../support/time';
import { until } from '../support/until';
import { allSaved, button, dialog, group, heard, hostPageWith, radio, onPage } from './host-page';

describe('a player with options', () => {
  const names = ['1', '2', '3', '4'];
  const host = hostPageWith({
    questions: names.map((name) => question({ reference: `q-${name}` })),
    features: ['welcome', 'goodbye'].map((name) =>
      feature({
        reference: `f-${name}`,
        data: { type: 'sharedpassage', heading: name, content: `<p>A ${name} of the author</p>` },
      }),
    ),
    items: [
      ...names.map((name) => item([`q-${name}`], { reference: `i-${name}` })),
      item(['f-welcome'], { reference: 'i-welcome' }),
      item(['f-goodbye', 'q-4'], { reference: 'i-goodbye' }),
    ],
  });

  const choose = (page: Page) => radio(page, 'Two').check();
  /** Starts a test of three items. */
  const begin = async (config: object, more: object = {}): Promise<Page> => {
    const page = await host.visit(TestPage.request({ items: ['i-1', 'i-2', 'i-3'], config, ...more }));
    await button(page, 'Start').click();
    await radio(page, 'One').first().waitFor();
    return page;
  };

  it('shows an item before the test and another after it, without their questions', async () => {
    const navigation = { intro_item: 'i-welcome', outro_item: { reference: 'i-goodbye' } };
    const page = await host.visit(TestPage.request({ items: ['i-1'], config: { navigation } }));
    await onPage(page.getByText('A welcome of the author')).waitFor();
    await button(page, 'Start').click();
    await choose(page);
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await onPage(page.getByText('A goodbye of the author')).waitFor();
    expect(await page.getByRole('radio').count()).toBe(0);
  });

  it.each([
    [45, 'You have 45 seconds.'],
    [60, 'You have 1 minute.'],
    [90, 'You have 1 minute 30 seconds.'],
    [150, 'You have 2 minutes 30 seconds.'],
    [1800, 'You have 30 minutes.'],
  ])('tells the exact limit of %s seconds before the test', async (limit, text) => {
    const page = await host.visit(TestPage.request({ items: ['i-1'], config: { time: { max_time: limit } } }));
    await onPage(page.getByText(text)).waitFor();
  });

  it('rejects an introduction that does not exist, and names its reference', async () => {
    const navigation = { intro_item: 'i-none' };
    const page = await host.visit(TestPage.request({ items: ['i-1'], config: { navigation } }));
    await until(async () => (await heard(page)).find((line) => line.startsWith('error 20013')));
    expect((await heard(page)).join()).toContain('i-none');
  });

  it('asks the learner before leaving an unanswered item', async () => {
    const page = await begin({ navigation: { warning_on_change: true } });
    await button(page, 'Next').click();
    await dialog(page, 'Some of this item is not answered.').waitFor();
    await button(page, 'Stay here').click();
    await group(page, 'Item 1 of 3').waitFor();
    await button(page, 'Next').click();
    await button(page, 'Go on').click();
    await group(page, 'Item 2 of 3').waitFor();
    await choose(page);
    await button(page, 'Next').click();
    await group(page, 'Item 3 of 3').waitFor();
    expect((await heard(page)).filter((name) => name === 'item:warningOnChange')).toHaveLength(2);
  });

  it('does not warn a learner who stays at the present item', async () => {
    const page = await begin({ navigation: { warning_on_change: true } });
    await button(page, 'Review').click();
    await dialog(page, 'Review').getByRole('button', { name: 'Item 1, not answered' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await heard(page)).not.toContain('item:warningOnChange');
  });

  it('prevents the learner from leaving an unanswered item', async () => {
    const page = await begin({ navigation: { warning_on_change: { disable_item_navigation: true } } });
    await button(page, 'Next').click();
    await button(page, 'Stay here').waitFor();
    expect(await button(page, 'Go on').count()).toBe(0);
  });

  it('asks the learner before leaving a named section, and prevents a return', async () => {
    const sections = [
      { items: ['i-1', 'i-2'], config: { title: 'Listening' } },
      { items: ['i-3', 'i-4'], config: { title: 'Reading' } },
    ];
    const config = { navigation: { warning_on_section_change: true } };
    const page = await begin(config, { items: undefined, sections });
    await onPage(page.getByText('Listening')).waitFor();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 4').waitFor();
    await button(page, 'Next').click();
    await dialog(page, 'You cannot come back to this section.').waitFor();
    await button(page, 'Go on').click();
    await group(page, 'Item 3 of 4').waitFor();
    await onPage(page.getByText('Reading')).waitFor();
    expect(await button(page, 'Previous').count()).toBe(0);
    await expectSoon(() => page.getByRole('button', { name: /^Item 2/ }).isDisabled()).toBe(true);
    await expectSoon(() => heard(page)).toContain('section:changed');
    await expect(page.evaluate('app.items().goto(0)')).rejects.toThrow('section');
  });

  it('allows a return to an earlier section', async () => {
    const config = { configuration: { section_options: { allow_backward_navigation: true } } };
    const page = await begin(config, { items: undefined, sections: [{ items: ['i-1'] }, { items: ['i-2'] }] });
    await button(page, 'Next').click();
    await button(page, 'Previous').click();
    await group(page, 'Item 1 of 2').waitFor();
  });

  it('ends a section after its time, and submits the test after the last section', async () => {
    await host.stopClock();
    const timed = (seconds: number) => ({ time: { max_time: seconds, limit_type: 'hard' } });
    const sections = [
      { items: ['i-1', 'i-2'], config: timed(60) },
      { items: ['i-3'], config: timed(100) },
    ];
    const page = await begin({}, { items: undefined, sections });
    await choose(page);
    await host.context.clock.runFor(30_000);
    await onPage(page.getByText(/0:[23]\d \/ 1:00/)).waitFor();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    await host.context.clock.runFor(31_000);
    await group(page, 'Item 3 of 3').waitFor();
    await host.context.clock.runFor(1_000);
    await onPage(page.getByText('/ 1:40')).waitFor();
    await host.context.clock.runFor(101_000);
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
  });

  it('requires enough answers before the submission', async () => {
    const page = await begin({ configuration: { submit_criteria: { type: 'attempted', threshold: 60 } } });
    await page.evaluate('app.submit({ show_submit_confirmation: true })');
    await dialog(page, 'Answer 2 more questions before you submit.').waitFor();
    await button(page, 'Stay here').click();
    await choose(page);
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    await page.evaluate('app.submit({ show_submit_confirmation: true })');
    await dialog(page, 'Answer one more question before you submit.').waitFor();
    await button(page, 'Stay here').click();
    await choose(page);
    await page.evaluate('app.submit({ show_submit_confirmation: true })');
    await dialog(page, 'Submit this test?').waitFor();
  });

  const buttons = (page: Page) => page.getByRole('button').allInnerTexts();

  it('shows the elements of the regions that the activity lists, and always the way on', async () => {
    const regions = {
      'top-left': [{ type: 'title_element' }],
      right: [
        { type: 'flagitem_button' },
        { type: 'custom_button', options: { name: 'mine', label: 'Ask <b>Eva</b>', icon_class: 'x' } },
      ],
    };
    const page = await begin({ title: 'Numbers', regions, time: { max_time: 600, show_pause: true } });
    await expectSoon(() => buttons(page)).toEqual([
      'Skip to the questions',
      'Flag this item',
      'Ask <b>Eva</b>',
      'Next',
    ]);
    await page.getByRole('heading', { name: 'Numbers' }).waitFor();
    expect(await page.getByRole('timer').count()).toBe(0);
    await button(page, 'Ask <b>Eva</b>').click();
    await expectSoon(() => heard(page)).toContain('button:mine:clicked');
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    expect(await button(page, 'Previous').count()).toBe(0);
  });

  it('shows a calculator that keeps its content on the next item', async () => {
    const page = await begin({ regions: { right: [{ type: 'calculator_button', mode: 'scientific' }] } });
    await button(page, 'Calculator').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('sin(0)+2*21');
    await page.keyboard.press('Enter');
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    await expectSoon(() => page.getByLabel('Result').textContent()).toBe('42');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows each key of the calculator in one line', async () => {
    const page = await begin({ regions: { right: [{ type: 'calculator_button', mode: 'scientific' }] } });
    await button(page, 'Calculator').click();
    const keys = await page.locator('.itembank-calculator .keys button').all();
    const boxes = await Promise.all(keys.map((key) => key.boundingBox()));
    expect([...new Set(boxes.map((box) => box!.height))]).toHaveLength(1);
  });

  it('shows the numbers of questions, which begin anew in each section', async () => {
    const sections = [{ items: ['i-1', 'i-2'] }, { items: ['i-3'] }];
    const page = await begin({ configuration: { question_indexing: true } }, { items: undefined, sections });
    const heights = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())!.height;
    await expectSoon(() => heights('Question 1')).toBeGreaterThan(15);
    await button(page, 'Next').click();
    await expectSoon(() => heights('Question 2')).toBeGreaterThan(15);
    await button(page, 'Next').click();
    await expectSoon(() => heights('Question 1')).toBeGreaterThan(15);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('hides elements by overrides and by older switches', async () => {
    const page = await begin({
      title: 'Numbers',
      regions: 'main',
      region_overrides: {
        'right.save_button': false,
        'right.verticaltoc_element': false,
        right: { fullscreen_button: false },
      },
      time: { max_time: 600, show_pause: false, show_time: false },
      navigation: { show_title: false, show_itemcount: 'false', show_accessibility: false },
    });
    await expectSoon(() => buttons(page)).toEqual(['Skip to the questions', 'Flag this item', 'Review', 'Next']);
    expect(await page.getByRole('timer').count()).toBe(0);
    const { width } = (await page.getByRole('heading', { name: 'Numbers' }).boundingBox())!;
    expect(width).toBeLessThanOrEqual(1);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows only the items with the preset items-only, and the page moves through them', async () => {
    const page = await host.visit(TestPage.request({ items: ['i-1', 'i-2'], config: { regions: 'items-only' } }));
    await radio(page, 'One').waitFor();
    await expectSoon(() => buttons(page)).toEqual(['Skip to the questions']);
    expect(await axeViolations(page)).toEqual([]);
    await page.evaluate('app.items().next()');
    await group(page, 'Item 2 of 2').waitFor();
    await choose(page);
    expect(await page.evaluate('new Promise((success, error) => app.submit({ success, error }))')).toHaveLength(2);
  });

  it('shows all items below one another with vertical_element, and the one with the focus is the current one', async () => {
    const regions = { items: [{ type: 'vertical_element' }], bottom: [{ type: 'submit_button', position: 'right' }] };
    const page = await begin({ regions });
    await group(page, 'Item 3 of 3').waitFor();
    await expectSoon(() => buttons(page)).toEqual(['Skip to the questions', 'Finish']);
    const current = () => page.evaluate('app.getCurrentItem().reference');
    await expectSoon(() => current()).toBe('i-1');
    await group(page, 'Item 2 of 3').getByRole('radio', { name: 'Two' }).check();
    await until(async () => (await current()) === 'i-2');
    expect((await heard(page)).filter((name) => name === 'item:changed')).toHaveLength(1);
    await expect(page.evaluate("app.items().goto('i-9')")).rejects.toThrow('no item "i-9"');
    await page.evaluate("app.items().goto('i-3')");
    await until(async () => (await current()) === 'i-3');
    const { y } = (await group(page, 'Item 3 of 3').boundingBox())!;
    expect(y).toBeLessThan(900);
    expect(await page.evaluate('Object.values(app.getItems()).every(({ viewed }) => viewed)')).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Finish').click();
    await dialog(page, 'Submit this test?').getByText('2 questions are not answered.').waitFor();
  });

  it('keeps sections of a test apart, with their titles and subtitles, and offers the submission on each item on request', async () => {
    const regions = {
      items: [{ type: 'vertical_element' }],
      bottom: [{ type: 'next_button' }, { type: 'submit_button' }],
    };
    const sections = [
      { items: ['i-1'], config: { title: 'Part A', subtitle: 'Words' } },
      { items: ['i-2'], config: { subtitle: 'Spelling' } },
    ];
    const page = await begin({ regions }, { items: undefined, sections });
    await page.getByText('Words', { exact: true }).waitFor();
    await page.getByText('Part A', { exact: true }).waitFor();
    await expectSoon(() => page.getByRole('group', { name: /^Item/ }).count()).toBe(1);
    await expectSoon(() => buttons(page)).toEqual(['Skip to the questions', 'Next', 'Finish']);
    await button(page, 'Next').click();
    await page.getByText('Spelling', { exact: true }).waitFor();
    await expectSoon(() => buttons(page)).toEqual(['Skip to the questions', 'Finish']);
  });

  it.each([
    [{}, '/'],
    [{ onsubmit_redirect_url: '/after?done' }, '/after?done'],
    [{ onsubmit_redirect_url: false }, '/#test'],
  ])(
    'leads to the address of the configuration after the test, or to the start page of the site: %j',
    async (configuration, path) => {
      const page = await begin({ configuration, navigation: { skip_submit_confirmation: true } });
      await page.evaluate("location.hash = 'test'; app.submit()");
      await button(page, 'Close').click();
      await page.waitForURL(host.origin + path);
    },
  );

  it('locks answers during the reading time', async () => {
    await host.stopClock();
    const page = await begin({ configuration: { reading_mode: { reading_time: 30 } } });
    await expectSoon(() => radio(page, 'Two').isDisabled()).toBe(true);
    await expectSoon(() => button(page, 'Pause').isDisabled()).toBe(true);
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    await until(() => radio(page, 'Two').isDisabled());
    await host.context.clock.runFor(31_000);
    await choose(page);
    expect((await heard(page)).filter((name) => name.startsWith('test:reading'))).toEqual([
      'test:reading:start',
      'test:reading:end',
    ]);
  });

  it('goes on with the reading time after a reload', async () => {
    await host.stopClock();
    const config = { configuration: { reading_mode: { reading_time: 60 } } };
    const wanted = TestPage.request({ items: ['i-1', 'i-2', 'i-3'], config });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await button(page, 'Next').click();
    await host.context.clock.runFor(30_000);
    host.service.clock.advance(30_000);
    await button(page, 'Next').click();
    await group(page, 'Item 3 of 3').waitFor();
    // The text beside the buttons speaks of answers only, and the position is not stored yet.
    await page.evaluate('new Promise((success, error) => app.save({ success, error }))');
    await page.reload();
    await group(page, 'Item 3 of 3').waitFor();
    await until(() => radio(page, 'Two').isDisabled());
    await host.context.clock.runFor(40_000);
    await choose(page);
  });

  describe('of a test with a fixed start', () => {
    /** The first full minute after some time from now, by the clock of the service. */
    const minuteIn = (ms: number): number => Math.ceil((host.service.clock.now() + ms) / MINUTE) * MINUTE;
    const valueOf = (at: number): string =>
      new Date(at)
        .toISOString()
        .replace(/\D/g, '')
        .replace(/^(\d{8})(\d{4}).*/, '$1-$2');
    const timed = (at: number, more: object = {}) =>
      TestPage.request({
        items: ['i-1', 'i-2'],
        config: {
          time: { start_time: { type: 'hard', value: valueOf(at) }, max_time: 3600, limit_type: 'hard', ...more },
          navigation: { show_intro: false },
        },
      });

    it('says when the test starts, and shows it then, however often it asks too early', async () => {
      await host.stopClock();
      const at = minuteIn(MINUTE);
      const page = await host.visit(timed(at));
      const notice = page.getByRole('status');
      await notice.waitFor();
      const time = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' }).format(at);
      const text = `This test is not available yet. It starts on ${time}, and is shown here then.`;
      await expectSoon(() => notice.innerText()).toBe(text);
      const answers: number[] = [];
      page.on('response', (response) => response.url().endsWith('/sessions') && answers.push(response.status()));
      // The clock of the browser is fast, so the service refuses the test once more.
      await until(async () => {
        await host.context.clock.runFor(10_000);
        return answers.includes(409);
      });
      expect([await heard(page), await notice.innerText()]).toEqual([[], text]);
      host.service.clock.advance(at + 90_000 - host.service.clock.now());
      await until(async () => {
        await host.context.clock.runFor(10_000);
        return (await button(page, 'Start').count()) > 0;
      });
      await onPage(page.getByText('You have 58 minutes 30 seconds.')).waitFor();
      await expectSoon(() => heard(page)).toContain('ready');
      await button(page, 'Start').click();
      await radio(page, 'One').waitFor();
      expect([await page.getByText(text).count(), await button(page, 'Pause').count()]).toEqual([0, 0]);
      await expectSoon(() => heard(page)).toContain('time:window:started');
      const [value, status] = [valueOf(at), 'started'];
      expect(await page.evaluate('app.assessApp().getTimeWindow()')).toEqual({ value, status });
    });

    it('asks for the test some seconds after the start, so that not all pages of a class ask at once', async () => {
      await host.stopClock();
      const page = await host.visit(timed(minuteIn(MINUTE)));
      await page.getByRole('status').waitFor();
      await page.evaluate('Math.random = () => 0.9');
      const refused = page.waitForResponse((response) => response.url().endsWith('/sessions'));
      await host.context.clock.runFor(3 * MINUTE);
      const { starts_in_seconds: seconds } = (await (await refused).json()) as { starts_in_seconds: number };
      let calls = 0;
      page.on('request', (request) => (calls += Number(request.url().endsWith('/sessions'))));
      await host.context.clock.runFor((seconds + 3) * 1_000);
      expect(calls).toBe(0);
      await host.context.clock.runFor(4_000);
      await expectSoon(() => Promise.resolve(calls)).toBe(1);
    });

    it('stops asking for the test when the page removes the app', async () => {
      await host.stopClock();
      const page = await host.visit(timed(minuteIn(MINUTE)));
      await page.getByRole('status').waitFor();
      await page.evaluate('app.reset()');
      expect(await page.getByRole('status').count()).toBe(0);
      let calls = 0;
      page.on('request', (request) => (calls += Number(request.url().endsWith('/sessions'))));
      await host.context.clock.runFor(5 * MINUTE);
      expect([calls, await page.getByRole('status').count()]).toEqual([0, 0]);
    });

    it('tells a learner who comes too late that the time is over', async () => {
      const page = await host.visit(timed(minuteIn(-3 * HOUR)));
      await onPage(page.getByText('The time for this test is over. (20011)')).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect((await heard(page)).join()).toContain('error 20011');
    });

    it('counts from the first opening with the type soft, after an introduction only if the page wants it', async () => {
      const page = await host.visit(timed(0, { start_time: { type: 'soft' }, show_pause: true }));
      await radio(page, 'One').waitFor();
      expect(await button(page, 'Pause').count()).toBe(0);
      const window = await page.evaluate('app.assessApp().getTimeWindow()');
      expect(window).toEqual({ value: valueOf(host.service.clock.now()), status: 'started' });
    });
  });

  it('saves and closes the test of an inactive learner, unless the learner continues it', async () => {
    await host.stopClock();
    const config = {
      configuration: { idle_timeout: { interval: 100, countdown_time: 20 }, onsave_redirect_url: '/after' },
    };
    const left: string[] = [];
    host.context.on('console', (message) => left.push(message.text()));
    const page = await begin(config);
    await page.evaluate("app.on('test:finished:save', () => console.log('left'))");
    await choose(page);
    await host.context.clock.runFor(101_000);
    await dialog(page, 'Are you still there?').waitFor();
    await button(page, 'Go on').click();
    await host.context.clock.runFor(90_000);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await host.context.clock.runFor(35_000);
    await host.context.clock.resume();
    await page.waitForURL(/\/after$/);
    expect(left).toContain('left');
  });

  it('tells an inactive learner that the test is closed, where the page leads nowhere', async () => {
    await host.context.clock.install();
    const configuration = { idle_timeout: { interval: 100, countdown_time: 20 }, onsave_redirect_url: false };
    const page = await begin({ configuration });
    await choose(page);
    await host.context.clock.runFor(121_000);
    await page.getByRole('heading', { name: 'The test is closed' }).waitFor();
    await allSaved(page);
    expect(await axeViolations(page)).toEqual([]);
    await page.reload();
    await button(page, 'Next').waitFor();
    await until(() => radio(page, 'Two').isChecked());
  });

  it('stays with an inactive learner whose answers the service refuses, and says that they are not saved', async () => {
    await host.context.clock.install();
    const configuration = { idle_timeout: { interval: 100, countdown_time: 20 }, onsave_redirect_url: '/after' };
    const page = await begin({ configuration, navigation: { auto_save: false } });
    await choose(page);
    // The token of the page has expired.
    host.service.clock.advance(8 * DAY);
    await host.context.clock.runFor(121_000);
    await page.getByRole('heading', { name: 'The test is closed' }).waitFor();
    await page.getByText('Answers can no longer be saved from this page.').filter({ visible: true }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await heard(page)).not.toContain('test:finished:save');
  });

  it('tells an inactive learner that the test is over when another page has submitted it', async () => {
    await host.context.clock.install();
    const configuration = { idle_timeout: { interval: 100, countdown_time: 20 }, onsave_redirect_url: '/after' };
    const wanted = TestPage.request({ items: ['i-1'], config: { configuration, navigation: { auto_save: false } } });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await choose(page);
    const other = await host.visit(wanted);
    for (const name of ['Start', 'Finish', 'Submit']) await button(other, name).click();
    await other.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    await host.context.clock.runFor(121_000);
    await page.getByRole('heading', { name: 'This test is over' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await heard(page)).not.toContain('test:finished:save');
  });

  it('changes items by the arrow keys, except while a question uses them', async () => {
    const page = await begin({ navigation: { enable_arrowkey_item_change: true } });
    await group(page, 'Item 1 of 3').waitFor();
    await radio(page, 'One').focus();
    await page.keyboard.press('ArrowRight');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('ArrowRight');
    await group(page, 'Item 2 of 3').waitFor();
    expect(await group(page, 'Item 3 of 3').count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await group(page, 'Item 1 of 3').waitFor();
  });

  it('saves the last position when a learner holds an arrow key, without a save that the service refuses', async () => {
    const page = await begin({ navigation: { enable_arrowkey_item_change: true } });
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    const now = Date.now();
    const began = host.service.clock.now();
    for (let presses = 0; presses < 160; presses += 1) {
      await page.keyboard.down(presses % 4 < 2 ? 'ArrowRight' : 'ArrowLeft');
      host.service.clock.advance(began + Date.now() - now - host.service.clock.now());
    }
    const saved = page.waitForResponse((answer) => answer.request().postDataJSON()?.current_item === 'i-2');
    await page.keyboard.down('ArrowRight');
    await group(page, 'Item 2 of 3').waitFor();
    await saved;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await page.reload();
    await group(page, 'Item 2 of 3').waitFor();
  });

  it('shuffles the items once per session, so that a reload keeps the order', async () => {
    const items = Array.from({ length: 4 }, (_, index) => `i-${index + 1}`);
    const config = { configuration: { shuffle_items: true } };
    const orders = new Set<string>();
    for (let session = 0; session < 12; session += 1) {
      const page = await TestPage.start(host.service, { items, config });
      const order = page.started.items.map(({ reference }: { reference: string }) => reference) as string[];
      expect([...order].sort()).toEqual(items);
      orders.add(order.join());
      const again = await TestPage.start(host.service, { items, config, session_id: page.sessionId });
      expect(again.started.items.map(({ reference }: { reference: string }) => reference)).toEqual(order);
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  describe('on a page that is longer than the window', () => {
    const long = `${'<p>A line of the page</p>'.repeat(80)}`;
    const body = `${long}<div id="learnosity_assess"></div>${long}`;
    const started = async (navigation: object): Promise<Page> => {
      const config = { navigation };
      const page = await host.visit(TestPage.request({ items: ['i-1', 'i-2'], config }), { body });
      await until(async () => (await heard(page)).includes('test:start'));
      return page;
    };
    const top = (page: Page): Promise<number> =>
      page.evaluate<number>('Math.round(document.querySelector("itembank-player").getBoundingClientRect().top) + 0');

    it.each([
      ['scrolls to the test when it starts', {}, 0],
      ['leaves the space above the test that scroll_to_test names', { scroll_to_test: { offset_top: -20 } }, 20],
      ['accepts scroll_to_test as the text "true"', { scroll_to_test: 'true', scroll_to_top: false }, 0],
    ])('%s', async (_, navigation, expected) => {
      const page = await started({ show_intro: false, ...navigation });
      await expectSoon(() => top(page)).toBe(expected);
    });

    it('sets the focus without scrolling when scroll_to_test is off and the test starts by itself', async () => {
      const page = await started({ show_intro: false, scroll_to_test: false });
      expect(await page.evaluate('scrollY')).toBe(0);
      await expectSoon(() => page.evaluate('document.activeElement.closest(".itembank-item")?.dataset.reference')).toBe(
        'i-1',
      );
    });

    it('scrolls after the introduction, not before it', async () => {
      const page = await host.visit(TestPage.request({ items: ['i-1'] }), { body });
      await button(page, 'Start').waitFor();
      expect(await page.evaluate('scrollY')).toBe(0);
      await button(page, 'Start').click();
      await group(page, 'Item 1 of 1').waitFor();
      await until(async () => (await top(page)) === 0);
    });

    it('scrolls at each change of the item as scroll_to_top says', async () => {
      const page = await started({ show_intro: false, scroll_to_top: { offset_top: -30 } });
      expect(await top(page)).toBe(0);
      await page.evaluate('app.items().next()');
      await expectSoon(() => top(page)).toBe(30);
    });
  });

  it('names all options without an effect in one warning on the console', async () => {
    const warnings: string[] = [];
    host.context.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    const config = {
      title: 'Known',
      regions: { right: [{ type: 'separator_element' }, { type: 'ruler_button' }, { type: 'next_button' }] },
      annotations: true,
      navigation: { swipe: true, show_intro: true, resource_items: ['i-2'], transition: 'fade' },
      configuration: { onsubmit_redirect_url: false, contrast: true },
      time: { max_time: 60, countdown: 5 },
      questions_api_init_options: { beta_flags: {} },
    };
    const sections = [
      {
        items: [{ reference: 'i-1', id: 'one', item_pool_id: 'p' }],
        config: { colour: 'x', time: { start_time: {} } },
      },
    ];
    const more = { dynamic_items: {}, retrieve_tags: true, session_metadata: { group: 'x' } };
    const wanted = TestPage.request({ items: undefined, sections, config, ...more });
    const page = await host.visit(wanted);
    await button(page, 'Start').waitFor();
    expect(warnings).toEqual([
      'Itembank: these members have no effect here: dynamic_items, retrieve_tags, sections.items.item_pool_id, ' +
        'sections.config.colour, sections.config.time.start_time, config.regions ruler_button, config.annotations, config.configuration.contrast, ' +
        'config.navigation.swipe, config.navigation.resource_items, config.navigation.transition, ' +
        'config.time.countdown, config.questions_api_init_options.beta_flags.',
    ]);
  });
});
