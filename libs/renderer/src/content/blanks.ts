/** The placeholder of a blank in a template. */
export const BLANK = '{{response}}';

/** The number of blanks in a template. */
export const countBlanks = (template: string): number => template.split(BLANK).length - 1;
