import type { JsonObject } from '#kernel';
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

  it('runs from right to left if its first letter does, and otherwise as the page does', async () => {
    const directionOf = (selector: string) =>
      page.page.evaluate<string>(
        `getComputedStyle(document.querySelector('#shown').renderRoot.querySelector('${selector}')).direction`,
      );
    const directions = async (stimulus: string, direction: 'ltr' | 'rtl' = 'ltr') => {
      const options = [{ label: 'نعم!' }, { label: 'Yes' }];
      await page.show({ type: 'mcq', question: { stimulus, options }, direction });
      return Promise.all(['#stimulus', '.option .content', '.option + .option .content'].map(directionOf));
    };
    expect(await directions('<p>(1) \\(x\\) ما هي \\(y\\)؟</p>')).toEqual(['rtl', 'rtl', 'ltr']);
    expect(await directions('\u05d0\u05d9\u05df x')).toEqual(['rtl', 'rtl', 'ltr']);
    expect(await directions('Read: نعم. ٣')).toEqual(['ltr', 'rtl', 'ltr']);
    expect(await directions('٣ x')).toEqual(['ltr', 'rtl', 'ltr']);
    expect(await directions('HTML هو', 'rtl')).toEqual(['rtl', 'rtl', 'rtl']);
    await show('<p dir="ltr">نعم</p>');
    expect([await directionOf('#stimulus'), await directionOf('#stimulus p')]).toEqual(['rtl', 'ltr']);
    // The next text of the same place.
    await page.set({ question: { type: 'mcq', stimulus: 'Yes', options: [] } });
    expect(await directionOf('#stimulus')).toBe('ltr');
    const possible_responses = ['كبير', 'small'];
    await page.show({
      type: 'clozeassociation',
      question: { template: '<p>{{response}} نعم</p>', possible_responses },
    });
    expect(await Promise.all(['.template', '.response .content'].map(directionOf))).toEqual(['rtl', 'rtl']);
    await page.show({
      type: 'clozedropdown',
      question: { template: 'Yes {{response}}', possible_responses: [possible_responses] },
    });
    expect(await Promise.all(['.template', 'option + option'].map(directionOf))).toEqual(['ltr', 'rtl']);
    for (const tokenization of ['word', 'sentence']) {
      await page.show({ type: 'tokenhighlight', question: { template: 'نعم. لا.', tokenization } });
      expect(await directionOf('.tokens')).toBe('rtl');
    }
  });

  it('stays beside its radio button in an option of the other direction', async () => {
    await page.show({ type: 'mcq', question: { options: [{ label: '<b>نعم</b>' }] } });
    const button = (await page.question.getByRole('radio').boundingBox())!;
    const text = (await page.question.locator('b').boundingBox())!;
    expect(text.x - button.x - button.width).toBeLessThan(20);
  });

  it('opens links in another window', async () => {
    await show('<a href="https://example.org/">Further</a>');
    const link = stimulus().getByRole('link');
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('gives the base and the other part of a power, index or accent as MathML, also of functions', async () => {
    await show("\\(f'(x)\\) \\(f^{-1}(x)\\) \\(g_1\\) \\(f_1^2\\) \\(\\hat{f}\\)");
    const counts = (names: string) =>
      stimulus()
        .locator(names)
        .evaluateAll((all) => all.map(({ childElementCount }) => childElementCount));
    expect(await counts('msup, msub, mover')).toEqual([2, 2, 2, 2]);
    expect(await counts('msubsup')).toEqual([3]);
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
    await page.page.waitForFunction(() => 'harness' in globalThis);
    await page.show({ type: 'numberline', question: { line: { min: 0, max: 1 }, points: ['\\(\\frac12\\)'] } });
    expect(await page.tree()).toContain('button "Put (1)/(2) on the line"');
    expect(await page.complaints()).toEqual([]);
  });

  it('typesets mathematics that was loaded while the question was not on the page', async () => {
    await page.page.reload();
    await page.page.waitForFunction(() => 'harness' in globalThis);
    await page.page.evaluate(`(async () => {
      const shown = harness.show({ type: 'mcq', question: { stimulus: '\\\\(x^2\\\\)', options: [] } });
      const questions = document.querySelector('#questions');
      while (!questions.firstElementChild?.renderRoot) await new Promise((done) => setTimeout(done));
      const question = questions.firstElementChild;
      question.remove();
      await shown;
      questions.append(question);
    })()`);
    await until(async () => (await page.tree()).includes('math "x^2"'));
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

  const picture = '<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="></p>';
  it.each<[type: string, question: JsonObject, names: string[]]>([
    ['shorttext', {}, ['textbox "Question"']],
    ['mcq', { options: [picture] }, ['radiogroup "Question"', 'radio "Answer 1"']],
    ['longtextV2', { heading: true }, ['textbox "Question 1"']],
    [
      'choicematrix',
      { stems: [picture, 'Two', picture], options: [picture, 'No'], presented_order: { stems: [1, 0, 2] } },
      ['radiogroup "Two"', 'radiogroup "Row 2"', 'radiogroup "Row 3"', 'radio "Answer 1"'],
    ],
    [
      'classification',
      {
        possible_responses: [picture],
        ui_style: { row_count: 2, row_titles: [picture, 'B'], column_titles: [picture] },
      },
      ['columnheader "Column 1 of 1"', 'rowheader "Row 1"', 'group "Row 1, Column 1 of 1"', 'button "Answer 1"'],
    ],
    ['association', { stimulus_list: [picture], possible_responses: [picture] }, ['button "Blank 1 of 1: empty"']],
    ['clozedropdown', { template: '{{response}}', possible_responses: [['a', picture]] }, ['option "Answer 2"']],
    ['clozeassociation', { template: '{{response}}', possible_responses: [picture] }, ['button "Answer 1"']],
    ['hotspot', { areas: [[]], area_attributes: { global: { label: picture } } }, ['radio "Area 1"']],
    ['rating', { options: [{ value: '1', label: picture }] }, ['radio "Answer 1"']],
    ['numberline', { line: { min: 0, max: 1 }, points: [picture] }, ['button "Put Answer 1 on the line"']],
    [
      'tokenhighlight',
      { template: `<span class="lrn_token">a</span><span class="lrn_token">${picture}</span>` },
      ['button "a"', 'button "Answer 2"'],
    ],
    ['orderlist', { list: [picture] }, ['list "Question"', 'button "Answer 1"']],
  ])('leaves no control without a name where it is only a picture: %s', async (type, question, names) => {
    const heading = question['heading'] ? { level: 3, text: 'Question 1' } : null;
    await page.show({ type, question: { ...question, stimulus: picture }, heading });
    const tree = await page.tree();
    for (const name of names) expect(tree).toContain(name);
    const UNNAMED = /- (radio|checkbox|button|option|textbox|radiogroup|group|\w+header)( \[.*\])?:?$/m;
    expect(tree).not.toMatch(UNNAMED);
  });

  it.each(['hotspot', 'imageclozetext', 'imageclozeassociationV2', 'highlight'])(
    'has the declared size of an image whose file is missing, so that its places stay apart: %s',
    async (type) => {
      const image = { src: '/missing.png', source: '/missing.png', alt: 'A map', width: 400, height: '240' };
      await page.show({ type, question: { image, areas: [], response_positions: [{ x: 10, y: 10 }] } });
      const size = async () => {
        const { width, height } = (await page.question.getByRole('img', { name: 'A map' }).boundingBox())!;
        return [width, height];
      };
      expect(await size()).toEqual([400, 240]);
      await page.resize(320);
      const [width, height] = await size();
      expect(width! / height!).toBeCloseTo(400 / 240, 1);
      expect(await page.overflow()).toBe(0);
      await page.resize();
      await page.complaints();
    },
  );

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

  it('stands below the line of its hidden heading, so that a reader that goes by lines does not pass over it', async () => {
    await page.show({ type: 'plaintext', question: { stimulus: 'Words' }, heading: { level: 3, text: 'Question 1' } });
    const heading = page.question.locator('#heading');
    const line = await heading.evaluate(({ scrollHeight }) => scrollHeight);
    const [above, below] = [await heading.boundingBox(), await stimulus().boundingBox()];
    expect(below!.y - above!.y).toBeGreaterThanOrEqual(line);
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
