import { type Json, type JsonObject } from '#kernel';
import { type Validation } from '#scoring';
import { type Compared, comparedPlaces, keyOf, type Place } from './compared';
import { type Expressions } from './expressions';
import { BLANK, correctOf, placedAnswers } from './pairs';
import { ANYTHING, type Comparing, containingPattern, patternOf, patternWithoutAccents } from '../patterns';
import {
  isTrue,
  type KnownType,
  listOf,
  numberOf,
  objectOf,
  type QuestionContext,
  type QuestionWriter,
  range,
  textOf,
  type Variable,
  type Written,
} from './question';
import { xmlText } from './vocabulary';

/* Questions with blanks in a text or on a picture. Each blank has a variable. */

/** A text with an element for each blank. */
function filled(template: string, blank: (at: number) => string): { xml: string; count: number } {
  const [first = '', ...texts] = template.split(BLANK);
  return { xml: first + texts.map((text, at) => blank(at) + text).join(''), count: texts.length };
}

/** The blanks of a picture, each in a line below it. */
function belowPicture(
  data: JsonObject,
  context: QuestionContext,
  blank: (at: number) => string,
): { xml: string; count: number } | undefined {
  const image = context.picture(data.image ?? data.img_src);
  if (!image) return undefined;
  context.note('layout-approximated', 'places on a picture stand below it');
  const { count } = { count: listOf(data.response_positions).length };
  const lines = range(count).map((at) => {
    const label = textOf(listOf(data.aria_labels)[at]) || String(at + 1);
    return `<p>${xmlText(label)}: ${blank(at)}</p>`;
  });
  return { xml: `<p>${context.v.picture(image.source, image.alt, image.size)}</p>${lines.join('')}`, count };
}

const body = (
  data: JsonObject,
  context: QuestionContext,
  blank: (at: number) => string,
): { xml: string; count: number } | undefined =>
  typeof data.template === 'string' ? filled(context.html(data.template), blank) : belowPicture(data, context, blank);

const comparingOf = (data: JsonObject): Comparing => ({
  caseSensitive: isTrue(data.case_sensitive),
  trims: data.ignore_leading_and_trailing_spaces !== false && data.ignore_leading_and_trailing_spaces !== 'false',
  anyWidth: isTrue(objectOf(data.validation).enable_fullwidth_scoring),
});

/** A text that every program reads in the same way, wherever it stands in XML. */
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
  const count =
    typeof data.template === 'string' ? data.template.split(BLANK).length - 1 : listOf(data.response_positions).length;
  const name = (at: number): string => context.variable(count > 1 ? at + 1 : undefined);
  const written = body(data, context, (at) =>
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
      typedVariable(name(at), answers, at, comparing, validation.matchAllPossibleResponses),
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

/** A blank alone has one variable, which templates can score where it is compared as they do. */
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
  answers: NonNullable<ReturnType<typeof placedAnswers>>,
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
  const [first] = answers;
  const correct = first ? correctOf({ ...first, places: [first.places[at] ?? null] }, (_, key) => key) : [];
  return {
    identifier,
    cardinality: 'single',
    baseType: 'string',
    correct,
    ...(best.size > 0 && {
      accepted: { entries: [...best].map(([key, value]) => ({ key, value })), caseSensitive },
    }),
  };
}

const PIXELS_PER_CHARACTER = 10;

/** The length that an author expects: of the box, or the longest that is allowed. */
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

/** Menus, each with texts of its own. */
const menus: QuestionWriter = (data, validation, context): Written | undefined => {
  const { e, v } = context;
  const lists = listOf(data.possible_responses).map((menu) => listOf(menu).map((entry: Json) => keyOf(entry)));
  const count =
    typeof data.template === 'string' ? data.template.split(BLANK).length - 1 : listOf(data.response_positions).length;
  const name = (at: number): string => context.variable(count > 1 ? at + 1 : undefined);
  const id = (menu: number, entry: number): string => `MENU_${menu + 1}_${entry + 1}`;
  const written = body(data, context, (at) =>
    v.element(
      'inlineChoiceInteraction',
      { responseIdentifier: name(at), shuffle: isTrue(data.shuffle_options) },
      ...(lists[at] ?? []).map((text, entry) =>
        v.element('inlineChoice', { identifier: id(at, entry) }, xmlText(text ?? '')),
      ),
    ),
  );
  const answers = placedAnswers(validation);
  if (!written || written.count === 0 || written.count !== count || !answers || lists.length < count) return undefined;
  if (lists.slice(0, count).some((menu) => menu.length === 0) || answers.some(({ places }) => places.length > count))
    return undefined;
  const idsOf = (at: number, key: string): string[] =>
    lists[at]!.flatMap((text, entry) => (text === key ? id(at, entry) : []));
  const places = range(count).map((at): Place => ({
    holds: (key) => {
      const ids = idsOf(at, key);
      if (ids.length === 0) return undefined;
      return e.or(ids.map((each) => e.match(e.variable(name(at)), e.base('identifier', each))));
    },
    isFilled: e.not(e.isNull(e.variable(name(at)))),
  }));
  const compared = comparedPlaces(e, places, answers, { isPool: validation.matchAllPossibleResponses });
  const [first] = answers;
  return {
    body: written.xml,
    variables: range(count).map((at): Variable => ({
      identifier: name(at),
      cardinality: 'single',
      baseType: 'identifier',
      correct: first ? correctOf({ ...first, places: [first.places[at] ?? null] }, (_, key) => idsOf(at, key)[0]) : [],
    })),
    compared: count === 1 ? withMenuVariable(compared, name(0), answers, (key) => idsOf(0, key)) : compared,
  };
};

/** A menu alone has one variable, which templates can score. */
function withMenuVariable(
  compared: Compared,
  identifier: string,
  answers: NonNullable<ReturnType<typeof placedAnswers>>,
  idsOf: (key: string) => string[],
): Compared {
  const ids = answers.map(({ places: [only] }) => (typeof only === 'string' ? idsOf(only) : []));
  if (!ids.every((each) => each.length === 1)) return compared;
  return {
    ...compared,
    variable: { identifier, isSingle: true, isText: false, caseSensitive: true },
    answers: compared.answers.map((answer, at) => ({ ...answer, value: ids[at]! })),
  };
}

const TYPED = [
  'max_length',
  'case_sensitive',
  'ignore_leading_and_trailing_spaces',
  'placeholder',
  'response_container',
  'response_containers',
];
const PICTURE = ['image', 'img_src', 'response_positions', 'aria_labels'];

export const BLANKS: Readonly<Record<string, KnownType>> = {
  clozetext: { write: typed, members: [...TYPED, 'template'] },
  clozeinlinetext: { write: typed, members: [...TYPED, 'template'] },
  imageclozetext: { write: typed, members: [...TYPED, ...PICTURE] },
  shorttext: { write: shorttext, members: TYPED },
  clozedropdown: {
    write: menus,
    members: ['template', 'possible_responses', 'shuffle_options', 'response_container', 'response_containers'],
  },
  imageclozedropdown: {
    write: menus,
    members: [...PICTURE, 'possible_responses', 'shuffle_options', 'response_container', 'response_containers'],
  },
};
