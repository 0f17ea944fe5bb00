import * as fc from 'fast-check';
import { timeOf } from '#kernel';
import { type TagQuery } from '#tagging';
import { type RecordQuery, type SortField } from '../../libs/content/src/application/ports/shelf-reader';
import { FAMILY, type Kind, type StoredRecord } from '../../libs/content/src/domain/record';
import { newDay, newOrganisation, type Ports } from './ports';
import { allSlices } from './slices';
import { put, tag, type Wanted } from './writing';

/** The content of a record from a moment on. */
interface Revision {
  at: number;
  reference: string;
  title: string;
  type: string;
  status: 'published' | 'archived';
  tags: string[];
  /** Ids. */
  holds: string[];
  text: string;
  author: string | null;
  workflow: { workflowId: string; state: string } | null;
}

/** A record with all its revisions, in the in-memory model. */
interface Life {
  id: string;
  kind: Kind;
  revisions: Revision[];
}

const KINDS = ['item', 'question', 'feature', 'activity'] as const;
const HELD_FAMILY: Partial<Record<Kind, string>> = { item: 'widget', activity: 'item' };
// Few values, so that conditions match, values tie, and a reference moves from record to record.
const NAMES: Record<Kind, string[]> = {
  item: ['a', 'b', 'c', 'd', 'e'],
  question: ['v', 'w', 'x'],
  feature: ['x', 'y'],
  activity: ['m', 'n'],
};
/** References that records get later. */
const LATER_NAMES = ['r', 's', 't'];
const TAGS = ['A:1', 'A:2', 'B:1', 'C:1'];
const TYPES = ['mcq', 'gridded'];
const WORKFLOWS = ['W1', 'W2'].map((id) => id.padEnd(26, '0'));
const RUNS = 8;
const MOMENTS = 125;

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;

const edit = fc.record({
  kind: fc.constantFrom(...KINDS, 'item' as const, 'item' as const, 'question' as const),
  which: fc.nat(),
  to: fc.option(fc.nat(), { freq: 3, nil: undefined }),
  title: fc.constantFrom('', 't', 'T', 'u'),
  type: fc.constantFrom(...TYPES),
  status: fc.constantFrom('published' as const, 'archived' as const),
  tags: fc.shuffledSubarray(TAGS),
  /** Absent: unchanged. */
  holds: fc.option(fc.array(fc.nat(), { maxLength: 4 }), { freq: 3, nil: undefined }),
  /** Absent: unchanged. */
  text: fc.option(fc.constantFrom('one', 'two', 'one two'), { freq: 3, nil: undefined }),
  workflow: fc.option(
    fc.option(fc.record({ workflowId: fc.constantFrom(...WORKFLOWS), state: fc.constantFrom('draft', 'done') })),
    { nil: undefined },
  ),
});
const batch = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  author: fc.constantFrom(null, 'ada', 'ben'),
  // The clocks of processes differ slightly.
  wait: fc.constantFrom(0, 1, 7, 1500, -3),
});

const pattern = fc.constantFrom(...TAGS, 'A', 'B', 'none', 'A:none');
const patterns = fc.array(pattern, { maxLength: 2 });
const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
const query = fc.record(
  {
    references: some([...NAMES.item, ...NAMES.question, 'y', 'm', ...LATER_NAMES]),
    status: some(['published', 'archived']),
    types: some(TYPES),
    tags: fc.record({ all: patterns, either: patterns, none: patterns }),
    holdsOneOf: some([...NAMES.question, 'a', 'b', ...LATER_NAMES]),
    holdsAllOf: fc.subarray([...NAMES.question, 'a', 'b', 'r'], { maxLength: 2 }),
    holdsTypes: some(TYPES),
    createdBy: fc.subarray(['ada', 'ben', null], { minLength: 1 }),
    workflow: fc.record(
      { id: fc.constantFrom(...WORKFLOWS), states: some(['draft', 'done']), unassigned: fc.boolean() },
      { requiredKeys: ['id', 'unassigned'] },
    ),
    contains: fc.constantFrom('one', 'two'),
    from: fc.nat(),
    to: fc.nat(),
  },
  { requiredKeys: [] },
);
const question = fc.record({
  kind: fc.constantFrom(...KINDS, 'item' as const, 'question' as const),
  moment: fc.nat(),
  // Most queries have two conditions, because no record meets many.
  query: fc.tuple(query, fc.nat(), fc.integer({ min: 0, max: 2 })).map(([all, first, count]): Of<typeof query> => {
    const members = Object.entries(all);
    return Object.fromEntries(members.filter((_, index) => (first + index) % (members.length || 1) < count));
  }),
  holders: fc.option(fc.subarray([...NAMES.item, ...LATER_NAMES], { minLength: 3 }), { freq: 2, nil: undefined }),
  field: fc.constantFrom<SortField>('created', 'updated', 'reference', 'title'),
  ascending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
});

