import type { Locator } from 'playwright-core';
import { type Case, testCases, testReadOnly } from './suite';

export interface PlacingCase extends Case {
  /** Names of the responses of the right answer and of their places, `Blank 1 of 2`, in the order of placing. */
  place: readonly (readonly [response: string, place: string])[];
  /** A place that the right answer fills, and a response that no longer fits into it. */
  full?: readonly [response: string, place: string];
}

/** Placing responses: dragging, two presses, keyboard. */
export function placingSuite(cases: readonly [PlacingCase, ...PlacingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const pool = () => page.question.getByRole('group', { name: 'Possible answers', exact: true });
    const response = (name: string) => pool().getByRole('button', { name, exact: true }).first();
    /** The button of a place, whether or not the place is empty. */
    const place = (name: string) => page.question.getByRole('button', { name: new RegExp(`^${name}: `) });
    /** A response in a place: the place itself if it takes only one. */
    const placed = (text: string, name: string): Locator =>
      page.question
        .getByRole('group', { name, exact: true })
        .getByRole('button', { name: text, exact: true })
        .or(page.question.getByRole('button', { name: `${name}: ${text}`, exact: true }))
        .first();
    const answered = async () => {
      const changes = await page.changes();
      expect(changes).toHaveLength(given.place.length);
      expect(changes.at(-1)).toEqual(given.value);
      expect(await page.value()).toEqual(given.value);
    };
    const [text, first] = given.place[0]!;

    it.each<[string, (from: Locator, to: Locator) => Promise<void>]>([
      ['by dragging with the mouse', (from, to) => page.drag(from, to)],
      ['by dragging with a finger', (from, to) => page.touchDrag(from, to)],
      ['by two clicks', (from, to) => from.click().then(() => to.click())],
      ['by two taps', (from, to) => from.tap().then(() => to.tap())],
      [
        'by Tab and Enter',
        async (from, to) => {
          await page.leave();
          await page.tabTo(from);
          await page.press('Enter');
          // The places may come before the responses, so Tab wraps around.
          await page.tabTo(to);
          await page.press('Enter');
        },
      ],
      [
        'by Space and arrows',
        async (from, to) => {
          await page.leave();
          await page.tabTo(from);
          await page.press('Space');
          await page.arrowTo(to);
          await page.press('Space');
        },
      ],
    ])('can be answered %s', async (_way, put) => {
      await page.show(shown);
      for (const [each, at] of given.place) {
        await put(response(each), place(at));
        await page.announced(`${each} placed in ${at}.`);
        expect(await page.hasFocus(place(at))).toBe(true);
      }
      await answered();
    });

    it.each<[string, () => Promise<void>]>([
      ['by Delete', () => placed(text, first).press('Delete')],
      ['by Backspace', () => placed(text, first).press('Backspace')],
      ['by dragging it back', () => page.drag(placed(text, first), pool())],
      ['by a finger', () => page.touchDrag(placed(text, first), pool())],
      [
        'by two clicks',
        async () => {
          await placed(text, first).click();
          await pool().getByRole('button', { name: 'Put back here' }).click();
        },
      ],
      [
        'by keys',
        async () => {
          await page.leave();
          await page.tabTo(placed(text, first));
          await page.press('Space');
          await page.arrowTo(pool().getByRole('button', { name: 'Put back here' }));
          await page.press('Enter');
        },
      ],
    ])('can be cleared %s', async (_way, putBack) => {
      await page.show({ ...shown, value: given.value });
      await putBack();
      await page.announced(`${text} put back.`);
      expect(await page.changes()).toHaveLength(1);
      expect(await page.hasFocus(response(text))).toBe(true);
    });

    it('moves a response from place to place, and returns the response that was there', async () => {
      await page.show(shown);
      const [, other] = given.place.at(-1)!;
      await page.drag(response(text), place(other));
      await page.announced(`${text} placed in ${other}.`);
      if (other === first) return;
      await placed(text, other).click();
      await place(first).click();
      await page.announced(`${text} placed in ${first}.`);
      expect(await place(other).getAttribute('data-response')).toBeNull();
    });

    const { full } = given;
    if (full)
      it('puts no more responses into a place than fit', async () => {
        await page.show({ ...shown, value: given.value });
        await response(full[0]).click();
        await place(full[1]).click();
        await page.announced(`${full[1]} is full.`);
        await page.drag(response(full[0]), place(full[1]));
        expect(await page.changes()).toEqual([]);
      });

    it('deselects a response on Escape, on a second press, or on a drop outside', async () => {
      await page.show(shown);
      await response(text).click();
      expect(await response(text).getAttribute('aria-pressed')).toBe('true');
      await page.announced(`${text} selected.`);
      await page.press('Escape');
      await page.announced(`${text} is no longer selected.`);
      expect(await page.hasFocus(response(text))).toBe(true);
      await response(text).click();
      await response(text).click();
      await place(first).click();
      await page.announced('Select a possible answer first.');
      await page.dragAway(response(text));
      expect(await page.changes()).toEqual([]);
      expect(await response(text).getAttribute('aria-pressed')).toBe('false');
    });

    testReadOnly(page, shown, async () => {
      expect(await page.question.getByRole('button').count()).toBe(0);
    });
  });
}
