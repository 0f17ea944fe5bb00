import { clozedropdown } from './cases/clozedropdown';
import { gridded } from './cases/gridded';
import { imageclozedropdown } from './cases/imageclozedropdown';
import { selectingSuite } from './support/selecting';
import { questionPage, shownOf } from './support/suite';

selectingSuite(clozedropdown);
selectingSuite(gridded);
selectingSuite(imageclozedropdown);

describe('a menu in review', () => {
  const page = questionPage();

  it('shows the answer as clearly as the text around it', async () => {
    const [given] = clozedropdown;
    await page.show({ ...shownOf(given), mode: 'review', value: given.value, review: given.review });
    const menu = page.question.getByRole('combobox').first();
    expect(await menu.isDisabled()).toBe(true);
    const opacity = await menu.evaluate(
      (element) =>
        (globalThis as never as { getComputedStyle(of: unknown): { opacity: string } }).getComputedStyle(element)
          .opacity,
    );
    expect(opacity).toBe('1');
  });
});
