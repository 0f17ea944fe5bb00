import type { Locator, Page } from 'playwright-core';
import { intercept } from '../support/cut-off';
import { write } from '../support/bank';
import { feature, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { barriersInBothSchemes, ConsoleBrowser, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

/** Texts, and what they are after somebody has typed X at their end. */
const TEXTS: Record<string, [before: string, after: string]> = {
  'plain text': ['Which?', 'Which?X'],
  'lines of plain text': ['one<br>two', 'one<br>twoX'],
  paragraphs: ['<p>One</p>\n<p>Two</p>', '<p>One</p><p>TwoX</p>'],
  'formats in any order': [
    '<p><em><strong>a</strong></em> <u>b</u> <s>c</s> <sup>d</sup> <sub>e</sub> <code>f</code>.</p>',
    '<p><strong><em>a</em></strong> <u>b</u> <s>c</s> <sup>d</sup> <sub>e</sub> <code>f</code>.X</p>',
  ],
  'older names of formats': ['<p><b>a</b> <i>b</i>.</p>', '<p><strong>a</strong> <em>b</em>.X</p>'],
  'lists with and without paragraphs': [
    '<ul><li>a</li><li><p>b</p><p>c</p></li><li>d<ol start="3"><li>e</li></ol></li></ul><p>E</p>',
    '<ul><li>a</li><li><p>b</p><p>c</p></li><li>d<ol start="3"><li>e</li></ol></li></ul><p>EX</p>',
  ],
  'classes and colours': [
    '<p class="note" style="color: red">A <span class="x" lang="fr">b</span> <strong class="y">c</strong></p><p>E</p>',
    '<p class="note" style="color: red">A <span class="x" lang="fr">b</span> <strong class="y">c</strong></p><p>EX</p>',
  ],
  alignments: [
    '<h2 style="text-align: center">T</h2><p dir="rtl">R</p><p style="text-align: right; color: red">E</p>',
    '<h2 style="text-align: center">T</h2><p dir="rtl">R</p><p style="text-align: right; color: red">EX</p>',
  ],
  'a table': [
    '<table><tbody><tr><th>H</th><td colspan="2"><p>x</p></td></tr></tbody></table><p>E</p>',
    '<table><tbody><tr><th>H</th><td colspan="2"><p>x</p></td></tr></tbody></table><p>EX</p>',
  ],
  'a table with a head, which is kept whole': [
    '<table><thead><tr><th>H</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table><p>E</p>',
    '<table><thead><tr><th>H</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table><p>EX</p>',
  ],
  'a picture': [
    '<p>A <img src="/lake.png" alt="lake" width="20"> there.</p>',
    '<p>A <img src="/lake.png" alt="lake" width="20"> there.X</p>',
  ],
  'formulas, entities and spaces': ['<p>\\(a &lt; b\\) &amp; c&nbsp;d.</p>', '<p>\\(a &lt; b\\) &amp; c&nbsp;d.X</p>'],
  'MathML, which is kept whole': [
    '<p>A <math><mi>x</mi><mo>=</mo><mn>1</mn></math> there.</p>',
    '<p>A <math><mi>x</mi><mo>=</mo><mn>1</mn></math> there.X</p>',
  ],
  'a recording': [
    '<audio src="/a.mp3" controls=""></audio> Listen.',
    '<audio src="/a.mp3" controls=""></audio> Listen.X',
  ],
  boxes: [
    '<div class="box">in<p>p</p></div><blockquote>q</blockquote><p>E</p>',
    '<div class="box">in<p>p</p></div><blockquote>q</blockquote><p>EX</p>',
  ],
  'a figure with a comment, which is kept whole': [
    '<figure class="f"><img src="/a.png" alt="a"><figcaption><!--kept-->b <math><mi>x</mi></math></figcaption></figure><p>E</p>',
    '<figure class="f"><img src="/a.png" alt="a"><figcaption><!--kept-->b <math><mi>x</mi></math></figcaption></figure><p>EX</p>',
  ],
  'a link': [
    '<p>A <a href="https://example.org/" target="_blank">link</a>.</p>',
    '<p>A <a href="https://example.org/" target="_blank">link</a>.X</p>',
  ],
  'exact lines': ['<pre>  a\n  b</pre><p>E</p>', '<pre>  a\n  b</pre><p>EX</p>'],
  'text between blocks': ['one<p>two</p>three', 'one<p>two</p>threeX'],
};

/** The members that the tests look at. */
interface Stored {
  stimulus: string;
  template: string;
  options: { label: string }[];
  pages: string[];
  validation: { valid_response: { value: unknown } };
}

const mcq = (reference: string, members: object = {}) =>
  question({
    reference,
    data: {
      ...question().data,
      stimulus: '<p>Which lake?</p>',
      options: [
        { label: 'Como', value: '0' },
        { label: '<p>Garda</p>', value: '1' },
      ],
      ...members,
    },
  });

beforeAll(async () => {
  const pages = Object.values(TEXTS).map(([before]) => before);
  await write(console.service.client, {
    questions: [
      mcq('lakes'),
      mcq('seas'),
      mcq('linked', { stimulus: '<p>Which lake is <a href="https://example.org/old"><em>old</em></a>?</p>' }),
      mcq('empty', { stimulus: '' }),
      mcq('pasted', { stimulus: '' }),
      mcq('hostile', {
        stimulus:
          '<p style="position: fixed; inset: 0; color: red" class="skip-link">over all</p><p><img src="https://example.org/x.png" alt="spy"></p>',
      }),
      mcq('comment', { stimulus: '<p>A <!-- note --> b</p>' }),
      question({
        reference: 'gaps',
        type: 'clozetext',
        data: {
          type: 'clozetext',
          stimulus: '<p>Fill.</p>',
          template: '<p>Two {{response}}.</p>',
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['mice'] } },
        },
      }),
    ],
    features: [
      feature({ reference: 'texts', data: { type: 'sharedpassage', heading: 'T', paginated_content: true, pages } }),
    ],
    items: [
      ...['lakes', 'seas', 'linked', 'empty', 'pasted', 'hostile', 'comment', 'gaps', 'texts'].map((reference) =>
        item([reference], { reference: `i-${reference}` }),
      ),
    ],
  });
});

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const focused = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'));
/** Puts the focus into a field by keyboard, and waits until the editor has put its caret there, 20 ms later. */
async function enter(page: Page, name: string): Promise<void> {
  await field(page, name).focus();
  await page.evaluate('new Promise((done) => setTimeout(done, 30))');
}
const tool = (page: Page, fieldName: string, name: string) =>
  page.getByRole('group', { name: fieldName, exact: true }).getByRole('button', { name, exact: true });

