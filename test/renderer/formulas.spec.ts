import { clozeformula } from './cases/clozeformula';
import { formulaV2 } from './cases/formulaV2';
import { questionPage, shownOf } from './support/suite';

/** The palette of formulas: its place, its keys, and the symbols that it inserts. */
describe('the palette of formulas', () => {
  const page = questionPage();
  beforeAll(() => page.typeFormulasAs('text'));
  afterAll(() => page.typeFormulasAs('formula'));
  const [fraction, template] = formulaV2.map(shownOf);
  const [cloze, floating] = clozeformula.map(shownOf);
  const field = (name: string) => page.question.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.question.getByRole('button', { name, exact: true });
  const palette = () => page.question.locator('.palette');
  const withStyle = (type: string) => ({ ...fraction!, question: { ...fraction!.question, ui_style: { type } } });

  it.each([
    ['floating-keyboard', false, 'sticky'],
    ['block-on-focus-keyboard', false, 'static'],
    ['block-keyboard', true, 'static'],
  ])('is fixed or floating, as the author wants: %s', async (type, isAlwaysThere, position) => {
    await page.show(withStyle(type));
    await page.leave();
    expect(await palette().isVisible()).toBe(isAlwaysThere);
    await field('Half of x.').focus();
    await palette().waitFor();
    expect(
      await palette().evaluate(
        (element) =>
          (globalThis as never as { getComputedStyle(of: unknown): { position: string } }).getComputedStyle(element)
            .position,
      ),
    ).toBe(position);
    await page.leave();
    await palette().waitFor({ state: isAlwaysThere ? 'visible' : 'detached' });
  });

  it('shows in forced colours which group of symbols is there', async () => {
    await page.show(withStyle('block-keyboard'));
    await palette().waitFor();
    await page.forcedColours(true);
    try {
      expect(await page.question.locator('[aria-pressed=false]').count()).toBeGreaterThan(0);
      expect(await page.unseenPresses()).toEqual([]);
    } finally {
      await page.forcedColours(false);
    }
  });

  it('leaves its preview in place when the mouse wheel turns over it', async () => {
    await page.show({ ...template!, value: '\\frac{\\frac{1}{2}}{8}\\text{ m}' });
    const preview = page.question.locator('.shown');
    await preview.hover();
    await page.page.mouse.wheel(0, 20);
    await page.page.waitForTimeout(300);
    expect(await preview.evaluate(({ scrollTop }: { scrollTop: number }) => scrollTop)).toBe(0);
  });

  it('opens and closes by its button', async () => {
    await page.show(fraction!);
    await page.leave();
    const opener = button('Symbols');
    expect(await opener.getAttribute('aria-expanded')).toBe('false');
    await opener.click();
    await palette().waitFor();
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    await opener.click();
    await palette().waitFor({ state: 'detached' });
  });

  it('stays open when the learner presses the space between its buttons', async () => {
    await page.show(fraction!);
    await field('Half of x.').focus();
    await palette().click({ position: { x: 2, y: 2 } });
    expect(await page.hasFocus(field('Half of x.'))).toBe(true);
    expect(await palette().isVisible()).toBe(true);
  });

  it('stays until a press elsewhere has ended, so that nothing moves from under the pointer', async () => {
    await page.showTogether({ formula: fraction!, shown: { type: 'mcq', question: { options: ['Oak', 'Fir'] } } });
    const text = page.page.locator('#formula').getByRole('textbox');
    const opened = page.page.locator('#formula .palette');
    for (const name of ['Oak', 'Fir']) {
      await text.focus();
      await opened.waitFor();
      await page.question.getByRole('radio', { name }).click();
      await opened.waitFor({ state: 'detached' });
    }
    expect(await page.changes()).toEqual([['Oak'], ['Fir']]);
  });

  it('closes by Escape, and opens by Control and backslash, which moves the focus into it', async () => {
    await page.show(fraction!);
    await field('Half of x.').focus();
    await palette().waitFor();
    await page.press('Escape');
    await palette().waitFor({ state: 'detached' });
    expect(await page.hasFocus(field('Half of x.'))).toBe(true);
    await page.press('Control+Backslash');
    await palette().waitFor();
    expect(await page.hasFocus(button('+'))).toBe(true);
    await page.press('ArrowRight', 'ArrowRight', 'ArrowLeft', 'End');
    expect(await page.hasFocus(button('Brackets'))).toBe(true);
    await page.press('ArrowDown', 'ArrowUp', 'Enter');
    expect(await page.hasFocus(field('Half of x.'))).toBe(true);
    await page.page.keyboard.type('x+1');
    expect(await page.value()).toBe('(x+1)');
    await page.press('Control+Backslash', 'Escape');
    expect(await page.hasFocus(field('Half of x.'))).toBe(true);
    expect(await page.complaints()).toEqual([]);
  });

  it('is reachable by Tab', async () => {
    await page.show(fraction!);
    await page.leave();
    await page.tabTo(field('Half of x.'));
    await palette().waitFor();
    await page.press('Tab', 'Tab', 'Tab');
    expect(await page.hasFocus(button('Basic'))).toBe(true);
    await page.press('ArrowRight', 'Enter', 'Tab', 'Enter');
    expect(await page.value()).toBe('q');
  });

  it('inserts symbols at the caret, and moves the caret into their first place', async () => {
    await page.show(fraction!);
    await field('Half of x.').pressSequentially('ab');
    await page.press('ArrowLeft');
    await button('Fraction').click();
    await page.page.keyboard.type('1');
    expect(await page.value()).toBe('a\\frac{1}{}b');
    await page.press('End');
    await button('Pi').tap();
    expect(await page.value()).toBe('a\\frac{1}{}b\\pi ');
    expect(await page.tree()).toContain('math');
  });

  it('offers the groups, symbols, numbers and texts of the author', async () => {
    await page.show(template!);
    await field('Blank 2 of 2').click();
    await button('8').click();
    await button('Signs').click();
    expect(await page.question.locator('.symbols button').count()).toBe(2);
    await button('Greek').click();
    await page.question.locator('.symbols button').first().click();
    await button('Texts').click();
    await button('then').click();
    expect(await page.value()).toBe('\\frac{}{8\\alpha \\text{then}}\\text{ m}');
    expect(await page.attempted()).toBe('partially_attempted');
    expect(await page.axeViolations()).toEqual([]);
    expect(await page.smallTargets()).toEqual([]);
  });

  it('has a unique name for each symbol of a group', async () => {
    const groups = ['basic', 'basic_junior', 'qwerty', 'algebra', 'trig', 'geometry', 'calculus', 'greek', 'sets'];
    for (const group of groups) {
      await page.show({
        ...fraction!,
        question: { symbols: [group], ui_style: { type: 'block-keyboard' } },
        language: group === 'sets' ? 'de' : 'en',
      });
      await page.question.locator('.symbols').waitFor();
      const tree = (await page.tree()).split('\n').filter((line) => line.startsWith('  - button'));
      const names = tree.map((line) => /button "([^"]+)"/.exec(line)?.[1]);
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((name) => !name || /[\\{}□]/.test(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      await page.picture(`formulas-group-${group}`);
      expect(await page.complaints()).toEqual([]);
    }
  });

  it('moves the caret between the two signs of a pair', async () => {
    await page.show({ ...fraction!, question: { symbols: ['\\{\\}', '\\left|\\right|'], stimulus: 'Half of x.' } });
    await field('Half of x.').focus();
    await button('Braces').click();
    await button('Absolute value').click();
    await page.page.keyboard.type('x');
    expect(await page.value()).toBe('\\{\\left|x\\right|\\}');
  });

  it('fills the blank that had the focus last', async () => {
    await page.show(cloze!);
    await field('Blank 2 of 2').focus();
    await button('Times').click();
    expect(await page.value()).toEqual([null, '\\times ']);
    await field('Blank 1 of 2').focus();
    await button('+').click();
    expect(await page.value()).toEqual(['+', '\\times ']);
    expect(await page.axeViolations()).toEqual([]);
  });

  it('shows a stored formula that does not match the template unchanged, and keeps braces within a place', async () => {
    await page.show({ ...template!, value: '2x' });
    expect(await field('Five eighths, with its unit.').inputValue()).toBe('2x');
    await page.set({ value: '\\frac{\\frac{1}{2}}{3}\\text{ m}' });
    expect(await field('Blank 1 of 2').inputValue()).toBe('\\frac{1}{2}');
    expect(await field('Blank 2 of 2').inputValue()).toBe('3');
    await field('Blank 1 of 2').fill('');
    await field('Blank 2 of 2').fill('');
    expect((await page.changes()).at(-1)).toBeNull();
  });

  it('fits into a narrow window, in both writing directions and colour schemes', async () => {
    await page.resize(320);
    try {
      for (const [at, shown] of [fraction!, template!, cloze!, floating!].entries())
        for (const direction of ['rtl', 'ltr'] as const) {
          await page.show({ ...shown, direction });
          await page.question.getByRole('textbox').first().focus();
          await palette().waitFor();
          expect(await page.overflow()).toBe(0);
          await page.colourScheme(direction === 'rtl' ? 'dark' : 'light');
          expect(await page.axeViolations()).toEqual([]);
          await page.picture(`formulas-palette-${at}-${direction}`);
        }
    } finally {
      await page.colourScheme('light');
      await page.resize();
    }
  });

  it.each(['formula', 'text'] as const)('has a field that fits into a column narrower than it: %s', async (kind) => {
    await page.resize(200);
    try {
      await page.typeFormulasAs(kind);
      await page.show({ ...fraction!, value: 'a+b+c+d+e+f+g+h' });
      await field('Half of x.').waitFor({ state: 'attached' });
      expect(await page.overflow()).toBe(0);
      await page.picture(`formulas-narrow-${kind}`);
    } finally {
      await page.typeFormulasAs('text');
      await page.resize();
    }
  });
});
