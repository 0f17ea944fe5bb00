import { type Json, type JsonObject } from '#kernel';
import { ANYTHING, type Comparing, containingPattern, patternOf, patternWithoutAccents } from '../patterns';
import { countBlanks, PICTURE, withBlanks } from './blanks';
import { type Compared, comparedPlaces, keyOf, type Place, type PlacedAnswer } from './compared';
import { type Expressions } from './expressions';
import { placedAnswers, rightKeys } from './placing';
import {
  isTrue,
  type KnownType,
  listOf,
  numberOf,
  objectOf,
  type QuestionWriter,
  range,
  textOf,
  type Variable,
} from './question';

/* Questions with typed texts. Each blank has a variable. */

const comparingOf = (data: JsonObject): Comparing => ({
  caseSensitive: isTrue(data.case_sensitive),
  trims: data.ignore_leading_and_trailing_spaces !== false && data.ignore_leading_and_trailing_spaces !== 'false',
  anyWidth: isTrue(objectOf(data.validation).enable_fullwidth_scoring),
});

/** A text that every program reads in the same way, anywhere in XML. */
const PLAIN = /^[\u0021-\u007e]+(?: [\u0021-\u007e]+)*$/;

/** The test that a variable holds this text. */
function holdsText(e: Expressions, identifier: string, text: string, comparing: Comparing): string {
  const { caseSensitive, trims, anyWidth } = comparing;
  const isSimple = !trims && !anyWidth && PLAIN.test(text);
  if (!isSimple) return e.pattern(e.variable(identifier), patternOf(text, comparing));
  const wanted = e.base('string', text);
  return caseSensitive
    ? e.match(e.variable(identifier), wanted)
    : e.sameText(e.variable(identifier), wanted, caseSensitive);
}

/** The test that a variable holds more than blanks. */
const isFilledText = (e: Expressions, identifier: string): string =>
  e.and([e.not(e.isNull(e.variable(identifier))), e.pattern(e.variable(identifier), ANYTHING)]);

const typed: QuestionWriter = (data, validation, context) => {
  const { e, v } = context;
  const comparing = comparingOf(data);
  const containers = listOf(data.response_containers).map(objectOf);
  const common = objectOf(data.response_container);
  const count = countBlanks(data);
  const name = (at: number): string => context.variable(count > 1 ? at + 1 : undefined);
  const written = withBlanks(data, context, (at) =>
    v.element('textEntryInteraction', {
      responseIdentifier: name(at),
      expectedLength: lengthOf(data, { ...common, ...containers[at] }),
      placeholderText: textOf(containers[at]?.placeholder ?? common.placeholder ?? data.placeholder) || undefined,
    }),
  );
  const answers = placedAnswers(validation);
  if (!written || written.count === 0 || written.count !== count || !answers) return undefined;
  if (answers.some(({ places }) => places.length > count)) return undefined;
  const places = range(count).map((at): Place => ({
    holds: (key) => holdsText(e, name(at), key, comparing),
    isFilled: isFilledText(e, name(at)),
  }));
  const compared = comparedPlaces(e, places, answers, { isPool: validation.matchAllPossibleResponses });
  return {
    body: written.xml,
    variables: range(count).map((at) =>
      typedVariable(name(at), context.right, answers, at, comparing, validation.matchAllPossibleResponses),
    ),
    compared:
      count === 1
        ? withTextVariable(
            compared,
            name(0),
            answers.map(({ places: [only] }) => only),
            comparing,
          )
        : compared,
  };
};

/** A single blank has one variable. Standard templates can score it if they compare texts in the same way. */
function withTextVariable(
  compared: Compared,
  identifier: string,
  keys: readonly (string | null | undefined | readonly unknown[])[],
  comparing: Comparing,
): Compared {
  const isExact = !comparing.trims && !comparing.anyWidth;
  if (!isExact || !keys.every((key) => typeof key === 'string' && PLAIN.test(key))) return compared;
  return {
    ...compared,
    variable: { identifier, isSingle: true, isText: true, caseSensitive: comparing.caseSensitive },
    answers: compared.answers.map((answer, at) => ({ ...answer, value: [keys[at] as string] })),
  };
}

