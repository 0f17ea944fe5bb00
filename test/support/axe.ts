import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The code of axe, which finds accessibility violations on a page. */
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours. The findings of all other rules do not depend on the colour scheme. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** The violations that axe finds on a page: a line for each element, with the rule, the place and the reason. */
export async function axeViolations(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  const violations = await page.evaluate<{ id: string; nodes: { target: unknown; failureSummary?: string }[] }[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`),
  );
}