async function open(page: Page, reference: string): Promise<void> {
  await console.visit(page, `/items/i-${reference}?tab=edit`);
  await page.getByRole('radiogroup', { name: reference }).getByText('Form', { exact: true }).click();
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('There are unsaved changes.').waitFor({ state: 'hidden' });
}

async function storedOf(kind: 'questions' | 'features', reference: string): Promise<Stored> {
  const { data } = await console.service.client.get(`itembank/${kind}`, { references: [reference] });
  return Object.values(data as Record<string, { data: Stored }>)[0]!.data;
}

/** Opens the form of a question, changes it, saves it, and gives what is stored then. */
async function edit(reference: string, change: (page: Page) => Promise<void>): Promise<Stored> {
  const { close, page } = await console.signIn(['author']);
  await open(page, reference);
  await change(page);
  await save(page);
  await close();
  return storedOf('questions', reference);
}

describe('the formatted view of texts', () => {
  it('keeps all markup of a text to which somebody adds a letter', async () => {
    const { page } = await console.signIn(['author']);
    await open(page, 'texts');
    for (const at of Object.keys(TEXTS).keys()) {
      const text = field(page, `Page ${at + 1}`);
      expect([at, await text.getAttribute('contenteditable')]).toEqual([at, 'true']);
      await enter(page, `Page ${at + 1}`);
      await page.keyboard.press('Control+End');
      await page.keyboard.type('X');
    }
    await save(page);
    const { pages } = await storedOf('features', 'texts');
    for (const [at, [name, [, after]]] of Object.entries(TEXTS).entries())
      expect([name, pages[at]]).toEqual([name, after]);
  });

  it('formats words by keys and by the toolbar, and puts a new text into paragraphs', async () => {
    const { stimulus } = await edit('empty', async (page) => {
      await enter(page, 'Question text');
      await page.keyboard.type('Which ');
      await page.keyboard.press('Control+b');
      await page.keyboard.type('deep');
      await page.keyboard.press('Control+b');
      await page.keyboard.type(' lake?');
      await page.keyboard.press('Enter');
      await tool(page, 'Question text', 'Bulleted list').click();
      await page.keyboard.type('Como');
      await page.keyboard.press('Enter');
      await page.keyboard.type('H');
      // By keyboard: the toolbar is the next stop, and arrows move in it.
      await page.keyboard.press('Tab');
      for (let moves = 0; moves < 4; moves++) await page.keyboard.press('ArrowRight');
      await expectSoon(() => focused(tool(page, 'Question text', 'Subscript'))).toBe(true);
      await page.keyboard.press('Enter');
      await enter(page, 'Question text');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('2');
    });
    expect(stimulus).toBe('<p>Which <strong>deep</strong> lake?</p><ul><li>Como</li><li>H<sub>2</sub></li></ul>');
  });

  it('stores the text of an option without a paragraph, unless it had one', async () => {
    const { options } = await edit('lakes', async (page) => {
      await enter(page, 'Option 1');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Lugano');
      await enter(page, 'Option 2');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('!');
      await page.getByRole('button', { name: 'Add an option' }).click();
      await enter(page, 'Option 3');
      await page.keyboard.type('a < b');
    });
    expect(options.map(({ label }) => label)).toEqual(['Lugano', '<p>Garda!</p>', 'a &lt; b']);
  });

  it('inserts gaps and formulas at the caret', async () => {
    const { template, validation } = await edit('gaps', async (page) => {
      await enter(page, 'Text with gaps');
      await page.keyboard.press('Control+End');
      await tool(page, 'Text with gaps', 'Insert a gap').click();
      await tool(page, 'Text with gaps', 'Formula').click();
      await page.keyboard.type('x^2');
    });
    expect(template).toBe('<p>Two {{response}}.{{response}}\\(x^2\\)</p>');
    expect(validation.valid_response.value).toEqual(['mice', '']);
  });

  it('edits a table by its tools', async () => {
    const { stimulus } = await edit('empty', async (page) => {
      await enter(page, 'Question text');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await tool(page, 'Question text', 'Insert a table').click();
      await page.keyboard.type('a');
      await page.keyboard.press('Tab');
      await page.keyboard.type('b');
      await tool(page, 'Question text', 'Delete the row').click();
      await tool(page, 'Question text', 'Delete the row').click();
      await page.keyboard.type('c');
    });
    expect(stimulus).toContain('<table><tbody><tr><td>');
    expect(stimulus).toContain('c');
    expect(stimulus.match(/<tr>/g)).toHaveLength(1);
  });

  it('makes a link of selected words, refuses an address that leads nowhere, and takes a link away', async () => {
    const { stimulus } = await edit('linked', async (page) => {
      const text = field(page, 'Question text');
      await enter(page, 'Question text');
      await page.keyboard.press('Home');
      for (let moves = 0; moves < 'Which '.length; moves++) await page.keyboard.press('ArrowRight');
      for (let moves = 0; moves < 'lake'.length; moves++) await page.keyboard.press('Shift+ArrowRight');
      await tool(page, 'Question text', 'Link').click();
      const address = page.getByRole('dialog').getByRole('textbox', { name: 'Address' });
      await address.fill('javascript:alert(1)');
      await address.press('Enter');
      await page.getByText('Write a whole address').waitFor();
      await address.fill('https://example.org/a?b=1&c=2');
      await address.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await text.locator('em').click();
      await tool(page, 'Question text', 'Link').click();
    });
    expect(stimulus).toBe('<p>Which <a href="https://example.org/a?b=1&amp;c=2">lake</a> is <em>old</em>?</p>');
  });

  it('switches all fields to HTML and back, and the browser remembers it', async () => {
    const { page } = await console.signIn(['author']);
    await open(page, 'seas');
    await tool(page, 'Question text', 'HTML').click();
    const text = field(page, 'Question text');
    await expectSoon(() => text.inputValue()).toBe('<p>Which lake?</p>');
    await expectSoon(() => focused(text)).toBe(true);
    await text.fill('<p>Which <u>sea</u>?</p>');
    await save(page);
    await page.reload();
    await page.getByRole('radiogroup', { name: 'seas' }).getByText('Form', { exact: true }).click();
    await expectSoon(() => text.inputValue()).toBe('<p>Which <u>sea</u>?</p>');
    await expectSoon(() => field(page, 'Option 2').inputValue()).toBe('<p>Garda</p>');
    await tool(page, 'Question text', 'HTML').click();
    await text.locator('u', { hasText: 'sea' }).waitFor();
  });

  it('stays HTML for a text of which it would lose something, and says so', async () => {
    const { page } = await console.signIn(['author']);
    const { stimulus: stored } = await storedOf('questions', 'comment');
    expect(stored).toContain('<!--');
    await open(page, 'comment');
    await page.getByText('The formatted view would lose a part of this text').waitFor();
    await expectSoon(() => field(page, 'Question text').inputValue()).toBe(stored);
    await tool(page, 'Question text', 'HTML').click();
    await page.getByText('The formatted view would lose a part of this text').waitFor();
    await field(page, 'Question text').fill('<p>b</p>');
    await tool(page, 'Question text', 'HTML').click();
    await field(page, 'Question text').locator('p').waitFor();
  });

  it('shows no styles and classes of a text, and loads none of its pictures', async () => {
    const { page } = await console.signIn(['author']);
    const asked: string[] = [];
    page.on('request', (request) => void (request.frame() === page.mainFrame() && asked.push(request.url())));
    await open(page, 'hostile');
    const text = field(page, 'Question text');
    await text.getByText('Picture: spy').waitFor();
    expect(await text.locator('[class*=skip], [style*=position], img:not([class=ProseMirror-separator])').count()).toBe(
      0,
    );
    expect(asked.filter((address) => address.includes('example.org'))).toEqual([]);
  });

  it('takes no picture whose upload was cancelled', async () => {
    const { close, page } = await console.signIn(['author']);
    await open(page, 'lakes');
    let letGo = () => {};
    const mayGo = new Promise<void>((done) => (letGo = done));
    await intercept(page, '**/console/api/v1/itembank/upload/assets', async (route) => {
      await mayGo;
      await route.continue();
    });
    await tool(page, 'Question text', 'Picture').click();
    const dialog = page.getByRole('dialog', { name: 'Picture' });
    const lake = { name: 'lake.png', mimeType: 'image/png', buffer: Buffer.from('lake') };
    await dialog.locator('input[type=file]').setInputFiles(lake);
    await dialog.getByLabel('Description for people').fill('A lake');
    await dialog.getByRole('button', { name: 'Insert the picture' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    letGo();
    await settled(page);
    expect(await field(page, 'Question text').getByText('Picture: A lake').count()).toBe(0);
    await close();
  });

  it('takes formats of pasted text, without styles, pictures and scripts', async () => {
    // The content policy reports the pasted event handler.
    const { page } = await console.signIn(['author'], { mayFail: true });
    await open(page, 'pasted');
    await enter(page, 'Question text');
    const html = JSON.stringify(
      '<html><head><title>T</title><style>p{}</style></head><body><p class="Mso" style="color:red" onclick="x()">A <b>b</b> ' +
        '<font color="red">c</font><img src="https://example.org/a.png"></p><script>x()</script><ul><li>d</li></ul></body></html>',
    );
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', ${html});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }`);
    await save(page);
    expect((await storedOf('questions', 'pasted')).stimulus).toBe('<p>A <strong>b</strong> c</p><ul><li>d</li></ul>');
  });

  it('has no barriers, in light and dark', async () => {
    const { page } = await console.signIn(['author']);
    await open(page, 'lakes');
    await enter(page, 'Option 1');
    await tool(page, 'Option 1', 'Bold').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });
});
