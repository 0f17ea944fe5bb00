import { Fault } from './fault';
import { place, pointerPart } from './place';

/** The maximum nesting depth of a request. Real content has about 10 levels. */
const MAX_DEPTH = 100;

/**
 * Parses the text of `request`. Absent, empty and `[]` mean no parameters.
 * @throws Fault for text that is not a JSON object, and for JSON that cannot be stored exactly: numbers that a double
 *   cannot hold, text that is not Unicode, U+0000 (an embedded database cuts text off there), a member `__proto__`, or
 *   nesting beyond 100 levels.
 */
export function parseRequest(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {};
  return parseObject(text, 'request', 'the parameters of the operation');
}

/**
 * Parses another text in the same way.
 * @param name what the text is called.
 * @param content what its object contains.
 */
export function parseObject(text: string, name: string, content: string): Record<string, unknown> {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (error) {
    throw new Fault('schema', `${name} is not valid JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(request) && request.length === 0) return {};
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Fault('schema', `${name} must be a JSON object with ${content}.`);
  checkJson(request);
  // Only a number with this many digits can have been rounded by the parser.
  if (/[[,:\s]-?\d{16}/.test(text)) refuseRounded(text);
  return request as Record<string, unknown>;
}

/** @throws Fault for a value that cannot be stored exactly, as `parseObject` says. */
export function checkJson(value: unknown): void {
  if (!canBeStored(value, 0)) inspect(value, '', 0);
}

/** Makes the checks of {@link inspect}, but records no places. It is fast for the usual, valid request. */
function canBeStored(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (const entry of value) if (!canBeStored(entry, depth + 1)) return false;
    return true;
  }
  // Parsed objects have only own members.
  for (const name in value) {
    if (name === '__proto__' || !canBeStored(name, depth)) return false;
    if (!canBeStored((value as Record<string, unknown>)[name], depth + 1)) return false;
  }
  return true;
}

function inspect(value: unknown, at: string, depth: number): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      throw new Fault('value', `${place(at)} holds half of a surrogate pair, which is not Unicode text.`, at);
    if (value.includes('\0')) throw new Fault('value', `${place(at)} holds the character U+0000; leave it out.`, at);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Fault('value', `${place(at)} is a number too large to be kept.`, at);
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) throw new Fault('schema', `The request is nested deeper than ${MAX_DEPTH} levels.`, at);
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries())
        if (needsInspection(entry)) inspect(entry, `${at}/${index}`, depth + 1);
      return;
    }
    for (const name of Object.keys(value)) {
      const memberAt = at.length > 1000 ? at : `${at}/${pointerPart(name)}`;
      if (name === '__proto__') throw new Fault('value', 'A member may not be named __proto__.', at);
      if (!name.isWellFormed()) throw new Fault('value', 'The name of a member holds half of a surrogate pair.', at);
      if (name.includes('\0')) throw new Fault('value', 'The name of a member holds the character U+0000.', at);
      const member = (value as Record<string, unknown>)[name];
      if (needsInspection(member)) inspect(member, memberAt, depth + 1);
    }
  }
}

function needsInspection(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || (typeof value === 'object' && value !== null);
}

/**
 * Checks the numbers as they are written in valid JSON. Uses a loop instead of recursion: `inspect` saw only the last
 * of several members with the same name, so the others may be nested to any depth.
 */
function refuseRounded(text: string): void {
  // The path of members and indexes to the present place.
  const path: (string | number)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const inner = path.length - 1;
    if (character === '{') path.push('');
    else if (character === '[') path.push(0);
    else if (character === '}' || character === ']') path.pop();
    else if (character === ',' && typeof path[inner] === 'number') path[inner]++;
    else if (character === '"') {
      const end = endOfString(text, at);
      A_VALUE_FOLLOWS.lastIndex = end + 1;
      if (A_VALUE_FOLLOWS.test(text)) path[inner] = JSON.parse(text.slice(at, end + 1)) as string;
      at = end;
    } else if ('-0123456789'.includes(character)) {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)![0];
      if (INTEGER.test(digits) && isRounded(digits)) {
        const pointer = path.map((part) => `/${pointerPart(String(part))}`).join('');
        throw new Fault(
          'value',
          `${place(pointer)} is ${digits.slice(0, 40)}, which cannot be kept exactly; send it as text.`,
          pointer,
        );
      }
      at += digits.length - 1;
    }
  }
}

const A_VALUE_FOLLOWS = /\s*:/y;
const NUMBER = /[-+.eE\d]+/y;
const INTEGER = /^-?\d{16,}(?:\.0*)?$/;

/** Whether a double cannot hold these digits of an integer exactly. */
function isRounded(digits: string): boolean {
  const [whole] = digits.split('.') as [string];
  // No double is that large. Such a number can occur in a member that is overwritten by a later one, which was not
  // inspected.
  return whole.length > 400 || BigInt(whole) !== BigInt(Number(whole));
}

/** The end of the text that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
