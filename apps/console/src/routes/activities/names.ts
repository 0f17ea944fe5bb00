/** References in a text, separated by commas, semicolons or blanks. */
export const namesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((name) => name !== '');
