import { type Case, testCases, testReadOnly } from './suite';

export interface SelectingCase extends Case {
  /** The selected option of each menu, by the name of the menu. */
  chosen: readonly (readonly [menu: string, choice: string])[];
}

/** Menus: mouse and keyboard. */
export function selectingSuite(cases: readonly [SelectingCase, ...SelectingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const menu = (name: string) => page.question.getByRole('combobox', { name, exact: true });

    it('can be answered by mouse', async () => {
      await page.show(shown);
      for (const [name, choice] of given.chosen) await menu(name).selectOption(choice);
      expect(await page.changes()).toHaveLength(given.chosen.length);
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('can be answered by keyboard', async () => {
      await page.show(shown);
      await page.leave();
      for (const [name, choice] of given.chosen) {
        await page.tabTo(menu(name));
        // Arrows, because a browser takes a letter that comes a second after the last one as the first of another word.
        for (let presses = 0; presses < 20 && (await menu(name).inputValue()) !== choice; presses += 1)
          await page.press('ArrowDown');
      }
      expect(await page.value()).toEqual(given.value);
    });

    it('can be cleared', async () => {
      await page.show({ ...shown, value: given.value });
      for (const [name, choice] of given.chosen) {
        expect(await menu(name).inputValue()).toBe(choice);
        await menu(name).selectOption('');
      }
      expect((await page.changes()).at(-1)).toBeNull();
    });

    testReadOnly(page, shown, async () => {
      expect(await menu(given.chosen[0]![0]).isDisabled()).toBe(true);
    });
  });
}
