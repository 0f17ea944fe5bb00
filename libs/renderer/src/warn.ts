const said = new Set<string>();

/** What is wrong with a question, once on the console: a learner in the middle of a test can do nothing about it. */
export function warn(text: string): void {
  if (said.has(text)) return;
  said.add(text);
  console.warn(`Itembank: ${text}`);
}
