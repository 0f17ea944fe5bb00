import type { Json } from '#kernel';
import { type Case, testCases, testReadOnly } from './suite';

export interface SortingCase extends Case {
  /** Names of the three entries in the right order, which differs from the initial one. */
  order: readonly [string, string, string];
  value: readonly number[] & Json;
}

/** Moving entries between two ordered lists: buttons, two presses, keyboard, dragging. */
export function sortingSuite(cases: readonly [SortingCase, ...SortingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const list = (name: string) => page.question.getByRole('list', { name, exact: true });
    const target = () => list('Your order');
    const entry = (name: string) => page.question.getByRole('button', { name, exact: true });
    const button = (name: string) => page.question.getByRole('button', { name, exact: true });
    const position = (name: string) => given.value[given.order.indexOf(name)]!;
    const [first, second, third] = given.order;
    const [one, two, three] = [position(first), position(second), position(third)];
    /** Moves all three into the target, from the end of the right order. */
    const backwards = { ...shown, value: [three, two, one] };

    it('can be answered by the buttons between the lists, and up and down', async () => {
      await page.show(shown);
      await page.leave();
      for (const [at, name] of [third, second, first].entries()) {
        await page.tabTo(button(`Move ${name} to “Your order”`));
        await page.press('Enter');
        await page.announced(`${name} is now ${at + 1} of ${at + 1} in “Your order”.`);
        expect(await page.hasFocus(entry(name))).toBe(true);
      }
      await page.tabTo(button(`Move ${first} up`));
      await page.press('Enter');
      await page.announced(`${first} is now 2 of 3 in “Your order”.`);
      expect(await page.hasFocus(button(`Move ${first} up`))).toBe(true);
      await page.press('Enter');
      // The pressed button is at the top now.
      expect(await page.hasFocus(entry(first))).toBe(true);
      await page.tabTo(button(`Move ${third} down`));
      await page.press('Enter');
      expect(await page.changes()).toEqual([
        [three],
        [three, two],
        [three, two, one],
        [three, one, two],
        [one, three, two],
        given.value,
      ]);
    });

    it('returns entries by a button, in their initial order', async () => {
      await page.show(backwards);
      for (const name of [first, third, second]) {
        await button(`Move ${name} to “Entries”`).click();
        await page.announced(new RegExp(`^${name} is now \\d of \\d in “Entries”\\.`));
        expect(await page.hasFocus(entry(name))).toBe(true);
      }
      expect(await page.changes()).toEqual([[three, two], [two], null]);
      expect(await page.attempted()).toBe('not_attempted');
      await page.show(shown);
      const untouched = await page.tree();
      await page.show({ ...shown, value: [] });
      expect(await page.tree()).toBe(untouched);
    });

    it.each([
      ['with the mouse', 'drag'],
      ['with a finger', 'touchDrag'],
    ] as const)('can be answered by dragging %s, into the empty list, onto entries, and back', async (_way, by) => {
      await page.show(shown);
      await page[by](entry(second), page.question.getByText('empty'));
      await page[by](entry(third), page.question.getByText('Your order', { exact: true }));
      await page[by](entry(first), entry(second));
      expect(await page.changes()).toEqual([[two], [two, three], given.value]);
      await page[by](entry(second), page.question.getByText('Entries', { exact: true }));
      expect(await page.value()).toEqual([one, three]);
      // A drop beside the entries of its own list leaves an entry in its place.
      await page[by](entry(first), page.question.getByText('Your order', { exact: true }));
      await page.dragAway(entry(first));
      expect(await page.value()).toEqual([one, three]);
    });

    it.each(['click', 'tap'] as const)('can be answered by pressing an entry and then its place: %s', async (press) => {
      await page.show({ ...shown, value: [two, three] });
      await entry(first)[press]();
      await entry(second)[press]();
      await page.announced(`${first} is now 1 of 3 in “Your order”.`);
      expect(await page.changes()).toEqual([given.value]);
    });

    it('can be answered by grabbing an entry, moving it by arrows, and dropping it', async () => {
      await page.show({ ...shown, value: [two, three] });
      await page.leave();
      await page.tabTo(entry(first));
      await page.press('Space');
      await page.announced(`${first} selected, 1 of 1 in “Entries”.`);
      await page.press('ArrowRight');
      await page.announced(`${first} is now 3 of 3 in “Your order”.`);
      await page.press('ArrowUp', 'ArrowUp', 'ArrowUp');
      await page.announced(`${first} is now 1 of 3 in “Your order”.`);
      await page.press('Space');
      await page.announced(`${first} dropped, 1 of 3 in “Your order”.`);
      expect(await page.value()).toEqual(given.value);
      await page.press('Enter', 'ArrowLeft', 'Enter');
      await page.announced(`${first} dropped, 1 of 1 in “Entries”.`);
      expect(await page.value()).toEqual([two, three]);
      expect(await page.hasFocus(entry(first))).toBe(true);
    });

    it('moves an entry to the other list by the arrow towards it in right-to-left text', async () => {
      await page.show({ ...shown, direction: 'rtl' });
      await entry(first).focus();
      await page.press('Enter', 'ArrowRight');
      expect(await page.changes()).toEqual([]);
      await page.press('ArrowLeft');
      expect(await page.changes()).toEqual([[one]]);
    });

    it('returns an entry to its place on Escape', async () => {
      for (const value of [null, [three, one]]) {
        await page.show({ ...shown, value });
        const before = await page.tree();
        await entry(first).focus();
        await page.press('Enter', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Escape');
        await page.announced(new RegExp(`^${first} put back, `));
        expect(await page.value()).toEqual(value);
        expect(await page.tree()).toBe(before);
        expect(await page.hasFocus(entry(first))).toBe(true);
      }
    });

    testReadOnly(page, { ...shown, value: [one] }, async () => {
      expect(await page.question.getByRole('button').count()).toBe(0);
      expect(await target().getByRole('listitem').allTextContents()).toEqual([expect.stringContaining(first)]);
    });
  });
}
