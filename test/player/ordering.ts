import type { Locator, Page } from 'playwright-core';

/**
 * Puts the entries of an order list into this order by its buttons. It also moves entries of a list that is already in
 * this order, so that the list counts as answered.
 */
export async function putInOrder(page: Page, list: Locator, names: readonly string[]): Promise<void> {
  const entries = list.getByRole('listitem');
  await entries.nth(names.length - 1).waitFor();
  const move = async (name: string, way: 'up' | 'down', to: number) => {
    await page.getByRole('button', { name: `Move ${name} ${way}`, exact: true }).click();
    await entries.nth(to).getByRole('button', { name, exact: true }).waitFor();
  };
  const [first] = names as [string];
  const at = await placeOf(entries, first);
  if (at === 0) await move(first, 'down', 1);
  for (const [place, name] of names.entries())
    for (let at = await placeOf(entries, name); at > place; at -= 1) await move(name, 'up', at - 1);
}

const placeOf = async (entries: Locator, name: string): Promise<number> =>
  (await entries.allTextContents()).findIndex((text) => text.includes(name));
