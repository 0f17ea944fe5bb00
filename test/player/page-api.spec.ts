import type { BrowserContext, Page } from 'playwright-core';
import { AXE } from '../support/axe';
import { write } from '../support/bank';
import { feature, item } from '../support/builders';
import { ensureBuilt } from '../support/built';
import { TestPage } from '../support/page';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';
import { heard, HostPage } from './host-page';

const CALCULATOR = '<span class="learnosity-feature" data-type="calculator" data-mode="basic"></span>';

describe('the methods and placeholders of a page', () => {
  let service: TestService;
  let context: BrowserContext;
  const host = new HostPage(() => service);

  beforeAll(async () => {
    ensureBuilt();
    service = await startService('sqlite');
    await host.open();
    await write(service.client, {
      questions: [
        {
          reference: 'q-tree',
          type: 'mcq',
          data: {
            type: 'mcq',
            stimulus: `<p>Which is a tree? ${CALCULATOR}</p>`,
            options: ['Oak', 'Rose', 'Fern'].map((label) => ({ label, value: label.toLowerCase() })),
            instant_feedback: true,
            metadata: {
              distractor_rationale_response_level: ['It has a trunk.', 'It is a shrub.', 'It has no wood.'],
            },
            validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['oak'] } },
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
    });
    await write(service.client, {
      items: [item(['f-text', 'f-sound', 'q-tree'], { reference: 'i-tree', status: 'published' })],
    });
  }, 120_000);
  afterAll(async () => {
    await host.close();
    await service?.close();
  });
  beforeEach(async () => (context = await host.learner()));
  afterEach(() => context.close());

  const options = { show_distractor_rationale: { per_question: 'always', per_response: 'always' } };
  const start = async (config: object = {}, more: object = {}): Promise<Page> => {
    const whole = { navigation: { show_intro: false }, questions_api_init_options: options, ...config };
    const page = await host.visit(context, TestPage.request({ items: ['i-tree'], config: whole, ...more }));
    await page.getByRole('radio', { name: 'Oak' }).waitFor();
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inline = (body: string, config: object = {}) =>
    host.visit(context, TestPage.request({ items: ['i-tree'], rendering_type: 'inline', config }), { body });
  const barriers = async (page: Page): Promise<string[]> => {
    await page.evaluate(AXE);
    return page.evaluate<string[]>('axe.run().then(({ violations }) => violations.map(({ id }) => id))');
  };
  const ITEM = '<span class="learnosity-item" data-reference="i-tree"></span>';

  it('list features, and the metadata of items without anything that reveals an answer', async () => {
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

  it('report the playback of a feature', async () => {
    const page = await start();
    await page.evaluate(`
      globalThis.sound = Object.values(app.features())[1];
      sound.on('all', (name) => heard.push('sound ' + name));
      document.querySelector('itembank-feature-audioplayer').shadowRoot.querySelector('audio')
        .dispatchEvent(new Event('play'))`);
    expect(await heard(page)).toContain('sound playback:started');
  });

  it.each(['addItems', 'annotationsApp', 'eventsApp', 'getTags', 'assessApp().append', 'question(id).record'])(
    'throw an error that names the method for %s',
    async (call) => {
      const page = await start();
      const name = /(\w+)$/.exec(call)![1]!;
      await expect(page.evaluate(`const id = Object.keys(app.questions())[0]; app.${call}()`)).rejects.toThrow(
        `Itembank: ${name} is not supported`,
      );
    },
  );

  it('group the rationales of a checked answer by verdict, and leave out those of options that were not chosen', async () => {
    const page = await start();
    const KEY =
      "app.question(Object.keys(app.questions())[0]).mapValidationMetadata('distractor_rationale_response_level')";
    expect(await page.evaluate(KEY)).toBe(false);
    await page.getByRole('radio', { name: 'Rose' }).check();
    await button(page, 'Check answer').click();
    await button(page, 'Try again').waitFor();
    expect(await page.evaluate(KEY)).toEqual({
      correct: [],
      incorrect: [{ index: 1, value: 'rose', metadata: 'It is a shrub.' }],
      unattempted: [],
    });
    expect(await page.evaluate('Object.values(app.getResponses())[0].feedbackAttemptsCount')).toBe(1);
  });

  it('hide the result of a check, render a question again, and mark a removed answer', async () => {
    const page = await start();
    await page.evaluate('globalThis.tree = Object.values(app.questions())[0]');
    await page.evaluate("tree.on('all', (name) => heard.push('tree ' + name))");
    await page.getByRole('radio', { name: 'Rose' }).check();
    await button(page, 'Check answer').click();
    await button(page, 'Try again').waitFor();
    await page.evaluate('tree.resetValidationUI()');
    await button(page, 'Check answer').waitFor();
    expect(await button(page, 'Try again').count()).toBe(0);
    await page.evaluate('tree.render()');
    await until(async () => (await heard(page)).includes('tree rendered'));
    await until(() => page.getByRole('radio', { name: 'Rose' }).isChecked());
    await page.evaluate('tree.resetResponse()');
    await page.getByRole('radio', { name: 'Oak' }).check();
    expect(await page.evaluate('tree.getResponse().resetState')).toBe('attemptedAfterReset');
    expect(await heard(page)).toContain('item:setAttemptedResponse');
  });

  it('show features that authors describe in a text', async () => {
    const page = await start();
    await button(page, 'Calculator').click();
    await page.getByLabel('Calculation').waitFor();
    expect(
      await page.evaluate('Object.values(Object.values(app.questions())[0].simpleFeatures())[0].getFeature()'),
    ).toEqual({ type: 'calculator', mode: 'basic' });
    expect(await page.evaluate('app.getCurrentItem().simplefeature_ids.length')).toBe(1);
    expect(await barriers(page)).toEqual([]);
  });

  it('place features by reference and by attributes among the content of an inline page', async () => {
    const body = `<h2 id="apart"><span class="learnosity-feature feature-f-text"></span></h2>${ITEM}
      <div id="own"><span class="learnosity-feature" data-type="imagetool" data-image="ruler-15-cm"></span></div>`;
    const page = await inline(body);
    await page.locator('#own').getByRole('button', { name: 'Ruler' }).waitFor();
    await page.locator('#apart').getByText('Woods').waitFor();
    expect(await page.getByText('Woods').count()).toBe(1);
  });

  it('save and submit an inline page by buttons, with events', async () => {
    const config = { questions_api_init_options: { renderSaveButton: true }, renderSubmitButton: true };
    const places = ['save', 'submit'].map((name) => `<span class="learnosity-${name}-button"></span>`);
    const page = await inline(`${ITEM}${places.join('')}`, config);
    await page.getByRole('radio', { name: 'Oak' }).check();
    await button(page, 'Save').click();
    await until(async () => (await heard(page)).includes('test:save:success'));
    await button(page, 'Submit').click();
    await until(async () => (await heard(page)).includes('test:submit:success'));
    expect(await page.getByRole('radio', { name: 'Oak' }).isDisabled()).toBe(true);
  });

  it('report missing elements, unknown items, failed saves and a second start to the error listener', async () => {
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
    await second.route('**/responses', (route) => route.abort());
    await second.getByRole('radio', { name: 'Oak' }).check();
    await second.evaluate('app.save()');
    await until(async () => (await heard(second)).some((line) => line.startsWith('error 10004')));
  });

  it('deliver events only after the page is ready to listen', async () => {
    const config = { navigation: { show_intro: false } };
    const page = await host.visit(context, TestPage.request({ items: ['i-tree'], config }), {
      init: `LearnosityItems.init(signed, { ...callbacks, readyListener: () => {
        heard.push('ready');
        app.on('test:start item:load', () => heard.push('late'));
      } })`,
    });
    await until(async () => (await heard(page)).filter((line) => line === 'late').length === 2);
    expect((await heard(page)).slice(0, 3)).toEqual(['ready', 'test:ready', 'app:ready']);
  });

  it('let a learner mask options by keyboard, which keeps the answer', async () => {
    const page = await start({ region_overrides: { 'right.masking_button': true } });
    await page.evaluate("Object.values(app.questions())[0].on('masked', () => heard.push('masked'))");
    await page.getByRole('radio', { name: 'Oak' }).check();
    await button(page, 'Answer masking').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Mask answer 2').focus();
    await page.keyboard.press('Space');
    await page.getByText('Answer 2 is masked.').waitFor();
    expect(await page.getByRole('radio', { name: 'Rose' }).count()).toBe(0);
    expect(await page.getByRole('radio', { name: 'Answer 2 is masked.' }).isDisabled()).toBe(true);
    expect(await heard(page)).toContain('masked');
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await button(page, 'Unmask answer 2').click();
    await page.getByRole('radio', { name: 'Rose' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Oak' }).isChecked()).toBe(true);
    expect(await page.evaluate('Object.values(app.questions())[0].isMaskable()')).toBe(true);
  });

  it('show a line reader that keys and the pointer move, and that follows the focus', async () => {
    const page = await start({ regions: { right: [{ type: 'linereader_button' }] } });
    await button(page, 'Line reader').focus();
    await page.keyboard.press('Enter');
    const reader = page.getByRole('group', { name: 'Line reader' });
    await reader.waitFor();
    const top = async () => Math.round((await reader.boundingBox())!.y);
    const before = await top();
    await page.keyboard.press('ArrowDown');
    expect(await top()).toBe(before + 16);
    await button(page, 'Move up').click();
    expect(await top()).toBe(before);
    await page.keyboard.press('+');
    expect(await top()).toBe(before + 16);
    const box = (await reader.boundingBox())!;
    await page.mouse.move(box.x + box.width - 2, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + 102, { steps: 3 });
    await page.mouse.up();
    expect(await top()).toBe(before + 116);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Fern' }).focus();
    const radio = (await page.getByRole('radio', { name: 'Fern' }).boundingBox())!;
    await until(async () => Math.abs((await top()) - radio.y) < 100);
    await page.getByRole('radio', { name: 'Fern' }).click();
    await button(page, 'Move up').focus();
    await page.keyboard.press('Escape');
    expect(await reader.count()).toBe(0);
  });

  it('offer masking and the line reader only if the activity asks for them', async () => {
    const page = await start({ region_overrides: { 'right.masking_button': false } });
    for (const name of ['Answer masking', 'Line reader']) expect(await button(page, name).count()).toBe(0);
  });
});
