import { grouped } from '#kernel';
import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader } from '../comparison';
import { isObject, numberOf, objectOf } from '../members';
import { countParts, isEmpty } from '../parts';
import { keyOf } from './keys';

/** A token at a position of the line. Positions that are not numbers are compared as texts. */
interface Token {
  point: string;
  position: number | string;
}

/**
 * numberline: the parts are the tokens to place, identified by their label (`point`). A token is right when its
 * distance from its accepted position is at most `validation.threshold`. A token that should not be on the line is
 * wrong.
 */
export const numberLine: Family = (question, { answers }) => {
  const threshold = Math.max(0, numberOf(objectOf(question['validation'])['threshold']) ?? 0);
  return reader<Token[]>(answers, {
    read: tokensOf,
    isEmpty: (tokens) => tokens.length === 0,
    size: (tokens) => tokens.length,
    prepare: (answer) => prepareTokens(answer, threshold),
  });
};

/** Tokens without a position are not placed. */
function tokensOf(value: Json): Token[] | undefined {
  const tokens: Token[] = [];
  for (const entry of Array.isArray(value) ? value : value === null ? [] : [value]) {
    if (isEmpty(entry)) continue;
    const token = isObject(entry) ? tokenOf(entry) : undefined;
    if (token === undefined) return undefined;
    if (token !== null) tokens.push(token);
  }
  return tokens;
}

function tokenOf(entry: JsonObject): Token | null | undefined {
  const point = keyOf(entry['point'] ?? null);
  const position = entry['position'] ?? null;
  const key = keyOf(position);
  if (key === null) return null;
  if (typeof point !== 'string' || typeof key !== 'string') return undefined;
  return { point, position: numberOf(position) ?? key };
}

function prepareTokens({ value }: AcceptedAnswer, threshold: number): (given: Token[]) => Comparison {
  const accepted = byPoint(tokensOf(value) ?? []);
  // A token without a position is a part that no response gets right.
  const total = countParts('numberline', value);
  return (given) => {
    const parts: Part[] = [];
    const placed = byPoint(given);
    for (const [point, tokens] of accepted) comparePoint(tokens, placed.get(point) ?? [], threshold, parts);
    for (const [point, tokens] of placed)
      if (!accepted.has(point)) for (const token of tokens) parts.push(part('wrong', token, undefined));
    return { total, parts };
  };
}

/** Tokens by label, each list from left to right. */
function byPoint(tokens: readonly Token[]): Map<string, Token[]> {
  const groups = grouped(tokens.map((each) => [each.point, each]));
  for (const group of groups.values()) group.sort((a, b) => compare(a.position, b.position));
  return groups;
}

/** Tokens with the same label are indistinguishable. From left to right, each takes the first position that fits. */
function comparePoint(accepted: readonly Token[], given: readonly Token[], threshold: number, parts: Part[]): void {
  let next = 0;
  let at = 0;
  const missed: Token[] = [];
  const surplus: Token[] = [];
  while (next < accepted.length && at < given.length) {
    const right = accepted[next]!;
    const token = given[at]!;
    if (isNear(token.position, right.position, threshold)) {
      parts.push(part('right', token, right));
      next++;
      at++;
    } else if (compare(token.position, right.position) < 0) {
      surplus.push(token);
      at++;
    } else {
      missed.push(right);
      next++;
    }
  }
  for (; next < accepted.length; next++) missed.push(accepted[next]!);
  for (; at < given.length; at++) surplus.push(given[at]!);
  // A misplaced token is one wrong part. Only a token that was not placed at all is empty.
  for (const [index, token] of surplus.entries()) parts.push(part('wrong', token, missed[index]));
  for (const right of missed.slice(surplus.length)) parts.push(part('empty', undefined, right));
}

function isNear(a: number | string, b: number | string, threshold: number): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  // In binary fractions, 2.2 - 2 is slightly more than 0.2.
  return Math.abs(a - b) <= threshold + 1e-9 * Math.max(1, Math.abs(b));
}

/** Sorts numbers before texts. */
function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : a < b ? -1 : a > b ? 1 : 0;
}

function part(verdict: Part['verdict'], given: Token | undefined, accepted: Token | undefined): Part {
  return { at: null, verdict, given: spelled(given), accepted: spelled(accepted) };
}

function spelled(token: Token | undefined): Json {
  return token ? `${token.point} at ${token.position}`.slice(0, 1000) : null;
}
