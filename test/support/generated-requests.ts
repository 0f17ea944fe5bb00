import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from './any-character';
import { type Request, type Schema, typesOf } from './declared-members';
import {
  seededFill,
  seededImports,
  seededMarking,
  seededRevision,
  unchangedItems,
  seededTemplate,
  sessionDocument,
} from './good-requests';

/* Requests generated from the declaration of an operation: some valid, most with a mistake. */

/** References, some of which `seedGoodRequests` created, and tag names, some of which exist. */
const REFERENCES: Record<string, string[]> = {
  item: ['good0', 'good1', 'good2', 'gen0', 'gen1', 'gen2', 'nowhere'],
  question: ['q-good0', 'q-good1', 'gen-q0', 'gen-q1', 'f-good0', 'nowhere'],
  feature: ['f-good0', 'f-good1', 'gen-f0', 'q-good0', 'nowhere'],
  // References of workflows and of states. Transitions of the seeded workflow connect some of these states.
  workflow: ['good0', 'GOOD1', 'draft', 'done'],
  hierarchies: ['good0', 'good0', 'nowhere'],
};
const knownReference = (kind: string) => fc.constantFrom(...REFERENCES[kind]!);

const anyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('x', 'Good', 'GOOD', 'activity', 'mcq', 'Subject', 'ß', 'good0', 'constructor', ''),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }) },
);

const anyJson = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.double({ noNaN: true }) },
);

