import { type Match, no, undecided, yes } from '../comparison/functions';
import { product } from '../notation/building';
import { type Formula, partsOf, someWithin, writtenAs } from '../notation/formula';
import { unitOf } from '../units';

type Compare = (value: Formula, response: Formula) => Match;

/**
 * Compares formulas when one contains words, texts that name no unit. Words have no value: they must be the same and in
 * the same places, and the formulas between them are compared. With different places the result is undecided.
 */
export function compareWithWords(value: Formula, response: Formula, compare: Compare): Match {
  const [accepted, own] = [wordsOf(value), wordsOf(response)];
  if (accepted.size === 0 && own.size === 0) return compare(value, response);
  if (written(value) === written(response)) return yes('is written as the accepted answer');
  if (shown(accepted) !== shown(own)) return no(`has ${shown(own)} instead of ${shown(accepted)}`);
  if (value.kind === 'relation' && response.kind === 'relation') return compareRelations(value, response, compare);
  if (value.kind === 'list' && response.kind === 'list')
    return compareEntries(value.entries, response.entries, compare);
  return comparePieces(value, response, compare);
}

const OPEN = undecided('has words that the accepted answer has in other places');

function isWord(formula: Formula): formula is Formula & { kind: 'text' } {
  return formula.kind === 'text' && unitOf(formula.text) === undefined;
}

function wordsOf(formula: Formula): Set<string> {
  return isWord(formula) ? new Set([formula.text]) : new Set(partsOf(formula).flatMap((part) => [...wordsOf(part)]));
}

function hasWords(formula: Formula): boolean {
  return someWithin(formula, isWord);
}

function shown(words: ReadonlySet<string>): string {
  if (words.size === 0) return 'no words';
  return `the words ${[...words]
    .sort()
    .map((word) => `"${word}"`)
    .join(', ')}`;
}

/** The formula as written, but with terms in any order. */
function written(formula: Formula): string {
  if (formula.kind !== 'sum') return writtenAs(formula);
  return formula.terms
    .map((term, at) => `${formula.signs[at] ?? '+'}${writtenAs(term)}`)
    .sort()
    .join(' ');
}

type Relation = Formula & { kind: 'relation' };

function compareRelations(value: Relation, response: Relation, compare: Compare): Match {
  const turned = { ...response, sides: response.sides.toReversed() };
  const [straight, back] = [response, turned].map((each) => compareSides(value, each, compare));
  if (straight?.matches || value.signs.some((sign) => sign !== '=') || value.signs.length > 1) return straight ?? OPEN;
  return back?.matches === null ? (straight ?? OPEN) : (back ?? OPEN);
}

/** Sides with words must be equal before a differing side can decide. */
function compareSides(value: Relation, response: Relation, compare: Compare): Match {
  if (value.signs.join() !== response.signs.join()) return OPEN;
  const matches = value.sides.map((side, at) => compareWithWords(side, response.sides[at] as Formula, compare));
  const isOpen = matches.some(({ matches: match }, at) => !match && hasWords(value.sides[at] as Formula));
  return isOpen ? OPEN : (matches.find(({ matches: match }) => !match) ?? yes('says the same as the accepted answer'));
}

function compareEntries(values: readonly Formula[], responses: readonly Formula[], compare: Compare): Match {
  if (values.length !== responses.length) return no(`has ${responses.length} entries instead of ${values.length}`);
  const matches = values.map((each, at) => compareWithWords(each, responses[at] as Formula, compare));
  return (
    matches.find((match) => match.matches === false) ??
    matches.find((match) => match.matches === null) ??
    yes('has the same entries as the accepted answer')
  );
}

const ONE: Formula = { kind: 'number', whole: '1' };

function comparePieces(value: Formula, response: Formula, compare: Compare): Match {
  const [accepted, own] = [piecesOf(value), piecesOf(response)];
  if (!accepted || !own) return OPEN;
  if (accepted.words.join('\n') === own.words.join('\n')) {
    const matches = accepted.between.map((piece, at) => compare(piece, own.between[at] as Formula));
    const [first] = matches;
    if (first && matches.every((match) => match.matches)) return first;
  }
  const all = compare(accepted.between.reduce(product), own.between.reduce(product));
  return all.matches === false ? all : OPEN;
}

interface Pieces {
  words: string[];
  /** The formulas before, between and after the words: one more than there are words. */
  between: Formula[];
}

/** undefined where words are not factors of the whole formula. */
function piecesOf(formula: Formula): Pieces | undefined {
  if (formula.kind === 'negative') return withFirst(piecesOf(formula.of), (of) => ({ kind: 'negative', of }));
  // 10 ± 1 apples has one word for both numbers.
  if (formula.kind === 'sum' && formula.signs.includes('±') && !formula.terms.slice(0, -1).some(hasWords)) {
    const terms = formula.terms.slice(0, -1);
    return withFirst(piecesOf(formula.terms.at(-1) as Formula), (last) => ({ ...formula, terms: [...terms, last] }));
  }
  const words: string[] = [];
  const between: (Formula | undefined)[] = [undefined];
  for (const factor of formula.kind === 'product' ? formula.factors : [formula]) {
    if (isWord(factor)) {
      words.push(factor.text);
      between.push(undefined);
    } else if (hasWords(factor)) return undefined;
    else {
      const before = between.pop();
      between.push(before ? product(before, factor) : factor);
    }
  }
  return { words, between: between.map((piece) => piece ?? ONE) };
}

function withFirst(pieces: Pieces | undefined, change: (first: Formula) => Formula): Pieces | undefined {
  const [first = ONE, ...others] = pieces?.between ?? [];
  return pieces && { ...pieces, between: [change(first), ...others] };
}
