import type { JsonObject } from '#kernel';
import { score } from '#scoring';
import { clozeformula } from './cases/clozeformula';
import { formulaV2 } from './cases/formulaV2';
import { QuestionPage } from './support/question-page';
import { type Case, commonTests, questionPage, shownOf } from './support/suite';

/** A placeholder is a text in the field. A live region of each field announces the position of the caret. */
const inTwoDimensions = (given: Case): Case => ({
  ...given,
  name: `${given.name}, in two dimensions`,
  tree: given.tree
    .replace(/^( *)(- textbox "[^"]*")(?:(:\n) +- \/placeholder(: \w+))?$/gm, (_, indent, field, other, text) =>
      [field, ...(other ? [`- text${text}`] : []), '- status'].map((line) => indent + line).join('\n'),
    )
    .replace('Type as formula', 'Type as text'),
});

describe('formulas in two dimensions', () => {
  const page = questionPage();
  beforeAll(() => page.typeFormulasAs('formula'));
  const [fraction, template] = formulaV2.map(shownOf);
  const [cloze] = clozeformula.map(shownOf);
  const field = (name: string) => page.question.getByRole('textbox', { name, exact: true });
  const answer = () => page.question.locator('#answer');
  const button = (name: string) => page.question.getByRole('button', { name, exact: true });

  describe.each([formulaV2[1]!, clozeformula[0]].map((given) => [`${given.type}, ${given.name}`, given] as const))(
    '%s',
    (_, given) => commonTests(page, inTwoDimensions(given)),
  );

  /** What a learner types, what is stored, and a key that the stored formula matches. */
  it.each<[string, string | null, JsonObject[]]>([
    ['1/2', '\\frac{1}{2}', [{ method: 'equivLiteral', value: '\\frac{1}{2}' }]],
    ['x/2', '\\frac{x}{2}', [{ method: 'stringMatch', value: '\\frac{x}{2}' }]],
    ['1 1/2', '1\\frac{1}{2}', [{ method: 'equivValue', value: '1.5' }]],
    ['x/2 +1', '\\frac{x}{2}+1', [{ method: 'equivSymbolic', value: '0.5x+1' }]],
    ['(x-2)(x-3)', null, [{ method: 'equivSymbolic', value: '(x-2)(x-3)' }, { method: 'isFactorised' }]],
    ['0.5+0.25+0.25=1.0', '0.5+0.25+0.25=1.0', [{ method: 'equivSymbolic', value: '0.5+0.25+0.25=1.0' }]],
    ['(x+1)/2', null, [{ method: 'equivSymbolic', value: '\\frac{x+1}{2}' }]],
    ['x^2-5x+6', 'x^2-5x+6', [{ method: 'equivSymbolic', value: 'x^{2}-5x+6' }]],
    ['x^12', null, [{ method: 'equivSymbolic', value: 'x^{12}' }]],
    ['sqrt2', '\\sqrt{2}', [{ method: 'equivValue', value: '\\sqrt{2}' }]],
    ['sqrtx+1 -3', '\\sqrt{x+1}-3', [{ method: 'equivSymbolic', value: '\\sqrt{x+1}-3' }]],
    ['2*pi*r', null, [{ method: 'equivSymbolic', value: '2\\pi r' }]],
    ['sin(x)', null, [{ method: 'equivSymbolic', value: '\\sin x' }]],
    ['|x|', null, [{ method: 'equivSymbolic', value: '|x|' }]],
    ['{1,2}', null, [{ method: 'equivSymbolic', value: '\\{1,2\\}' }]],
    ['x<=2', null, [{ method: 'equivSymbolic', value: 'x\\le 2' }]],
    ["f'", "f'", [{ method: 'equivSymbolic', value: "f'" }]],
    ['5%', '5\\%', [{ method: 'equivValue', value: '0.05' }]],
    ['5cm', '5cm', [{ method: 'equivValue', value: '5\\text{cm}' }]],
    ['x_1', 'x_1', [{ method: 'equivSymbolic', value: 'x_{1}' }]],
    ['log_2 8', null, [{ method: 'equivSymbolic', value: '\\log_2(8)' }]],
  ])('typed %s has the form that scoring knows', async (typed, latex, value) => {
    await page.show(fraction!);
    await field('Half of x.').focus();
    await page.page.keyboard.type(typed);
    const stored = (await page.changes()).at(-1)!;
    if (latex !== null) expect(stored).toBe(latex);
    expect(await page.value()).toBe(stored);
    const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value } };
    expect([stored, score({ type: 'formulaV2', validation }, { value: stored }).score]).toEqual([stored, 1]);
    expect(await page.complaints()).toEqual([]);
  });

  it('takes the text of on-screen keyboards, after a tap', async () => {
    await page.show(fraction!);
    await answer().tap();
    await page.page.locator('#shown:focus').waitFor();
    await page.page.keyboard.insertText('x+1');
    expect(await page.value()).toBe('x+1');
    expect(await field('Half of x.').getAttribute('inputmode')).toBe('text');
  });

  it('is entered and left by Tab, also from within a fraction', async () => {
    await page.show(fraction!);
    await page.leave();
    await page.tabTo(field('Half of x.'));
    await page.page.keyboard.type('(1/2/3');
    await page.press('ArrowLeft', 'ArrowUp', 'Tab');
    await page.focusOn(button('Symbols'));
    await page.press('Shift+Tab');
    await page.focusOn(field('Half of x.'));
    await page.press('Shift+Tab');
    expect(await page.hasFocus(field('Half of x.'))).toBe(false);
  });

  it('is edited by keys: a selection, deleting, undoing', async () => {
    await page.show({ ...fraction!, value: '\\frac{x}{2}' });
    await field('Half of x.').focus();
    await page.press('End');
    await page.page.keyboard.type('+7');
    expect(await page.value()).toBe('\\frac{x}{2}+7');
    await page.press('Control+z');
    await page.press('Home');
    await page.page.keyboard.type('3');
    expect(await page.value()).toMatch(/^3\\frac\{x\}\{2\}/);
    await page.press('Control+a', 'Delete');
    expect(await page.value()).toBeNull();
    expect(await page.attempted()).toBe('not_attempted');
  });

  it('does not lose the last key when the question goes away at once', async () => {
    await page.show({ ...fraction!, value: 'x' });
    await field('Half of x.').focus();
    await page.press('End');
    await page.page.evaluate(`(() => {
      const question = document.getElementById('shown');
      question.shadowRoot.getElementById('answer').insert('7', { silenceNotifications: false });
      question.remove();
    })()`);
    expect(await page.value()).toBe('x7');
  });

  it('takes no commands of LaTeX, and has no menus', async () => {
    await page.show(fraction!);
    await field('Half of x.').focus();
    await page.page.keyboard.type('\\pi');
    expect(await page.value()).toBe('\\pi');
    await page.press('Escape', 'Shift+Alt+t', 'Alt+Space', 'Alt+d');
    await page.page.keyboard.type('+1');
    expect(await page.value()).toBe('\\pi+1');
    await answer().click({ button: 'right' });
    expect(await page.page.locator('.ui-menu-container').count()).toBe(0);
    expect(await page.complaints()).toEqual([]);
  });

  it('takes symbols of the palette by mouse, finger and keys', async () => {
    await page.show(fraction!);
    await field('Half of x.').focus();
    await button('Fraction').click();
    await page.page.keyboard.type('1');
    await page.press('ArrowDown');
    await button('Square root').tap();
    await page.page.keyboard.type('x');
    expect(await page.value()).toBe('\\frac{1}{\\sqrt{x}}');
    await page.press('End', 'Control+Backslash');
    await page.focusOn(button('+'));
    await page.press('Enter');
    await page.focusOn(answer());
    await page.page.keyboard.type('y');
    await button('Power').click();
    await page.page.keyboard.type('n');
    expect(await page.value()).toBe('\\frac{1}{\\sqrt{x}}+y^{n}');
    await page.press('Escape');
    await page.question.locator('.palette').waitFor({ state: 'detached' });
    await page.focusOn(answer());
    expect(await page.complaints()).toEqual([]);
  });

  it('stores LaTeX without marks of the field for every symbol of the palette', async () => {
    const symbols = ['basic', 'algebra', 'trig', 'geometry', 'calculus', 'greek', 'sets'];
    await page.show({ ...fraction!, question: { symbols, ui_style: { type: 'block-keyboard' } } });
    const groups = await page.question.getByRole('toolbar', { name: 'Groups of symbols' }).getByRole('button').all();
    expect(groups).toHaveLength(symbols.length);
    for (const group of groups) {
      await group.click();
      // Without the checks and the movement of a mouse, because there are more than a hundred symbols.
      for (const symbol of await page.question.locator('.symbols button').all()) {
        await symbol.dispatchEvent('click');
        expect(await page.value()).not.toMatch(/placeholder|#|differential|exponential|imaginary|^$/);
        await page.press('Control+a', 'Delete');
      }
    }
    expect(await page.complaints()).toEqual([]);
  });

  it('fills the places of a template, and the blanks of a text', async () => {
    await page.show(template!);
    await page.question.locator('#answer-1').click();
    await button('8').click();
    expect(await page.value()).toBe('\\frac{}{8}\\text{ m}');
    await page.press('Shift+Tab');
    await page.page.keyboard.type('1/2');
    expect(await page.value()).toBe('\\frac{\\frac{1}{2}}{8}\\text{ m}');
    await page.show(cloze!);
    await field('Blank 2 of 2').focus();
    await page.page.keyboard.type('1/2');
    expect(await page.value()).toEqual([null, '\\frac{1}{2}']);
  });

  it('keeps the formula and the focus when the learner switches to text and back; the next question follows', async () => {
    await page.show({ ...fraction!, value: 'x/2' });
    await button('Type as text').click();
    expect(await field('Half of x.').inputValue()).toBe('x/2');
    await button('Type as formula').click();
    await button('Type as text').waitFor();
    await page.focusOn(button('Type as text'));
    expect(await page.changes()).toEqual([]);
    await field('Half of x.').focus();
    await page.press('End');
    await page.page.keyboard.type('+1/3');
    await button('Type as text').click();
    expect(await field('Half of x.').inputValue()).toBe('x/2+\\frac{1}{3}');
    await page.show(cloze!);
    await field('Blank 1 of 2').fill('2');
    await page.typeFormulasAs('formula');
  });

  it('shows a stored formula, and does not change what the learner does not edit', async () => {
    for (const value of [
      '\\frac{x}{2}',
      'sqrt(2)',
      '\\abs{ x }',
      '\\frac{1',
      '\\unheard{of}',
      '2 x',
      '<img src=x onerror=alert(1)>',
    ]) {
      await page.show({ ...fraction!, value });
      await field('Half of x.').focus();
      await page.press('ArrowLeft', 'Home', 'End');
      await page.leave();
      expect([await page.changes(), await page.value()]).toEqual([[], value]);
    }
    expect(await page.complaints()).toEqual([]);
  });

  it('cannot be changed when it is read-only', async () => {
    for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
      await page.show({ ...fraction!, value: '\\frac{x}{2}', ...readOnly });
      await field('Half of x.').focus();
      expect(await field('Half of x.').getAttribute('aria-readonly')).toBe('true');
      await page.page.keyboard.type('1/2');
      await page.press('Backspace', 'Control+a', 'Delete', 'Space');
      await page.page.keyboard.insertText('7');
      expect(await page.changes()).toEqual([]);
      expect(await page.tree()).toContain('math "(x)/(2)"');
    }
  });

  it('is not changed by messages, not even of another window', async () => {
    await page.show({ ...fraction!, value: 'x' });
    await field('Half of x.').focus();
    const orders = ['insert', 'typedText'].map((command) => ({
      type: 'mathlive#virtual-keyboard-message',
      action: 'execute-command',
      command: [command, '9'],
    }));
    await page.page.evaluate(`for (const order of ${JSON.stringify(orders)}) postMessage(order, '*')`);
    const popup = page.page.waitForEvent('popup');
    await page.page.evaluate(`void window.open('about:blank')`);
    const other = await popup;
    await other.evaluate(`for (const order of ${JSON.stringify(orders)}) opener.postMessage(order, '*')`);
    await other.close();
    // Messages arrive in order: after this one, the others have had their effect.
    await page.page.evaluate(
      `new Promise((done) => { addEventListener('message', done, { once: true }); postMessage('last', '*'); })`,
    );
    expect([await page.changes(), await page.value()]).toEqual([[], 'x']);
    expect(await page.complaints()).toEqual([]);
  });

  it('works in a sandboxed frame without an origin, as the preview of the console', async () => {
    const address = page.page.url();
    const outer = await page.page.context().newPage();
    const messages: string[] = [];
    outer.on('console', (message) => messages.push(message.text()));
    outer.on('pageerror', (error) => messages.push(String(error)));
    await outer.route('**/*', async (route) => {
      if (route.request().url() === `${address}outer`)
        return route.fulfill({
          contentType: 'text/html',
          body: '<link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="./" width="900" height="600"></iframe>',
        });
      const response = await route.fetch();
      return route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
    });
    await outer.goto(`${address}outer`);
    const frame = outer.frames()[1]!;
    await frame.waitForSelector('#questions', { state: 'attached' });
    await frame.evaluate(`new Promise((done) => {
      const look = () => (globalThis.harness ? done() : setTimeout(look));
      look();
    })`);
    await frame.evaluate(`harness.show(${JSON.stringify(fraction)})`);
    await frame.getByRole('textbox', { name: 'Half of x.' }).focus();
    await outer.keyboard.type('1/2');
    await frame.evaluate('harness.settled()');
    expect(await frame.evaluate('harness.value()')).toBe('\\frac{1}{2}');
    expect(messages).toEqual([]);
    await outer.close();
  });

  it('is replaced by the text field if it cannot be loaded', async () => {
    const other = new QuestionPage();
    await other.open();
    try {
      await other.page.route(/math-field/, (route) => route.abort());
      await other.show(fraction!);
      const text = other.question.getByRole('textbox', { name: 'Half of x.' });
      await text.fill('x/2');
      expect(await other.value()).toBe('x/2');
      expect(await other.question.getByRole('button').allInnerTexts()).toContain('Symbols');
      expect(await other.question.getByRole('button', { name: 'Type as text' }).count()).toBe(0);
    } finally {
      await other.close();
    }
  });
});
