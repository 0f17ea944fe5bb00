/** What stands for a blank in a template. */
export const BLANK = '{{response}}';

/** How many blanks a template has. */
export const countBlanks = (template: string): number => template.split(BLANK).length - 1;
