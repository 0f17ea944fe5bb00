import { Fault, Faults, type JsonObject, place, pointerPart } from '#kernel';
import { type SubscoreDefinition } from '#scoring';

/* A template as a client sends it back. Nothing in it is verified yet. */

export interface SentItem {
  at: string;
  reference: string;
  organisation: number;
  hash: string;
  scoringType: string;
  questionIds: string[];
  /** The item exactly as the client sent it. */
  whole: JsonObject;
}

interface SentQuestion {
  at: string;
  hash: string;
  whole: JsonObject;
}

export interface SentTemplate {
  at: string;
  items: SentItem[];
  /** By id. */
  questions: Map<string, SentQuestion>;
  activity: { reference: string; organisation: number; hash: string; at: string } | null;
  metadata: JsonObject;
  subscores: SubscoreDefinition[];
}

/**
 * @param max the maximum number of items.
 * @throws Fault with everything that prevents reading the value as a template.
 */
export function readTemplate(template: JsonObject, at: string, max: number): SentTemplate {
  const faults = new Faults();
  const read = <T>(reader: () => T) => faults.collect(reader);
  const items = read(() =>
    list(template, 'items', at, max).map((_, index) => item(template.items!, index, `${at}/items`)),
  );
  const questions = new Map<string, SentQuestion>();
  for (const index of read(() => list(template, 'questions', at).keys()) ?? [])
    read(() => {
      const { id, ...question } = questionIn(template.questions!, index, `${at}/questions`);
      const before = questions.get(id);
      if (before)
        throw new Fault(
          'duplicate',
          `${place(`${question.at}/id`)} is ${JSON.stringify(id)}, as is ${place(`${before.at}/id`)}.`,
          `${question.at}/id`,
        );
      questions.set(id, question);
    });
  const metadata = read(() => object(template, 'metadata', at));
  const activity = metadata && read(() => activityIn(metadata, `${at}/metadata`));
  const subscores = read(() => subscoresIn(template, at));
  faults.throwAny();
  return {
    at,
    items: items!,
    questions,
    activity: activity!,
    metadata: metadata!,
    subscores: subscores!,
  };
}

function item(items: unknown, index: number, listAt: string): SentItem {
  const at = `${listAt}/${index}`;
  const whole = object(items, index, listAt);
  const source = object(whole, 'source', at);
  const ids = list(whole, 'question_ids', at);
  return {
    at,
    whole,
    reference: text(whole, 'reference', at),
    organisation: integer(source, 'organisation_id', `${at}/source`),
    hash: text(source, 'hash', `${at}/source`),
    scoringType: text(object(whole, 'metadata', at), 'scoring_type', `${at}/metadata`),
    questionIds: ids.map((_, number) => text(ids, number, `${at}/question_ids`)),
  };
}

function questionIn(questions: unknown, index: number, listAt: string): SentQuestion & { id: string } {
  const at = `${listAt}/${index}`;
  const whole = object(questions, index, listAt);
  const source = object(object(whole, 'metadata', at), 'source', `${at}/metadata`);
  return { at, whole, id: text(whole, 'id', at), hash: text(source, 'hash', `${at}/metadata/source`) };
}

function activityIn(metadata: JsonObject, at: string): SentTemplate['activity'] {
  const { activity_template_id: reference } = metadata;
  if (reference === null || reference === undefined) return null;
  const source = object(metadata, 'source', at);
  return {
    at: `${at}/activity_template_id`,
    reference: text(metadata, 'activity_template_id', at),
    organisation: integer(source, 'organisation_id', `${at}/source`),
    hash: text(source, 'hash', `${at}/source`),
  };
}

function subscoresIn(template: JsonObject, at: string): SubscoreDefinition[] {
  if (template.subscores === undefined || template.subscores === null) return [];
  const listAt = `${at}/subscores`;
  return list(template, 'subscores', at).map((_, index) => {
    const subscore = object(template.subscores, index, listAt);
    const entryAt = `${listAt}/${index}`;
    const items = list(subscore, 'items', entryAt);
    return {
      id: text(subscore, 'id', entryAt),
      title: text(subscore, 'title', entryAt),
      items: items.map((_entry, number) => text(items, number, `${entryAt}/items`)),
    };
  });
}

type Key = string | number;

function member(holder: unknown, key: Key, at: string): { value: unknown; at: string } {
  const value = (holder as Record<Key, unknown>)[key] ?? undefined;
  const memberAt = `${at}/${pointerPart(String(key))}`;
  if (value === undefined && typeof key === 'string')
    throw new Fault('missing', `${place(memberAt)} is required; ${SEND_BACK}.`, memberAt);
  return { value, at: memberAt };
}

const SEND_BACK = 'send the template back as sessions/templates gave it';

function wrongType(at: string, right: string): Fault {
  return new Fault('type', `${place(at)} must be ${right}; ${SEND_BACK}.`, at);
}

function object(holder: unknown, key: Key, holderAt: string): JsonObject {
  const { value, at } = member(holder, key, holderAt);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(at, 'an object');
  return value as JsonObject;
}

function list(holder: unknown, key: Key, holderAt: string, max = Infinity): unknown[] {
  const { value, at } = member(holder, key, holderAt);
  if (!Array.isArray(value)) throw wrongType(at, 'a list');
  if (value.length > max)
    throw new Fault('too-many', `${place(at)} may hold at most ${max} entries; it holds ${value.length}.`, at);
  return value;
}

function text(holder: unknown, key: Key, holderAt: string): string {
  const { value, at } = member(holder, key, holderAt);
  if (typeof value !== 'string') throw wrongType(at, 'text');
  return value;
}

function integer(holder: unknown, key: Key, holderAt: string): number {
  const { value, at } = member(holder, key, holderAt);
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(at, 'a whole number');
  return value;
}
