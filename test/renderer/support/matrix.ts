import { type Case, testCases, testReadOnly } from './suite';

export interface MatrixCase extends Case {
  role: 'radio' | 'checkbox';
  /** The selected option of each row, in the order of the page. */
  choose: readonly (readonly [row: string, option: string])[];
}

/** Selections in the rows of a table: mouse, touch and keyboard. */
export function matrixSuite(cases: readonly [MatrixCase, ...MatrixCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const group = given.role === 'radio' ? 'radiogroup' : 'group';
    const row = (name: string) => page.question.getByRole(group, { name, exact: true });
    const choice = ([name, option]: readonly [string, string]) =>
      row(name).getByRole(given.role, { name: option, exact: true });

    it('can be answered by mouse and by touch', async () => {
      await page.show(shown);
      for (const [at, each] of given.choose.entries()) await (at % 2 === 0 ? choice(each).click() : choice(each).tap());
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('can be answered by keyboard', async () => {
      await page.show(shown);
      await page.leave();
      for (const each of given.choose) {
        if (given.role === 'checkbox') {
          await page.tabTo(choice(each));
          await page.press('Space');
          continue;
        }
        await page.press('Tab');
        const count = await row(each[0]).getByRole(given.role).count();
        for (let press = 0; press < count && !(await choice(each).isChecked()); press += 1)
          await page.press(press === 0 ? 'Space' : 'ArrowDown');
      }
      expect(await page.value()).toEqual(given.value);
    });

    if (given.role === 'checkbox')
      it('can be cleared', async () => {
        await page.show({ ...shown, value: given.value });
        for (const each of given.choose) await choice(each).click();
        expect((await page.changes()).at(-1)).toBeNull();
      });

    testReadOnly(page, shown, async () => {
      expect(await choice(given.choose[0]!).isDisabled()).toBe(true);
    });
  });
}
