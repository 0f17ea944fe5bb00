import fc from 'fast-check';
import { type Json, type JsonObject } from '#kernel';

/** A question with responses to it, as a learner's page stores them. */
export interface Made {
  data: { type: string } & Record<string, Json>;
  responses: Json[];
}

const TEXTS = [
  'alpha',
  'Beta',
  'x < y',
  'a & b',
  '"quoted"',
  'Ärger',
  'naïve',
  'été',
  '$5.00 (net)',
  '1,5',
  'C++',
  '日本',
  'two words',
];
const HTML = [
  '<b>bold</b>',
  'plain',
  'x<5',
  '<p>one<br>two',
  '<i>a</i> &amp; b',
  '\\(x^2\\)',
  '<u>u</u>',
  'é',
  '<sub>2</sub>',
];
const text = fc.constantFrom(...TEXTS);
const html = fc
  .tuple(fc.constantFrom(...HTML), text)
  .map(([markup, word]) => `${markup} ${word.replace(/[<&"]/g, '')}`);
const many = <T>(each: fc.Arbitrary<T>, minLength: number, maxLength: number) =>
  fc.array(each, { minLength, maxLength });
const texts = (min: number, max: number) => fc.uniqueArray(text, { minLength: min, maxLength: max });
const count = (min: number, max: number) => fc.integer({ min, max });
const positions = (length: number) => Array.from({ length }, (_, at) => at);
const subset = (length: number, least = 0) => fc.subarray(positions(length), { minLength: Math.min(least, length) });
const shuffled = (length: number) => fc.shuffledSubarray(positions(length), { minLength: length, maxLength: length });

/** Makes validations of every kind from accepted values. */
function validation(values: fc.Arbitrary<Json>, { types, pool = false }: { types: readonly string[]; pool?: boolean }) {
  const accepted = fc.record({ score: fc.constantFrom(1, 1, 2, 3, 0.5, 2.5), value: values });
  return fc
    .record({
      scoring_type: fc.constantFrom(...types),
      valid_response: accepted,
      alt_responses: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: many(accepted, 1, 2) },
      ),
      penalty: fc.constantFrom(0, 0, 0, 0.5, 1),
      allow_negative_scores: fc.constantFrom(false, false, true),
      min_score_if_attempted: fc.constantFrom(0, 0, 0, 0, 0.5),
      rounding: fc.constantFrom('none', 'none', 'floor'),
      match_all_possible_responses: pool ? fc.constantFrom(false, false, false, true) : fc.constant(false),
    })
    .map((made) => {
      const isDefault = (value: unknown) =>
        value === 0 || value === false || (Array.isArray(value) && value.length === 0);
      return Object.fromEntries(Object.entries(made).filter(([, value]) => !isDefault(value))) as Record<string, Json>;
    });
}

const PARTIAL = ['exactMatch', 'exactMatch', 'partialMatch', 'partialMatchV2'];
const question = (
  type: string,
  members: Record<string, Json>,
  rules: fc.Arbitrary<Record<string, Json>>,
  responses: fc.Arbitrary<Json>,
): fc.Arbitrary<Made> =>
  fc.tuple(rules, many(responses, 4, 8), html).map(([made, given, stimulus]) => ({
    data: { type, stimulus, ...members, validation: made },
    responses: [...given, (made.valid_response as Record<string, Json>).value!],
  }));

const blankOf = (choices: fc.Arbitrary<string>) => fc.option(choices, { freq: 4 });
const template = (blanks: number) =>
  `<p>${Array.from({ length: blanks }, (_, at) => `part ${at} {{response}}`).join(', ')}.</p>`;
const WIDTH = 400;
export const PICTURE = 'https://bank.example/assets/0011223344556677/map.png';
const image = { src: PICTURE, alt: 'A map', width: WIDTH, height: 200 };

