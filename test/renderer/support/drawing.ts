import { type Case, testCases, testReadOnly } from './suite';

export interface DrawingCase extends Case {
  /** Names of controls, and the key to press at each, in the order that produces the value. */
  keys: readonly (readonly [role: 'slider' | 'button' | 'radio', name: string, key: string])[];
}

interface Stroke {
  points: { x: number; y: number }[];
}

/** Drawing on an image: mouse, touch and keyboard. */
export function drawingSuite(cases: readonly [DrawingCase, ...DrawingCase[]]): void {
  testCases(cases, (page, given, shown) => {
    const button = (name: string) => page.question.getByRole('button', { name, exact: true });
    const surface = async () => {
      const image = page.question.locator('.picture img');
      await image.scrollIntoViewIfNeeded();
      await image.evaluate((element) => (element as unknown as { decode(): Promise<void> }).decode());
      return (await image.boundingBox())!;
    };
    const last = async () => (await page.changes()).at(-1) as unknown as Stroke[];

    it('can be drawn by mouse, and cleared', async () => {
      await page.show(shown);
      const { x, y, width, height } = await surface();
      const { mouse } = page.page;
      await mouse.move(x + width * 0.2, y + height * 0.5);
      await mouse.down();
      await mouse.move(x + width * 0.6, y + height * 0.5, { steps: 4 });
      // A mouse outside of the image draws on its edge.
      await mouse.move(x + width * 0.6, y + height + 50, { steps: 2 });
      expect(await page.changes()).toEqual([]);
      await mouse.up();
      expect(await page.changes()).toHaveLength(1);
      const [{ points }] = (await last()) as [Stroke];
      expect(points[0]!.x).toBeCloseTo(20, 0);
      expect(points.at(-1)!.x).toBeCloseTo(60, 0);
      expect(points.at(-1)!.y).toBe(100);
      await page.announced('Marks: 1');
      await mouse.click(x + width * 0.9, y + height * 0.1);
      const [, dot] = await last();
      expect(dot!.points).toHaveLength(1);
      await button('Take the last mark away').click();
      expect(await last()).toHaveLength(1);
      await button('Take all marks away').click();
      expect(await last()).toBeNull();
      await button('Take all marks away').click();
      expect(await page.changes()).toHaveLength(4);
    });

    it('can be drawn by touch, while the page does not scroll', async () => {
      await page.show(shown);
      const { x, y, width, height } = await surface();
      await page.page.touchscreen.tap(x + width * 0.5, y + height * 0.5);
      expect((await last())[0]!.points).toHaveLength(1);
      await page.touchLine({ x: x + width * 0.3, y: y + height * 0.9 }, { x: x + width * 0.3, y: y + height * 0.1 });
      const [, line] = await last();
      expect(line!.points.at(-1)!.y).toBeLessThan(20);
      expect(await page.page.evaluate('scrollY')).toBe(0);
    });

    it('can be answered by keyboard', async () => {
      await page.show(shown);
      await page.leave();
      for (const [role, name, key] of given.keys) {
        const control = page.question.getByRole(role, { name, exact: true });
        if (!(await page.hasFocus(control))) {
          await page.leave();
          await page.tabTo(control);
        }
        await page.press(key);
      }
      expect(await page.value()).toEqual(given.value);
      expect((await page.changes()).at(-1)).toEqual(given.value);
    });

    testReadOnly(page, shown, async () => {
      const { x, y, width, height } = await surface();
      await page.page.mouse.click(x + width / 2, y + height / 2);
      for (const control of await page.question.locator('button, input').all())
        expect(await control.isDisabled()).toBe(true);
      expect(await page.changes()).toEqual([]);
    });
  });
}
