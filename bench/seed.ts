import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { foldCase, idOfList, newId, type Scope } from '#kernel';
import { type Database, type Parameter } from '#platform';
import { type RecordChange } from '../libs/content/src/application/ports/record-store';
import { BANK_COLUMNS, bankRow, REVISION_COLUMNS, revisionRow } from '../libs/content/src/infrastructure/record-rows';
import { type Random, randomFrom } from '../test/support/random';

/**
 * Fills a migrated database with the bank of the performance goals: `items` items with two questions each and four of
 * 400 tags each, all with document, revision, links and tag set. The index alone determines the content. So requests
 * and expected answers can be made without reading the database.
 */

export const ORGANISATION = 1;
const TAGS_PER_TYPE = 50;
/** Items with an even index have tags of the first four types, the others of the last four. */
const TAG_TYPES = ['Subject', 'Topic', 'Level', 'Standard', 'Course', 'Unit', 'Grade', 'Skill'] as const;
/** The creation time of the first record, and the distance between two. */
const FIRST_MADE_AT = Date.UTC(2024, 0, 1);
const CREATION_INTERVAL_MS = 200;
const BATCH_SIZE = 1_000;

export interface Tag {
  type: string;
  name: string;
}

export const itemReference = (index: number): string => `bench/item-${String(index).padStart(7, '0')}`;
const questionReference = (index: number, position: number): string =>
  `bench-question-${String(index).padStart(7, '0')}-${position}`;

const tagName = (type: string, number: number): string => `${type} ${String(number % TAGS_PER_TYPE).padStart(2, '0')}`;

/**
 * Each tag is on one item in 100. Tags depend on each other as real ones do: a subject has five topics, ten levels and
 * five standards, so two required tags of one subject select one item in 500.
 */
export function tagsOf(index: number): Tag[] {
  const random = randomFrom(index * 7 + 1);
  const types = index % 2 === 0 ? TAG_TYPES.slice(0, 4) : TAG_TYPES.slice(4);
  const subject = (index >> 1) % TAGS_PER_TYPE;
  const numbers = [subject, subject * 5 + random(5), subject * 10 + random(10), subject * 5 + random(5)];
  return types.map((type, place) => ({ type, name: tagName(type, numbers[place]!) }));
}

/** Two tags that 200 of 100,000 items share, and one that a tenth of these also have. */
export function tagQueryOf(number: number): { all: Tag[]; none: Tag[] } {
  const [subject, topic, level] = number % 2 === 0 ? TAG_TYPES : TAG_TYPES.slice(4);
  const of = (type: string | undefined, value: number): Tag => ({ type: type!, name: tagName(type!, value) });
  return {
    all: [of(subject, number), of(topic, number * 5 + (number % 5))],
    none: [of(level, number * 10 + (number % 10))],
  };
}

/** The item as a client sends it, without its reference, tags and status. About 600 bytes. */
export function itemBody(index: number): Record<string, unknown> {
  const random = randomFrom(index * 7 + 2);
  const widgets = [0, 1].map((position) => questionReference(index, position));
  return {
    title: `${capital(words(random, 4))} ${index}`,
    description: words(random, 14),
    note: words(random, 6),
    source: 'bench',
    definition: { template: 'dynamic', widgets: widgets.map((reference) => ({ reference })) },
    questions: widgets.map((reference, position) => ({ reference, type: questionType(index, position) })),
    features: [],
    metadata: { scoring_type: 'per-question', acknowledgements: `<p>${words(random, 8)}</p>` },
  };
}

const questionType = (index: number, position: number): string =>
  position === 0 ? 'mcq' : index % 4 ? 'clozetext' : 'orderlist';

/** One to three kilobytes. */
function questionBody(index: number, position: number): Record<string, unknown> {
  const random = randomFrom(index * 7 + 3 + position);
  const type = questionType(index, position);
  const stimulus = `<p>${words(random, 40 + random(120))}</p>`;
  const answers = [0, 1, 2, 3].map((value) => ({
    label: `<p>${words(random, 6 + random(12))}</p>`,
    value: String(value),
  }));
  const scored = (value: unknown) => ({ scoring_type: 'exactMatch', valid_response: { score: 1, value } });
  const special: Record<string, object> = {
    mcq: { options: answers, multiple_responses: false, ui_style: { type: 'horizontal' }, validation: scored(['1']) },
    clozetext: {
      template: `<p>${words(random, 20)} {{response}} ${words(random, 20)} {{response}}</p>`,
      validation: scored([words(random, 1), words(random, 1)]),
    },
    orderlist: { list: answers.map(({ label }) => label), validation: scored([2, 0, 1, 3]) },
  };
  const metadata = { distractor_rationale: words(random, 25), sheet_reference: questionReference(index, position) };
  return { type, data: { type, stimulus, ...special[type], instant_feedback: true, metadata }, metadata: null };
}

/** Fills the bank of a new database. */
export async function seed(database: Database, items: number): Promise<void> {
  const tagIds = await seedTags(database);
  const sets = new Set<string>();
  for (let from = 0; from < items; from += BATCH_SIZE)
    await seedBatch(database, from, Math.min(items, from + BATCH_SIZE), tagIds, sets);
  await freshStatistics(database);
}

