import { type Case, commonTests, questionPage, shownOf } from './suite';

export interface MatrixCase extends Case {
  role: 'radio' | 'checkbox';
  /** What is chosen in which row. */
  choose: readonly (readonly [row: string, option: string])[];
}

/** Choosing in the rows of a table: by mouse, finger and keys. */
export function matrixSuite(cases: readonly [MatrixCase, ...MatrixCase[]]): void {
  describe.each(cases.map((given) => [`${given.type}, ${given.name}`, given] as const))('%s', (_, given) => {
    const page = questionPage();
    const shown = shownOf(given);
    const group = given.role === 'radio' ? 'radiogroup' : 'group';
    const rows = () => page.question.getByRole(group);
    const choice = (row: number, name: string) => rows().nth(row).getByRole(given.role, { name, exact: true });

    commonTests(page, given);

    it('is answered by mouse and by finger', async () => {
      await page.show(shown);
      for (const [row, [, option]] of given.choose.entries())
        await (row % 2 === 0 ? choice(row, option).click() : choice(row, option).tap());
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('is answered by keys', async () => {
      await page.show(shown);
      await page.leave();
      for (const [row, [, option]] of given.choose.entries()) {
        await page.press('Tab');
        const count = await rows().nth(row).getByRole(given.role).count();
        for (let press = 0; press < count && !(await choice(row, option).isChecked()); press += 1)
          await page.press(press === 0 ? 'Space' : 'ArrowDown');
      }
      expect(await page.value()).toEqual(given.value);
    });

    it('is not answered when it is read-only', async () => {
      for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
        await page.show({ ...shown, ...readOnly });
        expect(await choice(0, given.choose[0]![1]).isDisabled()).toBe(true);
      }
    });
  });
}
