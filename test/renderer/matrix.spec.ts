import { choicematrix } from './cases/choicematrix';
import { matrixSuite } from './support/matrix';
import { questionPage, shownOf } from './support/suite';

matrixSuite(choicematrix);

describe('the layout of choicematrix', () => {
  const page = questionPage();
  const [plain, table, inline] = choicematrix.map(shownOf);
  const stems = () => page.question.locator('.row:not(.head) .stem');
  const labels = () => page.question.locator('label');
  const box = async (locator: ReturnType<typeof labels>) => (await locator.boundingBox())!;
  const lineAbove = (row: number) =>
    page.question
      .locator('.row:not(.head)')
      .nth(row)
      .evaluate(
        (element) =>
          (globalThis as never as { getComputedStyle(of: unknown): { borderTopWidth: string } }).getComputedStyle(
            element,
          ).borderTopWidth,
      );

  it("has the author's column widths, and lines if the author wants them", async () => {
    await page.show(table!);
    expect((await box(stems().first())).width).toBe(200);
    expect((await box(labels().first())).width).toBe(96);
    expect([await lineAbove(1), await lineAbove(2)]).toEqual(['1px', '1px']);
    await page.show(plain!);
    expect(await lineAbove(1)).toBe('0px');
  });

  it('names options once above a table, and in each row of a list', async () => {
    await page.show(plain!);
    expect(await page.question.getByText('True', { exact: true }).filter({ visible: true }).count()).toBe(1);
    await page.show(inline!);
    expect(await page.question.getByText('blue', { exact: true }).filter({ visible: true }).count()).toBe(2);
  });

  it('names options in each row in a narrow window', async () => {
    await page.resize(320);
    try {
      await page.show(plain!);
      // “True or false?” is beside the question, and is no name of an option.
      expect(await page.question.getByText('True', { exact: true }).filter({ visible: true }).count()).toBe(2);
    } finally {
      await page.resize();
    }
  });

  it('scrolls horizontally when it has too many columns', async () => {
    await page.show({
      type: 'choicematrix',
      question: { stems: ['x'], options: Array.from({ length: 30 }, (_, at) => `${at}`) },
    });
    expect(await page.overflow()).toBe(0);
    expect(await page.axeViolations()).toEqual([]);
  });

  it('reads its definition no more often for many rows than for few', async () => {
    /** Runs in the page. Shows the question again, and returns how often its stems were read. */
    const readsOf = async (element: unknown): Promise<number> => {
      const shown = element as { question: { stems: unknown }; updateComplete: Promise<unknown> };
      const { stems, ...others } = shown.question;
      let reads = 0;
      shown.question = Object.defineProperty({ ...others, stems }, 'stems', { get: () => (reads++, stems) });
      await shown.updateComplete;
      return reads;
    };
    const counts: number[] = [];
    for (const rows of [2, 60]) {
      const stems = Array.from({ length: rows }, (_, at) => `Row ${at}`);
      await page.show({ type: 'choicematrix', question: { stems, options: ['True', 'False'] } });
      counts.push(await page.question.evaluate(readsOf));
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBe(counts[0]);
  });

  it('sanitises each text once: not for each row, nor when it moves to another place of the page', async () => {
    await page.page.evaluate(`{
      const { parseFromString } = DOMParser.prototype;
      globalThis.parses = 0;
      DOMParser.prototype.parseFromString = function (...text) {
        parses++;
        return parseFromString.apply(this, text);
      };
      globalThis.putBack = () => (DOMParser.prototype.parseFromString = parseFromString);
    }`);
    const parses = () => page.page.evaluate<number>('parses');
    try {
      const stems = Array.from({ length: 60 }, (_, at) => `Line ${at}`);
      await page.show({ type: 'choicematrix', question: { stems, options: ['Yes', 'Never'] } });
      expect(await parses()).toBeLessThan(65);
      const before = await parses();
      await page.page.evaluate(`{
        const shown = document.querySelector('#shown');
        shown.replaceWith(document.createElement('p'));
        document.querySelector('#questions').append(shown);
      }`);
      await page.question.getByRole('radio').first().click();
      expect(await page.changes()).toHaveLength(1);
      expect(await parses()).toBe(before);
    } finally {
      await page.page.evaluate('putBack()');
    }
  });
});
