import type { Page } from 'playwright-core';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { ConsoleBrowser, settled } from './support/console-browser';

/* Clipboards as Chromium, Word and Google Docs write them. */

const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** A paragraph of Word that is an entry of a list. */
const entry = (level: number, marker: string, text: string) =>
  `<p class=MsoListParagraph style='margin-left:72.0pt;mso-add-space:\nauto;text-indent:-18.0pt;mso-list:l1 level${level} lfo2'>` +
  `<![if !supportLists]><span\nstyle='font-family:Symbol'><span style='mso-list:Ignore'>${marker}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;\n</span></span></span><![endif]>${text}<o:p></o:p></p>\n`;

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><o:x/></xml><![endif]--><style><!-- @list l0 {} --></style></head>
<body lang=EN style='tab-interval:36.0pt'><!--StartFragment-->
<p class=MsoNormal>H<sub>2</sub>O is <b style='mso-bidi-font-weight:\nnormal'>cold</b>, <span lang=DE style='color:red;mso-bidi-font-weight:bold'>deep</span>.<o:p></o:p></p>
${entry(1, '·', 'Como')}${entry(2, '3)', 'Bellagio is <i>old</i>')}${entry(2, '4)', 'Lecco')}${entry(1, '·', 'Garda')}${entry(1, '1.', 'one')}${entry(1, '2.', 'two')}
<table class=MsoTableGrid border=1 style='border:none'><thead><tr style='mso-yfti-irow:0'><td width=301 colspan=2 style='width:225.4pt'>
<p class=MsoNormal>Depth<o:p></o:p></p></td></tr></thead><tr><td><p class=MsoNormal>Como</p></td><td><p class=MsoNormal>425</p></td></tr></table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="P"/><![endif]--><![if !vml]><img width=102 src="data:image/png;base64,iVBORw0KGgo=" v:shapes="P"><![endif]>End<o:p></o:p></p>
<!--EndFragment--></body></html>`;

const GOOGLE_DOCS =
  '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-30db46f5"><p dir="ltr" style="line-height:1.38">' +
  '<span style="font-size:11pt;font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline;">Plain </span>' +
  '<span style="font-weight:700;font-style:normal;">bold</span><span style="font-weight:400;font-style:italic;"> slanted</span> ' +
  '<span style="text-decoration:underline;">lined</span> x<span style="font-size:0.6em;vertical-align:super;">2</span></p></b>' +
  '<br class="Apple-interchange-newline">';

const FORMULAS =
  `<p style="font-weight: 400; text-decoration-style: initial;">Plain <math xmlns="${MATHML}" display="inline" style="color: red" data-x="1">` +
  '<mfrac><mn>1</mn><mi class="x" mathvariant="normal">x</mi></mfrac><mtext><img src="https://example.org/a.png">if</mtext></math>, KaTeX ' +
  `<span class="katex"><span class="katex-mathml" style="position: absolute"><math xmlns="${MATHML}"><semantics><msup><mi>x</mi><mn>2</mn></msup></semantics></math></span>` +
  '<span class="katex-html" aria-hidden="true"><span class="base">x<sup>2</sup></span></span></span>, MathJax ' +
  '<mjx-container class="MathJax" tabindex="0"><mjx-math aria-hidden="true"><mjx-c>y</mjx-c></mjx-math><mjx-assistive-mml>' +
  `<math xmlns="${MATHML}"><mi>y</mi></math></mjx-assistive-mml></mjx-container>.</p>`;

const console = new ConsoleBrowser();

beforeAll(async () => {
  await console.open();
  const names = ['word', 'docs', 'formulas', 'forged'];
  await write(console.service.client, {
    questions: names.map((reference) => question({ reference, data: { ...question().data, stimulus: '' } })),
    items: names.map((reference) => item([reference], { reference: `i-${reference}` })),
  });
}, 240_000);
afterAll(() => console.close());

/** Pastes into the text of an empty question, saves it, and gives what is stored. */
async function pasted(reference: string, html: string, look: (page: Page) => Promise<void> = async () => {}) {
  const { close, page } = await console.signIn(['author']);
  await console.visit(page, `/items/i-${reference}?tab=edit`);
  await page.getByRole('radiogroup', { name: reference }).getByText('Form', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Question text', exact: true }).focus();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', ${JSON.stringify(html)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await look(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('There are unsaved changes.').waitFor({ state: 'hidden' });
  await close();
  const { data } = await console.service.client.get('itembank/questions', { references: [reference] });
  return Object.values(data as Record<string, { data: { stimulus: string } }>)[0]!.data.stimulus;
}

describe('a pasted text', () => {
  it('keeps the lists, tables and formats of Word, without its markers, styles and pictures', async () => {
    expect(await pasted('word', WORD)).toBe(
      '<p>H<sub>2</sub>O is <strong>cold</strong>, deep.</p>' +
        '<ul><li>Como<ol start="3"><li>Bellagio is <em>old</em></li><li>Lecco</li></ol></li><li>Garda</li></ul>' +
        '<ol><li>one</li><li>two</li></ol>' +
        '<table><tbody><tr><td colspan="2"><p>Depth</p></td></tr><tr><td><p>Como</p></td><td><p>425</p></td></tr></tbody></table>' +
        '<p>End</p>',
    );
  });

  it('has the formats that Google Docs writes as styles', async () => {
    expect(await pasted('docs', GOOGLE_DOCS)).toBe(
      '<p>Plain <strong>bold</strong><em> slanted</em> <u>lined</u> x<sup>2</sup></p>',
    );
  });

  it('keeps the MathML of a web page once, without styles, pictures and scripts', async () => {
    const stimulus = await pasted('formulas', FORMULAS, async (page) => {
      await settled(page);
      await expectSoon(() => page.frameLocator('iframe').first().locator('math').count()).toBe(3);
    });
    expect(stimulus).toBe(
      `<p>Plain <math xmlns="${MATHML}" display="inline"><mfrac><mn>1</mn><mi mathvariant="normal">x</mi></mfrac><mtext>if</mtext></math>, ` +
        `KaTeX <math xmlns="${MATHML}"><semantics><msup><mi>x</mi><mn>2</mn></msup></semantics></math>, ` +
        `MathJax <math xmlns="${MATHML}"><mi>y</mi></math>.</p>`,
    );
  });

  it('cannot bring in markup as something that the editor has kept', async () => {
    const forged =
      '<p>A <itembank-kept data-html="<img src=&quot;https://example.org/a.png&quot;>">b</itembank-kept></p>';
    expect(await pasted('forged', forged)).toBe('<p>A b</p>');
  });
});
