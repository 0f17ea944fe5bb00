import { type Data, objectOf, rightValueOf, validationOf } from './data';

/* Which data a form can show whole. A form would replace anything else by empty fields at the first change. */

const isText = (value: unknown): boolean => typeof value === 'string';
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean): boolean =>
  !isGiven(value) || (Array.isArray(value) && value.every(isEntry));
const isTextList = (value: unknown): boolean => isListOf(value, isText);
const isTextOrNone = (value: unknown): boolean => !isGiven(value) || isText(value);
const isPlace = (value: unknown): boolean =>
  Number.isInteger(Number(value)) && (isText(value) || typeof value === 'number');

/** Members of keys from before 2015, in the question or in its `validation`. */
const OLDER_KEYS = ['valid_responses', 'valid_score', 'partial_scoring', 'pairwise'];

function hasOlderKey(data: Data): boolean {
  const validation = validationOf(data);
  return (
    OLDER_KEYS.some((name) => isGiven(data[name]) || isGiven(validation[name])) ||
    isGiven(data.valid_response) ||
    (isGiven(validation.valid_response) && validation.valid_response !== objectOf(validation.valid_response))
  );
}

const RULES: Readonly<Record<string, (data: Data, right: unknown) => boolean>> = {
  mcq: ({ options }, right) =>
    isListOf(options, (option) => isText(objectOf(option).value) && isText(objectOf(option).label)) &&
    isTextList(right),
  choicematrix: ({ stems, options }, right) =>
    isTextList(stems) && isTextList(options) && isListOf(right, (cell) => isPlace(cell) || isListOf(cell, isPlace)),
  clozetext: ({ template }, right) =>
    isText(template ?? '') && isListOf(right, (gap) => isTextOrNone(gap) || typeof gap === 'number'),
  clozedropdown: ({ template, possible_responses: responses }, right) =>
    isText(template ?? '') && isListOf(responses, isTextList) && isListOf(right, isTextOrNone),
  association: ({ stimulus_list: prompts, possible_responses: responses }, right) =>
    isTextList(prompts) && isTextList(responses) && isListOf(right, isTextOrNone),
  orderlist: ({ list }, right) => isTextList(list) && isListOf(right, isPlace),
  shorttext: (_, right) => isTextOrNone(right) || typeof right === 'number',
  sharedpassage: ({ pages }) => isTextList(pages),
  formulaV2: (_, right) => isListOf(right, (rule) => rule === objectOf(rule)),
};

/** Whether the form of the type can show the data without losing any of it. */
export function fitsForm(type: string, data: Data): boolean {
  if (isGiven(data.validation) && data.validation !== validationOf(data)) return false;
  const rule = RULES[type];
  if (!rule) return true;
  const isAlternative = (other: unknown) => other === objectOf(other) && rule(data, objectOf(other).value);
  return (
    !hasOlderKey(data) && rule(data, rightValueOf(data)) && isListOf(validationOf(data).alt_responses, isAlternative)
  );
}
