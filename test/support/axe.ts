import { readFileSync } from 'node:fs';

/** The code of axe, which finds barriers on a page. */
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that look at colours. What other rules find does not depend on the colour scheme. */
export const OF_COLOURS: readonly string[] = ['color-contrast', 'link-in-text-block'];
