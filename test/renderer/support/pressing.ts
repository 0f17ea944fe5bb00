import { type Case, commonTests, questionPage, shownOf } from './suite';

export interface PressingCase extends Case {
  /** Names of the buttons of the right answer. */
  press: readonly string[];
}

/** Pressing buttons that stay pressed: by mouse, finger and keys. */
export function pressingSuite(cases: readonly [PressingCase, ...PressingCase[]]): void {
  describe.each(cases.map((given) => [`${given.type}, ${given.name}`, given] as const))('%s', (_, given) => {
    const page = questionPage();
    const shown = shownOf(given);
    const button = (name: string) => page.question.getByRole('button', { name, exact: true });

    commonTests(page, given);

    it('is answered by mouse', async () => {
      await page.show(shown);
      for (const name of given.press) await button(name).click();
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('is answered by finger, and taken back', async () => {
      await page.show(shown);
      for (const name of given.press) await button(name).tap();
      expect((await page.changes()).at(-1)).toEqual(given.value);
      for (const name of given.press) await button(name).tap();
      expect((await page.changes()).at(-1)).toBeNull();
    });

    it('is answered by keys', async () => {
      await page.show(shown);
      await page.leave();
      for (const name of given.press) {
        await page.tabTo(button(name));
        await page.press('Space');
      }
      expect(await page.value()).toEqual(given.value);
    });

    it('is not answered when it is read-only', async () => {
      for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
        await page.show({ ...shown, ...readOnly });
        expect(await button(given.press[0]!).isDisabled()).toBe(true);
      }
    });
  });
}
