import type { JsonObject } from '#kernel';
import { numberline } from './cases/numberline';
import { slidingSuite } from './support/sliding';
import { questionPage } from './support/suite';

slidingSuite(numberline);

describe('a number line', () => {
  const page = questionPage();

  it("has the author's title above it", async () => {
    const line = { min: 0, max: 20, title: 'Degrees in <i>Kelvin</i>' };
    await page.show({ type: 'numberline', question: { line, points: ['A'] } });
    const title = (await page.question.getByText('Degrees in Kelvin').boundingBox())!;
    const drawing = (await page.question.locator('.line').boundingBox())!;
    expect(title.y + title.height).toBeLessThanOrEqual(drawing.y);
    expect(await page.axeViolations()).toEqual([]);
  });

  /** Puts the point A in the middle of the line, presses these keys, and gives its text and position. */
  async function moved(question: JsonObject, ...keys: string[]) {
    await page.show({ type: 'numberline', question: { points: ['A'], ...question } });
    await page.question.getByRole('button', { name: 'Put A on the line' }).click();
    await page.press(...keys);
    const text = await page.question.getByRole('slider').getAttribute('aria-valuetext');
    expect(await page.question.locator('output').textContent()).toBe(text);
    const [placed] = (await page.value()) as { position: number }[];
    return [text, placed!.position];
  }

  it.each([
    [undefined, '2 2/4'],
    ['not-normalized-fractions', '2 2/4'],
    ['normalized-fractions', '2 1/2'],
    ['improper-fractions', '10/4'],
  ])('has ticks at fractions, which are named in the form %s: %s', async (fractions, text) => {
    const question = { line: { min: 1, max: 3 }, ticks: { distance: '1/4', fractions }, snap_to_ticks: true };
    expect(await moved(question as JsonObject, 'ArrowRight', 'ArrowRight')).toEqual([text, 2.5]);
  });

  it('names whole and negative numbers on a line of fractions', async () => {
    const question = { line: { min: -2, max: 2 }, ticks: { distance: '1/3' }, snap_to_ticks: true };
    expect(await moved(question)).toEqual(['0', 0]);
    expect(await moved(question, 'ArrowLeft')).toEqual(['-1/3', -0.333333333333]);
    expect(await moved(question, 'Home')).toEqual(['-2', -2]);
    expect(await moved(question, 'End')).toEqual(['2', 2]);
  });

  it('begins its ticks at its least value, or counts them from zero', async () => {
    const question = { line: { min: -1.5, max: 2 }, snap_to_ticks: true };
    expect(await moved({ ...question, ticks: { distance: 1 } }, 'Home', 'ArrowRight')).toEqual(['-0.5', -0.5]);
    const fromZero = { ...question, ticks: { distance: 1, base: 'zero-based' } };
    expect(await moved(fromZero, 'Home')).toEqual(['-1', -1]);
    expect(await moved(fromZero, 'Home', 'ArrowRight')).toEqual(['0', 0]);
    expect(await moved(fromZero, 'End')).toEqual(['2', 2]);
  });

  it('lets points keep to ticks that are too many to be drawn', async () => {
    const question = { line: { min: 0, max: 100 }, ticks: { distance: '.1' }, snap_to_ticks: true };
    expect(await moved(question, 'ArrowLeft')).toEqual(['49.9', 49.9]);
  });

  it.each<[shows: string, question: JsonObject, labels: string[]]>([
    [
      'evenly spread ones',
      { line: { min: 0, max: 20 } },
      ['0', '2', '4', '6', '8', '10', '12', '14', '16', '18', '20'],
    ],
    [
      'only its ends',
      {
        line: { min: 0, max: 3 },
        ticks: { distance: '.2' },
        labels: { frequency: 20, show_min: true, show_max: true },
      },
      ['0', '3'],
    ],
    [
      'every fourth',
      { line: { min: 0, max: 2 }, ticks: { distance: 0.25 }, labels: { frequency: 4 } },
      ['0', '1', '2'],
    ],
    [
      'those at given points',
      { line: { min: -1, max: 2 }, ticks: { distance: 0.5 }, labels: { points: '-1/2, 1 1/2, 5', show_max: true } },
      ['-1/2', '1 1/2', '2'],
    ],
    ['fractions', { line: { min: 0, max: 1 }, ticks: { distance: '1/4' } }, ['0', '1/4', '2/4', '3/4', '1']],
  ])('has the labels that its author chose: %s', async (_, question, labels) => {
    await page.show({ type: 'numberline', question: { ...question, points: ['A'] } });
    expect(await page.question.locator('.line text').allTextContents()).toEqual(labels);
  });

  it.each([
    [{}, 2],
    [{ left_arrow: false, right_arrow: true }, 1],
    [{ left_arrow: false }, 0],
    [{ arrows: false }, 0],
  ])('has the arrows that its author chose: %j', async (line, count) => {
    await page.show({ type: 'numberline', question: { line, points: ['A'] } });
    expect(await page.question.locator('.line path').count()).toBe(count);
  });
});
