import type * as typesetterModule from './typesetter';

/** Finds mathematics in texts, and loads the typesetter for the first of it. */

type Typesetter = typeof typesetterModule;

let loaded: Typesetter | undefined;
let loading: Promise<Typesetter> | undefined;

/** Whether a text contains LaTeX between delimiters. Browsers render MathML themselves. */
export const hasMathematics = (html: string): boolean => /\\[([]|\$\$/.test(html);

/** Undefined until {@link loadTypesetter} has resolved. */
export const typesetter = (): Typesetter | undefined => loaded;

export function loadTypesetter(): Promise<Typesetter> {
  loading ??= import('./typesetter').then((module) => (loaded = module));
  return loading;
}

/** Resolves when no requested typesetter is loading any more. */
export async function mathematicsLoaded(): Promise<void> {
  await loading;
}
