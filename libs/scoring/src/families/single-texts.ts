import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Family, reader, type Rules, shown } from '../comparison';
import { single, UNREADABLE } from './keys';
import { containsPhrase, griddedKey, type TextKey, textKey, wordsOf } from './text';

interface GivenText {
  value: Json;
  key: string | null;
  /** Cut into words when an accepted answer first asks. */
  words?: string[];
}

/** shorttext: one text. An accepted answer may be one that the text has to contain. */
export const shortText: Family = (question, { answers }) => reader(answers, rulesOf(answers, textKey(question)));

/** gridded: the digits and signs in the boxes, as one text. */
export const gridded: Family = (_, { answers }) => reader(answers, rulesOf(answers, griddedKey));

function rulesOf(answers: readonly AcceptedAnswer[], keyOf: TextKey): Rules<GivenText> {
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
      const total = answer.value === null ? 0 : 1;
      const { isRight } = matchers.get(answer)!;
      return (given) => {
        const verdict = isRight(given) ? 'right' : 'wrong';
        return { total, parts: [{ at: 0, verdict, given: shown(given.value), accepted }] };
      };
    },
  };
}

interface Matcher {
  isRight(given: GivenText): boolean;
  /** The length of what is looked for within the text; 0 when the whole text is compared. */
  looksFor: number;
}

function matcherOf({ value, matchingRule }: AcceptedAnswer, keyOf: TextKey): Matcher {
  const accepted = keyOf(single(value) ?? null);
  if (typeof accepted !== 'string') return { isRight: () => false, looksFor: 0 };
  if (matchingRule !== 'contains') return { isRight: ({ key }) => key === accepted, looksFor: 0 };
  const phrase = wordsOf(accepted);
  return {
    isRight: (given) => containsPhrase((given.words ??= wordsOf(given.key!)), phrase),
    looksFor: accepted.length,
  };
}
