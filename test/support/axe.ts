import { readFileSync } from 'node:fs';

/** The code of axe, which finds barriers on a page. */
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours. The findings of all other rules do not depend on the colour scheme. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];
