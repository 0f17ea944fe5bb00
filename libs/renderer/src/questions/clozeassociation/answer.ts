import { countBlanks } from '../../content/blanks';
import {
  arrange,
  type Arrangement,
  countFilled,
  type PlacingRules,
  possibleResponsesOf,
  textListsOf,
  textsOf,
} from '../../interactions/arrangement';
import { isTrue, type Members, numberOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

export const blanksOf = (question: Members): number => countBlanks(textOf(question['template']));

export function rulesOf(question: Members): PlacingRules {
  return {
    max: Math.max(0, numberOf(question['max_response_per_zone'], 1)),
    isReusable: isTrue(question['duplicate_responses']),
  };
}

export function arrangementOf(question: Members, value: unknown): Arrangement {
  const { texts } = possibleResponsesOf(question);
  return arrange(value, texts, blanksOf(question), rulesOf(question).isReusable);
}

/** The stored value: a text for each blank, or a list of texts if blanks take several. */
export function valueOf(question: Members, arrangement: Arrangement): unknown {
  const { texts } = possibleResponsesOf(question);
  return rulesOf(question).max === 1 ? textsOf(arrangement, texts) : textListsOf(arrangement, texts);
}

export function attempted(question: Members, value: unknown): Attempted {
  return attemptedOf(countFilled(arrangementOf(question, value)), blanksOf(question));
}