type Batch = Of<typeof batch>;
type Question = Of<typeof question>;

const nth = <T>(list: readonly T[], which: number): T => list[which % list.length]!;
const lastOf = ({ revisions }: Life): Revision => revisions.at(-1)!;
const sameFamily = (a: Kind, b: Kind): boolean => FAMILY[a] === FAMILY[b];

/** Checks that reads as of any moment equal those of an in-memory model. */
export function randomPastsContract(ports: Ports): void {
  /** Writes the batch and applies it to the model. Contradicting edits are omitted. */
  async function apply(organisation: number, lives: Life[], { edits, author }: Batch, now: number): Promise<void> {
    const wanted: Wanted[] = [];
    const planned: { life: Life | undefined; kind: Kind; revision: Omit<Revision, 'at'> }[] = [];
    const touched = new Set<string>();
    for (const { kind, which, to, holds, text, workflow, tags, ...plain } of edits) {
      const present = lives.filter((life) => life.kind === kind).map((life) => lastOf(life).reference);
      const reference = nth([...new Set([...NAMES[kind], ...present])], which);
      const life = lives.find((other) => sameFamily(other.kind, kind) && lastOf(other).reference === reference);
      if (life && life.kind !== kind) continue;
      // A reference is free when no record has it now. With a fast clock, a record may also have it later than now.
      const isFree = (name: string) =>
        !lives.some(
          ({ kind: others, revisions }) =>
            sameFamily(others, kind) &&
            revisions.some(
              (revision, index) => revision.reference === name && (revisions[index + 1]?.at ?? Infinity) > now,
            ),
        );
      const other = to === undefined ? reference : nth([...NAMES[kind], ...LATER_NAMES], to);
      const name = life && isFree(other) ? other : reference;
      if (!life && !isFree(name)) continue;
      const keys = [reference, name].map((each) => `${FAMILY[kind]} ${each}`);
      if (keys.some((key) => touched.has(key))) continue;
      for (const key of keys) touched.add(key);
      const before = life && lastOf(life);
      const holdable = lives.filter((each) => FAMILY[each.kind] === HELD_FAMILY[kind]);
      const held = holdable.length > 0 ? [...new Set((holds ?? []).map((at) => nth(holdable, at)))] : [];
      wanted.push({
        ...plain,
        kind,
        reference,
        to: name,
        tags: tags.map(tag),
        holds: held.map((each) => lastOf(each).reference),
        keepHeld: before && !holds,
        keepDocument: before && !text,
        body: { text: text ?? '' },
        workflow,
      });
      planned.push({
        life,
        kind,
        revision: {
          ...plain,
          reference: name,
          tags,
          holds: before && !holds ? before.holds : held.map(({ id }) => id),
          text: before && !text ? before.text : (text ?? ''),
          author,
          workflow: workflow === undefined ? (before?.workflow ?? null) : workflow,
        },
      });
    }
    const ids = await put(ports, organisation, wanted, { now, author: author === null ? undefined : { id: author } });
    const at = Math.max(now, ...planned.map(({ life }) => (life ? lastOf(life).at + 1 : 0)));
    for (const [index, { life, kind, revision }] of planned.entries()) {
      const entry = life ?? { id: ids[index]!, kind, revisions: [] };
      if (!life) lives.push(entry);
      entry.revisions.push({ at, ...revision });
    }
  }

  /** Returns the number of entries. */
  async function check(organisation: number, lives: readonly Life[], asked: Question): Promise<number> {
    const moments = [...new Set(lives.flatMap(({ revisions }) => revisions.flatMap(({ at }) => [at - 1, at])))].sort(
      (a, b) => a - b,
    );
    moments.push(moments.at(-1)! + 10_000);
    const timeAt = (which: number) => nth(moments, which);
    const asOf = timeAt(asked.moment);
    const { kind, field, ascending, limit } = asked;
    const { from, to, tags, ...rest } = asked.query;
    const complete: RecordQuery = {
      ...rest,
      ...(from === undefined ? {} : { from: timeAt(from) }),
      ...(to === undefined ? {} : { to: timeAt(to) }),
      ...(tags ? { tags: tagQuery(tags) } : {}),
      kind,
      sort: { field, ascending },
      limit,
    };
    const then = new Map<string, Then>();
    for (const life of lives) {
      const revision = life.revisions.findLast(({ at }) => at <= asOf);
      if (revision) then.set(life.id, { life, ...revision });
    }
    const found = [...then.values()].filter((record) => meets(record, complete, tags, then));
    const shelf = { organisation, asOf };
    const { holders } = asked;
    // Widgets of items cannot be searched by tags.
    if (holders && !tags && (kind === 'question' || kind === 'feature')) {
      const pairs = [...then.values()]
        .filter((holder) => holder.life.kind === 'item' && holders.includes(holder.reference))
        .flatMap((holder) =>
          found.filter(({ life }) => holder.holds.includes(life.id)).map((record) => ({ holder, record })),
        )
        .sort(
          (a, b) =>
            inOrder(a.record, b.record, field, ascending) ||
            (a.holder.life.id < b.holder.life.id === ascending ? -1 : 1),
        );
      const entries = await allSlices((after) => ports.shelves.findHeld(shelf, { ...complete, after }, holders), limit);
      expect([asked, entries.map(({ holder, record }) => [holder, record])]).toEqual([
        asked,
        pairs.map(({ holder, record }) => [holder.reference, shown(record)]),
      ]);
      return pairs.length;
    }
    found.sort((a, b) => inOrder(a, b, field, ascending));
    const entries = await allSlices((after) => ports.shelves.find(shelf, { ...complete, after }), limit);
    expect([asked, entries]).toEqual([asked, found.map(shown)]);
    return found.length;
  }

  it('returns the same as the in-memory model in reads as of 1,000 moments', async () => {
    let moments = 0;
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 20, maxLength: 30 }),
        fc.array(question, { minLength: MOMENTS, maxLength: MOMENTS }),
        async (batches, questions) => {
          const organisation = newOrganisation();
          const lives: Life[] = [];
          let now = newDay();
          for (const each of batches) await apply(organisation, lives, each, (now += each.wait));
          for (const asked of questions) {
            moments++;
            if ((await check(organisation, lives, asked)) > 0) answered++;
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true, reporter: (details) => reportBriefly(details) },
    );
    expect(moments).toBe(1000);
    // The test proves little if most answers are empty.
    expect(answered).toBeGreaterThan(moments / 4);
  });
}

