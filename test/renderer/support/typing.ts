import { type Case, testCases, testReadOnly } from './suite';

export interface TypingCase extends Case {
  /** The text for each field, by the name of the field. */
  typed: readonly (readonly [field: string, text: string])[];
  /** The maximum number of characters of a field, if it has one. */
  maxLength?: number;
  /** A special character that the question offers below the field. */
  special?: string;
}

/** Text fields: typing, pasting, special characters. */
export function typingSuite(cases: readonly [TypingCase, ...TypingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const field = (name: string) => page.question.getByRole('textbox', { name, exact: true });
    const [name, first] = given.typed[0]!;

    it('can be answered by typing', async () => {
      await page.show(shown);
      await page.leave();
      for (const [each, text] of given.typed) {
        await page.tabTo(field(each));
        await page.page.keyboard.type(text);
      }
      const characters = given.typed.reduce((sum, [, text]) => sum + [...text].length, 0);
      expect(await page.changes()).toHaveLength(characters);
      expect((await page.changes()).at(-1)).toEqual(given.value);
      expect(await page.value()).toEqual(given.value);
    });

    it('can be answered by pasting, after a tap', async () => {
      await page.show(shown);
      for (const [each, pasted] of given.typed) {
        await field(each).tap();
        await page.page.keyboard.insertText(pasted);
      }
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('can be cleared', async () => {
      await page.show({ ...shown, value: given.value });
      for (const [each, text] of given.typed) {
        expect(await field(each).inputValue()).toBe(text);
        await field(each).fill('');
      }
      expect((await page.changes()).at(-1)).toBeNull();
    });

    it('keeps the typed text when the page sets the same value', async () => {
      await page.show(shown);
      await field(name).pressSequentially(first);
      await page.press('Home');
      await page.set({ value: await page.value() });
      await page.press('x');
      expect(await field(name).inputValue()).toBe(`x${first}`);
    });

    testReadOnly(page, shown, async () => {
      await field(name).focus();
      await page.press('x');
      expect(await page.changes()).toEqual([]);
    });

    const { maxLength, special } = given;
    if (maxLength !== undefined)
      it('limits the number of characters', async () => {
        await page.show(shown);
        await field(name).focus();
        await page.page.keyboard.type('x'.repeat(maxLength + 5));
        expect(await field(name).inputValue()).toBe('x'.repeat(maxLength));
      });
    if (special !== undefined)
      it('inserts special characters at the caret', async () => {
        await page.show(shown);
        await field(name).pressSequentially('ab');
        await page.press('ArrowLeft');
        await page.question.getByText('Special characters').first().click();
        await page.question
          .getByRole('button', { name: new RegExp(`^Insert ${special}(,|$)`) })
          .first()
          .click();
        expect(await field(name).inputValue()).toBe(`a${special}b`);
        expect(await page.hasFocus(field(name))).toBe(true);
        await page.picture(`${given.type}-${given.name}-characters`);
        expect(await page.axeViolations()).toEqual([]);
        expect(await page.smallTargets()).toEqual([]);
        await page.resize(320);
        expect(await page.overflow()).toBe(0);
        await page.picture(`${given.type}-${given.name}-characters-narrow`);
        await page.resize();
      });
    if (special !== undefined)
      it('has one tab stop for special characters; arrows move between them, and Escape closes them', async () => {
        await page.show(shown);
        await page.leave();
        const opener = page.question.getByText('Special characters').first();
        await page.tabTo(opener);
        await page.press('Enter');
        const button = page.question.getByRole('button', { name: new RegExp(`^Insert ${special}(,|$)`) }).first();
        await page.press('Tab');
        for (let presses = 0; presses < 90 && !(await page.hasFocus(button)); presses++) await page.press('ArrowRight');
        await page.press('Space');
        expect(await field(name).inputValue()).toBe(special);
        await page.press('Tab', 'Tab', 'Escape');
        expect(await page.hasFocus(opener)).toBe(true);
        expect(await button.isVisible()).toBe(false);
      });
  });
}
