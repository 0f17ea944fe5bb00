import { hotspot } from './cases/hotspot';
import { mcq } from './cases/mcq';
import { rating } from './cases/rating';
import { choosingSuite } from './support/choosing';
import { questionPage, shownOf } from './support/suite';

choosingSuite(mcq);
choosingSuite(hotspot);
choosingSuite(rating);

/** The image of a hotspot, on which learners see and press areas. */
describe('hotspot, the areas on the image', () => {
  const page = questionPage();
  const coloured = shownOf(hotspot[1]!);
  const area = (at: number) => page.question.locator('.area').nth(at);
  const look = (at: number, property: string) =>
    area(at).evaluate(
      (polygon, name) =>
        (globalThis as never as { getComputedStyle(of: unknown): Record<string, string> }).getComputedStyle(polygon)[
          name
        ],
      property,
    );
  const badges = () => page.question.locator('.badge');

  it("have the author's colours, for all areas or for one", async () => {
    await page.show(coloured);
    expect(await look(0, 'fill')).toBe('rgba(255, 255, 255, 0.2)');
    expect(await look(0, 'stroke')).toBe('rgb(255, 255, 255)');
    expect(await look(1, 'fill')).toBe('rgba(200, 0, 0, 0.3)');
    expect(await look(2, 'stroke')).toBe('rgb(255, 204, 0)');
    // An address is not a colour, so nothing is fetched.
    expect(await look(3, 'stroke')).toMatch(/^rgb\(/);
    expect(await page.complaints()).toEqual([]);
  });

  it('are selected and deselected by a press on the image, up to the limit', async () => {
    await page.show(coloured);
    await area(0).click();
    await area(3).tap();
    expect(await page.changes()).toEqual([['0'], ['0', '3']]);
    await area(2).click();
    expect(await page.changes()).toHaveLength(2);
    await page.announced('the most');
    await area(0).click();
    expect((await page.changes()).at(-1)).toEqual(['3']);
    await page.show({ ...coloured, disabled: true });
    await area(0).click();
    expect(await page.changes()).toEqual([]);
  });

  it('show which entry of the list they belong to', async () => {
    await page.show(coloured);
    await page.leave();
    await page.press('Tab', 'Tab');
    expect(
      await page.question
        .locator('g')
        .evaluateAll((all) =>
          all.map((each) =>
            (each as never as { classList: { contains(name: string): boolean } }).classList.contains('is-shown'),
          ),
        ),
    ).toEqual([false, true, false, false]);
  });

  it('have a symbol when they are selected, and their marks in review', async () => {
    await page.show({ ...coloured, value: ['2'] });
    expect(await badges().count()).toBe(1);
    const { x, y, width, height } = (await area(2).boundingBox())!;
    const badge = (await badges().boundingBox())!;
    expect(badge.x + badge.width / 2).toBeCloseTo(x + width / 2, -1);
    expect(badge.y + badge.height / 2).toBeCloseTo(y + height / 2, -1);
    await page.set({ mode: 'review', value: ['0', '2'], review: hotspot[1]!.review });
    expect((await badges().allTextContents()).map((text) => text.trim())).toEqual(['Incorrect', 'Correct', 'Missed']);
  });
});

describe('the layout of mcq', () => {
  const page = questionPage();
  const [, , below, boxes] = mcq.map(shownOf);
  /** The option at each place of a grid, row by row, by positions on the page. */
  const rows = async () => {
    const found: { x: number; y: number; text: string }[] = [];
    for (const option of await page.question.locator('.option').all()) {
      const { x, y } = (await option.boundingBox())!;
      found.push({ x, y, text: (await option.innerText()).trim().split(/\s/)[0]! });
    }
    const tops = [...new Set(found.map(({ y }) => y))].sort((one, other) => one - other);
    return tops.map((top) => {
      const row = found.filter(({ y }) => y === top).sort((one, other) => one.x - other.x);
      return row.map(({ text }) => text);
    });
  };

  it('fills columns one after the other, or row by row', async () => {
    await page.show(below!);
    expect(await rows()).toEqual([
      ['1', '3', '5'],
      ['2', '4'],
    ]);
    await page.show(boxes!);
    expect(await rows()).toEqual([['1', '2'], ['3']]);
    await page.resize(320);
    expect(await rows()).toEqual([['1'], ['2'], ['3']]);
    await page.resize();
  });

  it('names options without words by their numbers', async () => {
    const pictures = ['<img alt="">', '<p><img></p>', '<img alt="An oak">', '<b>Fir</b>'];
    const names = () =>
      page.question.getByRole('radio').evaluateAll((found) => found.map((radio) => radio.getAttribute('aria-label')));
    const options = pictures.map((label, at) => ({ label, value: String(at) }));
    await page.show({ type: 'mcq', question: { stimulus: 'Which?', options } });
    expect(await names()).toEqual(['Answer 1', 'Answer 2', null, null]);
    expect(await page.axeViolations(['label'])).toEqual([]);
    await page.show({ type: 'choicematrix', question: { options: pictures, stems: ['Green'] } });
    expect(await names()).toEqual(['Answer 1', 'Answer 2', 'An oak', 'Fir']);
  });

  it('has the checkboxes below the options if the author wants that', async () => {
    await page.show(below!);
    const box = (await page.question.getByRole('checkbox').first().boundingBox())!;
    const text = (await page.question.locator('.option .content').first().boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(text.y + text.height);
  });

  it('shows the number of selected options and of required further ones', async () => {
    await page.show(below!);
    const option = (name: string) => page.question.getByRole('checkbox', { name, exact: true });
    await option('1').click();
    await page.announced('1 chosen. Choose at least 2.');
    await option('3').click();
    await page.announced(/^2 chosen$/);
    await option('1').click();
    await page.announced('1 chosen. Choose at least 2.');
  });
});