const mcq = fc
  .tuple(count(2, 5), fc.boolean(), fc.boolean(), fc.boolean())
  .chain(([length, isMultiple, isPlain, shuffle]) => {
    const values = positions(length).map((at) => (isPlain ? `choice-${at}` : String(at)));
    const key = isMultiple ? subset(length, 1) : count(0, length - 1).map((at) => [at]);
    const named = (set: fc.Arbitrary<number[]>) => set.map((all) => all.map((at) => values[at]!) as Json);
    return many(html, length, length).chain((labels) =>
      question(
        'mcq',
        {
          options: labels.map((label, at) => ({ label, value: values[at]! })),
          ...(isMultiple && { multiple_responses: true }),
          ...(shuffle && { shuffle_options: true }),
          ui_style: { type: 'standard' },
        },
        validation(named(key), { types: PARTIAL }),
        named(isMultiple ? subset(length) : subset(length).map((all) => all.slice(0, 1))),
      ),
    );
  });

const hotspot = fc.tuple(count(2, 4), fc.boolean()).chain(([length, isMultiple]) => {
  const key = isMultiple ? subset(length, 1) : count(0, length - 1).map((at) => [at]);
  const named = (set: fc.Arbitrary<number[]>) => set.map((all) => all.map(String) as Json);
  return question(
    'hotspot',
    {
      image,
      areas: positions(length).map((at) => [
        { x: at * 20, y: 10 },
        { x: at * 20 + 10, y: 10 },
        { x: at * 20 + 5, y: 40 },
      ]),
      multiple_responses: isMultiple,
    },
    validation(named(key), { types: PARTIAL }),
    named(isMultiple ? subset(length) : subset(length).map((all) => all.slice(0, 1))),
  );
});

const tokenhighlight = fc.tuple(count(2, 5), fc.constantFrom('custom', 'word')).chain(([length, tokenization]) => {
  const word = (at: number) =>
    tokenization === 'custom' ? `<span class="lrn_token">token <b>${at}</b></span>` : `token${at}`;
  return question(
    'tokenhighlight',
    { template: `<p>${positions(length).map(word).join(' ')}</p>`, tokenization },
    validation(subset(length, 1), { types: PARTIAL }),
    subset(length),
  );
});

const orderOf = (type: string, types: readonly string[]) =>
  fc
    .tuple(count(2, 5), fc.boolean())
    .chain(([length, shuffle]) =>
      many(html, length, length).chain((list) =>
        question(
          type,
          { list, ...(shuffle && { shuffle_options: true }) },
          validation(shuffled(length), { types }),
          fc.oneof({ weight: 5, arbitrary: shuffled(length) }, { weight: 1, arbitrary: fc.constant<number[]>([]) }),
        ),
      ),
    );

const choicematrix = fc.tuple(count(2, 3), count(2, 3), fc.boolean()).chain(([rows, columns, isMultiple]) => {
  const row = (least: number) =>
    isMultiple ? subset(columns, least) : subset(columns, least).map((all) => all.slice(0, 1));
  return fc
    .tuple(many(html, rows, rows), many(html, columns, columns))
    .chain(([stems, options]) =>
      question(
        'choicematrix',
        { stems, options, ...(isMultiple && { multiple_responses: true }) },
        validation(many(row(1), rows, rows), { types: PARTIAL }),
        many(row(0), rows, rows),
      ),
    );
});

/** Responses to drag: each once, where it may be used once. */
const dragged = (type: string, members: (places: number) => Record<string, Json>) =>
  fc.tuple(count(2, 3), texts(3, 5), fc.boolean()).chain(([places, responses, isRepeated]) => {
    const once = fc
      .shuffledSubarray(responses, { minLength: places, maxLength: places })
      .chain((all) =>
        many(fc.boolean(), places, places).map((kept) => all.map((each, at) => (kept[at] ? each : null))),
      );
    const free = many(blankOf(fc.constantFrom(...responses)), places, places);
    const whole = fc.shuffledSubarray(responses, { minLength: places, maxLength: places });
    return question(
      type,
      { ...members(places), possible_responses: responses, ...(isRepeated && { duplicate_responses: true }) },
      validation(whole, { types: PARTIAL, pool: true }),
      isRepeated ? free : once,
    );
  });