function typedVariable(
  identifier: string,
  right: Json,
  answers: readonly PlacedAnswer[],
  at: number,
  { caseSensitive }: Comparing,
  isPool = false,
): Variable {
  const best = new Map<string, number>();
  const accepted = answers.flatMap(({ score, places }) =>
    (isPool ? places : [places[at] ?? null]).map((wanted) => ({ score, wanted })),
  );
  for (const { score, wanted } of accepted) {
    const keys = wanted === null ? [] : typeof wanted === 'string' ? [{ key: wanted, points: score }] : wanted;
    for (const { key, points } of keys) best.set(key, Math.max(best.get(key) ?? 0, points));
  }
  const key = rightKeys(right)[at] ?? null;
  return {
    identifier,
    cardinality: 'single',
    baseType: 'string',
    correct: key === null ? [] : [key],
    ...(best.size > 0 && {
      accepted: { entries: [...best].map(([key, value]) => ({ key, value })), caseSensitive },
    }),
  };
}

const PIXELS_PER_CHARACTER = 10;

/** The expected length of a text: that of the box, or the maximum length. */
function lengthOf(data: JsonObject, container: JsonObject): number | undefined {
  const width = /^(\d{1,4})(px)?$/.exec(textOf(container.width))?.[1];
  if (width) return Math.max(1, Math.round((Number(width) - 20) / PIXELS_PER_CHARACTER));
  const most = numberOf(data.max_length);
  return most !== undefined && most >= 1 && most <= 60 ? Math.round(most) : undefined;
}

const shorttext: QuestionWriter = (data, validation, context) => {
  const { e, v } = context;
  const identifier = context.variable();
  const comparing = comparingOf(data);
  const response = e.variable(identifier);
  const accents = objectOf(objectOf(data.validation).accent_sensitivity);
  const answers = validation.answers.flatMap(({ score, value, matchingRule, parts }) => {
    const key = keyOf(Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value);
    if (parts || key === null) return [];
    const isPart = matchingRule === 'contains';
    const test = isPart
      ? e.pattern(response, containingPattern(key, comparing))
      : holdsText(e, identifier, key, comparing);
    const whole = [{ key, score, test, isPart }];
    if (!isTrue(accents.enabled)) return whole;
    const less = Math.max(0, score - Math.max(0, numberOf(accents.accent_penalty_points) ?? 0));
    if (isPart) context.note('scoring-approximated', 'accents within a text that is looked for');
    return isPart
      ? whole
      : [...whole, { key, score: less, test: e.pattern(response, patternWithoutAccents(key, comparing)), isPart }];
  });
  const isFilled = isFilledText(e, identifier);
  const compared: Compared = {
    given: { tests: [isFilled] },
    isAttempted: isFilled,
    answers: answers.map(({ score, test }) => ({
      score,
      parts: [{ isRight: test, values: [] }],
      total: 1,
      isExact: test,
      isHarmless: undefined,
    })),
  };
  const isSame = answers.every(({ isPart }) => !isPart) && !isTrue(accents.enabled);
  return {
    body: `<p>${v.element('textEntryInteraction', {
      responseIdentifier: identifier,
      expectedLength: lengthOf(data, objectOf(data.response_container)),
      placeholderText: textOf(data.placeholder) || undefined,
    })}</p>`,
    variables: [
      typedVariable(
        identifier,
        context.right,
        answers.map(({ key, score }) => ({ score, places: [key] })),
        0,
        comparing,
      ),
    ],
    compared: isSame
      ? withTextVariable(
          compared,
          identifier,
          answers.map(({ key }) => key),
          comparing,
        )
      : compared,
  };
};

const MEMBERS = [
  'max_length',
  'case_sensitive',
  'ignore_leading_and_trailing_spaces',
  'placeholder',
  'response_container',
  'response_containers',
];

export const TYPED_TYPES: Readonly<Record<string, KnownType>> = {
  clozetext: { write: typed, members: [...MEMBERS, 'template'] },
  clozeinlinetext: { write: typed, members: [...MEMBERS, 'template'] },
  imageclozetext: { write: typed, members: [...MEMBERS, ...PICTURE] },
  shorttext: { write: shorttext, members: MEMBERS },
};
