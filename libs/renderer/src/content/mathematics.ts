import type * as mathFieldModule from './math-field';
import type * as typesetterModule from './typesetter';

/** Finds mathematics in texts, and loads the typesetter and the field for formulas when they are first needed. */

type Typesetter = typeof typesetterModule;
type MathFields = typeof mathFieldModule;

let loaded: Typesetter | undefined;
let loading: Promise<Typesetter> | undefined;
let fields: MathFields | undefined;
let loadingFields: Promise<MathFields | undefined> | undefined;

/** Whether a text contains LaTeX between delimiters. Browsers render MathML themselves. */
export const hasMathematics = (html: string): boolean => /\\[([]|\$\$/.test(html);

/** Undefined until {@link loadTypesetter} has resolved. */
export const typesetter = (): Typesetter | undefined => loaded;

export function loadTypesetter(): Promise<Typesetter> {
  loading ??= import('./typesetter').then((module) => (loaded = module));
  return loading;
}

/** Undefined until {@link loadMathFields} has resolved, and when they cannot be had. */
export const mathFields = (): MathFields | undefined => fields;

/** Never rejects: learners can answer without the two-dimensional field. */
export function loadMathFields(): Promise<MathFields | undefined> {
  loadingFields ??= Promise.all([import('./math-field'), loadTypesetter()]).then(
    ([module]) => (fields = module),
    () => undefined,
  );
  return loadingFields;
}

/** Resolves when no requested mathematics is loading any more. */
export async function mathematicsLoaded(): Promise<void> {
  await loading;
  await loadingFields;
}
