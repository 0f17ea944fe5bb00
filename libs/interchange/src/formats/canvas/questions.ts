import { fittingRule } from '../fit';
import {
  type Built,
  choiceQuestion,
  essayQuestion,
  matchQuestion,
  numberQuestion,
  type NumberAnswer,
  passage,
  type QuestionData,
  scoredChoice,
} from '../questions';
import { orders, type Trial, ways } from '../trials';
import { type XmlElement } from '../xml';
import { type Given, rangesIn, shareFor } from './conditions';
import { type ItemTexts } from './texts';

export type Converter = (texts: ItemTexts, points: number) => Built | undefined;

const presentationOf = ({ item }: ItemTexts): XmlElement | undefined => item.first('presentation');

/** The text of the question: the first material that belongs to no response. */
function stimulusOf(texts: ItemTexts): string {
  const presentation = presentationOf(texts);
  const flow = presentation?.first('flow') ?? presentation;
  return texts.html(flow?.first('material') ?? flow?.first('flow')?.first('material'));
}

interface Response {
  ident: string;
  isMultiple: boolean;
  isOrdered: boolean;
  material: XmlElement | undefined;
  labels: { ident: string; element: XmlElement }[];
  shuffle: boolean;
}

const RESPONSES = ['response_lid', 'response_str', 'response_num', 'response_grp'];

function responsesOf(texts: ItemTexts): Response[] {
  return [...(presentationOf(texts)?.below() ?? [])]
    .filter(({ name }) => RESPONSES.includes(name))
    .map((element) => {
      const below = [...element.below()];
      const cardinality = (element.attributes.rcardinality ?? 'Single').toLowerCase();
      return {
        ident: element.attributes.ident ?? '',
        isMultiple: cardinality === 'multiple',
        isOrdered: cardinality === 'ordered',
        material: element.first('material'),
        labels: below
          .filter(({ name }) => name === 'response_label')
          .map((label) => ({ ident: label.attributes.ident ?? '', element: label })),
        shuffle: below.some(({ name, attributes }) => name === 'render_choice' && attributes.shuffle === 'Yes'),
      };
    });
}

const feedbackFor = (texts: ItemTexts, ident: string): string =>
  texts.html(texts.item.all('itemfeedback').find(({ attributes }) => attributes.ident === ident));

const given = (entries: readonly (readonly [string, readonly string[]])[]): Given => new Map(entries);

const LOST: Built['notes'] = [['scoring-lost', 'no rule here gives the same points']];
const withRule = (data: QuestionData, trials: readonly Trial[], isAll: boolean): Built => {
  const rule = fittingRule(data, trials, isAll);
  return rule ? { data: { ...data, ...rule }, notes: [] } : { data, notes: LOST };
};

export const choice: Converter = (texts, points) => {
  const [response] = responsesOf(texts);
  if (!response || response.labels.length === 0) return undefined;
  const { ident, labels, isMultiple, shuffle } = response;
  const options = labels.map((label) => ({
    html: texts.html(label.element),
    fraction: shareFor(texts.item, given([[ident, [label.ident]]])),
    feedback: feedbackFor(texts, `${label.ident}_fb`),
  }));
  const stimulus = stimulusOf(texts);
  if (!isMultiple) return choiceQuestion(options, { stimulus, points, shuffle });
  const ids = labels.map((label) => label.ident);
  const key = keyOf(texts.item, ident).map((id) => ids.indexOf(id));
  const score = (chosen: number[]) =>
    shareFor(texts.item, given([[ident, chosen.map((index) => ids[index]!)]])) * points;
  return scoredChoice(options, { stimulus, shuffle, isMultiple }, key, score);
};

/** The choices that the rules require. */
const keyOf = (item: XmlElement, ident: string): string[] =>
  [...(item.first('resprocessing')?.below() ?? [])]
    .filter(
      ({ name, attributes, parent }) => name === 'varequal' && attributes.respident === ident && parent?.name !== 'not',
    )
    .map(({ text }) => text.trim());