const association = dragged('association', (places) => ({
  stimulus_list: positions(places).map((at) => `<b>Stem</b> ${at}`),
}));
const clozeassociation = dragged('clozeassociation', (places) => ({ template: template(places) }));
const imageclozeassociation = dragged('imageclozeassociation', (places) => ({
  image,
  response_positions: positions(places).map((at) => ({ x: 10 + at * 20, y: 30 })),
}));

const menusOf = (type: string, members: (blanks: number) => Record<string, Json>) =>
  fc.tuple(count(1, 3), texts(2, 4), texts(2, 4), texts(2, 4)).chain(([blanks, ...lists]) => {
    const menus = lists.slice(0, blanks);
    const each = (least: boolean) =>
      fc.tuple(...menus.map((menu) => (least ? fc.constantFrom(...menu) : blankOf(fc.constantFrom(...menu)))));
    return question(
      type,
      { ...members(blanks), possible_responses: menus },
      validation(each(true), { types: PARTIAL, pool: true }),
      each(false),
    );
  });

/** Spellings of a text that may or may not count. */
const spelt = (word: string) =>
  fc.constantFrom(word, word.toUpperCase(), word.toLowerCase(), ` ${word} `, `${word}x`, word.normalize('NFD'));

const typedMembers = fc.record({
  case_sensitive: fc.boolean(),
  ignore_leading_and_trailing_spaces: fc.constantFrom(true, true, false),
});
const typedOf = (type: string, members: (blanks: number) => Record<string, Json>) =>
  fc.tuple(count(1, 3), typedMembers).chain(([blanks, flags]) => {
    const given = blankOf(fc.oneof(text.chain(spelt), fc.constantFrom('   ', 'other')));
    return question(
      type,
      { ...members(blanks), ...flags },
      validation(many(text, blanks, blanks), { types: PARTIAL, pool: true }),
      many(given, blanks, blanks),
    );
  });

// A note can concern blanks alone, so they are always among the responses.
const shorttext = typedMembers
  .chain((flags) =>
    question(
      'shorttext',
      flags,
      validation(text, { types: ['exactMatch'] }),
      fc.oneof(text.chain(spelt), fc.constantFrom('', ' ', 'other')),
    ),
  )
  .map((made) => ({ ...made, responses: [' ', ...made.responses] }));

const classification = fc.tuple(count(2, 3), texts(3, 4)).chain(([cells, responses]) => {
  const sorted = many(count(0, cells), responses.length, responses.length).map((places) =>
    positions(cells).map((cell) => places.flatMap((place, at) => (place === cell ? at : []))),
  );
  return question(
    'classification',
    {
      possible_responses: responses,
      ui_style: { column_count: cells, column_titles: positions(cells).map((at) => `Column ${at}`) },
    },
    validation(sorted, { types: [...PARTIAL, 'partialMatchElement', 'partialMatchElementV2'] }),
    sorted,
  );
});

/** Questions by their type. */
export const MADE: Readonly<Record<string, fc.Arbitrary<Made>>> = {
  mcq,
  hotspot,
  tokenhighlight,
  orderlist: orderOf('orderlist', [...PARTIAL, 'partialMatchPairwise']),
  sortlist: orderOf('sortlist', PARTIAL),
  choicematrix,
  association,
  classification,
  clozeassociation,
  imageclozeassociation,
  clozedropdown: menusOf('clozedropdown', (blanks) => ({ template: template(blanks) })),
  imageclozedropdown: menusOf('imageclozedropdown', (blanks) => ({
    image,
    response_positions: positions(blanks).map((at) => ({ x: at * 20, y: 5 })),
  })),
  clozetext: typedOf('clozetext', (blanks) => ({ template: template(blanks), max_length: 50 })),
  clozeinlinetext: typedOf('clozeinlinetext', (blanks) => ({ template: template(blanks) })),
  imageclozetext: typedOf('imageclozetext', (blanks) => ({
    image,
    response_positions: positions(blanks).map((at) => ({ x: at * 20, y: 5 })),
  })),
  shorttext,
};