/** Shortens the report: a whole history is too long to read. It shows the query, and the seed to repeat it. */
function reportBriefly({
  failed,
  seed,
  errorInstance,
}: Pick<fc.RunDetails<unknown>, 'failed' | 'seed' | 'errorInstance'>): void {
  if (!failed) return;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`With the seed ${seed}: ${reason}`);
}

/** A record as it was at a moment. */
type Then = Revision & { life: Life };

function meets(record: Then, asked: RecordQuery, tags: Tagged | undefined, then: ReadonlyMap<string, Then>): boolean {
  const { references, status, types, holdsOneOf, holdsAllOf, holdsTypes, createdBy, workflow, from, to } = asked;
  const within = (list: readonly unknown[] | undefined, value: unknown) => list === undefined || list.includes(value);
  const held = record.holds.map((id) => then.get(id)).filter((each) => each !== undefined);
  const holds = (reference: string) => held.some((each) => each.reference === reference);
  const carries = (text: string) =>
    record.tags.some((carried) => (text.includes(':') ? carried === text : carried.startsWith(`${text}:`)));
  const time = asked.sort.field === 'updated' ? record.at : timeOf(record.life.id);
  const place = record.workflow;
  return (
    record.life.kind === asked.kind &&
    within(references, record.reference) &&
    within(status, record.status) &&
    within(types, record.type) &&
    within(createdBy, record.life.revisions[0]!.author) &&
    (asked.contains === undefined || record.text.includes(asked.contains)) &&
    (!tags ||
      (tags.all.every(carries) &&
        (tags.either.length === 0 || tags.either.some(carries)) &&
        !tags.none.some(carries))) &&
    (!holdsOneOf || holdsOneOf.some(holds)) &&
    (!holdsAllOf || holdsAllOf.every(holds)) &&
    (!holdsTypes || held.some(({ type }) => holdsTypes.includes(type))) &&
    (!workflow ||
      (place ? place.workflowId === workflow.id && within(workflow.states, place.state) : workflow.unassigned)) &&
    (from === undefined || time >= from) &&
    (to === undefined || time <= to)
  );
}

function inOrder(a: Then, b: Then, field: SortField, ascending: boolean): number {
  const key = (record: Then) =>
    ({ created: '', updated: record.at, reference: record.reference, title: record.title })[field];
  const [x, y] = key(a) === key(b) ? [a.life.id, b.life.id] : [key(a), key(b)];
  return x === y ? 0 : x < y === ascending ? -1 : 1;
}

function shown({ life, at, reference, type, status, tags, text, author, workflow }: Then): StoredRecord {
  return {
    id: life.id,
    reference,
    type,
    status,
    body: JSON.stringify({ text }),
    extras: null,
    tags: tags.map(tag),
    createdBy: life.revisions[0]!.author,
    updatedBy: author,
    createdAt: timeOf(life.id),
    updatedAt: at,
    workflowId: workflow?.workflowId ?? null,
    workflowState: workflow?.state ?? null,
  };
}

interface Tagged {
  all: string[];
  either: string[];
  none: string[];
}

function tagQuery({ all, either, none }: Tagged): TagQuery {
  const pattern = (text: string) => (text.includes(':') ? tag(text) : { type: text });
  return { all: all.map(pattern), either: either.map(pattern), none: none.map(pattern) };
}
