import { type Json, type JsonObject } from '#kernel';
import { type Validation } from '#scoring';
import { identifiers, pixels } from './choices';
import {
  type Answer,
  type Compared,
  comparedPlaces,
  comparedSet,
  keyOf,
  type Place,
  type PlacedAnswer,
} from './compared';
import { type Expressions } from './expressions';
import {
  entriesOf,
  isObject,
  isTrue,
  type KnownType,
  listOf,
  numberOf,
  objectOf,
  type QuestionContext,
  type QuestionWriter,
  range,
  textOf,
  type Written,
} from './question';

/* Questions whose response is a set of pairs. */

export const BLANK = '{{response}}';

/** What is right in each place, by key; undefined where a place holds several. */
export function placedAnswers({ answers }: Validation): PlacedAnswer[] | undefined {
  const found = answers.map(({ score, value, parts }): PlacedAnswer | undefined => {
    if (parts)
      return {
        score,
        places: parts.map((part) =>
          part.flatMap(({ value: text, score: points }) => {
            const key = keyOf(text);
            return key === null ? [] : [{ key, points }];
          }),
        ),
      };
    const entries = entriesOf(value).map((entry) => (Array.isArray(entry) && entry.length <= 1 ? entry[0] : entry));
    if (entries.some(Array.isArray)) return undefined;
    return { score, places: entries.map((entry) => keyOf(entry)) };
  });
  return found.every((answer) => answer !== undefined) ? found : undefined;
}

/** Pairs in one variable, each place in one pair at most. @param pairsOf a place and a key: none where it is not offered. */
function comparedPairs(
  e: Expressions,
  identifier: string,
  places: readonly string[],
  answers: readonly PlacedAnswer[],
  {
    isPool,
    pairsOf,
    responses,
  }: {
    isPool: boolean;
    pairsOf: (place: number, key: string) => string[];
    responses: number;
  },
): Compared | undefined {
  const hasPoints = answers.some((answer) =>
    answer.places.some((place) => place !== null && typeof place !== 'string'),
  );
  if (answers.some((answer) => answer.places.length > places.length)) return undefined;
  if (!isPool && !hasPoints)
    return comparedSet(
      e,
      { identifier, baseType: 'directedPair' },
      answers.map(({ score, places: wanted }) => ({
        score,
        parts: (wanted as (string | null)[]).flatMap((key, place) =>
          key === null ? [] : [{ values: pairsOf(place, key) }],
        ),
      })),
    );
  // Whether a place is filled takes a test of every pair.
  if (places.length * responses > MAX_TESTS) return undefined;
  const response = e.variable(identifier);
  const isIn = (pairs: readonly string[]): string | undefined =>
    pairs.length === 0 ? undefined : e.or(pairs.map((pair) => e.member(e.base('directedPair', pair), response)));
  const tested = places.map((_, place): Place => ({
    holds: (key) => isIn(pairsOf(place, key)),
    // Nothing is a member of what is null, and nothing is no member of it either.
    isFilled: e.and([e.not(e.isNull(response)), isIn(pairsOf(place, ANY))!]),
  }));
  return comparedPlaces(e, tested, answers, { isPool });
}

const MAX_TESTS = 400;
/** Every response. */
const ANY = '\0';

/** Places and the responses that are put into them, in one variable. */
function placing(
  context: QuestionContext,
  validation: Validation,
  {
    places,
    responses,
    body,
  }: {
    places: readonly string[];
    responses: readonly { id: string; key: string | null }[];
    body: (identifier: string) => string;
  },
  pair: (place: string, response: string) => string,
): Written | undefined {
  const answers = placedAnswers(validation);
  const identifier = context.variable();
  const pairsOf = (place: number, key: string): string[] =>
    responses.filter((response) => key === ANY || response.key === key).map(({ id }) => pair(places[place]!, id));
  const compared =
    answers &&
    comparedPairs(context.e, identifier, places, answers, {
      isPool: validation.matchAllPossibleResponses,
      pairsOf,
      responses: responses.length,
    });
  if (!compared || places.length === 0 || responses.length === 0) return undefined;
  const correct = correctOf(answers[0], (place, key) => pairsOf(place, key)[0]);
  return {
    body: body(identifier),
    variables: [{ identifier, cardinality: 'multiple', baseType: 'directedPair', correct }],
    compared,
  };
}

