const said = new Set<string>();

/** Warns about an invalid question once on the console, because a learner in a test can do nothing about it. */
export function warn(text: string): void {
  if (said.has(text)) return;
  said.add(text);
  console.warn(`Itembank: ${text}`);
}