const definition = fc.oneof(
  fc.record(
    { widgets: fc.array(fc.record({ reference: knownReference('question') }), { maxLength: 3 }), template: anyText },
    { requiredKeys: ['widgets'] },
  ),
  fc.record({
    regions: fc.array(
      fc.record({
        type: anyText,
        width: fc.integer(),
        widgets: fc.array(fc.record({ reference: knownReference('feature') }), { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
  }),
);

const activityItems = fc
  .uniqueArray(knownReference('item'), { maxLength: 4 })
  .chain((references) =>
    fc.tuple(
      ...references.map((reference) =>
        fc.constantFrom<unknown>(reference, { reference }, { reference, organisation_id: 1 }),
      ),
    ),
  );

/** Likely values of a member with this name, for members whose declaration does not limit them. */
function likelyValue(name: string, path: string): Arbitrary<unknown> | undefined {
  if (path === 'sessions' || path === 'sessions/templates') return likelyInSession(name);
  if (path.startsWith('itembank/imports')) return likelyInImport(name, path);
  if (path.startsWith('sessions/marking')) return likelyInMarking(name);
  if (path === 'itembank/tagging/tags' || path === 'itembank/tagging/hierarchies') return likelyInTagging(name);
  if (path === 'itembank/views') return likelyInViews(name);
  if (path.startsWith('itembank/pools/'))
    return name === 'reference'
      ? fc.constantFrom('good-filled', 'good-filled', 'good0', 'nowhere')
      : fc.constantFrom(seededFill, seededFill, 'nowhere');
  const kind = ['question', 'feature', 'workflow', 'hierarchies'].find((each) => path.includes(each)) ?? 'item';
  switch (name) {
    case 'reference':
      if (path === 'sessions/item') return fc.constantFrom(...unchangedItems);
      return path.includes('history') ? fc.constantFrom('good0', 'good1', 'good2', 'nowhere') : knownReference(kind);
    case 'references':
    case 'initial_state_reference':
    case 'final_state_reference':
    case 'to_state_reference':
      return knownReference(kind);
    case 'new_reference':
    case 'item_references':
    case 'all':
    case 'either':
      return knownReference('item');
    case 'text':
      return fc.constantFrom('good', 'x', 'good0 x', '"q good"', '"good', '…', 'ß OR good*');
    case 'definition':
      return definition;
    case 'data':
      return path.includes('activities')
        ? fc.oneof(
            fc.record({ items: activityItems }),
            fc.record({ sections: fc.array(fc.record({ items: activityItems }), { maxLength: 2 }) }),
          )
        : undefined;
    case 'metadata':
      return fc.record(
        { scoring_type: fc.constantFrom('dependent', 'per-question', 'per-dichotomous') },
        { requiredKeys: [] },
      );
    case 'type':
    case 'name':
      return path.includes('hierarchies') ? fc.constantFrom('good', 'Subject', 'node', 'NODE') : undefined;
    case 'from':
    case 'to':
    case 'revision':
      return path.includes('history') ? fc.constantFrom(seededRevision(), seededRevision(), 1) : undefined;
    case 'session_ids':
      return fc.nat(99).map((index) => `good${index}`);
    case 'dataset_type':
      return fc.constantFrom('activity-analysis-by-question', 'activity-summary-by-group', 'ibk-analysis-by-question');
    case 'dataset_id':
      return fc.constantFrom('activity', 'activity', 'nowhere');
    case 'next':
    case 'item_pool_id':
    case 'authoring_workflow':
      // No valid value is known here, so values are random.
      return undefined;
    default:
      return undefined;
  }
}

function likelyInImport(name: string, path: string): Arbitrary<unknown> | undefined {
  const { key, planned, applied } = seededImports;
  switch (name) {
    case 'key':
      return fc.constantFrom(key, key, key, 'nowhere');
    case 'references':
    case 'reference':
      // A reverted import cannot be applied again.
      return path.endsWith('revert')
        ? fc.constantFrom(applied.reference, applied.reference, 'nowhere')
        : fc.constantFrom(planned.reference, planned.reference, applied.reference);
    case 'plan':
      return fc.constantFrom(planned.plan, planned.plan, applied.plan);
    default:
      return undefined;
  }
}

function likelyInMarking(name: string): Arbitrary<unknown> | undefined {
  const { round, answer } = seededMarking;
  switch (name) {
    case 'reference':
    case 'references':
    case 'round':
      return fc.constantFrom(round, round, round, 'nowhere');
    case 'answer':
    case 'after':
      return fc.constantFrom(answer, answer, 'nowhere');
    case 'question':
      return fc.constant('q-good0');
    case 'score':
      return fc.constantFrom(0, 0, 0, 0.5, 1000);
    default:
      return undefined;
  }
}

/** Seeded hierarchies stay, because other requests read their nodes. */
function likelyInTagging(name: string): Arbitrary<unknown> | undefined {
  switch (name) {
    case 'type':
      return fc.constantFrom('Good', 'Good', 'Subject', 'nowhere');
    case 'name':
    case 'new_name':
      return fc.constantFrom('node', 'activity', 'Good', 'Subject', 'new');
    case 'reference':
    case 'remove':
      return fc.constantFrom('made0', 'made1', 'nowhere');
    case 'references':
      return knownReference('hierarchies');
    case 'contains':
      return fc.constantFrom('o', 'good:', 'T:N', '%');
    case 'name_contains':
      return fc.constantFrom('o', 'G', '%');
    default:
      return undefined;
  }
}

function likelyInViews(name: string): Arbitrary<unknown> | undefined {
  switch (name) {
    case 'reference':
    case 'references':
      return fc.oneof({ weight: 9, arbitrary: fc.nat(49).map((index) => `good${index}`) }, fc.constant('nowhere'));
    default:
      return undefined;
  }
}

function likelyInSession(name: string): Arbitrary<unknown> | undefined {
  switch (name) {
    case 'template':
      return fc.constant(seededTemplate());
    case 'question_id':
      return fc.constantFrom(...seededTemplate().questions.map(({ id }) => id), 'nowhere');
    case 'session_id':
      return fc.uuid();
    case 'data':
      return fc.nat(3).map(sessionDocument);
    case 'items':
    case 'reference':
      // Unique within a session.
      return fc.oneof({ weight: 9, arbitrary: fc.nat(49).map((index) => `good${index}`) }, fc.constant('nowhere'));
    case 'activity_template_id':
      return fc.constantFrom('good0', 'good1', 'good2', 'nowhere');
    case 'type':
      return fc.constantFrom('array', 'array', 'string');
    default:
      return undefined;
  }
}

/** Members that make nearly every request fail. The generator uses them rarely, so that requests reach other checks. */
const RARE = new Set([
  'organisation_id',
  'idempotency_key',
  'item_pool_id',
  'next',
  'authoring_workflow',
  'new_reference',
  'questions',
  'features',
  'content_search',
  'if_response_hash',
  'if_revision',
  'subscores',
  'plan',
  'revert',
]);

function valueOf(schema: Schema, name: string, path: string): Arbitrary<unknown> {
  // Each kind has its own references, so random kinds would hardly ever match a record.
  if (name === 'kind') return fc.constantFrom('item', 'item', 'item', ...schema.enum!);
  // A closed round accepts no marks, and other requests mark in the seeded round.
  if (path === 'sessions/marking/rounds' && schema.enum?.includes('open')) return fc.constant('open');
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return fc.oneof(...alternatives.map((each) => valueOf(each, name, path)));
  const types = typesOf(schema);
  const hint = likelyValue(name, path);
  const one = (type: string | undefined): Arbitrary<unknown> => {
    switch (type) {
      case 'object':
        if (hint && !schema.properties) return hint;
        if (schema.properties) return objectOf(schema, path);
        if (typeof schema.additionalProperties === 'object')
          return fc.dictionary(anyText, valueOf(schema.additionalProperties, '', path), { maxKeys: 3 });
        return fc.dictionary(anyText, anyJson, { maxKeys: 4 });
      case 'array':
        return fc.array(valueOf(schema.items ?? {}, name, path), { maxLength: 3 });
      case 'integer':
        return (
          hint ??
          fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 2_000_000_000, 2_000_000_000) })
        );
      case 'number':
        return hint ?? fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'string':
        if (schema.format === 'date-time')
          return fc.constantFrom('2026-01-02', '2026-01-02T03:04:05Z', '1999-12-31 23:59:59');
        return hint ?? anyText.map((text) => text.slice(0, schema.maxLength));
      default:
        return anyJson;
    }
  };
  return types.length > 1 ? fc.oneof(...types.map(one)) : one(types[0]);
}

function objectOf(schema: Schema, path: string): Arbitrary<Request> {
  const members = Object.entries(schema.properties!).map(([name, inner]) => {
    const value = valueOf(inner, name, path);
    if (schema.required?.includes(name)) return [name, value] as const;
    const present = { weight: RARE.has(name) ? 1 : 5, arbitrary: value };
    return [name, fc.oneof({ weight: RARE.has(name) ? 19 : 5, arbitrary: fc.constant(undefined) }, present)] as const;
  });
  return fc.record(Object.fromEntries(members)).map((record) => withoutAbsent(record));
}

const withoutAbsent = (record: Request): Request =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** Requests that the declaration allows. */
export function likelyRequest(schema: Schema, path: string): Arbitrary<Request> {
  return objectOf(schema, path);
}

/** Values that may replace any value. */
const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    1e308,
    2 ** 53 + 2,
    '',
    ' ',
    '0',
    '-1',
    'null',
    [],
    {},
    [[]],
    [null],
    [{}],
  ),
  fc.constantFrom<unknown>(
    '\ud800',
    '\0',
    '\u202e',
    '😀'.repeat(100),
    'x'.repeat(151),
    'x'.repeat(256),
    'ß'.repeat(255),
    `'"\`\\;--`,
  ),
  fc.constantFrom<unknown>({ constructor: ['x'] }, { toString: 1 }, { type: 'a', name: 'b' }, [{ type: 'a' }], {
    reference: 'good0',
  }),
  fc.constantFrom<unknown>(
    new Array(51).fill('x'),
    new Array(1001).fill('good0'),
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i, 'x'])),
  ),
  anyJson,
);