/** Updates the server's statistics. After a bulk load they are stale, and query plans are random. */
async function freshStatistics(database: Database): Promise<void> {
  const tables = [
    'organisation',
    'tag',
    'tag_type',
    'tag_set',
    'document',
    'bank_record',
    'bank_tag',
    'holding',
    'revision',
  ];
  if (database.dialect.engine === 'sqlite') await database.write('ANALYZE');
  else await database.rows(`ANALYZE TABLE ${tables.join(', ')}`);
}

async function seedTags(database: Database): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  await database.insert(
    'organisation',
    ['id', 'name', 'settings', 'created_at'],
    [[ORGANISATION, 'Bench', '{}', FIRST_MADE_AT]],
    database.dialect.onDuplicate(['id'], []),
  );
  await database.run(async () => {
    for (const type of TAG_TYPES) {
      const typeId = newId(FIRST_MADE_AT);
      await database.insert(
        'tag_type',
        ['organisation_id', 'id', 'name', 'name_key'],
        [[ORGANISATION, typeId, type, foldCase(type)]],
      );
      const rows: Parameter[][] = [];
      for (let number = 0; number < TAGS_PER_TYPE; number++) {
        const name = tagName(type, number);
        const id = newId(FIRST_MADE_AT);
        ids.set(`${type}:${name}`, id);
        rows.push([ORGANISATION, id, typeId, name, foldCase(name), FIRST_MADE_AT]);
      }
      await database.insert('tag', ['organisation_id', 'id', 'tag_type_id', 'name', 'name_key', 'updated_at'], rows);
    }
  });
  return ids;
}

const STATUSES = [...Array<'published'>(6).fill('published'), 'unpublished', 'archived'] as const;

/** The new state of a record. */
type Change = Pick<RecordChange, 'kind' | 'reference' | 'titleKey' | 'type' | 'status' | 'tagSetId'>;

async function seedBatch(
  database: Database,
  from: number,
  to: number,
  tagIds: Map<string, string>,
  sets: Set<string>,
): Promise<void> {
  const documents: Parameter[][] = [];
  const records: Parameter[][] = [];
  const revisions: Parameter[][] = [];
  const tags: Parameter[][] = [];
  const links: Parameter[][] = [];
  const members: Parameter[][] = [];

  const add = (body: object, holdingId: string | null, at: number, scope: Scope, change: Change): string => {
    const placed = { change: { ...change, tagIds: [] }, id: newId(at), documentId: newId(at), holdingId };
    const hash = createHash('sha256').update(canonicalize(body)!).digest('hex');
    documents.push([ORGANISATION, placed.documentId, hash, JSON.stringify(body)]);
    records.push(bankRow(ORGANISATION, placed, at, scope));
    revisions.push(revisionRow(ORGANISATION, placed, at, scope));
    return placed.id;
  };

  for (let index = from; index < to; index++) {
    const at = FIRST_MADE_AT + index * CREATION_INTERVAL_MS;
    const scopeOf = (operation: string): Scope => ({
      shelf: { organisation: ORGANISATION },
      author: { id: `author-${index % 20}` },
      operation,
      now: at,
      readable: new Set([ORGANISATION]),
    });
    const questions = [0, 1].map((position) => {
      const body = questionBody(index, position);
      return add(body, null, at, scopeOf('set itembank/questions'), {
        kind: 'question',
        reference: questionReference(index, position),
        titleKey: '',
        type: String(body.type),
        status: null,
        tagSetId: null,
      });
    });
    const ids = tagsOf(index).map(({ type, name }) => tagIds.get(`${type}:${name}`)!);
    const tagSet = idOfList(ids);
    if (!sets.has(tagSet)) {
      sets.add(tagSet);
      ids.forEach((id, position) => members.push([ORGANISATION, tagSet, position, id]));
    }
    const body = itemBody(index);
    const holding = idOfList(questions);
    const item = add(body, holding, at, scopeOf('set itembank/items'), {
      kind: 'item',
      reference: itemReference(index),
      titleKey: foldCase(String(body.title)),
      type: 'per-question',
      status: STATUSES[index % STATUSES.length]!,
      tagSetId: tagSet,
    });
    for (const id of ids) tags.push([ORGANISATION, 'item', id, item]);
    questions.forEach((id, position) => links.push([ORGANISATION, holding, position, id]));
  }

  await database.run(async () => {
    await database.insert('document', ['organisation_id', 'id', 'hash', 'body'], documents);
    await database.insert('tag_set', ['organisation_id', 'id', 'position', 'tag_id'], members);
    await database.insert('bank_record', BANK_COLUMNS, records);
    await database.insert('bank_tag', ['organisation_id', 'kind', 'tag_id', 'record_id'], tags);
    await database.insert('holding', ['organisation_id', 'id', 'position', 'held_id'], links);
    await database.insert('revision', REVISION_COLUMNS, revisions);
  });
}

const WORDS = (
  'angle area atom axis base cell chart circle climate compound decimal density energy equation estimate factor force ' +
  'fraction function gravity habitat integer island lens magnet mass measure molecule motion number ocean orbit organ ' +
  'paragraph pattern percent planet pressure product proof protein ratio reaction river root sentence sequence solution ' +
  'species speed square stem story substance sum surface symbol theorem tissue triangle unit valley variable vector ' +
  'verb volume water wave weather width'
).split(' ');

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
