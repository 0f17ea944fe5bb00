import { clozeformula } from './cases/clozeformula';
import { clozetext } from './cases/clozetext';
import { formulaV2 } from './cases/formulaV2';
import { imageclozetext } from './cases/imageclozetext';
import { plaintext } from './cases/plaintext';
import { shorttext } from './cases/shorttext';
import { questionPage, shownOf } from './support/suite';
import { typingSuite } from './support/typing';

typingSuite(clozetext);
typingSuite(imageclozetext);
typingSuite(plaintext);
typingSuite(shorttext);

describe('formulas as text', () => {
  const page = questionPage();
  beforeAll(() => page.typeFormulasAs('text'));
  afterAll(() => page.typeFormulasAs('formula'));

  typingSuite(clozeformula);
  typingSuite(formulaV2);
});

describe('the text fields of authors', () => {
  const page = questionPage();
  const field = (name: string) => page.question.getByRole('textbox', { name, exact: true });
  const attributes = (name: string, ...names: string[]) =>
    Promise.all(names.map((each) => field(name).getAttribute(each)));
  const size = async (name: string) => {
    const { width, height } = (await field(name).boundingBox())!;
    return { width, height };
  };

  it('have the size, the keyboard and the spell checking of the question', async () => {
    const [french, number, address] = shorttext.map(shownOf);
    await page.show(french!);
    expect(await attributes('What is spring in French?', 'type', 'inputmode', 'spellcheck')).toEqual([
      'text',
      null,
      'false',
    ]);
    await page.show(number!);
    expect(await attributes('Question 1', 'type', 'inputmode')).toEqual(['text', 'decimal']);
    expect((await size('Question 1')).width).toBe(100);
    await page.show(address!);
    expect(await attributes('Who wrote this?', 'type', 'spellcheck')).toEqual(['email', 'true']);
    expect((await size('Who wrote this?')).height).toBe(64);
    expect(await page.overflow()).toBe(0);
    await page.question.getByText('Special characters').click();
    expect(await page.question.locator('.characters button').allInnerTexts()).toEqual(['@', 'ß']);
  });

  it('have a separate size for each blank, which overrides the common one', async () => {
    await page.show(shownOf(clozetext[1]!));
    expect(await size('Blank 1 of 2')).toEqual({ width: 160, height: 48 });
    expect((await size('Letter')).height).toBe(96);
    expect(await attributes('Letter', 'spellcheck', 'placeholder')).toEqual(['true', 'Text']);
  });

  it('show a long answer as a whole when it cannot be changed', async () => {
    const answer = 'Ines Sørensen-Albrecht';
    await page.show({ ...shownOf(clozetext[0]), mode: 'review', value: [answer, ''], review: null });
    const [long, empty] = [field('Blank 1 of 2'), field('Blank 2 of 2')];
    expect(await long.inputValue()).toBe(answer);
    expect(await long.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    expect((await empty.boundingBox())!.width).toBe(144);
  });

  it('have several lines if the question asks for them', async () => {
    await page.show(shownOf(clozetext[1]!));
    await field('Letter').click();
    await page.page.keyboard.type('a');
    await page.press('Enter');
    await page.page.keyboard.type('b');
    expect(await page.value()).toEqual([null, 'a\nb']);
  });
});
