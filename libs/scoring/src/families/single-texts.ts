import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Family, type Part, reader, type Rules, shown } from '../comparison';
import { flagOf, objectOf, pointsOf } from '../members';
import { single, UNREADABLE } from './keys';
import { containsPhrase, griddedKey, type TextKey, textKey, withoutAccents, wordsOf } from './text';

interface GivenText {
  value: Json;
  key: string | null;
  /** Split into words on first use. */
  words?: string[];
}

/** The penalty for wrong accents; undefined where accents must match. */
type AccentPenalty = number | undefined;

/**
 * shorttext: one text. For some accepted answers the response only needs to contain the text. With
 * `validation.accent_sensitivity` enabled, wrong accents do not make a response wrong, but may cost points.
 */
export const shortText: Family = (question, { answers }) =>
  reader(answers, rulesOf(answers, textKey(question), accentPenalty(question)));

function accentPenalty(question: JsonObject): AccentPenalty {
  const accents = objectOf(objectOf(question['validation'])['accent_sensitivity']);
  return flagOf(accents['enabled']) === true ? pointsOf(accents['accent_penalty_points'], 0) : undefined;
}

/** gridded: the digits and signs in the boxes, as one text. */
export const gridded: Family = (_, { answers }) => reader(answers, rulesOf(answers, griddedKey));

function rulesOf(answers: readonly AcceptedAnswer[], keyOf: TextKey, penalty?: AccentPenalty): Rules<GivenText> {
  const matchers = new Map(answers.map((answer) => [answer, matcherOf(answer, keyOf)]));
  let longest = 0;
  for (const { looksFor } of matchers.values()) longest = Math.max(longest, looksFor);
  return {
    read: (value) => {
      const text = single(value);
      const key = text === undefined ? UNREADABLE : keyOf(text);
      return key === UNREADABLE ? undefined : { value: text!, key };
    },
    isEmpty: ({ key }) => key === null,
    size: ({ key }) => 1 + (key!.length * longest) / 50,
    prepare: (answer) => {
      const accepted = shown(answer.value);
      const { isRight, isRightBut } = matchers.get(answer)!;
      return (given) => {
        const part: Part = { at: 0, verdict: 'wrong', given: shown(given.value), accepted };
        if (isRight(given)) part.verdict = 'right';
        else if (penalty !== undefined && isRightBut(given))
          Object.assign(part, { verdict: 'right', lost: penalty, note: 'right but for its accents' });
        return { total: 1, parts: [part] };
      };
    },
  };
}

interface Matcher {
  isRight(given: GivenText): boolean;
  /** Whether it would be right without accents. */
  isRightBut(given: GivenText): boolean;
  /** The length of the text that the response must contain; 0 when the whole text is compared. */
  looksFor: number;
}

function matcherOf({ value, matchingRule }: AcceptedAnswer, keyOf: TextKey): Matcher {
  const accepted = keyOf(single(value) ?? null);
  if (typeof accepted !== 'string') return { isRight: () => false, isRightBut: () => false, looksFor: 0 };
  const plain = withoutAccents(accepted);
  if (matchingRule !== 'contains')
    return {
      isRight: ({ key }) => key === accepted,
      isRightBut: ({ key }) => withoutAccents(key!) === plain,
      looksFor: 0,
    };
  const phrase = wordsOf(accepted);
  return {
    isRight: (given) => containsPhrase((given.words ??= wordsOf(given.key!)), phrase),
    isRightBut: (given) => containsPhrase(wordsOf(withoutAccents(given.key!)), wordsOf(plain)),
    looksFor: accepted.length,
  };
}
