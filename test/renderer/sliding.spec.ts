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
});
