import { type Match, no, yes } from '../comparison/functions';
import type { FormulaOptions } from '../rule';

/** stringMatch: the response is the same text. */
export function matchText(value: string, response: string, options: FormulaOptions): Match {
  const prepared = (text: string) => {
    const trimmed = options.ignoreLeadingAndTrailingSpaces ? text.trim() : text;
    return options.treatMultipleSpacesAsOne ? trimmed.replace(/ {2,}/g, ' ') : trimmed;
  };
  return prepared(value) === prepared(response)
    ? yes('is the accepted text')
    : no('is another text than the accepted one');
}