const scored = (data: Made['data'], value: Json, ...others: Json[]): Made => ({
  data: { ...data, validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value } } },
  responses: [...others, value],
});
const number = [{ method: 'equivValue', value: '4' }];

const BY_HAND: readonly Made[] = [
  {
    data: {
      type: 'mcq',
      options: ['a', 'b', 'c'].map((value) => ({ label: value, value })),
      validation: {
        scoring_type: 'exactMatch',
        valid_response: { score: 2, value: ['a'] },
        alt_responses: [{ score: 0, value: ['b'] }],
        penalty: 1,
        allow_negative_scores: true,
      },
    },
    responses: [['a'], ['b'], ['c'], []],
  },
  { ...scored({ type: 'formulaV2' }, number), responses: ['4', '4.0', '5', '2+2'] },
  {
    ...scored({ type: 'formulaV2' }, [{ method: 'equivValue', value: '4\\pm 0.5' }]),
    responses: ['4', '4.5', '4.6', '2+2'],
  },
  { ...scored({ type: 'formulaV2' }, [{ method: 'equivSymbolic', value: 'x+1' }]), responses: ['1+x', 'x'] },
  { ...scored({ type: 'clozeformula', template: '{{response}}' }, [number]), responses: [['4'], ['5'], ['2+2']] },
  { ...scored({ type: 'clozeformulaV2', template: '{{response}}' }, [number]), responses: [['4'], ['5'], ['2+2']] },
  scored({ type: 'gridded' }, '12', '13'),
  scored({ type: 'simpleshading' }, [[0, 1]], [[0, 0]]),
  scored({ type: 'numberline' }, [{ point: 'a', position: '1' }], [{ point: 'a', position: '2' }]),
  scored({ type: 'shorttext' }, 'red', 'a red car', 'redder'),
  {
    data: {
      type: 'shorttext',
      validation: {
        scoring_type: 'exactMatch',
        valid_response: { score: 1, value: 'red', matching_rule: 'contains' },
      },
    },
    responses: ['red', 'a red car', 'redder'],
  },
  { data: { type: 'shorttext' }, responses: ['red'] },
  { data: { type: 'formulaV2' }, responses: ['4'] },
  { data: { type: 'numberline' }, responses: [[{ point: 'a', position: '1' }]] },
  { data: { type: 'longtextV2', validation: { max_score: 5 } }, responses: ['text'] },
  { data: { type: 'longtext' }, responses: ['text'] },
  { data: { type: 'plaintext' }, responses: ['text'] },
  { data: { type: 'fileupload' }, responses: [[{ name: 'a.pdf' }]] },
  { data: { type: 'imageupload' }, responses: [[{ name: 'a.png' }]] },
  { data: { type: 'imageclozeassociationV2', validation: {} }, responses: [['a']] },
  { data: { type: 'audio' }, responses: ['recording'] },
  { data: { type: 'drawing', image }, responses: ['strokes'] },
];

/** Questions of types that no generator makes, and questions that a person scores. */
export const MADE_BY_HAND = BY_HAND.map(({ data, responses }): Made => ({
  data: { stimulus: 'What?', ...data },
  responses,
}));

/** The question with the scoring that every format knows. */
export function withUsualScoring({ data, responses }: Made): Made {
  const isShared = !['mcq', 'shorttext', 'orderlist'].includes(data.type);
  const validation: JsonObject = {
    scoring_type: isShared ? 'partialMatchV2' : 'exactMatch',
    valid_response: (data.validation as JsonObject).valid_response!,
    ...(isShared && { rounding: 'none' }),
  };
  return { data: { ...data, validation }, responses };
}
