import { type Comparison, type Match, no, undecided, yes } from '../comparison/functions';
import { holds } from '../comparison/relations';
import type { Formula } from '../notation/formula';

/** isTrue: equations or inequalities that hold for all values of their letters. */
export function matchTruth(response: Formula, how: Comparison): Match {
  const statements = response.kind === 'list' ? response.entries : [response];
  let open = false;
  for (const statement of statements) {
    if (statement.kind !== 'relation')
      return no('states nothing that could be true: it has no equals or inequality sign');
    const { matches, reason } = holds(statement, how);
    if (matches === false) return no(reason);
    open ||= matches === null;
  }
  return open ? undecided('has sides whose values could not be calculated') : yes('is true');
}
