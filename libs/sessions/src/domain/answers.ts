import { Fault, type Json, type JsonObject, nameOfCharacter, objectOf, place } from '#kernel';
import { type Offers } from '#scoring';

/* The answers that a submission may contain, by question type (decision 32). */

/** The question that an answer belongs to. */
export interface Asked {
  /** Type code. */
  type: string;
  definition: JsonObject;
  /** The choices of the question; undefined for free answers. */
  offers: Offers | undefined;
}

/** An answer as the caller sent it. */
export interface Packet {
  type: string;
  value: unknown;
  wordCount?: number;
  characterCount?: number;
}

/** Validates a value and returns it in the form in which it is stored. Throws Faults. */
type Read = (value: unknown, asked: Asked, at: string) => Json;

interface AnswerShape {
  /** The required literal in `type`. */
  type: 'array' | 'string';
  count?: 'wordCount' | 'characterCount';
  read: Read;
}

const FORMS: ReadonlyMap<string, AnswerShape> = new Map<string, AnswerShape>([
  ['association', { type: 'array', read: associated }],
  ['choicematrix', { type: 'array', read: rows }],
  ['clozeformula', { type: 'array', read: blanks }],
  ['clozeformulaV2', { type: 'array', read: blanks }],
  ['clozeinlinetext', { type: 'array', read: blanks }],
  ['clozetext', { type: 'array', read: blanks }],
  ['formulaV2', { type: 'string', read: encodedText }],
  ['gridded', { type: 'string', read: grid }],
  ['longtext', { type: 'string', count: 'wordCount', read: encodedText }],
  ['longtextV2', { type: 'string', count: 'wordCount', read: encodedText }],
  ['mcq', { type: 'array', read: chosen }],
  ['orderlist', { type: 'array', read: order }],
  ['plaintext', { type: 'string', count: 'wordCount', read: encodedText }],
  ['shorttext', { type: 'string', count: 'characterCount', read: encodedText }],
]);

/** Question types that a session template accepts answers for. */
export const ANSWERED_TYPES: readonly string[] = [...FORMS.keys()];

/**
 * Converts an answer to the form in which players store it.
 * @param at JSON pointer to the packet.
 * @throws Fault for other question types, and for a value that cannot be an answer to the question.
 */
export function readAnswer(packet: Packet, asked: Asked, at: string): JsonObject {
  const form = FORMS.get(asked.type);
  if (!form)
    throw new Fault(
      'value',
      `${place(`${at}/question_id`)} names a question of the type ${asked.type}, to which a template takes no answers; it takes those to ${ANSWERED_TYPES.join(', ')}.`,
      `${at}/question_id`,
    );
  if (packet.type !== form.type)
    throw new Fault(
      'value',
      `${place(`${at}/type`)} must be ${JSON.stringify(form.type)} for a question of the type ${asked.type}; it is ${quoted(packet.type)}. It names the kind of the value, not the type of the question.`,
      `${at}/type`,
    );
  const value = form.read(packet.value, asked, `${at}/value`);
  const count = form.count && packet[form.count];
  return { value, type: form.type, ...(form.count && count !== undefined ? { [form.count]: count } : {}) };
}

/** The accepted spellings of a true flag. Flags are stored as their authors sent them. */
const MULTIPLE: ReadonlySet<unknown> = new Set([true, 'true', 1, '1']);

function chosen(value: unknown, { offers, definition }: Asked, at: string): Json {
  const entries = textsIn(value, at);
  const options = offers?.at(0);
  for (const [index, entry] of entries.entries())
    if (entry !== null && options && !options.has(entry))
      throw notOffered(entry, 'an option', options, `${at}/${index}`);
  const count = new Set(entries.filter((entry) => entry !== null)).size;
  const max = offers?.most ?? Infinity;
  if (count > max)
    throw new Fault(
      'value',
      `${place(at)} has ${count} options; the question takes ${MULTIPLE.has(definition.multiple_responses) ? `at most ${max}` : 'one, as it has no multiple_responses'}.`,
      at,
    );
  return entries;
}

function associated(value: unknown, { offers }: Asked, at: string): Json {
  const entries = textsIn(value, at);
  refuseMore(entries, offers, at);
  const used = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    if (entry === null) continue;
    const options = offers?.at(index);
    if (options && !options.has(entry)) throw notOffered(entry, 'a possible response', options, `${at}/${index}`);
    used.set(entry, (used.get(entry) ?? 0) + 1);
    const times = offers?.times?.get(entry) ?? Infinity;
    if (used.get(entry)! > times)
      throw new Fault(
        'value',
        `${place(`${at}/${index}`)} is ${quoted(entry)} again; the question has it ${times === 1 ? 'once' : `${times} times`}, as it has no duplicate_responses.`,
        `${at}/${index}`,
      );
  }
  return entries;
}

/** Learners type into blanks, so any text is allowed. */
function blanks(value: unknown, { offers }: Asked, at: string): Json {
  const entries = textsIn(value, at);
  refuseMore(entries, offers, at);
  return entries;
}

