import { type Built, type QuestionData } from '../questions';
import { OTHER_TEXT, type Trial, ways } from '../trials';
import { shareFor } from './conditions';
import { type Converter, given, keyOf, LOST, type Response, responsesOf, stimulusOf, withRule } from './responses';
import { type ItemTexts } from './texts';

/* Questions whose answers belong in blanks of a text. */

const BLANK = '{{response}}';
/** Stands for a blank that the learner fills in at another place of the text. */
const FILLED_ABOVE = '_____';

/** The text with a blank for each `[name]` of a response, and the responses in that order. */
function blanksOf(texts: ItemTexts): { template: string; responses: Response[] } {
  const named = new Map(responsesOf(texts).map((response) => [response.ident.replace(/^response_/, ''), response]));
  const responses: Response[] = [];
  const template = stimulusOf(texts).replace(/\[([^[\]]{1,200})\]/g, (whole, name: string) => {
    const response = named.get(name);
    if (!response) return whole;
    if (responses.includes(response)) {
      texts.note('layout-approximated', texts.item, `the blank ${name} is filled in once`);
      return FILLED_ABOVE;
    }
    responses.push(response);
    return BLANK;
  });
  return { template, responses };
}

interface Filled {
  text: string | null;
  ident: string | undefined;
  isVariant?: boolean;
  isOther?: boolean;
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
      ...(way.some(({ isOther }) => isOther) && { isOther: true }),
    };
  });
  return withRule(data, trials, isAll);
}

/** Ways of New Quizzes to compare a text with each accepted text as a whole. */
const WHOLE_TEXTS = ['TextInChoices', 'TextEquivalence'];

/** Typed blanks. Every label of a blank is an accepted text. */
export const blanks: Converter = (texts, points) => {
  const { template, responses } = blanksOf(texts);
  if (responses.length === 0) return undefined;
  // New Quizzes uses the same kind for menus and lists of words.
  const kinds = responses.flatMap(({ labels }) =>
    labels.map(({ element }) => (element.attributes.answer_type ?? '').toLowerCase()),
  );
  if (kinds.every((kind) => kind === 'dropdown')) return dropdowns(texts, points);
  if (kinds.every((kind) => kind === 'wordbank')) return wordBank(texts, points);
  if (kinds.some((kind) => kind === 'dropdown' || kind === 'wordbank'))
    return { data: { type: 'clozetext', template, max_length: 250 }, notes: LOST };
  const algorithms = [...texts.item.below()].flatMap(({ attributes }) => attributes.scoring_algorithm ?? []);
  const other = algorithms.find((algorithm) => !WHOLE_TEXTS.includes(algorithm));
  if (other !== undefined)
    texts.note('scoring-approximated', texts.item, `only whole texts earn points here, not others by ${other}`);
  const lists = responses.map(({ ident, labels }): Filled[] => {
    // The rules name one label. The other labels of its blank earn the same points.
    const right = keyOf(texts.item, ident)[0] ?? labels[0]?.ident;
    const accepted = labels.map((label): Filled => ({ text: texts.plain(label.element), ident: right }));
    const variants = accepted.slice(0, 2).flatMap(({ text }): Filled[] => {
      const swapped = text === text!.toUpperCase() ? text.toLowerCase() : text!.toUpperCase();
      return accepted.some((other) => other.text === swapped) ? [] : [{ text: swapped, ident: right, isVariant: true }];
    });
    return [
      ...accepted,
      ...variants,
      { text: OTHER_TEXT, ident: undefined, isOther: true },
      { text: null, ident: undefined },
    ];
  });
  return cloze(texts, points, { type: 'clozetext', template, max_length: 250 }, responses, lists);
};

/** The possible contents of each blank: right texts first, then wrong ones, then none. */
const choicesIn = (texts: ItemTexts, responses: readonly Response[]): Filled[][] =>
  responses.map(({ ident, labels }): Filled[] => {
    const right = keyOf(texts.item, ident);
    const choices = labels.map((label): Filled => ({ text: texts.plain(label.element), ident: label.ident }));
    return [
      ...choices.filter((each) => right.includes(each.ident!)),
      ...choices.filter((each) => !right.includes(each.ident!)),
      { text: null, ident: undefined },
    ];
  });

/** Words of one list that are put into blanks. */
function wordBank(texts: ItemTexts, points: number): Built {
  const { template, responses } = blanksOf(texts);
  const labels = responses.flatMap((response) => response.labels.map(({ element }) => element));
  const data: QuestionData = {
    type: 'clozeassociation',
    template,
    possible_responses: [...new Set(labels.map((label) => texts.plain(label)))],
    ...(labels.some(({ attributes }) => attributes.allow_reuse === 'true') && { duplicate_responses: true }),
  };
  return cloze(texts, points, data, responses, choicesIn(texts, responses));
}

export const dropdowns: Converter = (texts, points) => {
  const { template, responses } = blanksOf(texts);
  if (responses.length === 0) return undefined;
  const lists = choicesIn(texts, responses);
  const data: QuestionData = {
    type: 'clozedropdown',
    template,
    possible_responses: responses.map(({ labels }) => labels.map((label) => texts.plain(label.element))),
  };
  return cloze(texts, points, data, responses, lists);
};