/** The first accepted answer, as the values of its places. */
export function correctOf(
  answer: PlacedAnswer | undefined,
  valueOf: (place: number, key: string) => string | undefined,
): string[] {
  return (answer?.places ?? []).flatMap((wanted, place) => {
    const key = wanted === null || typeof wanted === 'string' ? wanted : (wanted[0]?.key ?? null);
    return key === null ? [] : (valueOf(place, key) ?? []);
  });
}

/** Responses to drag, whether flat or in groups. */
export function responsesOf(data: JsonObject): Json[] {
  const flat = listOf(data.possible_responses).flatMap((entry) =>
    isObject(entry) ? listOf(entry.responses) : [entry],
  );
  if (flat.length > 0) return flat;
  return listOf(data.possible_response_groups).flatMap((group) => listOf(objectOf(group).responses));
}

const hasGroups = (data: JsonObject): boolean =>
  listOf(data.possible_response_groups).length > 0 || listOf(data.possible_responses).some(isObject);

/** The responses that are dragged, with identifiers. */
function dragged(data: JsonObject, context: QuestionContext): { id: string; key: string | null; html: string }[] {
  if (hasGroups(data)) context.note('layout-approximated', 'responses of all groups in one list');
  return responsesOf(data).map((response, at) => ({
    id: `RESPONSE_${at + 1}`,
    key: keyOf(response),
    html: context.html(response),
  }));
}

const timesOf = (data: JsonObject): number => (isTrue(data.duplicate_responses) ? 0 : 1);

const choicematrix: QuestionWriter = (data, validation, context) => {
  const { v, e, html } = context;
  const stems = listOf(data.stems);
  const options = listOf(data.options);
  const [rows, columns] = [identifiers('STEM', stems.length), identifiers('OPTION', options.length)];
  const rowsOf = (value: Json): (readonly Json[])[] => entriesOf(value).map(entriesOf);
  const isMultiple =
    isTrue(data.multiple_responses) ||
    validation.answers.some(({ value }) => rowsOf(value).some((row) => row.length > 1));
  const cells = validation.answers.map(({ score, value }) => ({
    score,
    parts: rowsOf(value).flatMap((row, at) =>
      [...new Set(row.map(keyOf))].flatMap((key) => {
        if (key === null) return [];
        const isOffered = rows[at] !== undefined && /^\d+$/.test(key) && Number(key) < options.length;
        return [{ values: isOffered ? [`${rows[at]} ${columns[Number(key)]}`] : [] }];
      }),
    ),
  }));
  if (stems.length === 0 || options.length === 0 || validation.answers.some(({ parts }) => parts)) return undefined;
  const identifier = context.variable();
  const choices = (list: readonly Json[], ids: readonly string[], max: number): string =>
    v.element(
      'simpleMatchSet',
      {},
      ...list.map((text, at) =>
        v.element('simpleAssociableChoice', { identifier: ids[at], matchMax: max }, html(text)),
      ),
    );
  return {
    body: v.element(
      'matchInteraction',
      { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: 0 },
      choices(stems, rows, isMultiple ? 0 : 1),
      choices(options, columns, 0),
    ),
    variables: [
      {
        identifier,
        cardinality: 'multiple',
        baseType: 'directedPair',
        correct: cells[0]?.parts.flatMap(({ values }) => values) ?? [],
      },
    ],
    compared: comparedSet(e, { identifier, baseType: 'directedPair' }, cells),
  };
};

const association: QuestionWriter = (data, validation, context) => {
  const { v, html } = context;
  const stems = listOf(data.stimulus_list);
  const places = identifiers('STEM', stems.length);
  const responses = dragged(data, context);
  const choice = (identifier: string, text: string, matchMax: number): string =>
    v.element('simpleAssociableChoice', { identifier, matchMax }, text);
  return placing(
    context,
    validation,
    {
      places,
      responses,
      body: (identifier) =>
        v.element(
          'matchInteraction',
          { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: 0 },
          v.element('simpleMatchSet', {}, ...stems.map((text, at) => choice(places[at]!, html(text), 1))),
          v.element('simpleMatchSet', {}, ...responses.map(({ id, html: text }) => choice(id, text, timesOf(data)))),
        ),
    },
    (stem, response) => `${stem} ${response}`,
  );
};

