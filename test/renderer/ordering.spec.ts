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
});