type Change = { where: number; what: 'replace' | 'remove' | 'repeat' | 'add' | 'wrap'; name: string; value: unknown };

const change: Arbitrary<Change> = fc.record({
  where: fc.nat(),
  what: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'add', 'wrap'),
  name: fc.oneof(
    fc.constantFrom('__proto__', 'reference', 'type', 'items', 'a/b~c', '\ud83d', 'x'.repeat(2000)),
    anyText,
  ),
  value: junk,
});

/** JSON texts of requests with up to three changes in any place. */
export function changedRequest(schema: Schema, path: string): Arbitrary<string> {
  return changedText(likelyRequest(schema, path));
}

/** JSON texts of values with up to three changes in any place. */
export function changedText(values: Arbitrary<unknown>): Arbitrary<string> {
  return fc
    .tuple(values, fc.array(change, { minLength: 0, maxLength: 3 }))
    .map(([request, changes]) => JSON.stringify(changes.reduce<unknown>(applyChange, structuredClone(request))));
}

type Holder = Record<string | number, unknown>;

function applyChange(request: unknown, { where, what, name, value: shared }: Change): unknown {
  const value = structuredClone(shared);
  const places: { holder: Holder; key: string | number }[] = [];
  const visit = (holder: Holder) => {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      places.push({ holder, key });
      const inner = holder[key];
      if (typeof inner === 'object' && inner !== null) visit(inner as Holder);
    }
  };
  if (typeof request !== 'object' || request === null) return request;
  visit(request as Holder);
  const place = places[where % Math.max(1, places.length)];
  if (!place) return what === 'replace' ? value : request;
  const { holder, key } = place;
  const put = (target: Holder, at: string | number, put_: unknown) =>
    Object.defineProperty(target, at, { value: put_, enumerable: true, configurable: true, writable: true });
  if (what === 'replace') put(holder, key, value);
  else if (what === 'wrap') put(holder, key, [holder[key]]);
  else if (what === 'add') put(holder, Array.isArray(holder) ? holder.length : name, value);
  else if (Array.isArray(holder))
    holder.splice(Number(key), 1, ...(what === 'remove' ? [] : [holder[key as number], holder[key as number]]));
  else if (what === 'remove') delete holder[key];
  return request;
}