function rows(value: unknown, { definition, offers }: Asked, at: string): Json {
  const entries = listIn(value, 'a list with a list of columns for each row', at);
  const count = offers?.places?.count;
  if (count !== undefined && entries.length !== count)
    throw new Fault(
      'length',
      `${place(at)} must have ${count} entries, one for each row; it has ${entries.length}.`,
      at,
    );
  const columns = offers?.at(0);
  return entries.map((entry, row): Json => {
    if (entry === null) return null;
    const rowAt = `${at}/${row}`;
    const cells = listIn(entry, 'a list of columns, by their positions from 0, or null', rowAt);
    const positions = cells.map((cell, index) => positionIn(cell, columns?.size, `${rowAt}/${index}`));
    if (new Set(positions).size > 1 && !MULTIPLE.has(definition.multiple_responses))
      throw new Fault(
        'value',
        `${place(rowAt)} has ${cells.length} columns; the question takes one a row, as it has no multiple_responses.`,
        rowAt,
      );
    return positions;
  });
}

function order(value: unknown, { offers }: Asked, at: string): Json {
  const entries = listIn(value, 'a list of positions in the list of the question, from 0', at);
  refuseMore(entries, offers, at);
  const seen = new Set<number>();
  return entries.map((entry, index): Json => {
    if (entry === null) return null;
    const entryAt = `${at}/${index}`;
    const position = positionIn(entry, offers?.at(0)?.size, entryAt);
    if (seen.has(position))
      throw new Fault('value', `${place(entryAt)} is the position ${position} again; each can be given once.`, entryAt);
    seen.add(position);
    return position;
  });
}

/** Decodes percent-encoding once. A plus sign stays a plus sign. */
function encodedText(value: unknown, _: Asked, at: string): Json {
  const text = textIn(value, at);
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Finds the cause for the fault below.
    const wrong = /%(?![0-9a-f]{2})/i.exec(text);
    const why = wrong
      ? `${quoted(text.slice(wrong.index, wrong.index + 3))} (character ${wrong.index + 1}) is not a percent-encoded byte; write a percent sign as %25`
      : 'its percent-encoded bytes are not UTF-8';
    throw new Fault('value', `${place(at)} cannot be decoded: ${why}.`, at);
  }
  throw new Fault('value', `${place(at)} holds the character U+0000, as %00; leave it out.`, at);
}

const RANGE = /^(\d)-(\d)$/;

function grid(value: unknown, { definition }: Asked, at: string): Json {
  const text = textIn(value, at);
  const foreign = /[^\d+\-.,/ ]/u.exec(text);
  if (foreign)
    throw new Fault(
      'value',
      `${place(at)} holds ${nameOfCharacter(foreign[0])} (character ${foreign.index + 1}); a grid takes digits, a sign, a point, a comma, a slash and blanks.`,
      at,
    );
  const { columns, range } = objectOf(definition.options);
  const digits = text.replace(/\D/g, '');
  if (typeof columns === 'number' && columns > 0 && digits.length > columns)
    throw new Fault('value', `${place(at)} has ${digits.length} digits; the grid has ${columns} columns.`, at);
  const [, low = '0', high = '9'] = (typeof range === 'string' && RANGE.exec(range)) || [];
  const outside = [...digits].find((digit) => digit < low || digit > high);
  if (outside !== undefined)
    throw new Fault('value', `${place(at)} has the digit ${outside}; the grid has those from ${low} to ${high}.`, at);
  return text;
}

function textIn(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw new Fault('type', `${place(at)} must be text.`, at);
}

function listIn(value: unknown, what: string, at: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Fault('type', `${place(at)} must be ${what}.`, at);
}

/** A null entry is an empty part. */
function textsIn(value: unknown, at: string): (string | null)[] {
  const entries = listIn(value, 'a list of texts', at);
  for (const [index, entry] of entries.entries())
    if (entry !== null && typeof entry !== 'string')
      throw new Fault('type', `${place(`${at}/${index}`)} must be text, or null for an empty part.`, `${at}/${index}`);
  return entries as (string | null)[];
}

function positionIn(value: unknown, count: number | undefined, at: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw new Fault('type', `${place(at)} must be a position: a whole number from 0.`, at);
  if (value < 0 || value >= (count ?? Infinity))
    throw new Fault(
      'value',
      `${place(at)} must be ${count === undefined ? 'at least 0' : `from 0 to ${count - 1}`}; it is ${value}.`,
      at,
    );
  return value;
}

function refuseMore(entries: readonly unknown[], offers: Offers | undefined, at: string): void {
  const { places } = offers ?? {};
  if (places && entries.length > places.count)
    throw new Fault(
      'length',
      `${place(at)} has ${entries.length} entries; the question has ${places.count} ${places.name}.`,
      at,
    );
}

const SHOWN = 10;

function notOffered(given: string, what: string, options: ReadonlySet<string>, at: string): Fault {
  const names = [...options].slice(0, SHOWN).map(quoted);
  const more = options.size > SHOWN ? ' …' : '';
  return new Fault(
    'value',
    `${place(at)} is ${quoted(given)}, which is not ${what} of the question; it has ${names.join(', ')}${more}.`,
    at,
  );
}

const MAX_QUOTED_LENGTH = 60;

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);
}
