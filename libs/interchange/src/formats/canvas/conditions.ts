import { type XmlElement } from '../xml';

/** The texts of a response by the identifier of the response element. */
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
    // Canvas leaves out `continue` where several conditions add points.
    const isSum = points.every(({ attributes }) => attributes.action === 'Add');
    if ((condition.attributes.continue ?? (isSum ? 'Yes' : 'No')) !== 'Yes' && points.length > 0) break;
  }
  const bounds = item.first('resprocessing')?.first('outcomes')?.first('decvar')?.attributes ?? {};
  const bound = (text: string | undefined, otherwise: number) =>
    text === undefined || text === '' ? otherwise : Number(text);
  const [least, most] = [bound(bounds.minvalue, -Infinity), bound(bounds.maxvalue, Infinity)];
  return shareOfPercent(Math.min(Math.max(score, least), most));
}

/** The largest denominator of a share. With a larger one, nearly every percentage would match some share. */
const MAX_PARTS = 12;
/** The largest difference between the sum of many rounded parts and the whole. */
const WHOLE_TOLERANCE = 0.2;

/** The share that a percentage stands for. Percentages have two decimals, so twice 33.33 is two thirds. */
function shareOfPercent(percent: number): number {
  if (Math.abs(percent - 100) < WHOLE_TOLERANCE) return 1;
  for (let parts = 1; parts <= MAX_PARTS; parts++) {
    const count = Math.round((percent * parts) / 100);
    const [exact, rounded, cut] = [100 / parts, Math.round(10_000 / parts) / 100, Math.floor(10_000 / parts) / 100];
    if ([exact, rounded, cut].some((part) => Math.abs(percent - count * part) < 0.005)) return count / parts;
  }
  return percent / 100;
}

/** Whether the tests hold. Several texts for one response are alternatives; all other tests must hold together. */
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

/** The share that each response earns by itself; undefined when a rule asks for several responses, or for none. */
export function sharesByResponse(item: XmlElement): Map<string, number> | undefined {
  const shares = new Map<string, number>();
  for (const condition of item.first('resprocessing')?.all('respcondition') ?? []) {
    const points = condition.all('setvar').find(({ attributes }) => (attributes.varname ?? 'SCORE') === 'SCORE');
    if (!points) continue;
    const tests = condition.first('conditionvar')?.elements ?? [];
    const [ident, ...others] = new Set(tests.map(({ attributes }) => attributes.respident ?? ''));
    const isSimple = tests.every(({ name }) => name === 'varequal') && points.attributes.action === 'Add';
    if (ident === undefined || others.length > 0 || !isSimple || shares.has(ident)) return undefined;
    shares.set(ident, shareOfPercent(Number(points.text.trim()) || 0));
  }
  return shares;
}

/** A range of numbers that earns points. */
interface NumberRange {
  low: number;
  high: number;
  share: number;
  /** Whether the ends are outside of the range. */
  isOpen: boolean;
}

/** The numbers and ranges of the rules; undefined when a rule has another form. */
export function rangesIn(item: XmlElement): NumberRange[] | undefined {
  const ranges: NumberRange[] = [];
  for (const condition of item.first('resprocessing')?.all('respcondition') ?? []) {
    const points = condition.first('setvar');
    const test = condition.first('conditionvar');
    if (!points || !test) continue;
    const share = shareOfPercent(Number(points.text.trim()) || 0);
    const found = rangesOf(test, share);
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
