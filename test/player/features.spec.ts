import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { feature, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { MINUTE } from '../support/time';
import { until } from '../support/until';
import { button, hostPageWith, onPage } from './host-page';
import { giveSilence } from './sound';

const TOOLS = {
  basic: { type: 'calculator', mode: 'basic' },
  scientific: { type: 'calculator', mode: 'scientific', label: 'Scientific calculator' },
  radians: { type: 'calculator', mode: 'scientific', unit: 'radian' },
  counter: { type: 'counter', length: 90, show_minutes: true, template: 'Still {{time}}' },
  upward: { type: 'counter', length: 3, direction: 'up', template: 'Beginning in {num} seconds' },
  ruler: { type: 'imagetool', image: 'ruler-15-cm' },
  protractor: { type: 'imagetool', image: 'protractor' },
  passage: {
    type: 'sharedpassage',
    heading: 'Woods',
    paginated_content: true,
    pages: ['<p>Oaks.</p>', '<p>Firs.</p>', '<p>Elms.</p>'],
    instructor_stimulus: '<p>For teachers.</p>',
  },
  scrolling: { type: 'scrollablepassage', content: '<p>Pines.</p>'.repeat(30), 'data-height': '80px' },
  fixed: { type: 'imagetool', image: 'ruler-6-inches', rotate: false, label: 'Inches' },
};

describe('a sound', () => {
  const src = 'https://sounds.example.org/bell.wav';
  const waveform = 'https://sounds.example.org/wave.svg';
  const host = hostPageWith({
    questions: [
      question({ reference: 'q-silent' }),
      question({
        reference: 'q-sound',
        data: {
          stimulus: `Listen. <span class="learnosity-feature" data-type="audioplayer" data-src="${src}?2" data-playback-limit="1"></span>`,
          options: [{ label: 'Oak', value: '0' }],
        },
      }),
    ],
    features: [
      feature({
        reference: 'f-sound',
        type: 'audioplayer',
        data: { type: 'audioplayer', src, waveform, playback_limit: 2 },
      }),
    ],
    items: [item(['f-sound', 'q-sound'], { reference: 'i-sound' }), item(['q-silent'], { reference: 'i-silent' })],
  });

  const open = async (wanted: object): Promise<Page> => {
    const page = await host.visit(wanted);
    // The code of the sound may come after that of the question.
    await page
      .getByText(/^Can(not)? be played/)
      .nth(1)
      .waitFor();
    return page;
  };
  const begin = async (items = ['i-sound'], seconds = 2): Promise<{ page: Page; wanted: object }> => {
    await host.context.route('https://sounds.example.org/*', (route) => {
      const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><path d="M0 5h20"/></svg>';
      if (route.request().url().includes('.wav')) return giveSilence(route, seconds);
      return route.fulfill({ contentType: 'image/svg+xml', body: picture });
    });
    const wanted = TestPage.request({ items, config: { navigation: { show_intro: false } } });
    return { page: await open(wanted), wanted };
  };
  /** An expression for the elements of both sounds. */
  const SOUNDS = `[...new Set([...document.querySelectorAll('.itembank-item *')]
    .flatMap(({ shadowRoot }) => [shadowRoot, ...(shadowRoot?.querySelectorAll('*') ?? [])])
    .flatMap((node) => [...(node?.shadowRoot ?? node)?.querySelectorAll?.('audio') ?? []]))]`;
  /** Plays both sounds, up to a second or to their ends. */
  const play = (page: Page, until = 'ended') =>
    page.evaluate(`Promise.all(
      ${SOUNDS}.map(async (audio) => {
          audio.muted = true;
          await audio.play();
          await new Promise((done) => audio.addEventListener('${until}', done, { once: true }));
          audio.pause();
        }))`);
  const left = (page: Page) => page.getByText(/^Can(not)? be played/).allTextContents();

  it('can be played as often as its limit says, also after a reload', async () => {
    const { page, wanted } = await begin();
    expect(await left(page)).toEqual(['Can be played 2 more times.', 'Can be played one more time.']);
    await play(page);
    await until(async () => (await left(page)).join().includes('Cannot'));
    const again = await open(wanted);
    await until(async () => (await left(again)).join('|') === 'Can be played one more time.|Cannot be played again.');
  });

  it('goes on after a reload where it was, and cannot be set back before its end', async () => {
    // Longer than a slow machine takes to stop it.
    const { page, wanted } = await begin(['i-sound'], 100);
    await play(page, 'timeupdate');
    const position = `document.querySelector('itembank-feature-audioplayer').shadowRoot.querySelector('audio')`;
    await page.evaluate(`new Promise((done) => {
      const audio = ${position};
      void audio.play();
      audio.addEventListener('timeupdate', () => audio.currentTime > 0.8 && (audio.pause(), done()));
    })`);
    await page.evaluate(`${position}.currentTime = 0`);
    await until(async () => (await page.evaluate<number>(`${position}.currentTime`)) > 0.7);
    const again = await open(wanted);
    await until(async () => (await again.evaluate<number>(`${position}.currentTime`)) > 0.7);
    expect(await left(again)).toEqual(['Can be played 2 more times.', 'Can be played one more time.']);
  });

  it('stops when the learner leaves its item or pauses the test', async () => {
    const { page } = await begin(['i-sound', 'i-silent']);
    const start = () =>
      page.evaluate(`Promise.all(${SOUNDS}.map((audio) => {
        Object.assign(audio, { muted: true, loop: true });
        return audio.play();
      }))`);
    const playing = () => page.evaluate<boolean[]>(`${SOUNDS}.map(({ paused }) => !paused)`);
    await start();
    expect(await playing()).toEqual([true, true]);
    await button(page, 'Next').click();
    await until(async () => (await playing()).join() === 'false,false');
    await button(page, 'Previous').click();
    await until(async () => (await page.evaluate('app.getCurrentItem().reference')) === 'i-sound');
    await start();
    expect(await playing()).toEqual([true, true]);
    await button(page, 'Pause').click();
    await until(async () => (await playing()).join() === 'false,false');
  });

  it('shows the picture of its waveform, and another learner of the browser has all plays', async () => {
    const { page } = await begin();
    await play(page);
    await until(async () => (await left(page)).join().includes('Cannot'));
    const width = `document.querySelector('itembank-feature-audioplayer').shadowRoot.querySelector('.waveform img').naturalWidth`;
    await until(async () => (await page.evaluate<number>(width)) > 0);
    const { page: other } = await begin();
    expect(await left(other)).toEqual(['Can be played 2 more times.', 'Can be played one more time.']);
  });
});

describe('a tool beside questions', () => {
  const host = hostPageWith({
    features: Object.entries(TOOLS).map(([name, data]) =>
      feature({ reference: `f-${name}`, type: data.type, data: { ...data } }),
    ),
    items: Object.keys(TOOLS).map((name) => item([`f-${name}`], { reference: `i-${name}` })),
  });

  const show = async (name: keyof typeof TOOLS, options: object = {}): Promise<Page> => {
    const config = { navigation: { show_intro: false }, questions_api_init_options: options };
    return host.visit(TestPage.request({ items: [`i-${name}`], config }));
  };
  const result = (page: Page) => page.getByLabel('Result').textContent();

  it('calculates by buttons with accessible names, and reports invalid input', async () => {
    const page = await show('basic');
    await button(page, 'Calculator').click();
    for (const name of ['Open bracket', '1', 'Plus', '2', 'Close bracket', 'Times', '3', 'Equals'])
      await button(page, name).click();
    expect(await result(page)).toBe('9');
    await button(page, 'Clear').click();
    for (const name of ['1', 'Divided by', '0', 'Equals']) await button(page, name).click();
    expect(await result(page)).toBe('This cannot be calculated.');
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  it('calculates by keyboard, with functions and both units of angles, and closes by Escape', async () => {
    const page = await show('scientific');
    await button(page, 'Scientific calculator').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('sin(30)+2^3');
    await page.keyboard.press('Enter');
    expect(await result(page)).toBe('8.5');
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'deg: angles in degrees').click();
    await button(page, 'Clear').click();
    await page.getByLabel('Calculation').focus();
    await page.keyboard.type('cos(');
    await button(page, 'π').click();
    await button(page, 'Close bracket').click();
    await button(page, 'Equals').click();
    expect(await result(page)).toBe('−1');
    await button(page, 'Delete the last sign').click();
    await expectSoon(() => page.getByLabel('Calculation').inputValue()).toBe('cos(π');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Calculation').count()).toBe(0);
    await button(page, 'Scientific calculator').waitFor();
  });

  it('begins with the angles that the author chose', async () => {
    const page = await show('radians');
    await button(page, 'Calculator').click();
    await page.getByLabel('Calculation').fill('cos(π)');
    await button(page, 'Equals').click();
    expect(await result(page)).toBe('−1');
    await button(page, 'rad: angles in radians').click();
    await button(page, 'deg: angles in degrees').waitFor();
  });

  it('calculates with decimal commas on a German page, and not on an English one', async () => {
    const english = await show('basic');
    await button(english, 'Calculator').click();
    await english.getByLabel('Calculation').fill('1,000+1');
    await button(english, 'Equals').click();
    expect(await result(english)).toBe('This cannot be calculated.');
    await host.context.addInitScript(`new MutationObserver(() => {
      if (document.documentElement) document.documentElement.lang = 'de';
    }).observe(document, { childList: true })`);
    const german = await show('basic');
    await button(german, 'Taschenrechner').click();
    await german.getByLabel('Rechnung').fill('1,5+');
    for (const name of ['0', 'Komma', '2', '5']) await button(german, name).click();
    await expectSoon(() => german.getByLabel('Rechnung').inputValue()).toBe('1,5+0,25');
    await button(german, 'Ist gleich').click();
    await expectSoon(() => german.getByLabel('Ergebnis').textContent()).toBe('1,75');
    await german.getByLabel('Rechnung').fill('1.5+1');
    await button(german, 'Ist gleich').click();
    await expectSoon(() => german.getByLabel('Ergebnis').textContent()).toBe('2,5');
  });

  it("counts down in minutes with the author's labels, stops, and can be reset", async () => {
    await host.context.clock.install();
    const page = await show('counter');
    const time = page.getByRole('group', { name: 'Counter' }).getByRole('timer');
    await until(async () => (await time.textContent()) === 'Still 1:30');
    // From here on, only the test moves the clock of the page.
    await host.context.clock.pauseAt((await page.evaluate<number>('Date.now()')) + MINUTE);
    await button(page, 'Start').click();
    await host.context.clock.runFor(31_000);
    await expectSoon(() => time.textContent()).toBe('Still 0:59');
    await button(page, 'Stop').click();
    await host.context.clock.runFor(5_000);
    await expectSoon(() => time.textContent()).toBe('Still 0:59');
    await button(page, 'Set back').click();
    await expectSoon(() => time.textContent()).toBe('Still 1:30');
    await host.context.clock.resume();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('counts up to its maximum, and reports the end', async () => {
    await host.context.clock.install();
    const page = await show('upward');
    await button(page, 'Start').click();
    await host.context.clock.runFor(4_000);
    const counter = page.getByRole('group', { name: 'Counter' });
    await expectSoon(() => counter.getByRole('timer').textContent()).toBe('Beginning in 3 seconds');
    await page.getByText('3 seconds are over.').waitFor({ state: 'attached' });
    await expectSoon(() => button(page, 'Start').isDisabled()).toBe(true);
  });

  it.each([
    ['ruler', 'Ruler'],
    ['protractor', 'Protractor'],
  ] as const)(
    'shows a %s over the page, which learners can move and turn by pointer, buttons and keys',
    async (name, label) => {
      const page = await show(name);
      await button(page, label).click();
      const picture = (angle: number) => page.getByRole('img', { name: `${label}, ${angle}°` });
      const place = async () => {
        const { x, y } = (await page.getByRole('group', { name: label }).boundingBox())!;
        return { x: Math.round(x), y: Math.round(y) };
      };
      const before = await place();
      await button(page, 'Move right').click();
      await page.keyboard.press('ArrowDown');
      expect(await place()).toEqual({ x: before.x + 10, y: before.y + 10 });
      await button(page, 'Turn right').click();
      await page.keyboard.press('>');
      await picture(10).waitFor();
      const { x, y } = (await picture(10).boundingBox())!;
      await page.mouse.move(x + 60, y + 30);
      await page.mouse.down();
      await page.mouse.move(x + 160, y + 80, { steps: 4 });
      await page.mouse.up();
      expect(await place()).toEqual({ x: before.x + 110, y: before.y + 60 });
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('group', { name: label }).count()).toBe(0);
    },
  );

  it('shows a tool in the window again that the learner lost beyond its edge', async () => {
    const page = await show('ruler');
    await button(page, 'Ruler').click();
    await button(page, 'Move right').focus();
    for (let step = 0; step < 50; step++) await page.keyboard.press('ArrowRight');
    await page.setViewportSize({ width: 400, height: 900 });
    await button(page, 'Ruler').click();
    await button(page, 'Ruler').click();
    expect((await button(page, 'Move left').boundingBox())!.x).toBeLessThan(400);
  });

  it('moves a tool by the first of two fingers', async () => {
    const page = await show('ruler');
    await button(page, 'Ruler').click();
    const place = async () => (await page.getByRole('group', { name: 'Ruler' }).boundingBox())!.x;
    const before = await place();
    const { x, y } = (await page.getByRole('img', { name: 'Ruler, 0°' }).boundingBox())!;
    const devtools = await host.context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at.map((left, id) => ({ x: x + left, y: y + 30, id })),
      });
    await touch('touchStart', 20);
    await touch('touchStart', 20, 220);
    await touch('touchMove', 50, 230);
    await touch('touchEnd');
    expect(await place()).toBe(before + 30);
  });

  it('shows a passage page by page, with the text for teachers only where it is wanted', async () => {
    const page = await show('passage');
    await onPage(page.getByText('Oaks.')).waitFor();
    await expectSoon(() => button(page, 'Previous page').isDisabled()).toBe(true);
    await button(page, 'Next page').click();
    await button(page, 'Next page').press('Enter');
    await onPage(page.getByText('Elms.')).waitFor();
    expect(await page.getByText('Oaks.').count()).toBe(0);
    await expectSoon(() => page.getByText('Page 3 of 3').first().isVisible()).toBe(true);
    await expectSoon(() => button(page, 'Next page').isDisabled()).toBe(true);
    await button(page, 'Previous page').and(page.locator(':focus')).waitFor();
    expect(await page.getByText('For teachers.').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    const taught = await show('passage', { showInstructorStimulus: true });
    await onPage(taught.getByText('For teachers.')).waitFor();
  });

  it('shows a passage that scrolls at the height of its author', async () => {
    const passage = (await show('scrolling')).locator('section');
    expect(await passage.evaluate(({ clientHeight }) => clientHeight)).toBe(80);
    await expectSoon(() => passage.getByText('Pines.').count()).toBe(30);
  });

  it('does not turn a tool whose rotation the author disabled', async () => {
    const page = await show('fixed');
    await button(page, 'Inches').click();
    await button(page, 'Move left').focus();
    await page.keyboard.press('>');
    await page.getByRole('img', { name: 'Inches, 0°' }).waitFor();
    expect(await button(page, 'Turn right').count()).toBe(0);
  });
});
