import {
  choiceQuestion,
  essayQuestion,
  matchQuestion,
  numberQuestion,
  type NumberAnswer,
  passage,
  type QuestionData,
  scoredChoice,
} from '../questions';
import { OTHER_TEXT, orders, type Trial } from '../trials';
import { validationOf } from '../validation';
import { rangesIn, shareFor, sharesByResponse } from './conditions';
import {
  type Converter,
  feedbackFor,
  given,
  keyOf,
  LOST,
  presentationOf,
  responsesOf,
  stimulusOf,
  withRule,
} from './responses';

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
    { value: OTHER_TEXT, score: score(OTHER_TEXT), isOther: true },
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

/** Responses that are put into categories. */
export const categorization: Converter = (texts, points) => {
  const categories = responsesOf(texts);
  if (categories.length < 2) return undefined;
  const labels = [...new Map(categories.flatMap((each) => each.labels).map((label) => [label.ident, label])).values()];
  const ids = labels.map(({ ident }) => ident);
  const value = categories.map(({ ident }) =>
    keyOf(texts.item, ident)
      .map((id) => ids.indexOf(id))
      .filter((place) => place >= 0),
  );
  const stimulus = stimulusOf(texts);
  const data: QuestionData = {
    type: 'classification',
    ...(stimulus !== '' && { stimulus }),
    possible_responses: labels.map(({ element }) => texts.html(element)),
    ui_style: {
      column_count: categories.length,
      column_titles: categories.map(({ material }) => texts.html(material)),
    },
  };
  const shares = sharesByResponse(texts.item);
  const isEven = categories.every(
    ({ ident }, place) =>
      value[place]!.length > 0 && Math.abs((shares?.get(ident) ?? 0) - 1 / categories.length) < 1e-6,
  );
  if (!isEven || points <= 0) return { data, notes: LOST };
  const validation = validationOf('partialMatchV2', [{ value, score: points }], { rounding: 'none' });
  return {
    data: { ...data, validation },
    notes: [['scoring-approximated', 'a category with a further response earns nothing here']],
  };
};

/** Keeps the text and the picture. The learner describes a place in writing, and a person scores that. */
export const onPicture: Converter = (texts, points) => {
  const below = [...(presentationOf(texts)?.below() ?? [])];
  const response = below.find(({ name }) => name === 'response_xy');
  const picture = below.find(({ name }) => name === 'matimage');
  if (!response || !picture) return undefined;
  const text = stimulusOf(texts) || texts.html(response.first('material'));
  const data: QuestionData = {
    type: 'plaintext',
    stimulus: `${text}<p>${texts.picture(picture)}</p>`,
    ...(points > 0 && { validation: { max_score: points } }),
  };
  return { data, notes: [['interaction-lost', 'a place in a picture']] };
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

export const textOnly: Converter = (texts) => {
  const stimulus = stimulusOf(texts);
  return stimulus === '' ? undefined : { data: passage(stimulus), notes: [] };
};
