import type * as typesetterModule from './typesetter';

/** Mathematics in texts: finds it, and loads what sets it when the first is there. */

type Typesetter = typeof typesetterModule;

let loaded: Typesetter | undefined;
let loading: Promise<Typesetter> | undefined;

/** Whether a text holds LaTeX between delimiters. MathML is what browsers show themselves. */
export const hasMathematics = (html: string): boolean => /\\[([]|\$\$/.test(html);

/** Undefined until {@link loadTypesetter} is done. */
export const typesetter = (): Typesetter | undefined => loaded;

export function loadTypesetter(): Promise<Typesetter> {
  loading ??= import('./typesetter').then((module) => (loaded = module));
  return loading;
}

/** Done when nothing that was asked for is on its way any more. */
export async function mathematicsLoaded(): Promise<void> {
  await loading;
}
