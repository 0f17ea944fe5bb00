/* The names in `formatting_options` (decision 121). */

/** The tools of a question without `formatting_options`. */
export const USUAL_TOOLS: readonly string[] = ['bold', 'italic', 'underline', '|', 'unorderedList', 'orderedList'];

/** Other names of tools: those that only this service had, and further spellings of the character maps. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  characterMap: 'charactermap',
  code: 'codeInline',
  horizontalRule: 'insertHorizontalRule',
  ltr: 'textDirectionLtr',
  mathcharactermap: 'mathCharacterMap',
  rtl: 'textDirectionRtl',
  specialCharacterMap: 'charactermap',
};

/** The names in use for the entries of `formatting_options`, each tool once. Other entries stay as they are. */
export function toolsNamed(entries: readonly unknown[]): unknown[] {
  const names = entries.map((entry) =>
    typeof entry === 'string' && Object.hasOwn(OTHER_NAMES, entry) ? OTHER_NAMES[entry] : entry,
  );
  return names.filter((name, at) => name === '|' || names.indexOf(name) === at);
}