export const shortAnswer: Converter = (texts, points) => {
  const [response] = responsesOf(texts);
  if (!response) return undefined;
  const stimulus = stimulusOf(texts);
  const known = [...new Set(keyOf(texts.item, response.ident))].filter((text) => text !== '');
  const score = (text: string) => shareFor(texts.item, given([[response.ident, [text]]])) * points;
  const swapped = known.map((text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()));
  const trials: Trial[] = [
    ...known.map((text) => ({ value: text, score: score(text) })),
    ...swapped
      .filter((text) => !known.includes(text))
      .map((text) => ({ value: text, score: score(text), isVariant: true })),
    ...known.map((text) => ({ value: ` ${text} `, score: score(text), isVariant: true })),
    { value: 'zq-other-qz', score: score('zq-other-qz') },
    ...known.map((text) => ({ value: `x${text}x`, score: score(`x${text}x`), isVariant: true })),
  ];
  const data: QuestionData = { type: 'shorttext', ...(stimulus !== '' && { stimulus }), max_length: 250 };
  return withRule(data, trials, true);
};

export const numerical: Converter = (texts, points) => {
  const ranges = rangesIn(texts.item);
  if (!ranges || ranges.some(({ low, high }) => !Number.isFinite(low) || !Number.isFinite(high)))
    return { data: { type: 'formulaV2', stimulus: stimulusOf(texts) }, notes: LOST };
  if (ranges.some(({ isOpen }) => isOpen))
    texts.note('tolerance-approximated', texts.item.first('resprocessing')!, 'the ends of a range count here');
  // Sums of decimal fractions have errors in their last digits.
  const rounded = (value: number) => Number(value.toPrecision(12));
  const answers = ranges.map(({ low, high, share }): NumberAnswer => ({
    value: rounded((low + high) / 2),
    tolerance: rounded(Math.abs(high - low) / 2),
    fraction: share,
  }));
  return numberQuestion(answers, { stimulus: stimulusOf(texts), points });
};

const BLANK = '{{response}}';

/** The text with a blank for each `[name]` of a response, and the responses in that order. */
function blanksOf(texts: ItemTexts): { template: string; responses: Response[] } {
  const named = new Map(responsesOf(texts).map((response) => [response.ident.replace(/^response_/, ''), response]));
  const responses: Response[] = [];
  const template = stimulusOf(texts).replace(/\[([^[\]]{1,200})\]/g, (whole, name: string) => {
    const response = named.get(name);
    if (!response || responses.includes(response)) return whole;
    responses.push(response);
    return BLANK;
  });
  return { template, responses };
}

interface Filled {
  text: string | null;
  ident: string | undefined;
  isVariant?: boolean;
}

function cloze(
  texts: ItemTexts,
  points: number,
  data: QuestionData,
  responses: readonly Response[],
  lists: readonly Filled[][],
): Built {
  const { ways: all, isAll } = ways(lists);
  const trials = all.map((way): Trial => {
    const filled = way.flatMap(({ ident }, index) =>
      ident === undefined ? [] : [[responses[index]!.ident, [ident]] as const],
    );
    const values = way.map(({ text }) => text);
    return {
      value: values,
      parts: values,
      score: shareFor(texts.item, given(filled)) * points,
      ...(way.some(({ isVariant }) => isVariant) && { isVariant: true }),
    };
  });
  return withRule(data, trials, isAll);
}

/** Typed blanks. Every label of a blank is an accepted text. */
export const blanks: Converter = (texts, points) => {
  const { template, responses } = blanksOf(texts);
  if (responses.length === 0) return undefined;
  // New Quizzes uses the same kind for menus and lists of words.
  const kinds = responses.flatMap(({ labels }) =>
    labels.map(({ element }) => (element.attributes.answer_type ?? '').toLowerCase()),
  );
  if (kinds.every((kind) => kind === 'dropdown')) return dropdowns(texts, points);
  if (kinds.some((kind) => kind === 'dropdown' || kind === 'wordbank'))
    return { data: { type: 'clozetext', template, max_length: 250 }, notes: LOST };
  if ([...texts.item.below()].some(({ attributes }) => attributes.scoring_algorithm === 'TextCloseEnough'))
    texts.note('scoring-approximated', texts.item, 'texts that are nearly right earn points in the source');
  const lists = responses.map(({ ident, labels }): Filled[] => {
    // The rules name one label. The other labels of its blank earn the same.
    const right = keyOf(texts.item, ident)[0] ?? labels[0]?.ident;
    const accepted = labels.map((label): Filled => ({ text: texts.plain(label.element), ident: right }));
    const variants = accepted.slice(0, 2).flatMap(({ text }): Filled[] => {
      const swapped = text === text!.toUpperCase() ? text.toLowerCase() : text!.toUpperCase();
      return accepted.some((other) => other.text === swapped) ? [] : [{ text: swapped, ident: right, isVariant: true }];
    });
    return [...accepted, ...variants, { text: 'zq-other-qz', ident: undefined }, { text: null, ident: undefined }];
  });
  return cloze(texts, points, { type: 'clozetext', template, max_length: 250 }, responses, lists);
};

