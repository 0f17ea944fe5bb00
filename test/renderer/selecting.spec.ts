import { clozedropdown } from './cases/clozedropdown';
import { gridded } from './cases/gridded';
import { imageclozedropdown } from './cases/imageclozedropdown';
import { selectingSuite } from './support/selecting';
import { questionPage, shownOf } from './support/suite';

selectingSuite(clozedropdown);
selectingSuite(gridded);
selectingSuite(imageclozedropdown);

describe('a menu in review', () => {
  const page = questionPage();

  it('shows the answer as clearly as the text around it', async () => {
    const [given] = clozedropdown;
    await page.show({ ...shownOf(given), mode: 'review', value: given.value, review: given.review });
    const menu = page.question.getByRole('combobox').first();
    expect(await menu.isDisabled()).toBe(true);
    const opacity = await menu.evaluate(
      (element) =>
        (globalThis as never as { getComputedStyle(of: unknown): { opacity: string } }).getComputedStyle(element)
          .opacity,
    );
    expect(opacity).toBe('1');
  });
});

describe('a menu', () => {
  const page = questionPage();
  const question = {
    template: '{{response}}',
    possible_responses: [['x &lt; 5', '<b>bold</b>', '\\(\\frac{1}{2}\\)', 'a < b']],
  };
  const image = { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', alt: 'Map' };
  const menu = () => page.question.getByRole('combobox').first();

  it.each([
    ['clozedropdown', question],
    ['imageclozedropdown', { ...question, image, response_positions: [{ x: 5, y: 5 }] }],
  ])('shows markup and mathematics as plain text, and stores them as authored: %s', async (type, each) => {
    await page.show({ type, question: each });
    expect(await menu().getByRole('option').allInnerTexts()).toEqual(['Select', 'x < 5', 'bold', '(1)/(2)', 'a < b']);
    await menu().selectOption({ label: 'x < 5' });
    expect(await page.value()).toEqual(['x &lt; 5']);
    const review = { score: 0, maxScore: 1, parts: [false], correct: ['<b>bold</b>'] };
    await page.set({ mode: 'review', review });
    expect(await page.question.locator('.review').innerText()).toContain('\nbold');
  });

  it.each([
    ['clozedropdown', { ...question, possible_responses: [['1', '2']] }, ['2']],
    ['gridded', { options: { columns: 2 } }, '2'],
  ])('shows the value that the page sets after several choices of the learner: %s', async (type, each, other) => {
    await page.show({ type, question: each });
    for (const choice of ['1', '', '2', '1']) await menu().selectOption(choice);
    await page.set({ value: null });
    expect(await menu().inputValue()).toBe('');
    await menu().selectOption('1');
    await page.set({ value: other });
    expect(await page.question.getByRole('combobox').last().inputValue()).toBe('2');
  });
});
