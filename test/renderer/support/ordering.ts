import type { Json, JsonObject } from '#kernel';
import { type Case, testCases, testReadOnly } from './suite';

export interface OrderingCase extends Case {
  /** The second entry, which belongs at the top. */
  up: string;
  /** The name of the button that moves it there; `Move … up` by default. */
  button?: string;
}

/** Ordering a list: buttons, two presses, moving a grabbed entry by keys, dragging. */
export function orderingSuite(cases: readonly [OrderingCase, ...OrderingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const entries = () => page.question.getByRole('listitem');
    const entry = (name: string) => page.question.getByRole('button', { name, exact: true });
    const answered = async () => {
      expect((await page.changes()).at(-1)).toEqual(given.value);
      await page.announced(`${given.up} is now 1 of`);
    };

    it('can be answered by buttons', async () => {
      await page.show(shown);
      await page.leave();
      await page.tabTo(page.question.getByRole('button', { name: given.button ?? `Move ${given.up} up`, exact: true }));
      await page.press('Enter');
      await answered();
      // The pressed button is at the top now, so the focus is on its entry.
      expect(await page.hasFocus(entry(given.up))).toBe(true);
    });

    it.each(['Enter', 'Space'])(
      'can be answered by grabbing an entry with %s, moving it by arrows, and dropping it',
      async (key) => {
        const last = entries().last();
        const count = await page.show(shown).then(() => entries().count());
        await page.leave();
        await page.tabTo(entry(given.up));
        await page.press(key);
        await page.announced(`${given.up} selected, 2 of ${count}.`);
        expect(await entry(given.up).getAttribute('aria-pressed')).toBe('true');
        for (let place = 3; place <= count; place++) {
          await page.press('ArrowDown');
          await page.announced(`${given.up} is now ${place} of ${count}.`);
        }
        expect(await last.getByRole('button', { name: given.up, exact: true }).count()).toBe(1);
        // At the end of the list, the entry stays where it is.
        const moves = (await page.changes()).length;
        await page.press('ArrowDown');
        expect(await page.changes()).toHaveLength(moves);
        for (let place = count - 1; place >= 1; place--) await page.press('ArrowUp');
        await answered();
        expect(await page.hasFocus(entry(given.up))).toBe(true);
        await page.press(key);
        await page.announced(`${given.up} dropped, 1 of ${count}.`);
        expect(await entry(given.up).getAttribute('aria-pressed')).toBe('false');
        const changes = await page.changes();
        await page.press('ArrowDown');
        expect(await page.changes()).toEqual(changes);
      },
    );

    it.each<[string, Json]>([
      ['without an answer', null],
      ['with an answer', given.wrong],
    ])('returns an entry to its place on Escape, %s', async (_, value) => {
      await page.show({ ...shown, value });
      const before = await page.tree();
      await page.leave();
      await page.tabTo(entry(given.up));
      await page.press('Space', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Escape');
      await page.announced(new RegExp(`^${given.up} put back, \\d of \\d`));
      expect(await page.tree()).toBe(before);
      expect(await page.value()).toEqual(value);
      expect((await page.changes()).at(-1)).toEqual(value);
      expect(await page.hasFocus(entry(given.up))).toBe(true);
    });

    it('can be answered by horizontal arrows in right-to-left text', async () => {
      await page.show({ ...shown, direction: 'rtl' });
      await entry(given.up).focus();
      await page.press('Enter', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'Enter');
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('has handles unless the author disables them', async () => {
      const style = (shown.question.ui_style ?? {}) as JsonObject;
      for (const [wanted, content] of [
        [true, '""'],
        [undefined, '""'],
        [false, 'none'],
      ] as const) {
        const others = { type: style.type ?? null, ...(wanted !== undefined && { show_drag_handle: wanted }) };
        await page.show({ ...shown, question: { ...shown.question, ui_style: others } });
        expect(await page.pseudo(entry(given.up), '::before')).toMatchObject({ content });
      }
    });

    it('ignores a drag that ends outside of the list', async () => {
      await page.show(shown);
      await page.dragAway(entry(given.up));
      expect(await page.changes()).toEqual([]);
    });

    it('can be answered by dragging with a finger', async () => {
      await page.show(shown);
      await page.touchDrag(entry(given.up), entries().first());
      await answered();
    });

    it('can be answered by selecting an entry and then its place', async () => {
      await page.show(shown);
      await entry(given.up).tap();
      await entries().first().getByRole('button').first().tap();
      await answered();
    });

    it('can be answered by dragging', async () => {
      await page.show(shown);
      await entry(given.up).dragTo(entries().first());
      await answered();
    });

    testReadOnly(page, shown, async () => {
      expect(await page.question.getByRole('button').count()).toBe(0);
    });
  });
}
