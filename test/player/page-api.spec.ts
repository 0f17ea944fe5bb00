import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { write } from '../support/bank';
import { feature, item } from '../support/builders';
import { cutOff } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { until } from '../support/until';
import { allSaved, button, dialog, heard, hostPageWith, radio, valuesOf, onPage } from './host-page';

const CALCULATOR = '<span class="learnosity-feature" data-type="calculator" data-mode="basic"></span>';

describe('the API of the player for a page', () => {
  const many = Array.from({ length: 46 }, (_, at) => `i-bird-${at}`);
  const host = hostPageWith({
    questions: [
      {
        reference: 'q-tree',
        type: 'mcq',
        data: {
          type: 'mcq',
          stimulus: '<p>Which is a tree?</p>',
          options: ['Oak', 'Rose', 'Fern'].map((label) => ({ label, value: label.toLowerCase() })),
          instant_feedback: true,
          metadata: {
            distractor_rationale_response_level: ['It has a trunk.', 'It is a shrub.', 'It has no wood.'],
          },
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['oak'] } },
        },
      },
      // It has an item of its own, because a feature that comes later moves the options below it.
      {
        reference: 'q-calculator',
        type: 'mcq',
        data: { type: 'mcq', stimulus: `<p>Which burns best? ${CALCULATOR}</p>`, options: ['Oak', 'Fir'] },
      },
      {
        reference: 'q-once',
        type: 'mcq',
        data: {
          type: 'mcq',
          stimulus: 'Which is a fish?',
          options: ['Cod', 'Crab'],
          instant_feedback: true,
          feedback_attempts: 1,
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['Cod'] } },
        },
      },
      {
        reference: 'q-bird',
        type: 'mcq',
        data: {
          type: 'mcq',
          stimulus: 'Which is a bird?',
          options: ['Owl', 'Bat'],
          validation: { scoring_type: 'exactMatch', valid_response: { score: 2, value: ['Owl'] } },
        },
      },
    ],
    features: [
      feature({ reference: 'f-text', data: { type: 'sharedpassage', heading: 'Woods', content: '<p>Trees.</p>' } }),
      feature({
        reference: 'f-sound',
        type: 'audioplayer',
        data: { type: 'audioplayer', src: 'https://example.org/bell.mp3' },
      }),
    ],
    items: [
      item(['f-text', 'f-sound', 'q-tree'], { reference: 'i-tree' }),
      item(['q-bird'], { reference: 'i-bird' }),
      item(['q-calculator'], { reference: 'i-calculator' }),
      item(['q-once'], { reference: 'i-once' }),
      ...many.map((reference) => item(['q-bird'], { reference })),
    ],
  });

  const options = { show_distractor_rationale: { per_question: 'always', per_response: 'always' } };
  const start = async (config: object = {}, more: object = {}): Promise<Page> => {
    const whole = { navigation: { show_intro: false }, questions_api_init_options: options, ...config };
    const page = await host.visit(TestPage.request({ items: ['i-tree'], config: whole, ...more }));
    await radio(page, 'Oak').waitFor();
    return page;
  };
  const inline = (body: string, config: object = {}) =>
    host.visit(TestPage.request({ items: ['i-tree'], rendering_type: 'inline', config }), { body });
  const ITEM = '<span class="learnosity-item" data-reference="i-tree"></span>';

  it('lists features, and the metadata of items without anything that reveals an answer', async () => {
    const page = await start();
    expect(await page.evaluate('Object.values(app.getFeatures()).map(({ type }) => type)')).toEqual([
      'sharedpassage',
      'audioplayer',
    ]);
    expect(await page.evaluate('Object.keys(app.features()).join() === Object.keys(app.getFeatures()).join()')).toBe(
      true,
    );
    expect(await page.evaluate('new Promise((done) => app.getItemsMetadata(done))')).toEqual({
      'i-tree': { scoring_type: 'per-question' },
    });
    expect(await page.evaluate('app.unsaveableQuestions()')).toEqual([]);
  });

  it('reports the playback of a feature', async () => {
    const page = await start();
    await page.locator('itembank-feature-audioplayer audio').waitFor({ state: 'attached' });
    await page.evaluate(`
      globalThis.sound = Object.values(app.features())[1];
      sound.on('all', (name) => heard.push('sound ' + name));
      document.querySelector('itembank-feature-audioplayer').shadowRoot.querySelector('audio')
        .dispatchEvent(new Event('play'))`);
    await expectSoon(() => heard(page)).toContain('sound playback:started');
  });

  it.each(['addItems', 'annotationsApp', 'eventsApp', 'getTags', 'assessApp().append', 'question(id).record'])(
    'rejects %s with an error that names the method',
    async (call) => {
      const page = await start();
      const name = /(\w+)$/.exec(call)![1]!;
      await expect(page.evaluate(`const id = Object.keys(app.questions())[0]; app.${call}()`)).rejects.toThrow(
        `Itembank: ${name} is not supported`,
      );
    },
  );

  it('groups the rationales of a checked answer by verdict, without those of options that were not chosen', async () => {
    const page = await start();
    const rationales =
      "app.question(Object.keys(app.questions())[0]).mapValidationMetadata('distractor_rationale_response_level')";
    expect(await page.evaluate(rationales)).toBe(false);
    await radio(page, 'Rose').check();
    await button(page, 'Check answer').click();
    await button(page, 'Try again').waitFor();
    expect(await page.evaluate(rationales)).toEqual({
      correct: [],
      incorrect: [{ index: 1, value: 'rose', metadata: 'It is a shrub.' }],
      unattempted: [],
    });
    expect(await page.evaluate('Object.values(app.getResponses())[0].feedbackAttemptsCount')).toBe(1);
  });

  it('hides the result of a check, renders a question again, and marks a removed answer', async () => {
    const page = await start();
    await page.evaluate('globalThis.tree = Object.values(app.questions())[0]');
    await page.evaluate("tree.on('all', (name) => heard.push('tree ' + name))");
    await radio(page, 'Rose').check();
    await button(page, 'Check answer').click();
    await button(page, 'Try again').waitFor();
    await page.evaluate('tree.resetValidationUI()');
    await button(page, 'Check answer').waitFor();
    expect(await button(page, 'Try again').count()).toBe(0);
    await page.evaluate('tree.render()');
    await until(async () => (await heard(page)).includes('tree rendered'));
    await until(() => radio(page, 'Rose').isChecked());
    await page.evaluate('tree.resetResponse()');
    await radio(page, 'Oak').check();
    expect(await page.evaluate('tree.getResponse().resetState')).toBe('attemptedAfterReset');
    await expectSoon(() => heard(page)).toContain('item:setAttemptedResponse');
  });

  it('shows features that authors describe in a text', async () => {
    const page = await start({}, { items: ['i-calculator'] });
    await button(page, 'Calculator').click();
    await page.getByLabel('Calculation').waitFor();
    expect(
      await page.evaluate('Object.values(Object.values(app.questions())[0].simpleFeatures())[0].getFeature()'),
    ).toEqual({ type: 'calculator', mode: 'basic' });
    expect(await page.evaluate('app.getCurrentItem().simplefeature_ids.length')).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('places features of an inline page by reference and by attributes', async () => {
    const body = `<h2 id="apart"><span class="learnosity-feature feature-f-text"></span></h2>${ITEM}
      <div id="own"><span class="learnosity-feature" data-type="imagetool" data-image="ruler-15-cm"></span></div>`;
    const page = await inline(body);
    await page.locator('#own').getByRole('button', { name: 'Ruler' }).waitFor();
    await onPage(page.locator('#apart').getByText('Woods')).waitFor();
    await expectSoon(() => page.getByText('Woods').count()).toBe(1);
  });

  it('saves and submits an inline page by buttons, and reports both as events', async () => {
    const config = { questions_api_init_options: { renderSaveButton: true }, renderSubmitButton: true };
    const places = ['save', 'submit'].map((name) => `<span class="learnosity-${name}-button"></span>`);
    const page = await inline(`${ITEM}${places.join('')}`, config);
    await radio(page, 'Oak').check();
    await button(page, 'Save').click();
    await until(async () => (await heard(page)).includes('test:save:success'));
    await button(page, 'Submit').click();
    await until(async () => (await heard(page)).includes('test:submit:success'));
    await expectSoon(() => radio(page, 'Oak').isDisabled()).toBe(true);
  });

  describe('on a page that places the items itself', () => {
    const BUTTONS = ['save', 'submit'].map((name) => `<span class="learnosity-${name}-button"></span>`).join('');
    const PLACES = ['i-tree', 'i-bird'].map((id) => `<span class="learnosity-item" data-reference="${id}"></span>`);
    const options = { renderSaveButton: true, renderSubmitButton: true };
    const request = () =>
      TestPage.request({
        items: ['i-tree', 'i-bird'],
        rendering_type: 'inline',
        config: { questions_api_init_options: options },
      });
    const visit = (wanted = request()) => host.visit(wanted, { body: `<h2>Nature</h2>${PLACES.join('')}${BUTTONS}` });
    const status = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();

    it('tells the learner beside its buttons what is saved, and saves once the service can be reached', async () => {
      const wanted = request();
      const page = await visit(wanted);
      await radio(page, 'Oak').check();
      await status(page, 'Some answers are not saved yet.');
      await cutOff(page, '**/responses');
      await button(page, 'Save').click();
      await status(page, 'Answers could not be saved. Trying again.');
      await page.unroute('**/responses');
      await status(page, 'All answers are saved.');
      expect(valuesOf(await host.session(wanted.session_id))).toEqual([['oak'], null]);
      expect(await axeViolations(page)).toEqual([]);
    });

    it('tells the learner whether the answers are submitted, and submits them once', async () => {
      const page = await visit();
      await cutOff(page, '**/submissions');
      await button(page, 'Submit').click();
      await status(
        page,
        'Your answers could not be submitted. They are kept in this browser. Check the connection and try again.',
      );
      await page.unroute('**/submissions');
      await button(page, 'Submit').dblclick();
      await status(page, 'Your answers have been submitted');
      expect((await heard(page)).filter((name) => name === 'test:submit:success')).toHaveLength(1);
      expect(await button(page, 'Submit').count()).toBe(0);
      expect(await page.evaluate('new Promise((error) => app.submit({ error }))')).toMatchObject({ code: 10004 });
    });

    it('lets the learner go on after another page has saved', async () => {
      const wanted = request();
      const first = await visit(wanted);
      await radio(first, 'Oak').check();
      const second = await visit(wanted);
      await radio(second, 'Owl').check();
      await button(second, 'Save').click();
      await status(second, 'All answers are saved.');
      await radio(first, 'Rose').check();
      await button(first, 'Save').click();
      await status(first, 'This test was changed on another page.');
      await button(first, 'Go on here').click();
      await status(first, 'All answers are saved.');
      await expectSoon(() => radio(first, 'Owl').isChecked()).toBe(true);
      expect(valuesOf(await host.session(wanted.session_id))).toEqual([['rose'], ['Owl']]);
      await button(first, 'Submit').click();
      await status(first, 'Your answers have been submitted');
      await radio(second, 'Bat').check();
      await button(second, 'Save').click();
      await status(second, 'This test is over');
      await status(second, 'Answers that came after its end are not stored.');
      await expectSoon(() => radio(second, 'Owl').isDisabled()).toBe(true);
    });

    it('counts the time for the item that the learner works on', async () => {
      const page = await visit();
      await radio(page, 'Owl').check();
      const time = (id: string) => page.evaluate<number>(`app.getItems()['${id}'].time`);
      const before = await time('i-tree');
      await until(async () => (await time('i-bird')) >= 2);
      expect(await time('i-tree')).toBe(before);
    });

    it('leaves nothing on the page after reset, and starts again as the only app', async () => {
      const wanted = request();
      const known = await TestPage.start(host.service, wanted);
      const places = known.questions.map(({ response_id: id }) => `<i class="learnosity-response question-${id}"></i>`);
      const page = await host.visit(wanted, { body: `<section>${places.join('')}${BUTTONS}</section>` });
      await radio(page, 'Oak').waitFor();
      await page.evaluate('app.reset()');
      expect(await page.locator('section > * > *').count()).toBe(0);
      await page.evaluate(`document.querySelector('section').innerHTML +=
        '<span class="learnosity-item" data-reference="i-nobody"></span>'`);
      await page.evaluate('void LearnosityItems.init(signed, callbacks)');
      await radio(page, 'Oak').waitFor();
      expect((await heard(page)).filter((line) => line.startsWith('error 50002'))).toHaveLength(1);
    });
  });

  it('goes on in a new app that starts at once after reset, as it was when the first one left', async () => {
    const wanted = TestPage.request({ items: ['i-tree', 'i-bird'], config: { navigation: { show_intro: false } } });
    const page = await host.visit(wanted);
    await radio(page, 'Oak').check();
    await page.evaluate(`(async () => {
      await app.items().next();
      await app.items().previous();
      await app.items().next();
      await app.items().previous();
      void app.items().next();
      app.reset();
      globalThis.app = LearnosityItems.init(signed, callbacks);
    })()`);
    await radio(page, 'Owl').check();
    await button(page, 'Save').click();
    await allSaved(page);
    // A save of the first app would be here by now.
    await page.evaluate('new Promise((done) => setTimeout(done, 500))');
    await radio(page, 'Bat').check();
    await button(page, 'Save').click();
    await allSaved(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['oak'], ['Bat']]);
  });

  it.each([
    ['by reset', 'app.reset()'],
    ['with the element that it is in', "document.querySelector('#learnosity_assess').remove()"],
  ])('saves the last answer when the page takes the player off %s', async (_, removal) => {
    const wanted = TestPage.request({ items: ['i-tree'], config: { navigation: { show_intro: false } } });
    const page = await host.visit(wanted);
    await radio(page, 'Oak').check();
    await page.evaluate(removal);
    await until(async () => (await host.session(wanted.session_id)) !== undefined);
    expect(valuesOf(await host.session(wanted.session_id))).toEqual([['oak']]);
  });

  it('leaves no listener and no node behind, however often a page resets it', async () => {
    const page = await start();
    const devtools = await host.context.newCDPSession(page);
    await devtools.send('Performance.enable');
    const startAndReset = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        await page.evaluate('globalThis.app = LearnosityItems.init(signed, callbacks); undefined');
        await radio(page, 'Oak').waitFor();
        await page.evaluate('app.reset()');
      }
    };
    const left = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      return ['JSEventListeners', 'Nodes'].map((name) => metrics.find((each) => each.name === name)!.value);
    };
    await page.evaluate('app.reset()');
    await startAndReset(2);
    const before = await left();
    await startAndReset(6);
    // A node or two may await the next collection, and a whole item waits while its sound loads. An app has tens of listeners
    // and hundreds of nodes.
    await until(async () => (await left()).every((count, at) => count - before[at]! < 30));
  });

  it('reports missing elements, unknown items, failed saves and a second start to the error listener', async () => {
    const unknown = '<span class="learnosity-item" data-reference="i-nobody"></span>';
    const page = await inline(unknown, { renderSaveButton: true });
    await until(async () => (await heard(page)).filter((line) => line.startsWith('error')).length === 3);
    expect((await heard(page)).map((line) => line.slice(0, 11)).slice(0, 3)).toEqual([
      'error 50002',
      'error 50001',
      'error 50001',
    ]);
    expect(await page.evaluate('LearnosityItems.errors.map(({ code }) => code)')).toEqual([50002, 50001, 50001]);
    const second = await start();
    await second.evaluate('LearnosityItems.init(signed, callbacks)');
    await until(async () => (await heard(second)).some((line) => line.startsWith('error 10001')));
    await cutOff(second, '**/responses');
    await radio(second, 'Oak').check();
    await second.evaluate('app.save()');
    await until(async () => (await heard(second)).some((line) => line.startsWith('error 10004')));
  });

  it('delivers events only after the page is ready to listen', async () => {
    const config = { navigation: { show_intro: false } };
    const page = await host.visit(TestPage.request({ items: ['i-tree'], config }), {
      init: `LearnosityItems.init(signed, { ...callbacks, readyListener: () => {
        heard.push('ready');
        app.on('test:start item:load', () => heard.push('late'));
      } })`,
    });
    await until(async () => (await heard(page)).filter((line) => line === 'late').length === 2);
    expect((await heard(page)).slice(0, 3)).toEqual(['ready', 'test:ready', 'app:ready']);
  });

  it('delivers events although the readyListener of the page throws', async () => {
    const init =
      "LearnosityItems.init(signed, { readyListener: () => { heard.push('ready'); throw new Error('x'); } })";
    const config = { navigation: { show_intro: false } };
    const page = await host.visit(TestPage.request({ items: ['i-tree'], config }), { init });
    await radio(page, 'Oak').check();
    await until(async () => (await heard(page)).includes('item:setAttemptedResponse'));
    expect((await heard(page)).slice(0, 3)).toEqual(['ready', 'test:ready', 'app:ready']);
    expect(await page.evaluate('LearnosityItems.errors')).toEqual([]);
  });

  it('reports that a part of the player could not be loaded', async () => {
    await host.context.route(/\/player\/.*inline/, (route) => route.abort());
    const page = await inline(ITEM);
    await until(async () => (await heard(page)).some((line) => line.startsWith('error 10017')));
  });

  it.each(['undefined', 'null'])(
    'calls the callbacks in the third argument after an element that is %s',
    async (element) => {
      const init = `LearnosityItems.init(signed, ${element}, callbacks)`;
      const page = await host.visit(TestPage.request({ items: ['i-tree'] }), { init });
      await button(page, 'Start').waitFor();
      await expectSoon(() => heard(page)).toContain('ready');
    },
  );

  it('knows after a reload that no check of an answer is left', async () => {
    const page = await start({}, { items: ['i-tree', 'i-once'] });
    await page.evaluate('app.items().next()');
    await radio(page, 'Crab').check();
    const check = page.locator('.itembank-item:visible').getByRole('button', { name: 'Check answer' });
    await check.click();
    await onPage(page.getByText('Attempts left: 0')).waitFor();
    await page.evaluate('new Promise((success) => app.save({ success }))');
    await page.reload();
    await onPage(page.getByText('Attempts left: 0')).waitFor();
    await expectSoon(() => check.isDisabled()).toBe(true);
  });

  it('closes a dialog of the page that has no buttons', async () => {
    const page = await start();
    await page.evaluate("app.dialogs().custom.show({ header: 'More answers required', body: 'Choose two.' })");
    await dialog(page, 'More answers required').getByRole('button', { name: 'Close' }).click();
    await dialog(page, 'More answers required').waitFor({ state: 'hidden' });
  });

  it.each(['null', '{ header: null, body: null, buttons: null }', '{ header: 7, buttons: {} }', '{ buttons: [null] }'])(
    'shows a dialog of the page from %s, and goes on',
    async (given) => {
      const page = await start();
      await page.evaluate(`app.dialogs().custom.show(${given})`);
      await page.getByRole('dialog').waitFor();
      await page.evaluate('app.dialogs().custom.hide()');
      await radio(page, 'Oak').check();
      await button(page, 'Save').click();
      await allSaved(page);
    },
  );

  it.each([
    ['a dialog of the page', "custom.show({ header: 'Lunch', buttons: [{ button_id: 'ok', label: 'OK' }] })", 'OK'],
    ['the display', 'accessibility.show()', 'Close'],
    ['the overview', 'reviewScreen.show()', 'Item 1, not answered'],
  ])('stays paused after %s, which the page opened in the pause', async (_, show, closing) => {
    const page = await start();
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await page.evaluate("app.on('button:ok:clicked', () => app.dialogs().custom.hide())");
    await page.evaluate(`app.dialogs().${show}`);
    await page.getByRole('dialog').getByRole('button', { name: closing }).click();
    await dialog(page, 'The test is paused').waitFor();
    await button(page, 'Go on').click();
    await radio(page, 'Oak').check();
    expect(await page.evaluate('app.attemptedItems()')).toEqual(['i-tree']);
  });

  it('does not close the test of a learner who answered a dialog of the page in place of “Are you still there?”', async () => {
    await host.stopClock();
    const page = await start({
      configuration: { idle_timeout: { interval: 100, countdown_time: 20 }, onsave_redirect_url: false },
    });
    await host.context.clock.runFor(105_000);
    await dialog(page, 'Are you still there?').waitFor();
    await page.evaluate("app.dialogs().custom.show({ header: 'Lunch' })");
    await dialog(page, 'Lunch').getByRole('button', { name: 'Close' }).click();
    await host.context.clock.runFor(30_000);
    await radio(page, 'Oak').check();
    expect(await page.getByRole('heading', { name: 'The test is closed' }).count()).toBe(0);
  });

  it('gives the scores of a review also for items that have not been shown yet', async () => {
    const request = TestPage.request({ items: ['i-tree', 'i-bird'], config: { navigation: { show_intro: false } } });
    const page = await host.visit(request);
    await radio(page, 'Oak').check();
    await page.evaluate("app.items().goto('i-bird')");
    await radio(page, 'Owl').check();
    await page.evaluate('app.submit({ success: () => heard.push("stored") })');
    await until(async () => (await heard(page)).includes('stored'));
    const review = await host.visit({ ...request, state: 'review' });
    await radio(review, 'Oak').waitFor();
    expect(await review.evaluate('Object.values(app.getScores())')).toEqual([
      { score: 1, max_score: 1 },
      { score: 2, max_score: 2 },
    ]);
    expect(await review.evaluate("app.getItemScores()['i-bird']")).toMatchObject({ score: 2, max_score: 2 });
    expect(await review.evaluate("Object.values(app.validItems()['i-bird'])")).toEqual([true]);
  });

  it('gives the scores of items as the service stores them', async () => {
    const validations = {
      'q-tenth': { valid_response: { score: 0.1, value: ['Owl'] } },
      'q-fifth': { valid_response: { score: 0.2, value: ['Owl'] } },
      'q-survey': { unscored: true },
    };
    const data = { type: 'mcq', stimulus: 'Which?', options: ['Owl', 'Bat'] };
    await write(host.service.client, {
      questions: Object.entries(validations).map(([reference, validation]) => ({
        reference,
        type: 'mcq',
        data: { ...data, validation },
      })),
      items: [
        item(['q-tenth', 'q-fifth'], { reference: 'i-tenths' }),
        item(['q-survey', 'q-tenth'], { reference: 'i-whole', metadata: { scoring_type: 'dichotomous' } }),
      ],
    });
    const request = TestPage.request({ items: ['i-tenths', 'i-whole'], config: { navigation: { show_intro: false } } });
    const taken = await TestPage.start(host.service, request);
    await taken.submit(Object.fromEntries(taken.questions.map(({ response_id: id }) => [id, ['Owl']])));
    const stored = await taken.stored();
    const review = await host.visit({ ...request, state: 'review' });
    await radio(review, 'Owl').first().waitFor();
    const shown = await review.evaluate<Record<string, object>>('app.getItemScores()');
    for (const { reference, scoring } of stored.items) expect(shown[reference]).toMatchObject(scoring);
  });

  it('gives the scores that come with a local practice', async () => {
    const page = await start({}, { items: ['i-tree', 'i-bird'], type: 'local_practice' });
    await radio(page, 'Oak').check();
    await page.evaluate('app.submit()');
    await until(async () => (await heard(page)).includes('test:submit:success'));
    expect(await page.evaluate('Object.values(app.getScores())')).toEqual([
      { score: 1, max_score: 1 },
      { score: null, max_score: 2 },
    ]);
  });

  it('keeps a question read-only that the page disabled before the learner came to it', async () => {
    const page = await start({}, { items: ['i-tree', 'i-bird'] });
    await page.evaluate('globalThis.bird = Object.values(app.questions())[1]; bird.disable()');
    await page.evaluate('app.items().next()');
    await radio(page, 'Owl').waitFor();
    await expectSoon(() => radio(page, 'Owl').isDisabled()).toBe(true);
    await page.evaluate('bird.render()');
    await until(async () => (await radio(page, 'Owl').count()) === 1 && (await radio(page, 'Owl').isDisabled()));
    await page.evaluate('bird.enable()');
    await radio(page, 'Owl').check();
  });

  it('removes an answer of an item that the learner has not seen again since a reload', async () => {
    const request = TestPage.request({ items: ['i-tree', 'i-bird'], config: { navigation: { show_intro: false } } });
    const page = await host.visit(request);
    await radio(page, 'Oak').check();
    await page.evaluate('app.items().next()');
    await radio(page, 'Owl').waitFor();
    await page.evaluate('new Promise((success) => app.save({ success }))');
    await page.reload();
    await radio(page, 'Owl').waitFor();
    await page.evaluate('Object.values(app.questions())[0].resetResponse()');
    expect(await page.evaluate('app.attemptedItems()')).toEqual([]);
    await page.evaluate('app.items().previous()');
    expect(await radio(page, 'Oak').isChecked()).toBe(false);
  });

  it('keeps the answers of a submitted test as they are, whatever the page calls', async () => {
    const page = await inline(ITEM);
    await radio(page, 'Oak').check();
    await page.evaluate('new Promise((success) => app.submit({ success }))');
    await page.evaluate(`
      globalThis.tree = Object.values(app.questions())[0];
      tree.on('all', (name) => heard.push('tree ' + name));
      tree.resetResponse();
      tree.enable();`);
    await expectSoon(() => radio(page, 'Oak').isChecked()).toBe(true);
    await expectSoon(() => radio(page, 'Oak').isDisabled()).toBe(true);
    await page.evaluate('tree.render()');
    await until(async () => (await heard(page)).includes('tree rendered'));
    await expectSoon(() => radio(page, 'Oak').isChecked()).toBe(true);
    await expectSoon(() => radio(page, 'Oak').isDisabled()).toBe(true);
    expect(await heard(page)).not.toContain('tree changed');
  });

  it('submits no test that the learner has not started yet, and tells the page so', async () => {
    const page = await host.visit(TestPage.request({ items: ['i-tree'] }));
    await button(page, 'Start').waitFor();
    for (const settings of ['{ error }', '{ show_submit_confirmation: true, error }'])
      expect(await page.evaluate(`new Promise((error) => app.submit(${settings}))`)).toMatchObject({ code: 10004 });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await button(page, 'Start').click();
    await radio(page, 'Oak').check();
    expect(await heard(page)).not.toContain('test:submit');
  });

  it('goes on without a listener that the page has not defined, and warns about it', async () => {
    const page = await start();
    const warned = page.waitForEvent('console', (message) => message.text().includes('item:flagged'));
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.evaluate("app.on('item:flagged'); app.once('item:flagged', undefined)");
    expect((await warned).type()).toBe('warning');
    await button(page, 'Flag this item').click();
    await until(async () => (await heard(page)).includes('item:flagged'));
    // An error in a listener is thrown a moment later.
    await page.evaluate('new Promise((done) => setTimeout(done))');
    expect(errors).toEqual([]);
  });

  it('calls back once for a submission that the learner cancelled before', async () => {
    const page = await start();
    const ask = 'app.submit({ show_submit_confirmation: true, success: () => heard.push("stored") })';
    await page.evaluate(ask);
    await button(page, 'Cancel').click();
    await page.evaluate(ask);
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    expect((await heard(page)).filter((name) => name === 'stored')).toEqual(['stored']);
  });

  it('calls back the error of a second submission', async () => {
    const page = await start();
    const submitted =
      'new Promise((done) => app.submit({ success: () => done("stored"), error: ({ code }) => done(code) }))';
    expect(await page.evaluate(submitted)).toBe('stored');
    expect(await page.evaluate(submitted)).toBe(10004);
  });

  it('shows what has the focus, and not its bar above it, when a learner moves by keyboard', async () => {
    const page = await start(
      {},
      {
        items: ['i-tree', ...many.slice(0, 8)],
        config: {
          navigation: { show_intro: false },
          regions: { right: [{ type: 'vertical_element' }, { type: 'verticaltoc_element' }] },
        },
      },
    );
    await page.setViewportSize({ width: 1280, height: 420 });
    const isCovered = `(() => {
      let focus = document.activeElement;
      while (focus.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
      const bar = document.querySelector('.itembank-bottom');
      const { top, bottom } = focus.getBoundingClientRect();
      return !bar.contains(focus) && top >= bar.getBoundingClientRect().top && bottom > 0;
    })()`;
    await radio(page, 'Oak').focus();
    for (let presses = 0; presses < 24; presses += 1) {
      expect(await page.evaluate(isCovered)).toBe(false);
      await page.keyboard.press('Tab');
    }
  });

  it('calls back the error of a save after the test has ended', async () => {
    const page = await start();
    await radio(page, 'Oak').check();
    await page.evaluate('new Promise((success) => app.submit({ success }))');
    await page.evaluate('app.save({ success: () => heard.push("saved"), error: ({ code }) => heard.push(code) })');
    await until(async () => (await heard(page)).includes(10004 as never));
    expect(await heard(page)).not.toContain('test:save:success');
    expect(await heard(page)).not.toContain('saved');
  });

  it('shows the review of a test that was submitted in a pause', async () => {
    const wanted = TestPage.request({ items: ['i-tree'], config: { navigation: { show_intro: false } } });
    const page = await host.visit(wanted);
    await radio(page, 'Oak').check();
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await page.evaluate('new Promise((success) => app.submit({ success }))');
    const review = await host.visit({ ...wanted, state: 'review' });
    await until(async () => (await heard(review)).includes('test:start'));
    await expectSoon(() => radio(review, 'Oak').isChecked()).toBe(true);
    expect(await review.getByRole('dialog').count()).toBe(0);
  });

  it('goes on where it was when the page moves the player to another element', async () => {
    const move = `(() => {
      const other = document.createElement('section');
      document.body.append(other);
      other.append(document.getElementById('learnosity_assess'));
    })()`;
    const page = await host.visit(TestPage.request({ items: ['i-tree', 'i-bird'] }));
    await button(page, 'Start').click();
    await radio(page, 'Oak').check();
    await button(page, 'Next').click();
    await radio(page, 'Owl').check();
    await page.evaluate(move);
    const moved = await page.evaluate<number>('app.getTime()');
    await until(async () => (await page.evaluate<number>('app.getTime()')) > moved);
    await expectSoon(() => page.locator('section').getByRole('radio', { name: 'Owl' }).isChecked()).toBe(true);
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await page.evaluate(move);
    expect(await page.locator('dialog').evaluate((element) => element.matches(':modal'))).toBe(true);
    await button(page, 'Go on').click();
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    const end = page.getByRole('heading', { name: 'Your answers have been submitted' });
    await end.waitFor();
    await page.evaluate(move);
    await page.evaluate("app.assessApp().item('i-bird').flag()");
    await expectSoon(() => end.isVisible()).toBe(true);
  });

  it('lets a learner mask options by keyboard, which keeps the answer', async () => {
    const page = await start({ region_overrides: { 'right.masking_button': true } });
    await page.evaluate("Object.values(app.questions())[0].on('masked', () => heard.push('masked'))");
    await radio(page, 'Oak').check();
    await button(page, 'Answer masking').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Mask answer 2').focus();
    await page.keyboard.press('Space');
    await onPage(page.getByText('Answer 2 is masked.')).waitFor();
    expect(await radio(page, 'Rose').count()).toBe(0);
    await expectSoon(() => page.getByRole('radio', { name: 'Answer 2 is masked.' }).isDisabled()).toBe(true);
    await expectSoon(() => heard(page)).toContain('masked');
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await button(page, 'Unmask answer 2').click();
    await radio(page, 'Rose').waitFor();
    await expectSoon(() => radio(page, 'Oak').isChecked()).toBe(true);
    expect(await page.evaluate('Object.values(app.questions())[0].isMaskable()')).toBe(true);
  });

  it('shows a line reader that keys and the pointer move, and that follows the focus', async () => {
    const page = await start({ regions: { right: [{ type: 'linereader_button' }] } });
    await button(page, 'Line reader').focus();
    await page.keyboard.press('Enter');
    const reader = page.getByRole('group', { name: 'Line reader' });
    await reader.waitFor();
    const top = async () => Math.round((await reader.boundingBox())!.y);
    const before = await top();
    await page.keyboard.press('ArrowDown');
    await expectSoon(() => top()).toBe(before + 16);
    await button(page, 'Move up').click();
    await expectSoon(() => top()).toBe(before);
    await page.keyboard.press('+');
    await expectSoon(() => top()).toBe(before + 16);
    const box = (await reader.boundingBox())!;
    await page.mouse.move(box.x + box.width - 2, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + 102, { steps: 3 });
    await page.mouse.up();
    await expectSoon(() => top()).toBe(before + 116);
    expect(await axeViolations(page)).toEqual([]);
    await radio(page, 'Fern').focus();
    const { y } = (await radio(page, 'Fern').boundingBox())!;
    await until(async () => Math.abs((await top()) - y) < 100);
    await radio(page, 'Fern').click();
    await button(page, 'Move up').focus();
    await page.keyboard.press('Escape');
    expect(await reader.count()).toBe(0);
  });

  it('shows the tools and the present item of a long table of contents without scrolling the page', async () => {
    const page = await start({}, { items: ['i-tree', ...many] });
    const contents = page.getByRole('navigation', { name: 'Items' });
    const isInside = async (name: string) => {
      const [inner, outer] = [
        (await contents.getByText(name, { exact: true }).boundingBox())!,
        (await contents.boundingBox())!,
      ];
      return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
    };
    const { y } = (await button(page, 'Full screen').boundingBox())!;
    expect(y).toBeLessThan(page.viewportSize()!.height - 100);
    expect(await isInside('1')).toBe(true);
    await page.evaluate('app.items().goto(46)');
    await until(() => isInside('47'));
    expect(await isInside('1')).toBe(false);
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('offers masking and the line reader only if the activity asks for them', async () => {
    const page = await start({ region_overrides: { 'right.masking_button': false } });
    for (const name of ['Answer masking', 'Line reader']) expect(await button(page, name).count()).toBe(0);
  });
});
