import { type Case, testCases, testReadOnly } from './suite';

export interface PressingCase extends Case {
  /** Names of the buttons of the right answer. */
  press: readonly string[];
  /** One button more than the limit, if there is a limit. */
  tooMany?: string;
}

/** Toggle buttons: mouse, touch and keyboard. */
export function pressingSuite(cases: readonly [PressingCase, ...PressingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const button = (name: string) => page.question.getByRole('button', { name, exact: true });

    it('can be answered by mouse', async () => {
      await page.show(shown);
      for (const name of given.press) await button(name).click();
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('can be answered by touch, and cleared', async () => {
      await page.show(shown);
      for (const name of given.press) await button(name).tap();
      expect((await page.changes()).at(-1)).toEqual(given.value);
      for (const name of given.press) await button(name).tap();
      expect((await page.changes()).at(-1)).toBeNull();
    });

    it('can be answered in a narrow window, from right to left', async () => {
      await page.resize(320);
      try {
        await page.show({ ...shown, direction: 'rtl' });
        for (const name of given.press) await button(name).tap();
        expect(await page.value()).toEqual(given.value);
      } finally {
        await page.resize();
      }
    });

    it('can be answered by keyboard', async () => {
      await page.show(shown);
      for (const [at, name] of given.press.entries()) {
        await page.leave();
        await page.tabTo(button(name));
        await page.press(at % 2 === 0 ? 'Space' : 'Enter');
      }
      expect(await page.value()).toEqual(given.value);
    });

    testReadOnly(page, shown, async () => {
      expect(await button(given.press[0]!).isDisabled()).toBe(true);
      await button(given.press[0]!).click({ force: true });
      expect(await page.changes()).toEqual([]);
    });

    const { tooMany } = given;
    if (tooMany !== undefined)
      it('allows only as many buttons as the limit, and says so', async () => {
        await page.show({ ...shown, value: given.value });
        await button(tooMany).click();
        expect(await button(tooMany).getAttribute('aria-pressed')).toBe('false');
        expect(await page.changes()).toEqual([]);
        await page.announced('the most');
      });
  });
}
