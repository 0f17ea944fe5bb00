import { type Case, commonTests, questionPage, shownOf } from './suite';

export interface ChoosingCase extends Case {
  role: 'radio' | 'checkbox';
  /** Names of the options of the right answer, in the order in which they are chosen. */
  choose: readonly string[];
  /** One more than may be chosen, where there is a most. */
  tooMany?: string;
}

/** Choosing by radio buttons and checkboxes: by mouse, finger and keys. */
export function choosingSuite(cases: readonly [ChoosingCase, ...ChoosingCase[]]): void {
  describe.each(cases.map((given) => [`${given.type}, ${given.name}`, given] as const))('%s', (_, given) => {
    const page = questionPage();
    const option = (name: string) => page.question.getByRole(given.role, { name, exact: true });
    const textOf = (name: string) =>
      page.question.locator('label').filter({ has: page.page.getByRole(given.role, { name, exact: true }) });
    const shown = shownOf(given);
    const answered = async () => {
      expect((await page.changes()).at(-1)).toEqual(given.value);
      expect(await page.value()).toEqual(given.value);
      for (const name of given.choose) expect(await option(name).isChecked()).toBe(true);
    };

    commonTests(page, given);

    it('is answered by mouse', async () => {
      await page.show(shown);
      for (const name of given.choose) await option(name).click();
      expect(await page.changes()).toHaveLength(given.choose.length);
      await answered();
    });

    it('is answered by finger, on the text of an option', async () => {
      await page.show(shown);
      for (const name of given.choose) await textOf(name).tap();
      await answered();
    });

    it('is answered by keys', async () => {
      await page.show(shown);
      await page.leave();
      for (const name of given.choose) {
        if (given.role === 'checkbox') {
          await page.tabTo(option(name));
          await page.press('Space');
          continue;
        }
        // Tab leads into a group of radio buttons, arrows through it.
        await page.press('Tab');
        const all = await page.question.getByRole('radio').all();
        for (let presses = 0; presses < all.length && !(await option(name).isChecked()); presses++)
          await page.press(presses === 0 ? 'Space' : 'ArrowDown');
      }
      await answered();
    });

    it('is not answered when it is read-only', async () => {
      for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
        await page.show({ ...shown, ...readOnly });
        await option(given.choose[0]!).click({ force: true });
        expect(await page.changes()).toEqual([]);
      }
    });

    if (given.role === 'checkbox')
      it('is taken back', async () => {
        await page.show({ ...shown, value: given.value });
        for (const name of given.choose) await option(name).click();
        expect((await page.changes()).at(-1)).toBeNull();
      });

    const { tooMany } = given;
    if (tooMany !== undefined)
      it('has at most as many as may be chosen, and says so', async () => {
        await page.show({ ...shown, value: given.value });
        await option(tooMany).click();
        expect(await option(tooMany).isChecked()).toBe(false);
        expect(await page.changes()).toEqual([]);
        await page.announced('the most');
      });
  });
}