/** Texts, or single pictures, that are put into gaps. */
const gapChoices = ({ v }: QuestionContext, data: JsonObject, responses: ReturnType<typeof dragged>): string[] =>
  responses.map(({ id, html }) =>
    v.element(
      /^\s*<img [^<>]*>\s*$/.test(html) && v.version === '3.0' ? 'gapImg' : 'gapText',
      { identifier: id, matchMax: timesOf(data) },
      html,
    ),
  );

const clozeassociation: QuestionWriter = (data, validation, context) => {
  const { v, html } = context;
  const [first = '', ...texts] = html(data.template).split(BLANK);
  const places = identifiers('GAP', texts.length);
  const responses = dragged(data, context);
  return placing(
    context,
    validation,
    {
      places,
      responses,
      body: (identifier) =>
        v.element(
          'gapMatchInteraction',
          { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: texts.length },
          ...gapChoices(context, data, responses),
          `<div>${first}${texts.map((text, at) => v.element('gap', { identifier: places[at] }) + text).join('')}</div>`,
        ),
    },
    (gap, response) => `${response} ${gap}`,
  );
};

/** The size of a place on a picture that has none. */
const PLACE = { width: 100, height: 20 };

const imageclozeassociation: QuestionWriter = (data, validation, context) => {
  const { v, picture } = context;
  const image = picture(data.image ?? data.img_src);
  const positions = listOf(data.response_positions).map(objectOf);
  const places = identifiers('PLACE', positions.length);
  const responses = dragged(data, context);
  if (!image) return undefined;
  const containers = listOf(data.response_containers).map(objectOf);
  const common = objectOf(data.response_container);
  const length = (member: 'width' | 'height', at: number): number => {
    const text = textOf(containers[at]?.[member] ?? common[member]);
    const number = Number.parseFloat(text);
    if (!(number > 0)) return PLACE[member];
    return text.trim().endsWith('%') ? pixels(number, image.size[member]) : Math.round(number);
  };
  return placing(
    context,
    validation,
    {
      places,
      responses,
      body: (identifier) =>
        v.element(
          'graphicGapMatchInteraction',
          { responseIdentifier: identifier, maxAssociations: positions.length },
          v.picture(image.source, image.alt, image.size),
          ...gapChoices(context, data, responses),
          ...positions.map(({ x, y }, at) => {
            const [left, top] = [pixels(x, image.size.width), pixels(y, image.size.height)];
            return v.element('associableHotspot', {
              identifier: places[at],
              shape: 'rect',
              coords: [left, top, left + length('width', at), top + length('height', at)].join(','),
              matchMax: 1,
              hotspotLabel: textOf(listOf(data.aria_labels)[at]) || undefined,
            });
          }),
        ),
    },
    (place, response) => `${response} ${place}`,
  );
};

