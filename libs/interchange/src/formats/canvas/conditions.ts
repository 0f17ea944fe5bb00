import { type XmlElement } from '../xml';

/** Texts of a response by the identifier of its response element. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** The share of the points that a response earns: SCORE is a percentage. */
export function shareFor(item: XmlElement, given: Given): number {
  let score = 0;
  for (const condition of item.first('resprocessing')?.all('respcondition') ?? []) {
    const test = condition.first('conditionvar');
    const points = condition.all('setvar').filter(({ attributes }) => (attributes.varname ?? 'SCORE') === 'SCORE');
    if (!test || !holdsAll(test, given)) continue;
    for (const { attributes, text } of points) {
      const value = Number(text.trim()) || 0;
      score = attributes.action === 'Add' ? score + value : attributes.action === 'Subtract' ? score - value : value;
    }
    if (condition.attributes.continue !== 'Yes' && points.length > 0) break;
  }
  return shareOfPercent(score);
}

const MAX_PARTS = 30;

/** The share that a percentage of two decimals means: 66.66 is two thirds. */
function shareOfPercent(percent: number): number {
  for (let parts = 1; parts <= MAX_PARTS; parts++) {
    const count = Math.round((percent * parts) / 100);
    if (Math.abs(percent - (100 * count) / parts) < 0.011 * Math.max(Math.abs(count), 1)) return count / parts;
  }
  return percent / 100;
}

/** Several texts for one response are alternatives. All other tests must hold together. */
function holdsAll(test: XmlElement, given: Given): boolean {
  const tests = test.elements;
  const alternatives = tests.filter(({ name }) => name === 'varequal' || name === 'varsubstring');
  const isOneResponse = new Set(alternatives.map(({ attributes }) => attributes.respident)).size === 1;
  if (alternatives.length === tests.length && isOneResponse && test.name === 'conditionvar')
    return alternatives.some((each) => holds(each, given));
  return tests.length > 0 && tests.every((each) => holds(each, given));
}

function holds(test: XmlElement, given: Given): boolean {
  const texts = given.get(test.attributes.respident ?? '') ?? [];
  const wanted = test.text.trim();
  const compared = (text: string) => (test.attributes.case === 'Yes' ? text : text.toLowerCase());
  const isNumber = (compare: (value: number, bound: number) => boolean) =>
    texts.some((text) => text.trim() !== '' && Number.isFinite(Number(text)) && compare(Number(text), Number(wanted)));
  switch (test.name) {
    case 'other':
      return true;
    case 'and':
      return test.elements.every((each) => holds(each, given));
    case 'or':
      return test.elements.some((each) => holds(each, given));
    case 'not':
      return !test.elements.every((each) => holds(each, given));
    case 'unanswered':
      return texts.length === 0;
    case 'varequal':
      return texts.some((text) => compared(text.trim()) === compared(wanted));
    case 'varsubstring':
      return texts.some((text) => compared(text).includes(compared(wanted)));
    case 'vargt':
      return isNumber((value, bound) => value > bound);
    case 'vargte':
      return isNumber((value, bound) => value >= bound);
    case 'varlt':
      return isNumber((value, bound) => value < bound);
    case 'varlte':
      return isNumber((value, bound) => value <= bound);
    default:
      return false;
  }
}

/** A range of numbers that earns points. */
export interface NumberRange {
  low: number;
  high: number;
  share: number;
  /** Its ends do not belong to it. */
  isOpen: boolean;
}

/** The numbers and ranges of the rules; undefined when a rule is of another form. */
export function rangesIn(item: XmlElement): NumberRange[] | undefined {
  const ranges: NumberRange[] = [];
  for (const condition of item.first('resprocessing')?.all('respcondition') ?? []) {
    const points = condition.first('setvar');
    if (!points) continue;
    const share = shareOfPercent(Number(points.text.trim()) || 0);
    const found = rangesOf(condition.first('conditionvar')!, share);
    if (!found) return undefined;
    ranges.push(...found);
  }
  return ranges;
}

function rangesOf(test: XmlElement, share: number): NumberRange[] | undefined {
  const bounds = new Map(test.elements.map((each) => [each.name, Number(each.text.trim())]));
  const low = bounds.get('vargte') ?? bounds.get('vargt');
  const high = bounds.get('varlte') ?? bounds.get('varlt');
  if (test.elements.length === 2 && low !== undefined && high !== undefined)
    return [{ low, high, share, isOpen: bounds.has('vargt') || bounds.has('varlt') }];
  const parts = test.elements.map((each): NumberRange[] | undefined => {
    if (each.name === 'varequal') return [{ low: Number(each.text), high: Number(each.text), share, isOpen: false }];
    return each.name === 'or' || each.name === 'and' ? rangesOf(each, share) : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}
