import { type Case, testCases, testReadOnly } from './suite';

export interface ChoosingCase extends Case {
  role: 'radio' | 'checkbox';
  /** Names of the options of the right answer, in the order in which the test selects them. */
  choose: readonly string[];
  /** One option more than the limit, if there is a limit. */
  tooMany?: string;
}

/** Radio buttons and checkboxes: mouse, touch and keyboard. */
export function choosingSuite(cases: readonly [ChoosingCase, ...ChoosingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const option = (name: string) => page.question.getByRole(given.role, { name, exact: true });
    const textOf = (name: string) =>
      page.question.locator('label').filter({ has: page.page.getByRole(given.role, { name, exact: true }) });
    const answered = async () => {
      expect((await page.changes()).at(-1)).toEqual(given.value);
      expect(await page.value()).toEqual(given.value);
      for (const name of given.choose) expect(await option(name).isChecked()).toBe(true);
    };

    it('can be answered by mouse', async () => {
      await page.show(shown);
      for (const name of given.choose) await option(name).click();
      expect(await page.changes()).toHaveLength(given.choose.length);
      await answered();
    });

    it('can be answered by touch, on the text of an option', async () => {
      await page.show(shown);
      for (const name of given.choose) await textOf(name).tap();
      await answered();
    });

    it('can be answered by keyboard', async () => {
      await page.show(shown);
      await page.leave();
      for (const name of given.choose) {
        if (given.role === 'checkbox') {
          await page.tabTo(option(name));
          await page.press('Space');
          continue;
        }
        // Tab moves into a group of radio buttons, arrows move within it.
        await page.press('Tab');
        const all = await page.question.getByRole('radio').all();
        for (let presses = 0; presses < all.length && !(await option(name).isChecked()); presses++)
          await page.press(presses === 0 ? 'Space' : 'ArrowDown');
      }
      await answered();
    });

    testReadOnly(page, shown, async () => {
      await option(given.choose[0]!).click({ force: true });
      expect(await page.changes()).toEqual([]);
    });

    if (given.role === 'checkbox')
      it('can be cleared', async () => {
        await page.show({ ...shown, value: given.value });
        for (const name of given.choose) await option(name).click();
        expect((await page.changes()).at(-1)).toBeNull();
      });

    const { tooMany } = given;
    if (tooMany !== undefined)
      it('allows only as many options as the limit, and says so', async () => {
        await page.show({ ...shown, value: given.value });
        await option(tooMany).click();
        expect(await option(tooMany).isChecked()).toBe(false);
        expect(await page.changes()).toEqual([]);
        await page.announced('the most');
      });
  });
}
