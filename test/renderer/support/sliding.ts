import { type Case, testCases, testReadOnly } from './suite';

export interface SlidingCase extends Case {
  /** Names of points, and the key that moves each by one step from the middle to its right place. */
  slid: readonly (readonly [point: string, key: 'ArrowLeft' | 'ArrowRight'])[];
}

/** Points on a line: mouse, touch and keyboard. */
export function slidingSuite(cases: readonly [SlidingCase, ...SlidingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const slider = (name: string) => page.question.getByRole('slider', { name, exact: true });
    const put = (name: string) => page.question.getByRole('button', { name: `Put ${name} on the line`, exact: true });

    it('can be answered by keyboard', async () => {
      await page.show(shown);
      await page.leave();
      for (const [name, key] of given.slid) {
        await page.tabTo(put(name));
        await page.press('Enter');
        expect(await page.hasFocus(slider(name))).toBe(true);
        await page.press(key);
      }
      expect(await page.value()).toEqual(given.value);
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    it('can be answered by mouse and by touch', async () => {
      await page.show(shown);
      for (const [name] of given.slid) await put(name).tap();
      for (const [name, key] of given.slid) {
        const box = (await slider(name).boundingBox())!;
        await page.page.mouse.click(box.x + box.width * (key === 'ArrowLeft' ? 0.26 : 0.74), box.y + box.height / 2);
      }
      expect(await page.value()).toEqual(given.value);
    });

    it('can be cleared, and keeps the focus at the point', async () => {
      await page.show({ ...shown, value: given.value });
      for (const [name] of given.slid) {
        await page.question.getByRole('button', { name: `Take ${name} off the line`, exact: true }).press('Enter');
        await page.value();
        expect(await page.hasFocus(put(name))).toBe(true);
      }
      expect((await page.changes()).at(-1)).toBeNull();
    });

    testReadOnly(page, shown, async () => {
      expect(await put(given.slid[0]![0]).isDisabled()).toBe(true);
    });
  });
}
