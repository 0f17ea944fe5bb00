import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { feature, item, question } from '../support/builders';
import { cutOff, intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { DAY } from '../support/time';
import { until } from '../support/until';
import { button, dialog, group, heard, hostPageWith, radio, onPage } from './host-page';

/* The parts of the API that public pages of the hosted service use most. */

const CONTRAST = { runOnly: ['color-contrast'] };
const FIRST_QUESTION = 'Object.values(app.questions())[0]';

describe('a page that was made for the hosted service', () => {
  const { data } = question();
  const host = hostPageWith({
    questions: [
      question({ reference: 'q-1', data: { ...data, instant_feedback: true } }),
      question({ reference: 'q-2' }),
    ],
    features: [
      feature({
        reference: 'f-sound',
        type: 'audioplayer',
        data: { type: 'audioplayer', src: 'https://example.org/bell.mp3' },
      }),
    ],
    items: [
      item(['q-1'], { reference: 'i-1', metadata: { acknowledgements: 'From a book.' } }),
      item(['f-sound', 'q-2'], { reference: 'i-2' }),
    ],
  });

  const request = (config: object = {}, more: object = {}) =>
    TestPage.request({ items: ['i-1', 'i-2'], name: 'A test', config, ...more });
  /** Starts without an introduction. */
  const start = async (config: { navigation?: object; [name: string]: unknown } = {}, more: object = {}) => {
    const navigation = { show_intro: false, ...config.navigation };
    const page = await host.visit(request({ ...config, navigation }, more));
    await group(page, 'Item 1 of').waitFor();
    await until(async () => (await heard(page)).includes('test:start'));
    return page;
  };
  const waitForEvent = (page: Page, name: string) => until(async () => (await heard(page)).includes(name));
  /** Records each event with its first argument. */
  const record = (page: Page, names: string) =>
    page.evaluate(`globalThis.recorded = []; app.on('all', (name, value) => {
      if (${JSON.stringify(names.split(' '))}.includes(name)) recorded.push([name, value ?? null]);
    })`);
  const recorded = (page: Page) => page.evaluate('recorded');

  describe('the app object', () => {
    it('returns the questions, items, activity and progress', async () => {
      const page = await start({ title: 'Numbers', navigation: { warning_on_change: true } });
      expect(await page.evaluate('app.safeToUnload()')).toBe(true);
      await radio(page, 'Two').check();
      expect(await page.evaluate('app.safeToUnload()')).toBe(false);
      const id = await page.evaluate<string>('Object.keys(app.getQuestions())[0]');
      expect(await page.evaluate('new Promise((done) => app.getQuestions(done))')).toHaveProperty(
        [id, 'response_id'],
        id,
      );
      expect(await page.evaluate('new Promise((done) => app.getMetadata(done))')).toHaveProperty(
        [id, 'valid_response_count'],
        1,
      );
      expect(await page.evaluate('app.attemptedQuestions()')).toEqual([id]);
      expect(await page.evaluate('app.getActivity()')).toMatchObject({
        session_id: expect.any(String) as string,
        state: 'initial',
        existing_session: false,
        name: 'A test',
        config: { title: 'Numbers' },
      });
      expect(await page.evaluate('app.getItems()')).toMatchObject({
        'i-1': { active: true, attempt_status: 'fully_attempted', response_ids: [id], is_last_item: false },
        'i-2': { active: false, attempt_status: 'not_attempted', viewed: false, is_last_item: true },
      });
      expect(await page.evaluate('app.getTime()')).toEqual(expect.any(Number));
      await page.evaluate('new Promise((success, error) => app.save({ success, error }))');
      expect(await page.evaluate('app.safeToUnload()')).toBe(true);
      // The element of a question has the id of its response, and that of an item its reference.
      await expectSoon(() => page.locator(`[id="${id}"]`).count()).toBe(1);
      await expectSoon(() => page.locator('[data-reference="i-1"]').count()).toBe(1);
    });

    it('moves between items, flags them, and reports each step with its position', async () => {
      const page = await start();
      await record(page, 'item:changing item:unload item:goto item:changed item:load item:flagged');
      await page.evaluate('app.items().next()');
      await page.evaluate('app.items().previous()');
      await page.evaluate("app.item('i-2').flag()");
      expect(await page.evaluate("app.getItems()['i-2'].user_flagged")).toBe(true);
      await button(page, 'Flag this item').click();
      expect(await recorded(page)).toEqual([
        ['item:goto', 1],
        ['item:changing', 1],
        ['item:unload', 0],
        ['item:load', 1],
        ['item:changed', 1],
        ['item:goto', 0],
        ['item:changing', 0],
        ['item:unload', 1],
        ['item:load', 0],
        ['item:changed', 0],
        ['item:flagged', 0],
      ]);
    });

    it('accepts listeners for several events, for one event only, and removes them', async () => {
      const page = await start();
      await page.evaluate(`
        globalThis.count = {};
        const counting = (name) => () => (count[name] = (count[name] ?? 0) + 1);
        globalThis.gone = counting('off');
        app.on('item:goto item:changed', counting('two names'));
        app.once('item:changed', counting('once'));
        app.on('item:changed', gone);
        app.off('item:changed', gone);
        app.once('item:changed', gone);
        app.off('item:changed', gone);
        app.assessApp().on('item:changed', counting('player'))`);
      await page.evaluate("globalThis.every = []; app.on('*', (name) => every.push(name))");
      await page.evaluate('app.items().next()');
      await page.evaluate('app.items().previous()');
      expect(await page.evaluate('every')).toEqual(expect.arrayContaining(['item:goto', 'item:changed']));
      expect(await page.evaluate('count')).toEqual({ 'two names': 4, once: 1, player: 2 });
      await page.evaluate("app.off('item:goto'); app.items().next()");
      expect(await page.evaluate('count')).toEqual({ 'two names': 5, once: 1, player: 3 });
      await page.evaluate('app.off(); app.items().previous()');
      expect(await page.evaluate('count')).toEqual({ 'two names': 5, once: 1, player: 3 });
    });

    it('saves and submits with callbacks, and reports failures', async () => {
      const page = await start();
      await radio(page, 'Two').check();
      await cutOff(page, '**/delivery/v1/sessions/current/**');
      await page.evaluate('app.save(null)');
      await page.evaluate('new Promise((error) => app.save({ error }))');
      await expectSoon(() => heard(page)).toEqual(expect.arrayContaining(['test:save', 'test:save:error']));
      await page.evaluate('new Promise((error) => app.submit({ error }))');
      await expectSoon(() => heard(page)).toEqual(expect.arrayContaining(['test:submit', 'test:submit:error']));
      await page.unroute('**/delivery/v1/sessions/current/**');
      await page.evaluate('globalThis.states = []; globalThis.progress = ({ state }) => states.push(state)');
      const ids = await page.evaluate('Object.keys(app.questions())');
      expect(await page.evaluate('new Promise((success) => app.save({ success, progress }))')).toEqual([
        (ids as string[])[0],
      ]);
      expect(await page.evaluate('new Promise((success) => app.submit({ success, progress }))')).toEqual(ids);
      expect(await page.evaluate('states')).toEqual(['start', 'done', 'start', 'done']);
    });

    it('returns the session as text that the service accepts', async () => {
      const page = await start();
      const text = await page.evaluate<string>('app.getSubmissionData()');
      expect(JSON.parse(Buffer.from(text, 'base64').toString())).toMatchObject({
        session_id: await page.evaluate('app.getActivity().session_id'),
        items: [{ reference: 'i-1' }, { reference: 'i-2' }],
      });
    });

    it('dates the end of a session that was resumed on another day by that day', async () => {
      const wanted = request();
      await TestPage.start(host.service, wanted);
      host.service.clock.advance(DAY);
      const resumed = host.service.clock.now();
      const page = await host.visit(wanted);
      await waitForEvent(page, 'test:ready');
      const text = Buffer.from(await page.evaluate<string>('app.getSubmissionData()'), 'base64').toString();
      const { dt_completed: end } = JSON.parse(text) as { dt_completed: string };
      expect(Date.parse(end)).toBeGreaterThanOrEqual(resumed);
    });

    it('reports nothing after reset, and its element can hold a new app', async () => {
      const page = await start();
      await page.evaluate('app.reset()');
      expect(await page.locator('itembank-player').count()).toBe(0);
      await expectSoon(() => heard(page)).toContain('test:reset');
      const count = (await heard(page)).length;
      await page.evaluate(
        "globalThis.app2 = LearnosityItems.init(signed, { readyListener: () => heard.push('again') })",
      );
      await waitForEvent(page, 'again');
      await group(page, 'Item 1 of 2').waitFor();
      expect((await heard(page)).slice(count)).toEqual(['again']);
    });

    it('shows dialogs of the page and of the player', async () => {
      const page = await start();
      await page.evaluate(`app.dialogs().custom.show({
        header: 'A break', body: 'Drink some water.', buttons: [{ button_id: 'drunk', label: 'Done', is_primary: true }],
      })`);
      await dialog(page, 'A break').getByText('Drink some water.').waitFor();
      await button(page, 'Done').click();
      await waitForEvent(page, 'button:drunk:clicked');
      await page.evaluate('app.dialogs().custom.hide()');
      await dialog(page, 'A break').waitFor({ state: 'hidden' });
      await page.evaluate('app.assessApp().dialogs().reviewScreen.show()');
      await dialog(page, 'Review').waitFor();
      await page.evaluate('app.dialogs().reviewScreen.hide()');
      await dialog(page, 'Review').waitFor({ state: 'hidden' });
      await page.evaluate('app.dialogs().accessibility.show()');
      await dialog(page, 'Display').waitFor();
      await expectSoon(() => heard(page)).toEqual(expect.arrayContaining(['test:panel:show', 'test:panel:hide']));
    });

    it('leaves a dialog open that is not the one to hide', async () => {
      const page = await start();
      await page.evaluate('app.submit({ show_submit_confirmation: true })');
      await dialog(page, 'Submit this test?').waitFor();
      await page.evaluate('app.dialogs().custom.hide(); app.dialogs().reviewScreen.hide()');
      expect(await heard(page)).not.toContain('test:panel:hide');
      await expectSoon(() => dialog(page, 'Submit this test?').isVisible()).toBe(true);
    });

    it('keeps a dialog open that opens right after another one', async () => {
      const page = await start();
      await page.evaluate("app.dialogs().custom.show({ header: 'A break' })");
      await dialog(page, 'A break').waitFor();
      // The browser reports the end of a dialog in a later task than these.
      await page.evaluate(`(async () => {
        app.dialogs().custom.hide();
        for (let step = 0; step < 10; step += 1) await undefined;
        app.dialogs().reviewScreen.show();
        for (let step = 0; step < 10; step += 1) await new Promise((done) => setTimeout(done));
      })()`);
      await expectSoon(() => dialog(page, 'Review').isVisible()).toBe(true);
    });

    it('returns positions of items, and whether the test has started', async () => {
      const page = await host.visit(request());
      await button(page, 'Start').waitFor();
      expect(await page.evaluate('app.assessApp().hasStarted()')).toBe(false);
      await button(page, 'Start').click();
      expect(await page.evaluate('app.assessApp().hasStarted()')).toBe(true);
      expect(await page.evaluate("app.assessApp().getItemPosition('i-2')")).toBe(1);
      await page.evaluate("app.assessApp().item('i-2').flag()");
      expect(await page.evaluate("app.getItems()['i-2'].user_flagged")).toBe(true);
    });

    it('typesets formulas of the page, masks options and submits through questionsApp', async () => {
      const body = String.raw`<p id="formula">\(\frac{1}{2}\)</p><div id="learnosity_assess"></div>
        <textarea>\(x\)</textarea><script type="application/json">"\\(x\\)"</script>`;
      const page = await host.visit(request({ navigation: { show_intro: false } }), { body });
      await group(page, 'Item 1 of 2').waitFor();
      await page.evaluate('app.questionsApp().renderMath()');
      await until(async () => !(await page.locator('#formula').innerText()).includes('frac'));
      await expectSoon(() => page.locator('textarea').inputValue()).toBe(String.raw`\(x\)`);
      await expectSoon(() => page.locator('[type="application/json"]').textContent()).toBe(String.raw`"\\(x\\)"`);
      await page.evaluate('app.questionsApp().masking(true)');
      await button(page, 'Mask answer 1').waitFor();
      await page.evaluate('new Promise((success) => app.assessApp().questionsApp().submit({ success }))');
      await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    });
  });

  it('loads at most 60 kB of compressed script for an item of one type, and no script for formulas', async () => {
    const scripts: Promise<[string, number]>[] = [];
    host.context.on('response', (response) => {
      const path = new URL(response.url()).pathname;
      const size = async () => gzipSync(await response.body()).length;
      if (path.startsWith('/player/') && path.endsWith('.js'))
        scripts.push(size().then((length): [string, number] => [path, length]));
    });
    await start({}, { items: ['i-1'] });
    const loaded = await Promise.all(scripts);
    expect(loaded.map(([path]) => path)).toContain('/player/items.js');
    expect(loaded.reduce((sum, [, length]) => sum + length, 0)).toBeLessThanOrEqual(60_000);
    expect(loaded.filter(([path]) => /math-field|typesetter/.test(path))).toEqual([]);
  });

  describe('a question object', () => {
    it('returns the answer, its state and its metadata, and reports changes and checks', async () => {
      const page = await start();
      await page.evaluate(`globalThis.first = ${FIRST_QUESTION}; globalThis.recorded = [];
        for (const name of ['changed', 'beforeValidate', 'validated']) first.on(name, () => recorded.push(name))`);
      const state = () =>
        page.evaluate(
          '[first.getResponse(), first.getScore().score, first.isAttempted(), first.getAttemptedStatus(), first.isValid()]',
        );
      expect(await state()).toEqual([null, null, false, 'not_attempted', false]);
      expect(await page.evaluate('first.checkValidation()')).toEqual({ has_validation: true });
      expect(await page.evaluate('Object.values(app.questions())[1].checkValidation()')).toEqual({
        has_validation: false,
      });
      expect(await page.evaluate('first.getMetadata()')).toEqual({});
      await radio(page, 'Two').check();
      expect((await state()) as unknown[]).toMatchObject([{ value: ['1'] }, null, true, 'fully_attempted', false]);
      await page.evaluate('first.validate({ showCorrectAnswers: true })');
      await until(async () => (await page.evaluate<string[]>('recorded')).includes('validated'));
      expect(await page.evaluate('[first.getScore(), first.isValid()]')).toEqual([{ score: 1, max_score: 1 }, true]);
      expect(await page.evaluate('recorded')).toEqual(['changed', 'beforeValidate', 'validated']);
      expect(await page.evaluate('[app.getItemScores()["i-1"], Object.values(app.validItems()["i-1"])]')).toEqual([
        {
          type: 'per-question',
          score: 1,
          max_score: 1,
          question_scores: [{ response_id: expect.any(String), score: 1, max_score: 1 }],
        },
        [true],
      ]);
      expect(await page.evaluate('app.getItemScores()["i-2"].score')).toBeNull();
    });

    it('has no result of a check after the answer changed, also while the service was checking', async () => {
      const page = await start();
      const result = () => page.evaluate(`[${FIRST_QUESTION}.getScore().score, ${FIRST_QUESTION}.isValid()]`);
      await radio(page, 'Two').check();
      await page.evaluate(`globalThis.checks = 0; ${FIRST_QUESTION}.on('validated', () => (checks += 1));
        ${FIRST_QUESTION}.validate()`);
      await until(() => page.evaluate<boolean>('checks === 1'));
      expect(await result()).toEqual([1, true]);
      await page.evaluate(`${FIRST_QUESTION}.resetValidationUI()`);
      await radio(page, 'One').check();
      expect(await result()).toEqual([null, false]);
      let go = () => undefined as void;
      const isChanged = new Promise<void>((done) => (go = done));
      await intercept(page, '**/current/checks', async (route) => {
        await isChanged;
        await route.continue();
      });
      await page.evaluate(`${FIRST_QUESTION}.validate()`);
      await radio(page, 'Two').check();
      go();
      await until(() => page.evaluate<boolean>('checks === 2'));
      expect(await result()).toEqual([null, false]);
      await expectSoon(() => radio(page, 'Two').isEnabled()).toBe(true);
    });

    it('lets validateQuestions check only the questions that allow it', async () => {
      const page = await start();
      await radio(page, 'One').check();
      await page.evaluate('app.items().next()');
      await radio(page, 'One').check();
      await page.evaluate(`globalThis.recorded = [];
        Object.values(app.questions()).forEach((each, at) => each.on('validated', () => recorded.push(at)))`);
      await page.evaluate('app.validateQuestions({ showCorrectAnswers: false })');
      await until(async () => (await page.evaluate<unknown[]>('recorded')).length > 0);
      expect(await page.evaluate('recorded')).toEqual([0]);
      expect(await page.evaluate(`${FIRST_QUESTION}.getScore().score`)).toBe(0);
    });

    it('locks and unlocks the answer', async () => {
      const page = await start();
      await page.evaluate(`${FIRST_QUESTION}.disable()`);
      await until(() => radio(page, 'One').isDisabled());
      await page.evaluate(`${FIRST_QUESTION}.enable()`);
      await until(() => radio(page, 'One').isEnabled());
    });

    it.each(['record', 'recordingDetails', 'stop'])('rejects %s with an error that names the method', async (name) => {
      const page = await start();
      await expect(page.evaluate(`${FIRST_QUESTION}.${name}()`)).rejects.toThrow(`Itembank: ${name} is not supported`);
    });

    it('plays, pauses and stops a feature', async () => {
      const page = await start();
      await page.evaluate('app.items().next()');
      await page.evaluate(`
        globalThis.calls = [];
        HTMLMediaElement.prototype.play = async function () { calls.push('play'); };
        HTMLMediaElement.prototype.pause = function () { calls.push('pause'); };
        globalThis.sound = Object.values(app.features())[0];
        sound.on('all', (name) => calls.push(name));
        sound.play(); sound.pause(); sound.stop();
        const audio = document.querySelector('itembank-feature-audioplayer').shadowRoot.querySelector('audio');
        for (const name of ['pause', 'ended']) audio.dispatchEvent(new Event(name))`);
      expect(await page.evaluate('calls')).toEqual(['play', 'pause', 'pause', 'playback:paused', 'playback:stopped']);
    });
  });

  describe('the start of the player', () => {
    const two = '<div id="mine"></div><div id="other"></div>';

    it.each([
      ['an id', "'mine'"],
      ['a selector', "'#mine'"],
      ['an element', "document.getElementById('mine')"],
    ])('uses the element that the page gives by %s', async (_, target) => {
      const init = `LearnosityItems.init(signed, ${target}, callbacks)`;
      const page = await host.visit(request(), { body: two, init });
      await page.locator('#mine').getByRole('button', { name: 'Start' }).waitFor();
      await expectSoon(() => page.locator('#other').innerText()).toBe('');
    });

    it('allows two players on one page', async () => {
      const init = `LearnosityItems.init(signed, 'mine', callbacks);
        globalThis.second = LearnosityItems.init(signed, 'other', { readyListener: () => heard.push('second') })`;
      const page = await host.visit(request(), { body: two, init: `(() => { ${init}; return undefined })()` });
      for (const id of ['mine', 'other']) await page.locator(`#${id}`).getByRole('button', { name: 'Start' }).waitFor();
      await waitForEvent(page, 'second');
    });

    it('places single questions of an inline page by the ids of their responses', async () => {
      const wanted = request({}, { rendering_type: 'inline' });
      const known = await TestPage.start(host.service, wanted);
      const [first, second] = known.questions.map(({ response_id: id }) => String(id));
      const place = (id: string) => `<div class="learnosity-response question-${id}"></div>`;
      const page = await host.visit(wanted, {
        body: `<section id="b">${place(second!)}</section>${place(first!)}`,
      });
      await page.locator('#b').getByRole('radio', { name: 'Two' }).check();
      await expectSoon(() => radio(page, 'Two').count()).toBe(2);
      expect(await page.evaluate('app.attemptedQuestions()')).toEqual([second]);
    });

    it('shows inline items in colours that fit a dark page, also when the page changes its colours', async () => {
      const config = { questions_api_init_options: { renderSaveButton: true } };
      const body =
        '<h2>Numbers</h2><span class="learnosity-item" data-reference="i-1"></span><span class="learnosity-save-button"></span>';
      const page = await host.visit(request(config, { items: ['i-1'], rendering_type: 'inline' }), { body });
      await radio(page, 'Two').check();
      for (const [text, background] of [
        ['#eee', '#111'],
        ['oklch(0.3 0.02 250)', '#fff'],
      ]) {
        await page.evaluate(`Object.assign(document.body.style, { color: '${text}', background: '${background}' })`);
        await until(async () => (await axeViolations(page, CONTRAST)).length === 0);
      }
    });

    it('keeps its size, colours and distances in a page with rules for elements', async () => {
      const page = await host.visit(request({ navigation: { toc: true } }));
      await page.evaluate(`{
        const rules = new CSSStyleSheet();
        rules.replaceSync('html { font-size: 62.5% } body { font-size: 1.6rem } h2, p, label { color: #333 } button { margin: 20px }');
        document.adoptedStyleSheets = [rules, ...document.adoptedStyleSheets];
      }`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await button(page, 'Start').waitFor();
      expect(await axeViolations(page, CONTRAST)).toEqual([]);
      await button(page, 'Start').click();
      await radio(page, 'Two').check();
      const size = await page.evaluate("getComputedStyle(document.querySelector('itembank-player')).fontSize");
      expect(size).toBe('16px');
      expect(await axeViolations(page, CONTRAST)).toEqual([]);
      const [first, second] = [button(page, 'Save'), button(page, 'Display')];
      const [above, below] = [(await first.boundingBox())!, (await second.boundingBox())!];
      expect(below.y - above.y - above.height).toBeLessThan(10);
    });

    it('finds the placeholders of items by the ids of the items', async () => {
      const items = [{ id: 'one', reference: 'i-1' }, 'i-2'];
      const body = ['one', 'i-2'].map((id) => `<span class="learnosity-item" data-reference="${id}"></span>`).join('');
      const page = await host.visit(request({}, { items, rendering_type: 'inline' }), { body });
      await until(async () => (await radio(page, 'Two').count()) === 2);
      expect((await heard(page)).filter((line) => line.startsWith('error'))).toEqual([]);
    });

    it('calls customUnload when the learner closes the page', async () => {
      const init = "LearnosityItems.init(signed, { ...callbacks, customUnload: () => heard.push('unload') })";
      const page = await host.visit(request(), { init });
      await button(page, 'Start').waitFor();
      await page.evaluate("dispatchEvent(new Event('beforeunload'))");
      await expectSoon(() => heard(page)).toContain('unload');
    });

    it('needs no callbacks', async () => {
      const page = await host.visit(request(), { init: 'LearnosityItems.init(signed)' });
      await button(page, 'Start').waitFor();
    });

    it('reports why the player could not be loaded, and that a signature is wrong', async () => {
      await host.context.route(/\/player\/app/, (route) => route.abort());
      const unloaded = await host.visit(request());
      await until(async () => (await heard(unloaded)).some((line) => line.startsWith('error 10017')));
      await host.context.unroute(/\/player\/app/);
      const init = 'LearnosityItems.init({ ...signed, security: { ...signed.security, signature: "x" } }, callbacks)';
      const tampered = await host.visit(request(), { init });
      await until(async () => (await heard(tampered)).some((line) => /^error 4100[0-9]/.test(line)));
    });
  });

  describe('the configuration of the player', () => {
    it('shows title, subtitle, position, time, tools, and the texts of its label bundle', async () => {
      const config = { regions: 'main', title: 'Numbers', subtitle: 'Class 7', labelBundle: { close: 'Leave' } };
      const page = await start(config);
      for (const text of ['Numbers', 'Class 7', 'Item 1 of 2']) await page.getByText(text).first().waitFor();
      await page
        .getByRole('timer')
        .getByText(/Time \d+:\d\d/)
        .waitFor();
      for (const name of ['Pause', 'Flag this item', 'Review', 'Save', 'Full screen', 'Display', 'Next'])
        await button(page, name).waitFor();
      await expectSoon(() => page.getByRole('navigation', { name: 'Items' }).getByRole('button').count()).toBe(2);
      await button(page, 'Display').click();
      await button(page, 'Leave').click();
      await button(page, 'Full screen').click();
      await until(() => page.evaluate<boolean>('document.fullscreenElement?.localName === "itembank-player"'));
    });

    it('stops the clock while the test is paused', async () => {
      await host.context.clock.install();
      const page = await start();
      await host.context.clock.runFor(3_000);
      await button(page, 'Pause').click();
      await dialog(page, 'The test is paused').waitFor();
      const at = await page.evaluate('app.getTime()');
      await host.context.clock.runFor(20_000);
      expect(await page.evaluate('app.getTime()')).toBe(at);
      await button(page, 'Go on').click();
      await waitForEvent(page, 'test:resume');
      await expectSoon(() => heard(page)).toEqual(expect.arrayContaining(['test:pause', 'time:change']));
    });

    it('dates the end of a session as text after its pauses', async () => {
      await host.context.clock.install();
      const page = await start();
      await button(page, 'Pause').click();
      await dialog(page, 'The test is paused').waitFor();
      await host.context.clock.runFor(20_000);
      await button(page, 'Go on').click();
      await waitForEvent(page, 'test:resume');
      const text = Buffer.from(await page.evaluate<string>('app.getSubmissionData()'), 'base64').toString();
      const { dt_started: begin, dt_completed: end } = JSON.parse(text) as Record<
        'dt_started' | 'dt_completed',
        string
      >;
      expect(Date.parse(end) - Date.parse(begin)).toBeGreaterThanOrEqual(20_000);
    });

    it('counts the time in which the browser hardly runs timers, because the page is hidden', async () => {
      await host.context.clock.install();
      const page = await start();
      await host.context.clock.runFor(3_000);
      // All timers of the next two minutes are called once.
      await host.context.clock.fastForward(120_000);
      await host.context.clock.runFor(1_000);
      const { time } = await page.evaluate<{ time: number }>('app.getCurrentItem()');
      expect([await page.evaluate<number>('app.getTime()'), time].map((each) => each >= 120)).toEqual([true, true]);
    });

    it('does not count the time in which the learner was on another page, and came back by the browser', async () => {
      await host.context.clock.install();
      const shown = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))";
      // The timer is older than those of the player. A browser, too, tells the page that it is shown before it runs timers.
      const page = await host.visit(request({ navigation: { show_intro: false } }), {
        init: `(setTimeout(() => ${shown}, 100_000), LearnosityItems.init(signed, callbacks))`,
      });
      await waitForEvent(page, 'test:start');
      await host.context.clock.runFor(3_000);
      await host.context.clock.fastForward(120_000);
      await host.context.clock.runFor(3_000);
      const { time } = await page.evaluate<{ time: number }>('app.getCurrentItem()');
      expect([await page.evaluate<number>('app.getTime()'), time].map((each) => each > 3 && each < 60)).toEqual([
        true,
        true,
      ]);
    });

    it('warns before the time is over, asks at a soft limit, and counts down', async () => {
      await host.stopClock();
      const page = await start({
        time: { max_time: 60, limit_type: 'soft', warning_time: 20, countdown_option: true },
      });
      await page
        .getByRole('timer')
        .getByText(/^(1:00|0:5\d) left$/)
        .waitFor();
      expect(await page.locator('.itembank-timer.is-late').count()).toBe(0);
      await host.context.clock.runFor(42_000);
      await page.locator('.itembank-timer.is-late').waitFor();
      await host.context.clock.runFor(20_000);
      await dialog(page, 'The time is over. You may go on.').waitFor();
      await waitForEvent(page, 'time:end');
      await button(page, 'Go on').click();
      await radio(page, 'Two').check();
    });

    it('leaves the closing page only for a configured address', async () => {
      const left: string[] = [];
      host.context.on('console', (message) => message.text() === 'left' && left.push(message.text()));
      const finish = async (address: unknown) => {
        const config = {
          configuration: { onsubmit_redirect_url: address },
          navigation: { skip_submit_confirmation: true },
        };
        const page = await start(config);
        await page.evaluate("app.on('test:finished:submit', () => console.log('left'))");
        await button(page, 'Next').click();
        await button(page, 'Finish').click();
        await button(page, 'Close').click();
        return page;
      };
      const staying = await finish(false);
      await until(async () => left.length === 1);
      expect(new URL(staying.url()).pathname).toBe('/');
      const leaving = await finish('/after?done');
      await leaving.waitForURL(/\/after\?done$/);
      expect(left).toEqual(['left', 'left']);
    });

    it('leaves out the closing page when show_outro is off and an address is configured', async () => {
      const submitted = async (address: unknown) => {
        const page = await start({
          configuration: { onsubmit_redirect_url: address },
          navigation: { show_outro: false },
        });
        await page.evaluate('app.submit()');
        return page;
      };
      await (await submitted('/after')).waitForURL(/\/after$/);
      const staying = await submitted(false);
      await staying.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    });

    it('saves automatically at the interval of auto_save, or never', async () => {
      await host.context.clock.install();
      const saves: string[] = [];
      host.context.on('request', (sent) => sent.method() === 'PUT' && saves.push(sent.url()));
      const often = await start({ navigation: { auto_save: { save_interval_duration: 600 } } });
      await radio(often, 'Two').check();
      await host.context.clock.runFor(300_000);
      expect(saves).toHaveLength(0);
      await host.context.clock.runFor(300_000);
      await until(async () => saves.length === 1);
      await often.close();
      const never = await start({ navigation: { auto_save: false } });
      await radio(never, 'Two').check();
      await never.evaluate('app.items().next()');
      await host.context.clock.runFor(120_000);
      expect(saves).toHaveLength(1);
    });

    it('stores nothing of a local practice, and shows the scores after the submission', async () => {
      const wanted = request({ navigation: { show_intro: false } }, { type: 'local_practice' });
      const page = await host.visit(wanted);
      await group(page, 'Item 1 of 2').waitFor();
      await radio(page, 'Two').check();
      expect(await page.evaluate('new Promise((error) => app.save({ error }))')).toMatchObject({ code: 10004 });
      await page.evaluate('app.submit()');
      await onPage(page.getByText('Your score: 1 of 2 points')).waitFor();
      expect(await host.session(wanted.session_id)).toBeUndefined();
    });

    it('sets the level of headings, the size of the text, and the focus', async () => {
      const configuration = { accessibility: { headings: { question: { level: 5 } } }, fontsize: 'large' };
      const page = await start({ configuration });
      await page.getByRole('heading', { name: 'Question 1', level: 5 }).waitFor();
      await expectSoon(() => page.locator('itembank-player.fontsize-large').count()).toBe(1);
      const without = await start({ configuration: { accessibility: { headings: { question: false } } } });
      expect(await without.getByRole('heading', { name: 'Question 1' }).count()).toBe(0);
      await expectSoon(() => without.evaluate('document.activeElement.dataset.reference')).toBe('i-1');
      const focused = await host.visit(request({ configuration: { focus_on_player: true } }));
      await until(() => focused.evaluate<boolean>('document.activeElement?.textContent.trim() === "Start"'));
    });

    it('shows acknowledgements to a page that asks for them, and lets learners check all questions', async () => {
      const config = {
        navigation: { show_acknowledgements: true },
        questions_api_init_options: { attribute_overrides: { instant_feedback: true } },
      };
      const page = await start(config);
      expect(await page.evaluate('app.getItemsMetadata()["i-1"].acknowledgements')).toBe('From a book.');
      await page.evaluate('app.items().next()');
      await button(page, 'Check answer').waitFor();
    });

    it('checks the answers of an inline page when it is submitted', async () => {
      const options = { renderSubmitButton: true, validateOnSubmit: true };
      const body = '<span class="learnosity-item" data-reference="i-1"></span><p class="learnosity-submit-button"></p>';
      const more = { items: ['i-1'], rendering_type: 'inline' };
      const page = await host.visit(request({ questions_api_init_options: options }, more), { body });
      await radio(page, 'Two').check();
      await button(page, 'Submit').click();
      await waitForEvent(page, 'test:submit:success');
      expect(await page.evaluate(`${FIRST_QUESTION}.isValid()`)).toBe(true);
    });

    it('supports the older switches toc, show_prev and show_answermasking', async () => {
      const switches = { toc: false, show_prev: false, show_answermasking: true };
      const labels = { check: 'Am I right?', questionsApiLabelBundle: { mask_option: 'Cover {0}' } };
      const page = await start({ navigation: switches, labelBundle: labels });
      await button(page, 'Am I right?').waitFor();
      await button(page, 'Answer masking').click();
      await button(page, 'Cover 1').waitFor();
      await button(page, 'Next').click();
      await group(page, 'Item 2 of 2').waitFor();
      expect(await button(page, 'Previous').count()).toBe(0);
      expect(await page.getByRole('navigation', { name: 'Items' }).count()).toBe(0);
    });

    it('lets the browser ask before unsaved answers are lost, unless warn_on_unload is off', async () => {
      const asks = async (navigation: object) => {
        const page = await start({ navigation: { auto_save: false, ...navigation } });
        await radio(page, 'Two').check();
        return page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
      };
      expect([await asks({}), await asks({ warn_on_unload: false })]).toEqual([true, false]);
    });

    it('reports when the window loses and gets the focus', async () => {
      const page = await start();
      await page.evaluate("dispatchEvent(new Event('blur')); dispatchEvent(new Event('focus'))");
      expect((await heard(page)).filter((name) => name.endsWith('focused'))).toEqual(
        expect.arrayContaining(['unfocused', 'focused']),
      );
    });
  });
});
