import * as fc from 'fast-check';
import { type Position, type Shelf } from '#kernel';
import { type TagName, type TagPattern, type TagQuery } from '#tagging';
import { type RecordQuery, type SortField } from '../../libs/content/src/application/ports/shelf-reader';
import { type StoredRecord } from '../../libs/content/src/domain/record';
import { fillPool } from './fill-pool';
import { newDay, newOrganisation, NOW, type Ports, scopeOf } from './ports';
import { allSlices } from './slices';
import { put, tag, type Wanted } from './writing';

const SORT_FIELDS: SortField[] = ['created', 'updated', 'reference', 'title'];

/** The content of an item bank for readers. */
export function shelfReaderContract(ports: Ports): void {
  const queryOf = (values: Partial<RecordQuery> = {}): RecordQuery => ({
    kind: 'item',
    sort: { field: 'created', ascending: true },
    limit: 1000,
    ...values,
  });
  const shelfOf = (of: number | Shelf): Shelf => (typeof of === 'number' ? { organisation: of } : of);
  const find = async (of: number | Shelf, values: Partial<RecordQuery> = {}): Promise<StoredRecord[]> =>
    (await ports.shelves.find(shelfOf(of), queryOf(values))).entries;
  const referencesOf = (records: { reference: string }[]) => records.map(({ reference }) => reference).join(' ');
  const found = async (of: number | Shelf, values: Partial<RecordQuery> = {}) => referencesOf(await find(of, values));

  /** Creates five items, one second apart from `time` on. Changes i1 after that, and i2 last. */
  async function createBank(): Promise<{ organisation: number; time: number }> {
    const organisation = newOrganisation();
    const time = newDay();
    await put(ports, organisation, [
      { kind: 'question', reference: 'q1', type: 'mcq' },
      { kind: 'question', reference: 'q2', type: 'shorttext' },
      { kind: 'question', reference: 'q3', type: 'mcq' },
      { kind: 'feature', reference: 'f1', type: 'calculator' },
    ]);
    const items: [Wanted, author?: string][] = [
      [
        {
          reference: 'i1',
          title: 'banana',
          status: 'published',
          type: 'per-question',
          tags: [tag('Subject:Maths'), tag('Grade:1')],
          holds: ['q1', 'q2'],
          body: { text: 'An apple Pie & "more"' },
          extras: { adaptive: { difficulty: -0.75 } },
        },
        'ada',
      ],
      [
        {
          reference: 'i2',
          title: 'apple',
          status: 'unpublished',
          type: 'dichotomous',
          tags: [tag('Subject:Maths'), tag('Grade:2')],
          holds: ['q2'],
          body: { text: '100% café_au lait' },
          extras: { adaptive: { difficulty: 0.5 } },
        },
      ],
      [
        {
          reference: 'i3',
          title: 'cherry',
          status: 'archived',
          type: 'per-question',
          tags: [tag('Subject:Art')],
          holds: ['q3', 'f1'],
          body: { text: 'apple pie' },
          extras: { adaptive: { difficulty: 2 } },
        },
        'ben',
      ],
      [
        {
          reference: 'I4',
          title: '',
          status: 'published',
          type: 'dependent',
          holds: ['f1'],
          body: {},
          extras: { adaptive: { difficulty: null } },
        },
        'ada',
      ],
      [
        {
          reference: 'i5',
          title: 'banana',
          status: 'unpublished',
          type: 'per-question',
          tags: [tag('Subject:Maths'), tag('Subject:Art'), tag('Grade:1'), tag('Level:x')],
          holds: ['q1', 'q3'],
          body: { text: 'line\nend \\ 😀' },
        },
      ],
    ];
    for (const [index, [wanted, author]] of items.entries())
      await put(ports, organisation, [wanted], {
        now: time + index * 1000,
        author: author === undefined ? undefined : { id: author },
      });
    await put(ports, organisation, [{ ...items[0]![0], reference: 'i1' }], { now: time + 8000 });
    await put(ports, organisation, [{ ...items[1]![0], reference: 'i2' }], { now: time + 9000, author: { id: 'ben' } });
    return { organisation, time };
  }

  /** Views of the same five items: the present ones, or those of a moment after which some changed. */
  const VIEWS: [when: string, changedSince: string[] | undefined][] = [
    ['now', undefined],
    ['then, when nothing changed since', []],
    ['then, when some changed since', ['i1', 'I4', 'q2', 'q3']],
    ['then, when all changed since', ['i1', 'i2', 'i3', 'I4', 'i5', 'q1', 'q2', 'q3', 'f1']],
  ];

  /** Creates a bank with these later changes, and returns the shelf that shows it without them. */
  async function openView(changedSince: string[] | undefined): Promise<{ shelf: Shelf; time: number }> {
    const { organisation, time } = await createBank();
    const asOf = time + 9000;
    const later = { now: asOf + 1, author: { id: 'eve' } };
    const unlike = { title: 'aa', body: { text: 'apple 😀' }, extras: { e: 1 } };
    const item = { ...unlike, type: 'dependent', status: 'archived' as const, holds: ['q3'], tags: [tag('Grade:1')] };
    for (const reference of changedSince ?? []) {
      const kind = ({ q: 'question', f: 'feature' } as const)[reference[0]!] ?? 'item';
      if (kind !== 'item') await put(ports, organisation, [{ ...unlike, kind, reference, type: 'gridded' }], later);
      else await put(ports, organisation, [{ ...item, reference, to: `was-${reference}` }], later);
      // Another record gets the reference.
      if (kind === 'item') await put(ports, organisation, [{ reference, tags: [tag('Subject:Maths')] }], later);
    }
    if (changedSince) await put(ports, organisation, [{ reference: 'late', title: 'banana' }], later);
    return { shelf: changedSince ? { organisation, asOf } : { organisation }, time };
  }

  describe.each(VIEWS)('find %s', (_when, changedSince) => {
    let shelf: Shelf;
    let time: number;

    beforeAll(async () => {
      ({ shelf, time } = await openView(changedSince));
    });

    it.each<[string, Partial<RecordQuery>, string]>([
      ['references', { references: ['i5', 'i1', 'nothing', 'i1'] }, 'i1 i5'],
      ['references byte for byte', { references: ['I1', 'i4', 'i1 ', 'I4'] }, 'I4'],
      ['no reference', { references: [] }, ''],
      ['a thousand references', { references: Array.from({ length: 1000 }, (_, index) => `i${index}`) }, 'i1 i2 i3 i5'],
      ['the reference of another kind', { references: ['q1'] }, ''],
      ['a status', { status: ['published'] }, 'i1 I4'],
      ['one of several statuses', { status: ['archived', 'unpublished'] }, 'i2 i3 i5'],
      ['no status', { status: [] }, ''],
      ['a type', { types: ['per-question'] }, 'i1 i3 i5'],
      ['one of several types', { types: ['dependent', 'dichotomous', 'Dependent'] }, 'i2 I4'],
      ['no type', { types: [] }, ''],
      ['an author', { createdBy: ['ada'] }, 'i1 I4'],
      ['no named author', { createdBy: [null] }, 'i2 i5'],
      ['one of several authors', { createdBy: ['ben', null, 'nobody'] }, 'i2 i3 i5'],
      ['no author at all', { createdBy: [] }, ''],
      ['an author byte for byte', { createdBy: ['Ada', 'ben '] }, ''],
      ['one of what they hold', { holdsOneOf: ['q2', 'q3'] }, 'i1 i2 i3 i5'],
      ['one of what they hold, byte for byte', { holdsOneOf: ['Q2', 'f1'] }, 'i3 I4'],
      ['none of what they hold', { holdsOneOf: [] }, ''],
      ['all of what they hold', { holdsAllOf: ['q1', 'q2'] }, 'i1'],
      ['all of what they hold, named twice', { holdsAllOf: ['q3', 'q1', 'q3'] }, 'i5'],
      ['all of what they hold, one unknown', { holdsAllOf: ['q1', 'nothing'] }, ''],
      ['all of nothing', { holdsAllOf: [] }, 'i1 i2 i3 I4 i5'],
      ['one and all of what they hold', { holdsOneOf: ['q2', 'f1'], holdsAllOf: ['q3'] }, 'i3'],
      ['the type of one that they hold', { holdsTypes: ['mcq'] }, 'i1 i3 i5'],
      ['one of several types of what they hold', { holdsTypes: ['calculator', 'shorttext'] }, 'i1 i2 i3 I4'],
      ['no type of what they hold', { holdsTypes: [] }, ''],
      ['the lowest difficulty', { difficulty: { min: 0.5 } }, 'i2 i3'],
      ['the highest difficulty', { difficulty: { max: 0.5 } }, 'i1 i2'],
      ['a range of difficulty', { difficulty: { min: -1, max: 0.4 } }, 'i1'],
      ['any difficulty', { difficulty: {} }, 'i1 i2 i3'],
      ['a difficulty that no item has', { difficulty: { min: 3, max: 2 } }, ''],
      ['a part of the body', { contains: 'apple' }, 'i1 i3'],
      ['a part of the body, exact in case', { contains: 'apple P' }, 'i1'],
      ['a part of the body with wildcards of SQL', { contains: '0% c' }, 'i2'],
      ['a part of the body, accents kept', { contains: 'cafe' }, ''],
      ['a part of the body with quotes', { contains: '& "more"' }, 'i1'],
      ['a part of the body over a line end', { contains: 'line\nend \\ 😀' }, 'i5'],
      ['a tag', { tags: tagQuery({ all: ['Subject:Maths'] }) }, 'i1 i2 i5'],
      ['a tag without regard to case', { tags: tagQuery({ all: ['SUBJECT:maths'] }) }, 'i1 i2 i5'],
      ['all of several tags', { tags: tagQuery({ all: ['Grade:1', 'Subject:Maths', 'Subject:Art'] }) }, 'i5'],
      ['a tag named twice', { tags: tagQuery({ all: ['Grade:1', 'grade:1'] }) }, 'i1 i5'],
      ['any tag of a type', { tags: tagQuery({ all: ['grade'] }) }, 'i1 i2 i5'],
      ['a tag and any tag of a type', { tags: tagQuery({ all: ['Subject:Art', 'Grade'] }) }, 'i5'],
      ['a tag that does not exist', { tags: tagQuery({ all: ['Subject:Maths', 'Subject:Music'] }) }, ''],
      ['a type that does not exist', { tags: tagQuery({ all: ['Nothing'] }) }, ''],
      ['at least one tag', { tags: tagQuery({ either: ['Grade:2', 'Subject:Art', 'Nothing:x'] }) }, 'i2 i3 i5'],
      ['at least one tag or any of a type', { tags: tagQuery({ either: ['Level', 'Grade:2'] }) }, 'i2 i5'],
      [
        'at least one tag of those that do not exist',
        { tags: tagQuery({ either: ['Nothing:x', 'Subject:Music'] }) },
        '',
      ],
      ['none of the tags', { tags: tagQuery({ none: ['Grade:1', 'Nothing:x'] }) }, 'i2 i3 I4'],
      ['no tag of a type', { tags: tagQuery({ none: ['Grade'] }) }, 'i3 I4'],
      ['none of the tags nor any of a type', { tags: tagQuery({ none: ['Grade:2', 'Level'] }) }, 'i1 i3 I4'],
      [
        'tags of all three sorts',
        { tags: tagQuery({ all: ['Subject:Maths'], either: ['Grade:1', 'Grade:2'], none: ['Level'] }) },
        'i1 i2',
      ],
      ['a tag that is required and excluded', { tags: tagQuery({ all: ['Grade:1'], none: ['Grade:1'] }) }, ''],
      [
        'references and tags',
        { references: ['i1', 'i3', 'i5'], tags: tagQuery({ all: ['Subject:Maths'], none: ['Level'] }) },
        'i1',
      ],
      ['no tag at all', { tags: tagQuery({}) }, 'i1 i2 i3 I4 i5'],
      [
        'everything at once',
        {
          references: ['i1', 'i2', 'i5'],
          status: ['published', 'unpublished'],
          types: ['per-question', 'dichotomous'],
          tags: tagQuery({ all: ['Subject:Maths'], none: ['Level:x'] }),
          holdsOneOf: ['q1', 'q2'],
          holdsAllOf: ['q2'],
          holdsTypes: ['shorttext'],
          createdBy: ['ada'],
          difficulty: { min: -1, max: 0 },
          contains: 'apple',
        },
        'i1',
      ],
    ])('filters by %s', async (_what, query, expected) => {
      expect(await found(shelf, query)).toBe(expected);
      // The same in another order, which may use another plan.
      const byTitle = await find(shelf, { ...query, sort: { field: 'title', ascending: false } });
      expect(byTitle.map(({ reference }) => reference).sort()).toEqual(expected.split(' ').filter(Boolean).sort());
    });

    it('filters by inclusive periods: of creation, or of the last change when sorted by it', async () => {
      const at = (seconds: number) => time + seconds * 1000;
      const created = { field: 'created', ascending: true } as const;
      const updated = { field: 'updated', ascending: true } as const;
      expect(await found(shelf, { sort: created, from: at(1), to: at(3) })).toBe('i2 i3 I4');
      expect(await found(shelf, { sort: created, from: at(1) + 1 })).toBe('i3 I4 i5');
      expect(await found(shelf, { sort: created, to: at(1) - 1 })).toBe('i1');
      expect(await found(shelf, { sort: updated, from: at(3), to: at(8) })).toBe('I4 i5 i1');
      expect(await found(shelf, { sort: updated, from: at(8) + 1 })).toBe('i2');
      expect(await found(shelf, { sort: updated, to: at(2) })).toBe('i3');
      for (const field of ['reference', 'title'] as const)
        expect(await found(shelf, { sort: { field, ascending: true }, from: at(4) })).toBe('i5');
      const tags = tagQuery({ all: ['Subject:Maths'] });
      expect(await found(shelf, { sort: created, tags, from: at(1), to: at(3) })).toBe('i2');
      expect(await found(shelf, { sort: updated, tags, from: at(5) })).toBe('i1 i2');
      expect(await found(shelf, { from: at(3), to: at(2) })).toBe('');
    });

    it.each([
      ['created', true, 'i1 i2 i3 I4 i5'],
      ['created', false, 'i5 I4 i3 i2 i1'],
      ['updated', true, 'i3 I4 i5 i1 i2'],
      ['updated', false, 'i2 i1 i5 I4 i3'],
      ['reference', true, 'I4 i1 i2 i3 i5'],
      ['reference', false, 'i5 i3 i2 i1 I4'],
      // Two titles are equal: their records are sorted by id.
      ['title', true, 'I4 i2 i1 i5 i3'],
      ['title', false, 'i3 i5 i1 i2 I4'],
    ] as const)('sorts by %s, ascending %s', async (field, ascending, expected) => {
      const sort = { field, ascending };
      expect(await found(shelf, { sort })).toBe(expected);
      for (const limit of [1, 2, 3, 4, 5, 6]) {
        const slice = (after?: Position) => ports.shelves.find(shelf, queryOf({ sort, limit, after }));
        expect([limit, referencesOf(await allSlices(slice, limit))]).toEqual([limit, expected]);
      }
      const tags = tagQuery({ all: ['Subject:Maths'] });
      const tagged = (after?: Position) => ports.shelves.find(shelf, queryOf({ sort, limit: 2, after, tags }));
      const withMaths = expected.split(' ').filter((reference) => ['i1', 'i2', 'i5'].includes(reference));
      expect(referencesOf(await allSlices(tagged, 2))).toBe(withMaths.join(' '));
    });
  });

  describe('find', () => {
    let organisation: number;

    beforeAll(async () => {
      ({ organisation } = await createBank());
    });

    it('returns all parts of a record', async () => {
      const own = newOrganisation();
      const now = newDay();
      const tags = [tag('Subject:Maths'), tag('Grade:1'), tag('Subject:Art')];
      const [id] = await put(
        ports,
        own,
        [
          {
            reference: 'a',
            title: 'x',
            status: 'archived',
            type: 'dependent',
            tags,
            body: { b: 1, a: '😀' },
            extras: { e: null },
          },
        ],
        { now, author: { id: 'ada' } },
      );
      const shown: StoredRecord = {
        id: id!,
        reference: 'a',
        type: 'dependent',
        status: 'archived',
        body: '{"b":1,"a":"😀"}',
        extras: '{"e":null}',
        tags,
        createdBy: 'ada',
        updatedBy: 'ada',
        createdAt: now,
        updatedAt: now,
        workflowId: null,
        workflowState: null,
      };
      expect(await find(own)).toEqual([shown]);
      await put(ports, own, [{ reference: 'a', body: { b: 2 }, tags: [...tags].reverse() }], { now: now + 7 });
      const changed = {
        type: null,
        status: null,
        body: '{"b":2}',
        extras: null,
        tags: [...tags].reverse(),
        updatedBy: null,
        updatedAt: now + 7,
      };
      expect(await find(own)).toEqual([{ ...shown, ...changed }]);
      await put(ports, own, [{ kind: 'activity', reference: 'a', body: {} }], { now });
      expect(await find(own, { kind: 'activity' })).toMatchObject([
        { reference: 'a', tags: [], extras: null, createdBy: null },
      ]);
    });

    it('adds no conditions on records without a filter', async () => {
      expect(await found(organisation)).toBe('i1 i2 i3 I4 i5');
      expect(await found(organisation, { kind: 'question' })).toBe('q1 q2 q3');
      expect(await found(organisation, { kind: 'feature' })).toBe('f1');
      expect(await found(organisation, { kind: 'activity' })).toBe('');
      expect(await found(newOrganisation())).toBe('');
    });

    it('sorts references and titles by code points', async () => {
      const own = newOrganisation();
      const titles = ['~', 'a😀', 'A', 'a b', 'é', 'a', 'ﬀ', 'ab', '😀', 'a ', 'aB', '0', ''];
      await put(
        ports,
        own,
        titles.map((title, index) => ({ reference: `r${index}`, title })),
      );
      const byTitle = await find(own, { sort: { field: 'title', ascending: true } });
      const sorted = [...titles].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(byTitle.map(({ reference }) => titles[Number(reference.slice(1))])).toEqual(sorted);
      const other = newOrganisation();
      const references = ['b', 'a~', 'B', 'a', 'a b', '_', 'ab', 'a-', ' ', 'A', '9', 'a '];
      await put(
        ports,
        other,
        references.map((reference) => ({ reference })),
      );
      const byReference = await find(other, { sort: { field: 'reference', ascending: true } });
      expect(byReference.map(({ reference }) => reference)).toEqual([...references].sort());
    });

    it('finds by tags, and types of tags, of very many records in every order', async () => {
      const own = newOrganisation();
      await put(ports, own, [
        { reference: 'a', title: 'z', tags: [tag('t:common'), tag('t:rare')] },
        { reference: 'b', title: 'y', tags: [tag('t:common')] },
        { reference: 'c', title: 'x', tags: [tag('u:other')] },
      ]);
      // Rows for ten thousand further records make the tag common. The records themselves need not exist.
      const id = (await ports.tags.lookUp(own, [tag('t:common')])).get('t\ncommon')!;
      const rows = Array.from({ length: 10_000 }, (_, index) => [
        own,
        'item',
        id,
        `0${String(index).padStart(25, '0')}`,
      ]);
      await ports.database.insert('bank_tag', ['organisation_id', 'kind', 'tag_id', 'record_id'], rows);
      for (const field of SORT_FIELDS) {
        const sort = { field, ascending: true };
        const expected = field === 'title' ? 'b a' : 'a b';
        expect([field, await found(own, { sort, tags: tagQuery({ all: ['t:common'] }) })]).toEqual([field, expected]);
        expect(await found(own, { sort, tags: tagQuery({ all: ['t:common', 't:rare'] }) })).toBe('a');
        expect(await found(own, { sort, tags: tagQuery({ all: ['t:common'], none: ['t:rare'] }) })).toBe('b');
        expect(await found(own, { sort, tags: tagQuery({ all: ['t:common'] }), references: ['b', 'c'] })).toBe('b');
        expect(await found(own, { sort, tags: tagQuery({ all: ['t'] }) })).toBe(expected);
        expect(await found(own, { sort, tags: tagQuery({ all: ['t', 'u'] }) })).toBe('');
        expect(await found(own, { sort, tags: tagQuery({ either: ['t:common', 't:rare'] }) })).toBe(expected);
        expect(await found(own, { sort, tags: tagQuery({ either: ['t', 'u:other'], none: ['t:rare'] }) })).toBe(
          field === 'title' ? 'c b' : 'b c',
        );
        expect(await found(own, { sort, tags: tagQuery({ none: ['t'] }) })).toBe('c');
      }
    });

    it('shows a tag in its present case', async () => {
      const own = newOrganisation();
      await put(ports, own, [{ reference: 'a', tags: [tag('subject:maths')] }]);
      expect(await find(own)).toMatchObject([{ tags: [tag('subject:maths')] }]);
      await ports.tags.define([tag('Subject:MATHS')], scopeOf(own));
      expect(await find(own)).toMatchObject([{ tags: [tag('Subject:MATHS')] }]);
      expect(await found(own, { tags: tagQuery({ all: ['subject:Maths'] }) })).toBe('a');
    });

    it('filters by workflow and its states', async () => {
      const own = newOrganisation();
      await put(
        ports,
        own,
        ['a', 'b', 'c', 'd'].map((reference) => ({ reference })),
      );
      const assign = (workflow: string, state: string, reference: string) =>
        ports.database.write(
          'UPDATE bank_record SET workflow_id = ?, workflow_state = ? WHERE organisation_id = ? AND reference = ?',
          [workflow.padEnd(26, '0'), state, own, reference],
        );
      await assign('W1', 'draft', 'a');
      await assign('W1', 'Draft', 'b');
      await assign('W2', 'draft', 'c');
      const id = 'W1'.padEnd(26, '0');
      expect(await found(own, { workflow: { id, unassigned: false } })).toBe('a b');
      expect(await found(own, { workflow: { id, states: ['draft', 'done'], unassigned: false } })).toBe('a');
      expect(await found(own, { workflow: { id, states: [], unassigned: false } })).toBe('');
      expect(await found(own, { workflow: { id, states: [], unassigned: true } })).toBe('d');
      expect(await found(own, { workflow: { id, unassigned: true } })).toBe('a b d');
      expect(await found(own, { workflow: { id: 'W3'.padEnd(26, '0'), unassigned: false } })).toBe('');
    });

    it('filters by what activities hold at present', async () => {
      const own = newOrganisation();
      await put(ports, own, [{ reference: 'a' }, { reference: 'b' }, { reference: 'c' }]);
      await put(ports, own, [{ kind: 'activity', reference: 'test', holds: ['a', 'b'] }]);
      expect(await found(own, { isUnused: true })).toBe('c');
      expect(await found(own, { isUnused: false })).toBe('a b c');
      await put(ports, own, [{ kind: 'activity', reference: 'test', holds: ['b'] }]);
      expect(await found(own, { isUnused: true })).toBe('a c');
      expect(await found({ organisation: own, asOf: newDay() }, { isUnused: true })).toBe('a c');
    });

    it('filters by media in items and in what they hold', async () => {
      const own = newOrganisation();
      const question = (reference: string, stimulus: string, type = 'mcq'): Wanted => ({
        kind: 'question',
        reference,
        type,
        body: { type, data: { stimulus }, metadata: null },
      });
      await put(ports, own, [
        question('picture', '<p>See <img src="a.png" alt="A"></p>'),
        question('sum', 'Add \\(x^2\\) and 1'),
        question('plain', 'An image of audio (in words) \\n'),
        question('spot', 'Where?', 'hotspot'),
        { kind: 'feature', reference: 'sound', type: 'audioplayer' },
      ]);
      const held = {
        a: ['picture'],
        b: ['plain', 'sum'],
        c: ['plain'],
        d: ['sound', 'picture'],
        e: ['spot'],
      };
      await put(
        ports,
        own,
        Object.entries(held).map(([reference, holds]) => ({ reference, holds })),
      );
      await put(ports, own, [{ reference: 'f', body: { description: '<video src="a.mp4"></video>' } }]);
      expect(await found(own, { media: ['image'] })).toBe('a d e');
      expect(await found(own, { media: ['audio'] })).toBe('d');
      expect(await found(own, { media: ['video'] })).toBe('f');
      expect(await found(own, { media: ['math'] })).toBe('b');
      expect(await found(own, { media: ['math', 'audio', 'math'] })).toBe('b d');
      expect(await found(own, { media: [] })).toBe('');
      expect(await found(own, { media: ['image'], holdsOneOf: ['sound'] })).toBe('d');
    });

    it('finds nothing in an empty item pool', async () => {
      const pool = { id: 'P'.padEnd(26, '0'), generation: 1, oldest: 0 };
      expect(await ports.shelves.find({ organisation, pool }, queryOf())).toEqual({ entries: [] });
      expect(await ports.shelves.findHeld({ organisation, pool }, queryOf(), ['i1'])).toEqual({ entries: [] });
    });

    describe('for any records and any query', () => {
      // Few values, so that conditions match and values tie.
      const TAGS = ['A:1', 'A:2', 'B:1', 'B:2', 'C:1'];
      const REFERENCES = ['a', 'A', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
      const STATUSES = ['published', 'unpublished', 'archived'] as const;
      const some = <T>(values: readonly T[]) => fc.subarray([...values]);
      const record = fc.record({
        title: fc.constantFrom('', 'x', 'X', 'y'),
        status: fc.constantFrom(...STATUSES),
        type: fc.constantFrom('dependent', 'dichotomous'),
        tags: fc.shuffledSubarray(TAGS),
        holds: fc.shuffledSubarray(['w1', 'w2', 'w3']),
        author: fc.constantFrom(undefined, 'ada', 'ben'),
        text: fc.constantFrom('one', 'two', 'one two'),
        difficulty: fc.constantFrom(null, -1, 0.5, 2),
        wait: fc.constantFrom(0, 1000),
      });
      type Made =
        typeof record extends fc.Arbitrary<infer T>
          ? T & { reference: string; createdAt: number; order: number }
          : never;
      const pattern = fc.constantFrom(...TAGS, 'A', 'B', 'b', 'a:1', 'A:none', 'none');
      const few = fc.array(pattern, { maxLength: 3 });
      const query = fc.record(
        {
          references: some(REFERENCES),
          status: some(STATUSES),
          types: some(['dependent', 'dichotomous', 'other']),
          tags: fc.record({ all: few, either: few, none: few }).map(tagQuery),
          holdsOneOf: some(['w1', 'w2', 'W3']),
          holdsAllOf: fc.subarray(['w1', 'w2', 'w3'], { maxLength: 2 }),
          holdsTypes: some(['mcq', 'gridded', 'other']),
          createdBy: some(['ada', 'ben', null]),
          difficulty: fc.record(
            { min: fc.constantFrom(-1, 0, 0.5), max: fc.constantFrom(0, 0.5, 1.5) },
            { requiredKeys: [] },
          ),
          contains: fc.constantFrom('one', 'two', 'One'),
          from: fc.constantFrom(0, 1500),
          to: fc.constantFrom(2000, 4500),
        },
        { requiredKeys: [] },
      );
      const WIDGET_TYPES: Record<string, string> = { w1: 'mcq', w2: 'mcq', w3: 'gridded' };

      const carries = (tags: readonly string[], { type, name }: TagPattern): boolean =>
        tags.some((text) => {
          const [ofType, named] = text.split(':');
          return ofType!.toLowerCase() === type.toLowerCase() && (name === undefined || named === name);
        });

      const matches = (made: Made, asked: Partial<RecordQuery>): boolean => {
        const within = <T>(list: readonly T[] | undefined, value: T) => list === undefined || list.includes(value);
        const { tags, holdsOneOf, holdsAllOf, holdsTypes, difficulty: range, from, to } = asked;
        return (
          within(asked.references, made.reference) &&
          within(asked.status, made.status) &&
          within(asked.types, made.type) &&
          within(asked.createdBy, made.author ?? null) &&
          (!holdsOneOf || holdsOneOf.some((reference) => made.holds.includes(reference))) &&
          (!holdsAllOf || holdsAllOf.every((reference) => made.holds.includes(reference))) &&
          (!holdsTypes || made.holds.some((reference) => holdsTypes.includes(WIDGET_TYPES[reference]!))) &&
          (!range ||
            (made.difficulty !== null &&
              (range.min ?? -9) <= made.difficulty &&
              made.difficulty <= (range.max ?? 9))) &&
          (asked.contains === undefined || made.text.includes(asked.contains)) &&
          (!tags ||
            (tags.all.every((wanted) => carries(made.tags, wanted)) &&
              (tags.either.length === 0 || tags.either.some((wanted) => carries(made.tags, wanted))) &&
              !tags.none.some((wanted) => carries(made.tags, wanted)))) &&
          (from === undefined || made.createdAt >= from) &&
          (to === undefined || made.createdAt <= to)
        );
      };

      const sortValue = (made: Made, field: SortField): string | number =>
        ({ created: made.order, updated: made.createdAt, reference: made.reference, title: made.title })[field];

      it('returns the same as an in-memory list, in its order, slice by slice', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(record, { maxLength: REFERENCES.length }),
            fc.array(fc.tuple(query, fc.constantFrom(...SORT_FIELDS), fc.boolean(), fc.integer({ min: 1, max: 5 })), {
              minLength: 12,
              maxLength: 12,
            }),
            async (records, queries) => {
              const own = newOrganisation();
              const start = newDay();
              await put(
                ports,
                own,
                Object.entries(WIDGET_TYPES).map(([reference, type]) => ({ kind: 'question', reference, type })),
              );
              let time = start;
              const made: Made[] = [];
              for (const [order, values] of records.entries()) {
                time += values.wait;
                const reference = REFERENCES[order]!;
                const { author, text, difficulty, tags, wait: _wait, ...wanted } = values;
                const extras = { adaptive: { difficulty } };
                await put(ports, own, [{ ...wanted, reference, tags: tags.map(tag), body: { text }, extras }], {
                  now: time,
                  author: author === undefined ? undefined : { id: author },
                });
                made.push({ ...values, reference, createdAt: time, order });
              }
              const stage = {
                organisation: own,
                pool: 'P'.padEnd(26, '0'),
                generation: 1,
                shown: 0,
                oldestFill: 0,
                asOf: time,
              };
              const pool = await fillPool(ports, stage, { item: {} });
              for (const [asked, field, ascending, limit] of queries) {
                const bounds = {
                  ...(asked.from === undefined ? {} : { from: start + asked.from }),
                  ...(asked.to === undefined ? {} : { to: start + asked.to }),
                };
                const complete = queryOf({ ...asked, ...bounds, sort: { field, ascending }, limit });
                const expected = made
                  .filter((entry) => matches(entry, complete))
                  .sort((a, b) => {
                    const [x, y] = [sortValue(a, field), sortValue(b, field)];
                    return (x === y ? a.order - b.order : x < y ? -1 : 1) * (ascending ? 1 : -1);
                  });
                for (const shelf of [{ organisation: own }, { organisation: own, pool }]) {
                  const there = shelf.pool ? expected.filter(({ status }) => status === 'published') : expected;
                  const entries = await allSlices((after) => ports.shelves.find(shelf, { ...complete, after }), limit);
                  expect([shelf, complete, referencesOf(entries)]).toEqual([shelf, complete, referencesOf(there)]);
                  // Each record is returned with its tags, in the order in which they were set.
                  expect(entries.map(({ tags }) => tags)).toEqual(there.map(({ tags }) => tags.map(tag)));
                }
              }
            },
          ),
          { numRuns: 20 },
        );
      });
    });

    describe('during concurrent writes', () => {
      /** Reads in slices of three with writes between them. Returns which of the twenty lasting records it met. */
      async function readWhileWriting(sort: RecordQuery['sort'], tags?: TagQuery): Promise<number[]> {
        const own = newOrganisation();
        const references = Array.from({ length: 20 }, (_, index) => `r${String(index).padStart(2, '0')}`);
        const wantedOf = (reference: string): Wanted => ({ reference, title: 'same', tags: [tag('t:a')] });
        const ids: string[] = [];
        for (const reference of references) ids.push(...(await put(ports, own, [wantedOf(reference)])));
        let step = 0;
        const entries = await allSlices(async (after) => {
          const slice = await ports.shelves.find({ organisation: own }, queryOf({ sort, limit: 3, after, tags }));
          // The writes stop here. Otherwise, a list that grows at its end would never end.
          if (++step > 6) return slice;
          const now = NOW + step;
          // New records everywhere in the order.
          const between = `r${String((step * 3) % 20).padStart(2, '0')}.${step}`;
          await put(ports, own, [`a${step}`, between, `z${step}`].map(wantedOf), { now });
          // Changes one record that was already read and one that was not, so that they also move in other orders.
          for (const index of [step, 19 - step]) {
            const changed = {
              title: `${step % 2 ? 'a' : 'z'} ${step}`,
              body: { step },
              tags: [tag('t:a'), tag(`t:${step}`)],
            };
            await put(ports, own, [{ reference: references[index]!, ...changed }], { now });
          }
          // Also changes their references.
          if (sort.field !== 'created') return slice;
          await put(ports, own, [{ ...wantedOf(references[step]!), to: `zz${step}` }], { now });
          references[step] = `zz${step}`;
          return slice;
        }, 3);
        return entries.map(({ id }) => ids.indexOf(id)).filter((index) => index >= 0);
      }

      // All records have the same title and time, so every order is that of creation.
      it.each(SORT_FIELDS.flatMap((field) => [true, false].map((ascending) => [field, ascending] as const)))(
        'neither skips nor repeats lasting records, by %s, ascending %s',
        async (field, ascending) => {
          const all = [...Array(20).keys()];
          const expected = ascending ? all : all.reverse();
          expect(await readWhileWriting({ field, ascending })).toEqual(expected);
          expect(await readWhileWriting({ field, ascending }, tagQuery({ all: ['t:a'] }))).toEqual(expected);
        },
      );

      it('neither skips nor repeats renamed records, by reference', async () => {
        const own = newOrganisation();
        const references = ['a', 'b', 'c', 'd', 'e', 'f'];
        const ids = await put(
          ports,
          own,
          references.map((reference) => ({ reference })),
        );
        let step = 0;
        const sort = { field: 'reference', ascending: true } as const;
        const entries = await allSlices(async (after) => {
          const slice = await ports.shelves.find({ organisation: own }, queryOf({ sort, limit: 2, after }));
          // Moves one record that was already read to the end, and one that was not to the beginning.
          if (++step === 1) {
            await put(
              ports,
              own,
              [
                { reference: 'a', to: 'z' },
                { reference: 'f', to: '0' },
              ],
              { now: NOW + 1 },
            );
          }
          return slice;
        }, 2);
        expect(entries.map(({ id }) => references[ids.indexOf(id)])).toEqual(references);
      });
    });
  });

  it('shows tags by their current names, whatever other organisations rename', async () => {
    const organisations = [newOrganisation(), newOrganisation()];
    const now = newDay();
    const tagsOf = async (shelf: Shelf) => (await find(shelf))[0]!.tags;
    for (const organisation of organisations)
      await put(ports, organisation, [{ reference: 'i', tags: [tag('Subject:Maths')] }], { now });
    for (const name of ['Algebra', 'Geometry'])
      for (const organisation of organisations) {
        const [known] = (
          await ports.tagStore.lock(organisation, [tag('Subject:Maths'), tag('Subject:Algebra')])
        ).values();
        await ports.tagStore.update(organisation, [{ ...known!, name }], true);
        for (const each of [{ organisation }, { organisation, asOf: now }])
          expect(await tagsOf(each)).toEqual([tag(`Subject:${name}`)]);
      }
  });

  describe.each(VIEWS)('findHeld %s', (_when, changedSince) => {
    let shelf: Shelf;

    beforeAll(async () => {
      ({ shelf } = await openView(changedSince));
    });

    const held = async (holders: string[], values: Partial<RecordQuery> = {}) => {
      const query = queryOf({ kind: 'question', ...values });
      const entries = await allSlices(
        (after) => ports.shelves.findHeld(shelf, { ...query, after }, holders),
        query.limit,
      );
      return entries.map(({ holder, record }) => `${record.reference} of ${holder}`);
    };

    it('returns one entry for each pair, sorted by the record and then by the holder', async () => {
      const pairs = ['q1 of i1', 'q1 of i5', 'q2 of i1', 'q2 of i2', 'q3 of i3', 'q3 of i5'];
      const holders = ['i5', 'i3', 'i2', 'i1', 'I4'];
      for (const field of ['created', 'updated', 'reference'] as const)
        for (const limit of [1, 2, 3, 5, 6, 7]) {
          const up = { field, ascending: true };
          expect([field, limit, await held(holders, { sort: up, limit })]).toEqual([field, limit, pairs]);
          const down = { field, ascending: false };
          expect([field, limit, await held(holders, { sort: down, limit })]).toEqual([
            field,
            limit,
            [...pairs].reverse(),
          ]);
        }
    });

    it('returns nothing for unknown holders, and for holders of nothing of the kind', async () => {
      expect(await held(['i1', 'nothing', 'I1', 'q1'])).toEqual(['q1 of i1', 'q2 of i1']);
      expect(await held(['I4'])).toEqual([]);
      expect(await held(['I4', 'i3'], { kind: 'feature' })).toEqual(['f1 of i3', 'f1 of I4']);
      expect(await held([])).toEqual([]);
      expect(await held(['i1', 'i1'])).toEqual(['q1 of i1', 'q2 of i1']);
    });

    it('applies the conditions to the record', async () => {
      const all = ['i1', 'i2', 'i3', 'i5'];
      expect(await held(all, { types: ['shorttext'] })).toEqual(['q2 of i1', 'q2 of i2']);
      expect(await held(all, { references: ['q3', 'q1'] })).toEqual(['q1 of i1', 'q1 of i5', 'q3 of i3', 'q3 of i5']);
      expect(await held(all, { references: [] })).toEqual([]);
      expect(await held(all, { contains: 'q2' })).toEqual(['q2 of i1', 'q2 of i2']);
    });

    it('returns all parts of the record', async () => {
      const [shown] = await find(shelf, { kind: 'question', references: ['q2'] });
      const { entries } = await ports.shelves.findHeld(shelf, queryOf({ kind: 'question' }), ['i2']);
      expect(entries).toEqual([{ holder: 'i2', record: shown }]);
    });
  });
}

/** `A:1` is a tag, `A` any tag of a type. */
function tagQuery({
  all = [],
  either = [],
  none = [],
}: {
  all?: string[];
  either?: string[];
  none?: string[];
}): TagQuery {
  const pattern = (text: string): TagPattern | TagName => (text.includes(':') ? tag(text) : { type: text });
  return { all: all.map(pattern), either: either.map(pattern), none: none.map(pattern) };
}
