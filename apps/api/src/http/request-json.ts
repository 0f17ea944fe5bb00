import { isSafeNumber, parse as parseExactly } from 'lossless-json';
import { Fault, place } from '#kernel';

/** Deeper than any content; a definition has about 10 levels. */
const DEEPEST = 100;

/**
 * Parses the text of `request`. Absent, empty and `[]` mean no parameters.
 * @throws Fault for what is no JSON object, and for JSON that could not be kept as it is: numbers that a double does not
 *   hold, text that is not Unicode, a member `__proto__`, or nesting beyond 100 levels.
 */
export function parseRequest(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {};
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (error) {
    throw new Fault('schema', `request is not valid JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(request) && request.length === 0) return {};
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Fault('schema', 'request must be a JSON object with the parameters of the operation.');
  inspect(request, '', 0);
  // Only a text with that many digits can hold a number that was rounded when it was parsed.
  if (/\d{16}/.test(text)) refuseRounded(text);
  return request as Record<string, unknown>;
}

function inspect(value: unknown, at: string, depth: number): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      throw new Fault('value', `${place(at)} holds half of a surrogate pair, which is no Unicode text.`, at);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Fault('value', `${place(at)} is a number too large to be kept.`, at);
  } else if (typeof value === 'object' && value !== null) {
    if (depth === DEEPEST) throw new Fault('schema', `The request is nested deeper than ${DEEPEST} levels.`, at);
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) if (isWorthALook(entry)) inspect(entry, `${at}/${index}`, depth + 1);
      return;
    }
    for (const name of Object.keys(value)) {
      const memberAt = at.length > 1000 ? at : `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (name === '__proto__') throw new Fault('value', 'A member may not be named __proto__.', at);
      if (!name.isWellFormed()) throw new Fault('value', 'The name of a member holds half of a surrogate pair.', at);
      const member = (value as Record<string, unknown>)[name];
      if (isWorthALook(member)) inspect(member, memberAt, depth + 1);
    }
  }
}

function isWorthALook(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || (typeof value === 'object' && value !== null);
}

function refuseRounded(text: string): void {
  parseExactly(text, undefined, {
    parseNumber: (digits) => {
      if (/\d{16}/.test(digits) && !isSafeNumber(digits, { approx: true }))
        throw new Fault('value', `The number ${digits.slice(0, 40)} cannot be kept exactly; send it as text.`);
      return 0;
    },
    // As JSON.parse does: the last one counts.
    onDuplicateKey: ({ newValue }) => newValue,
  });
}
