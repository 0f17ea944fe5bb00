import { orderlist } from './cases/orderlist';
import { sortlist } from './cases/sortlist';
import { orderingSuite } from './support/ordering';
import { sortingSuite } from './support/sorting';
import { questionPage, shownOf } from './support/suite';

orderingSuite(orderlist);
sortingSuite(sortlist);

describe('the layout of orderlist', () => {
  const page = questionPage();
  const tops = async (type: string) => {
    const shown = shownOf(orderlist[0]);
    await page.show({ ...shown, question: { ...shown.question, ui_style: { type } } });
    const entries = await page.question.getByRole('listitem').all();
    const boxes = await Promise.all(entries.map((entry) => entry.boundingBox()));
    return new Set(boxes.map((box) => Math.round(box!.y))).size;
  };

  it('has entries in a column or in a row', async () => {
    expect(await tops('button')).toBe(3);
    expect(await tops('list')).toBe(3);
    expect(await tops('unheard of')).toBe(3);
    expect(await tops('inline')).toBe(1);
  });

  it('names entries without words by their numbers', async () => {
    const shown = shownOf(orderlist[0]);
    await page.show({ ...shown, question: { ...shown.question, list: ['<img alt="">', 'Sun'] } });
    const names = await page.question
      .getByRole('button')
      .evaluateAll((found) => found.map((button) => button.getAttribute('aria-label') ?? button.textContent!.trim()));
    expect(names).toEqual([
      'Answer 1',
      'Move Answer 1 up',
      'Move Answer 1 down',
      'Sun',
      'Move Sun up',
      'Move Sun down',
    ]);
    expect(await page.axeViolations()).toEqual([]);
  });
});
