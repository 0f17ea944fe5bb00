import { type Case, commonTests, questionPage, shownOf } from './suite';

export interface OrderingCase extends Case {
  /** The second entry, which belongs to the top. */
  up: string;
}

/** Putting a list in order: by buttons, by two presses, by dragging. */
export function orderingSuite(cases: readonly [OrderingCase, ...OrderingCase[]]): void {
  describe.each(cases.map((given) => [`${given.type}, ${given.name}`, given] as const))('%s', (_, given) => {
    const page = questionPage();
    const shown = shownOf(given);
    const entries = () => page.question.getByRole('listitem');
    const entry = (name: string) => page.question.getByRole('button', { name, exact: true });
    const answered = async () => {
      expect((await page.changes()).at(-1)).toEqual(given.value);
      await page.announced(`${given.up} is now 1 of`);
    };

    commonTests(page, given);

    it('is answered by keys', async () => {
      await page.show(shown);
      await page.leave();
      await page.tabTo(page.question.getByRole('button', { name: `Move ${given.up} up`, exact: true }));
      await page.press('Enter');
      await answered();
      // The button that was pressed is at the top now: the focus is on its entry.
      expect(await page.hasFocus(entry(given.up))).toBe(true);
    });

    it('is answered by selecting an entry and then its place', async () => {
      await page.show(shown);
      await entry(given.up).tap();
      await entries().first().getByRole('button').first().tap();
      await answered();
    });

    it('is answered by dragging', async () => {
      await page.show(shown);
      await entry(given.up).dragTo(entries().first());
      await answered();
    });

    it('is not answered when it is read-only', async () => {
      for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
        await page.show({ ...shown, ...readOnly });
        expect(await page.question.getByRole('button').count()).toBe(0);
      }
    });
  });
}