const classification: QuestionWriter = (data, validation, context) => {
  const { v, e, html } = context;
  const style = objectOf(data.ui_style);
  const columns = numberOf(style.column_count) ?? listOf(style.column_titles).length;
  const rows = numberOf(style.row_count) ?? 1;
  if (!Number.isInteger(columns * rows) || columns * rows < 1 || columns * rows > 100) return undefined;
  const cells = identifiers('CELL', columns * rows);
  const responses = dragged(data, context);
  if (rows > 1) context.note('layout-approximated', 'the cells of the table as a list');
  if (validation.answers.some(({ parts }) => parts)) return undefined;
  const identifier = context.variable();
  const pair = (cell: number, key: string): string[] =>
    /^\d+$/.test(key) && cells[cell] && responses[Number(key)] ? [`${responses[Number(key)]!.id} ${cells[cell]}`] : [];
  const wanted = validation.answers.map(({ score, value }) => ({
    score,
    cells: entriesOf(value).map((cell) => entriesOf(cell).flatMap((entry) => keyOf(entry) ?? [])),
  }));
  const isUnclear = wanted.some((answer) =>
    answer.cells.some((keys) => new Set(keys).size < keys.length || keys.some((key) => pair(0, key).length === 0)),
  );
  if (isUnclear || responses.length === 0 || wanted.some((answer) => answer.cells.length > cells.length))
    return undefined;
  const byElement = validation.scoringType.startsWith('partialMatchElement');
  const titles = range(columns * rows).map((at) =>
    [listOf(style.row_titles)[Math.floor(at / columns)], listOf(style.column_titles)[at % columns]]
      .map((title) => html(title))
      .filter(Boolean)
      .join(' – '),
  );
  const pairs = wanted.map((answer) => ({
    score: answer.score,
    parts: answer.cells.flatMap((keys, cell) => keys.map((key) => ({ values: pair(cell, key) }))),
  }));
  const compared = comparedSet(e, { identifier, baseType: 'directedPair' }, pairs);
  return {
    body: v.element(
      'matchInteraction',
      { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: 0 },
      v.element(
        'simpleMatchSet',
        {},
        ...responses.map(({ id, html: text }) =>
          v.element('simpleAssociableChoice', { identifier: id, matchMax: timesOf(data) }, text),
        ),
      ),
      v.element(
        'simpleMatchSet',
        {},
        ...cells.map((id, at) =>
          v.element(
            'simpleAssociableChoice',
            { identifier: id, matchMax: numberOf(data.max_response_per_cell) ?? 0 },
            titles[at] || String(at + 1),
          ),
        ),
      ),
    ),
    variables: [
      {
        identifier,
        cardinality: 'multiple',
        baseType: 'directedPair',
        correct: pairs[0]?.parts.flatMap(({ values }) => values) ?? [],
      },
    ],
    compared: byElement ? compared : byCell(e, identifier, cells, responses, wanted, compared),
  };
};

/** The parts are the cells: each is right when it holds exactly what belongs there. */
function byCell(
  e: Expressions,
  identifier: string,
  cells: readonly string[],
  responses: readonly { id: string }[],
  wanted: readonly { score: number; cells: readonly (readonly string[])[] }[],
  byElement: Compared,
): Compared {
  const response = e.variable(identifier);
  const holds = (cell: string, id: string): string => e.member(e.base('directedPair', `${id} ${cell}`), response);
  const filled = cells.map((cell) =>
    e.and([e.not(e.isNull(response)), e.or(responses.map(({ id }) => holds(cell, id)))]),
  );
  return {
    isAttempted: byElement.isAttempted,
    given: { tests: filled },
    answers: wanted.map((answer, nth): Answer => {
      const parts = answer.cells.flatMap((keys, at) => {
        if (keys.length === 0) return [];
        const tests = responses.map(({ id }, place) => {
          const isIn = holds(cells[at]!, id);
          return keys.includes(String(place)) ? isIn : e.not(isIn);
        });
        return [{ isRight: e.and([filled[at]!, ...tests]), values: [], at }];
      });
      const empty = cells.flatMap((_, at) => ((answer.cells[at] ?? []).length === 0 ? e.not(filled[at]!) : []));
      return {
        score: answer.score,
        parts,
        total: parts.length,
        isExact: byElement.answers[nth]!.isExact,
        isHarmless: e.and([...parts.map(({ isRight, at }) => e.or([isRight, e.not(filled[at]!)])), ...empty]),
        ...(byElement.answers[nth]!.value && { value: byElement.answers[nth]!.value }),
      };
    }),
    ...(byElement.variable && { variable: byElement.variable }),
  };
}

const POOL = [
  'possible_responses',
  'possible_response_groups',
  'group_possible_responses',
  'duplicate_responses',
  'shuffle_options',
  'ui_style',
];

export const PAIRS: Readonly<Record<string, KnownType>> = {
  choicematrix: {
    write: choicematrix,
    members: ['stems', 'options', 'multiple_responses', 'shuffle_options', 'ui_style'],
  },
  association: { write: association, members: [...POOL, 'stimulus_list'] },
  clozeassociation: { write: clozeassociation, members: [...POOL, 'template', 'response_container'] },
  imageclozeassociation: {
    write: imageclozeassociation,
    members: [
      ...POOL,
      'image',
      'img_src',
      'response_positions',
      'response_containers',
      'response_container',
      'aria_labels',
    ],
  },
  classification: { write: classification, members: [...POOL, 'max_response_per_cell'] },
};
