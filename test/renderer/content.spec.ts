import { until } from '../support/until';
import { questionPage } from './support/suite';

/** Content that authors write in any question, shown in a stimulus. */
describe('content of authors', () => {
  const page = questionPage();
  const show = (stimulus: string, more: object = {}) =>
    page.show({ type: 'mcq', question: { stimulus, options: [], ...more } });
  const stimulus = () => page.question.locator('#stimulus');

  it.each([
    ['a script', '<script>alert(1)</script>x'],
    ['a handler', '<img src="nowhere" alt="" onerror="alert(1)">x'],
    ['an address that runs', '<a href="javascript:alert(1)">x</a>'],
    ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>x'],
    ['a style sheet', '<style>* { display: none }</style>x'],
    ['a control', '<form action="/"><button>y</button><input value="z"></form>x'],
    ['a picture that runs', '<svg><script>alert(1)</script><a href="javascript:alert(1)"><text>x</text></a></svg>'],
    ['mathematics that runs', '\\(\\href{javascript:alert(1)}{x}\\)'],
  ])('is shown without %s', async (_, html) => {
    await show(html);
    expect(
      await stimulus().locator('script, iframe, style, form, input, button, [onerror], [href^="javascript:"]').count(),
    ).toBe(0);
    expect(await stimulus().textContent()).toContain('x');
    // The browser reports removed content where it is parsed, outside of the page. Nothing of it runs.
    expect((await page.complaints()).filter((text) => text.startsWith('dialog'))).toEqual([]);
  });

  it('keeps its styles, except those that position it on the page', async () => {
    await show('<p style="color: rgb(1, 2, 3); position: fixed; inset: 0">x</p>');
    const paragraph = stimulus().locator('p');
    expect(await paragraph.getAttribute('style')).toBe('color: rgb(1, 2, 3); inset: 0px;');
    expect(await page.complaints()).toEqual([]);
  });

  it('opens links in another window', async () => {
    await show('<a href="https://example.org/">Further</a>');
    const link = stimulus().getByRole('link');
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('renders LaTeX and MathML, and leaves other text unchanged', async () => {
    await show('\\(\\abs{x}\\), \\[\\frac12\\] $$y$$ <math><mi>z</mi></math> \\(open <code>\\(a\\)</code>');
    expect((await page.tree()).split('\n').filter((line) => line.includes('math'))).toEqual([
      '- math "|x|": "| x |"',
      '- math "(1)/(2)": 1 2',
      '- math "y"',
      '- math: z',
    ]);
    expect(await stimulus().textContent()).toContain('\\(open');
    expect(await stimulus().locator('code').textContent()).toBe('\\(a\\)');
    const faces = 'document.fonts.load("16px KaTeX_Main").then((loaded) => loaded.length)';
    expect(await page.page.evaluate(faces)).toBeGreaterThan(0);
    expect(await page.complaints()).toEqual([]);
  });

  it('fits a narrow window, where a wide table scrolls by itself, also by keyboard', async () => {
    await page.resize(320);
    const cells = (tag: string) => `<tr>${`<${tag}>1234567890</${tag}>`.repeat(9)}</tr>`;
    const table = `<table>${cells('th')}${cells('td')}</table>`;
    const options = [{ label: table, value: '0' }];
    for (const direction of ['rtl', 'ltr'] as const) {
      await page.show({ type: 'mcq', question: { stimulus: `<p>Read</p>${table}`, options }, direction });
      expect([direction, await page.overflow()]).toEqual([direction, 0]);
      expect(await page.axeViolations()).toEqual([]);
    }
    await page.tabTo(stimulus().locator('.scrolls'));
    await show('<table><tr><td>1</td></tr></table>');
    expect(await stimulus().locator('[tabindex]').count()).toBe(0);
    await page.show({ type: 'clozetext', question: { template: table.replace('1234567890', '{{response}}') } });
    expect(await page.overflow()).toBe(0);
    await page.resize();
  });

  it('fits a narrow window, where a long formula scrolls by itself', async () => {
    await page.resize(320);
    const sum = Array.from({ length: 20 }, (_, at) => `x_{${at}}`).join('+');
    await show(`The sum \\(${sum}\\) of all, a half \\(\\frac12\\)`);
    const widths = () =>
      stimulus()
        .locator('.formula')
        .evaluateAll((found) => found.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
    expect([await page.overflow(), await widths()]).toEqual([0, [true, false]]);
    expect(await page.axeViolations()).toEqual([]);
    await page.resize();
  });

  it('is in the names of controls without LaTeX, also in the first question with mathematics', async () => {
    // A new page has not loaded what typesets mathematics.
    await page.page.reload();
    await page.page.waitForFunction('globalThis.harness');
    await page.show({ type: 'numberline', question: { line: { min: 0, max: 1 }, points: ['\\(\\frac12\\)'] } });
    expect(await page.tree()).toContain('button "Put (1)/(2) on the line"');
    expect(await page.complaints()).toEqual([]);
  });

  it('says of a film that the browser cannot play where it is', async () => {
    const address = 'https://films.example.org/watch?v=7';
    const film = (more: string) =>
      `<span class="learnosity-feature" data-type="videoplayer" data-src="${address}" ${more}></span>`;
    await show(film('data-player_type="youtube"') + film('data-playback-limit="1"'));
    await until(async () => (await stimulus().getByText('Cannot be played here.').count()) === 2);
    const link = stimulus().getByRole('link');
    expect([await link.getAttribute('href'), await link.getAttribute('target'), await link.count()]).toEqual([
      address,
      '_blank',
      1,
    ]);
    expect(await page.axeViolations()).toEqual([]);
    // The policy of the page refuses the film.
    expect((await page.complaints()).every((text) => text.includes('media'))).toBe(true);
  });

  it.each(['span', 'div'])('in a %s that scrolls keeps its text, at the height that the author chose', async (tag) => {
    const text = 'A long text that learners must read. '.repeat(80);
    const area = (more: string) =>
      `<${tag} class="learnosity-feature" data-type="scrollablepassage" ${more}>${text}</${tag}>`;
    await show(`Read ${area('data-height="60px"')} and ${area('')}.`);
    const areas = stimulus().locator('.learnosity-feature');
    const scrolled = areas.locator('section');
    const heights = () => scrolled.evaluateAll((found) => found.map(({ clientHeight }) => clientHeight).join());
    await until(async () => (await heights()) === '60,300');
    expect(await areas.allTextContents()).toEqual([text, text]);
    await page.tabTo(scrolled.first());
    expect(await page.axeViolations()).toEqual([]);
  });

  it('is replaced in review by its text for review', async () => {
    await show('before', { stimulus_review: 'after' });
    expect(await stimulus().textContent()).toBe('before');
    await page.set({ mode: 'review' });
    expect(await stimulus().textContent()).toBe('after');
  });

  it.each([
    ['en', '<p>wide</p>', 'Not yet marked'],
    ['de', '<p>wide</p>', 'Noch nicht bewertet'],
    ['en', null, 'Not answered Score: 0 of 5'],
  ])('says in review that an answer waits for its mark, in %s with %j', async (language, value, result) => {
    const review = { score: null, maxScore: 5 };
    await page.show({ type: 'longtextV2', question: {}, value, mode: 'review', review, language });
    expect((await page.tree()).split('\n').at(-1)).toContain(result);
    await page.set({ value: '<p>wide</p>', review: { score: 0, maxScore: 5 } });
    expect(await page.tree()).toContain(language === 'de' ? 'Punkte: 0 von 5' : 'Score: 0 of 5');
  });

  it('names types that are not supported', async () => {
    await page.show({ type: 'drawing', question: { stimulus: 'Draw a cat.' } });
    expect(await page.tree()).toContain('A question of the type “drawing” cannot be shown here.');
    expect(await page.attempted()).toBe('not_attempted');
    expect(await page.axeViolations()).toEqual([]);
    await page.show({ type: 'chemistryessayV2', question: { stimulus: 'Write a formula.' } });
    expect(await page.tree()).toContain('A question of the type “essay with chemical formulas” cannot be shown here.');
  });

  it('has one live region for screen readers', async () => {
    await show('one');
    await show('two');
    expect(await page.page.getByRole('status').count()).toBe(1);
  });
});