export const dropdowns: Converter = (texts, points) => {
  const { template, responses } = blanksOf(texts);
  if (responses.length === 0) return undefined;
  const lists = responses.map(({ ident, labels }): Filled[] => {
    const right = keyOf(texts.item, ident);
    const choices = labels.map((label): Filled => ({ text: texts.plain(label.element), ident: label.ident }));
    return [
      ...choices.filter((each) => right.includes(each.ident!)),
      ...choices.filter((each) => !right.includes(each.ident!)),
      { text: null, ident: undefined },
    ];
  });
  const data: QuestionData = {
    type: 'clozedropdown',
    template,
    possible_responses: responses.map(({ labels }) => labels.map((label) => texts.plain(label.element))),
  };
  return cloze(texts, points, data, responses, lists);
};

export const matching: Converter = (texts, points) => {
  const responses = responsesOf(texts);
  const pairs = responses.map(({ ident, material, labels }) => {
    const right = labels.find((label) => keyOf(texts.item, ident).includes(label.ident));
    return { stem: texts.html(material), response: right && texts.html(right.element) };
  });
  const isWhole = (pair: (typeof pairs)[number]): pair is { stem: string; response: string } =>
    pair.response !== undefined;
  const whole = pairs.filter(isWhole);
  if (whole.length === 0) return undefined;
  const all = responses.flatMap(({ labels }) => labels.map((label) => texts.html(label.element)));
  const built = matchQuestion(whole, all, { stimulus: stimulusOf(texts), points });
  const shares = responses.map(({ ident }) => shareFor(texts.item, given([[ident, keyOf(texts.item, ident)]])));
  const isEven = shares.every((share) => Math.abs(share - 1 / responses.length) < 1e-6);
  if (isEven && whole.length === pairs.length) return built;
  const { validation: _, ...data } = built.data;
  return { data, notes: LOST };
};

export const ordering: Converter = (texts, points) => {
  const [response] = responsesOf(texts);
  if (!response || response.labels.length < 2) return undefined;
  const ids = response.labels.map(({ ident }) => ident);
  const key = keyOf(texts.item, response.ident).filter((id) => ids.includes(id));
  const stimulus = stimulusOf(texts);
  const data: QuestionData = {
    type: 'orderlist',
    ...(stimulus !== '' && { stimulus }),
    list: response.labels.map(({ element }) => texts.html(element)),
  };
  if (key.length !== ids.length) return { data, notes: LOST };
  const { orders: all, isAll } = orders(ids, key);
  const trials = all.map((order): Trial => ({
    value: order.map((id) => ids.indexOf(id)),
    score: order.every((id, place) => id === key[place]) ? points : 0,
  }));
  return withRule(data, trials, isAll);
};

export const essay: Converter = (texts, points) => ({ data: essayQuestion(stimulusOf(texts), points), notes: [] });

export const upload: Converter = (texts, points) => {
  const stimulus = stimulusOf(texts);
  return {
    data: {
      type: 'fileupload',
      ...(stimulus !== '' && { stimulus }),
      max_files: 1,
      allow_pdf: true,
      allow_jpg: true,
      allow_png: true,
      allow_ms_word: true,
      ...(points > 0 && { validation: { max_score: points } }),
    },
    notes: [],
  };
};

export const textOnly: Converter = (texts) => ({ data: passage(stimulusOf(texts)), notes: [] });
