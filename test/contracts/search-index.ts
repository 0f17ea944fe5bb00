import * as fc from 'fast-check';
import { type JsonObject, newId } from '#kernel';
import { MAX_WAITING, type SearchConditions } from '../../libs/content/src/application/ports/search-index';
import { termsOf } from '../../libs/content/src/domain/search-words';
import { newDay, newOrganisation, NOW, type Ports } from './ports';
import { put, tag, type Wanted } from './writing';

/** Full-text search over the items of a bank. */
export function searchIndexContract(ports: Ports): void {
  const item = (reference: string, values: Partial<Wanted> & { says?: string } = {}): Wanted => {
    const { says, ...others } = values;
    return { reference, body: { title: says ?? null, definition: {} }, status: 'published', ...others };
  };
  const widget = (reference: string, stimulus: string, more: JsonObject = {}): Wanted => ({
    kind: 'question',
    reference,
    type: 'mcq',
    body: { type: 'mcq', data: { stimulus, ...more }, metadata: null },
  });
  const page = (offset = 0, limit = 100) => ({ offset, limit });
  const hits = async (organisation: number, text: string, conditions: SearchConditions = {}, of = page()) =>
    (await ports.search.find(organisation, termsOf(text, '/text'), conditions, of)).hits;
  /** Returns the references of the items with these words, sorted. */
  const found = async (organisation: number, text: string, conditions: SearchConditions = {}) =>
    (await hits(organisation, text, conditions))
      .map(({ reference }) => reference)
      .sort()
      .join(' ');
  const waiting = async (organisation: number) =>
    (await ports.search.find(organisation, termsOf('any', '/text'), {}, page())).waiting;
  const fillAll = async () => {
    while ((await ports.search.fill(50)) > 0);
  };

  describe('find', () => {
    let organisation: number;
    const time = newDay();
    beforeAll(async () => {
      organisation = newOrganisation();
      await put(ports, organisation, [
        widget('q1', 'Which <b>city</b> is the capital of Australia?', {
          options: [{ label: 'Canberra', value: '0' }],
        }),
        { ...widget('q2', 'The mitochondrion makes energy.'), type: 'shorttext' },
        {
          ...widget('f1', ''),
          kind: 'feature',
          type: 'sharedpassage',
          body: { type: 'sharedpassage', data: { content: '<p>Sheep &amp; wool in Australia</p>' }, metadata: null },
        },
      ]);
      const items: Wanted[] = [
        item('geo-1', {
          says: 'Capitals',
          holds: ['q1'],
          tags: [tag('Subject:Geo'), tag('Grade:1')],
          type: 'dependent',
        }),
        item('geo-2', {
          says: 'Capitals of the world, and more capitals',
          holds: ['q1', 'f1'],
          tags: [tag('Subject:Geo')],
          status: 'archived',
        }),
        item('bio-1', { says: 'Cells', holds: ['q2'], tags: [tag('Subject:Bio')], status: 'unpublished' }),
        item('de-1', { says: 'Straße, Élève und 12 km; is it to be?' }),
        item('ru-1', { says: 'Столица Австралии' }),
        item('ja-1', { says: '東京は日本の首都です' }),
        item('hi-1', { says: 'भारत की राजधानी' }),
        item('math-1', { says: 'Solve \\(\\frac{x^2}{3}\\) for x' }),
      ];
      for (const [index, wanted] of items.entries())
        await put(ports, organisation, [wanted], {
          now: time + index * 1000,
          author: index < 2 ? { id: 'ada' } : undefined,
        });
    });

    it.each([
      ['a word of a title', 'cells', 'bio-1'],
      ['a word of a question', 'capital canberra', 'geo-1 geo-2'],
      ['a word of a feature', 'wool', 'geo-2'],
      ['words of an item and of its questions together', 'cells mitochondrion bio', 'bio-1'],
      ['only items with all words', 'capitals wool', 'geo-2'],
      ['nothing for a word that no item has', 'capitals zebra', ''],
      ['the reference, as a whole and in parts', 'geo-2', 'geo-2'],
      ['words by their beginning', 'mitoch', 'bio-1'],
      ['no words by their end', 'chondrion', ''],
      ['words of two letters only as a whole', 'ce', ''],
      ['common words, which the indexes of servers omit by default', 'is it to be', 'de-1'],
      ['a single letter as a whole word', 'x', 'math-1'],
      ['numbers', '12', 'de-1'],
      ['words whatever their case', 'CANBERRA AUSTRALIA', 'geo-1 geo-2'],
      ['words without their accents, and with others', 'strasse eleve', 'de-1'],
      ['words with accents that the text does not have', 'céllś', 'bio-1'],
      ['words across markup', '"city is"', 'geo-1 geo-2'],
      ['phrases', '"capital of australia"', 'geo-1 geo-2'],
      ['no phrases in another order', '"of capital"', ''],
      ['phrases of whole words only', '"capital of austral"', ''],
      ['phrases and words', 'energy "mitochondrion makes"', 'bio-1'],
      ['a phrase of one word as a whole', '"capit"', ''],
      ['Cyrillic words', 'столица австрал', 'ru-1'],
      ['letters of a script without blanks in the same order', '日本の首都', 'ja-1'],
      ['no letters of such a script in another order', '京東', ''],
      ['words of a script with marks', 'राजधानी', 'hi-1'],
      ['names of commands in formulas', 'frac', 'math-1'],
      ['nothing for the operators of an engine', 'capitals -wool OR NEAR(cells) +canberra*', ''],
    ])('finds %s', async (_, text, expected) => {
      expect(await found(organisation, text)).toBe(expected);
    });

    it.each<[string, SearchConditions, string]>([
      ['status', { status: ['archived'] }, 'geo-2'],
      ['several statuses', { status: ['archived', 'published'] }, 'geo-1 geo-2'],
      ['no status', { status: [] }, ''],
      ['references', { references: ['geo-1', 'bio-1', 'none'] }, 'geo-1'],
      ['a tag', { tags: { all: [tag('Subject:Geo')], either: [], none: [] } }, 'geo-1 geo-2'],
      ['tags', { tags: { all: [tag('subject:geo'), tag('Grade:1')], either: [], none: [] } }, 'geo-1'],
      ['a tag type', { tags: { all: [{ type: 'Grade' }], either: [], none: [] } }, 'geo-1'],
      ['one of several tags', { tags: { all: [], either: [tag('Grade:1'), tag('Subject:Bio')], none: [] } }, 'geo-1'],
      ['no tag', { tags: { all: [], either: [], none: [tag('Grade:1')] } }, 'geo-2'],
      ['a tag that does not exist', { tags: { all: [tag('Grade:9')], either: [], none: [] } }, ''],
      ['scoring types', { types: ['dependent'] }, 'geo-1'],
      ['authors', { createdBy: ['ada'] }, 'geo-1 geo-2'],
      ['no author', { createdBy: [null] }, ''],
      ['records that the item holds', { holdsOneOf: ['f1', 'q2'] }, 'geo-2'],
      ['types of records that the item holds', { holdsTypes: ['sharedpassage'] }, 'geo-2'],
      ['a workflow', { workflow: { id: '0'.repeat(26), unassigned: false } }, ''],
      ['no workflow', { workflow: { id: '0'.repeat(26), unassigned: true } }, 'geo-1 geo-2'],
      ['the earliest time of creation', { from: time + 1000 }, 'geo-2'],
      ['the latest time of creation', { to: time + 999 }, 'geo-1'],
      [
        'all at once',
        {
          status: ['published'],
          references: ['geo-1', 'geo-2'],
          tags: { all: [tag('Grade:1')], either: [tag('Subject:Geo')], none: [tag('Subject:Bio')] },
          types: ['dependent'],
          createdBy: ['ada', null],
          holdsOneOf: ['q1'],
          holdsTypes: ['mcq'],
          workflow: { id: '0'.repeat(26), unassigned: true },
          from: time,
          to: time + 1,
        },
        'geo-1',
      ],
    ])('narrows down by %s', async (_, conditions, expected) => {
      expect(await found(organisation, 'capitals', conditions)).toBe(expected);
    });

    it('gives a higher score to an item with more occurrences of the word in a text of the same length', async () => {
      const bank = newOrganisation();
      await put(ports, bank, [
        item('a', { says: 'otter weasel badger marten' }),
        item('b', { says: 'otter otter otter marten' }),
        item('c', { says: 'stoat weasel badger marten' }),
      ]);
      const [first, second, ...others] = await hits(bank, 'otter');
      expect([first!.reference, second!.reference, others]).toEqual(['b', 'a', []]);
      expect(first!.score).toBeGreaterThan(second!.score);
      expect(second!.score).toBeGreaterThan(0);
    });

    it('returns the same members of an item as other reads', async () => {
      const [hit] = await hits(organisation, 'geo-2');
      expect(hit).toMatchObject({ reference: 'geo-2', status: 'archived' });
      expect((JSON.parse(hit!.body) as JsonObject).title).toBe('Capitals of the world, and more capitals');
    });

    it('returns the texts of the widgets of items, in order', async () => {
      const { id } = (await hits(organisation, 'geo-2'))[0]!;
      expect(await ports.search.widgetTexts(organisation, [id])).toEqual(
        new Map([
          [
            id,
            [
              { kind: 'question', reference: 'q1', text: 'Which city is the capital of Australia?\nCanberra' },
              { kind: 'feature', reference: 'f1', text: 'Sheep & wool in Australia' },
            ],
          ],
        ]),
      );
      expect(await ports.search.widgetTexts(organisation, [])).toEqual(new Map());
    });
  });

  it('returns each of many equally good hits once in pages, newest first', async () => {
    const organisation = newOrganisation();
    const references = Array.from({ length: 25 }, (_, index) => `same-${index}`);
    for (const [index, reference] of references.entries())
      await put(ports, organisation, [item(reference, { says: 'equal words' })], { now: NOW + index });
    const seen: string[] = [];
    for (let more = true; more;) {
      const found = await ports.search.find(organisation, termsOf('equal', '/'), {}, page(seen.length, 10));
      seen.push(...found.hits.map(({ reference }) => reference));
      ({ more } = found);
    }
    expect(seen).toEqual(references.reverse());
    expect(await hits(organisation, 'equal', {}, page(25, 10))).toEqual([]);
  });

  it('separates organisations', async () => {
    const [one, two] = [newOrganisation(), newOrganisation()];
    await put(ports, one, [item('secret-a', { says: 'hush' })]);
    await put(ports, two, [item('secret-b', { says: 'hush' })]);
    expect([await found(one, 'hush'), await found(two, 'hush')]).toEqual(['secret-a', 'secret-b']);
  });

  describe('indexing', () => {
    it('includes changes and renames of items, and the questions that they hold now', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [widget('q', 'penguin'), widget('other', 'walrus')]);
      await put(ports, organisation, [item('old-name', { says: 'seal', holds: ['q'] })]);
      await put(ports, organisation, [item('old-name', { says: 'orca', to: 'fresh', holds: ['other'] })]);
      for (const gone of ['seal', 'old', 'penguin'])
        expect([gone, await found(organisation, gone)]).toEqual([gone, '']);
      for (const now of ['orca', 'fresh', 'walrus'])
        expect([now, await found(organisation, now)]).toEqual([now, 'fresh']);
      expect(await waiting(organisation)).toBe(0);
    });

    it('includes changes of questions in all items that hold them, and keeps the other words of these items', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [widget('q', 'penguin'), widget('still', 'walrus')]);
      await put(ports, organisation, [
        item('a', { holds: ['q', 'still'] }),
        item('b', { holds: ['q'] }),
        item('c', { holds: ['still'] }),
      ]);
      await put(ports, organisation, [widget('q', 'albatross')]);
      expect(await found(organisation, 'penguin')).toBe('');
      expect(await found(organisation, 'albatross')).toBe('a b');
      expect(await found(organisation, 'walrus')).toBe('a c');
      expect(await waiting(organisation)).toBe(0);
    });

    it('keeps the words of an item that only got other tags', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [item('a', { says: 'otter' })]);
      await put(ports, organisation, [item('a', { keepDocument: true, tags: [tag('Grade:1')] })]);
      expect(await found(organisation, 'otter')).toBe('a');
    });

    it('includes nothing of a unit of work that fails', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [item('a', { says: 'otter' })]);
      await expect(
        ports.database.run(async () => {
          await put(ports, organisation, [item('a', { says: 'badger' })]);
          throw new Error('given up');
        }),
      ).rejects.toThrow('given up');
      expect([await found(organisation, 'otter'), await found(organisation, 'badger')]).toEqual(['a', '']);
    });

    it('includes both changes when two writers change two questions of one item at the same time', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [widget('q1', 'one'), widget('q2', 'two')]);
      await put(ports, organisation, [item('a', { holds: ['q1', 'q2'] })]);
      for (let round = 0; round < 5; round++) {
        const words = [`alpha${round}`, `beta${round}`] as const;
        await Promise.all([
          put(ports, organisation, [widget('q1', words[0])], { now: NOW + round }),
          put(ports, organisation, [widget('q2', words[1])], { now: NOW + round }),
        ]);
        expect(await found(organisation, words.join(' '))).toBe('a');
      }
    });

    it('includes a question that more than ten items hold once the waiting items are indexed', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [widget('q', 'penguin')]);
      for (let index = 0; index < 11; index++)
        await put(ports, organisation, [item(`held-${index}`, { holds: ['q'] })], { now: NOW + index });
      expect(await waiting(organisation)).toBe(0);
      await put(ports, organisation, [widget('q', 'albatross')]);
      expect(await waiting(organisation)).toBe(1);
      expect([(await hits(organisation, 'penguin')).length, await found(organisation, 'albatross')]).toEqual([11, '']);
      await fillAll();
      expect(await waiting(organisation)).toBe(0);
      expect([await found(organisation, 'penguin'), (await hits(organisation, 'albatross')).length]).toEqual(['', 11]);
    });

    it('counts the waiting records of the bank up to a maximum, beside hits and without any', async () => {
      const organisation = newOrganisation();
      await put(ports, organisation, [item('a', { says: 'otter' }), item('b', { says: 'otter' })]);
      const rows = Array.from({ length: MAX_WAITING + 1 }, (_, index) => [organisation, newId(NOW + index)]);
      await ports.database.insert('search_pending', ['organisation_id', 'record_id'], rows.slice(0, 2));
      const find = async (text: string) => {
        const found = await ports.search.find(organisation, termsOf(text, '/text'), {}, page(0, 1));
        return { hits: found.hits.length, more: found.more, waiting: found.waiting };
      };
      expect(await find('otter')).toEqual({ hits: 1, more: true, waiting: 2 });
      expect(await find('badger')).toEqual({ hits: 0, more: false, waiting: 2 });
      await ports.database.insert('search_pending', ['organisation_id', 'record_id'], rows.slice(2));
      expect((await find('otter')).waiting).toBe(MAX_WAITING);
      await fillAll();
      expect((await find('otter')).waiting).toBe(0);
    });

    it('includes a unit of work of more than ten records once the waiting items are indexed', async () => {
      const organisation = newOrganisation();
      const numbers = Array.from({ length: 11 }, (_, index) => index);
      const questions = (word: string) => numbers.map((index) => widget(`q${index}`, `${word} n${index}`));
      await put(ports, organisation, questions('penguin'));
      // New questions do not wait, because no item holds them.
      expect(await waiting(organisation)).toBe(0);
      await put(
        ports,
        organisation,
        numbers.map((index) => item(`i${index}`, { holds: [`q${index}`] })),
      );
      expect(await waiting(organisation)).toBe(11);
      expect(await found(organisation, 'penguin')).toBe('');
      await fillAll();
      expect([await found(organisation, 'penguin n7'), await waiting(organisation)]).toEqual(['i7', 0]);

      await put(ports, organisation, questions('albatross'));
      await put(ports, organisation, [widget('q7', 'walrus n7')], { now: NOW + 5 });
      expect([await waiting(organisation), await found(organisation, 'walrus')]).toEqual([11, 'i7']);
      await fillAll();
      expect([await found(organisation, 'penguin'), await waiting(organisation)]).toEqual(['', 0]);
      expect([await found(organisation, 'albatross n6'), await found(organisation, 'n7')]).toEqual(['i6', 'i7']);

      await put(
        ports,
        organisation,
        numbers.map((index) =>
          item(`i${index}`, { to: `new${index}`, keepHeld: true, keepDocument: true, tags: [tag('Grade:1')] }),
        ),
      );
      await fillAll();
      expect([await found(organisation, 'new7'), await found(organisation, 'i7')]).toEqual(['new7', '']);
      await put(
        ports,
        organisation,
        numbers.map((index) => item(`new${index}`, { keepHeld: true, keepDocument: true })),
      );
      expect(await waiting(organisation)).toBe(0);
    });

    it('includes all waiting items although the body of another record is damaged', async () => {
      // Organisations are indexed in the order of their numbers.
      const [damaged, other] = [newOrganisation(), newOrganisation()].sort((a, b) => a - b);
      for (const organisation of [damaged!, other!])
        await put(
          ports,
          organisation,
          Array.from({ length: 11 }, (_, index) => item(`i${index}`, { says: `heron n${index}` })),
        );
      await ports.database.write(
        `UPDATE document SET body = '{' WHERE organisation_id = ? AND id =
           (SELECT document_id FROM bank_record WHERE organisation_id = ? AND kind = 'item' AND reference = 'i3')`,
        [damaged!, damaged!],
      );
      await fillAll();
      expect([await found(other!, 'heron n7'), await found(damaged!, 'heron n7')]).toEqual(['i7', 'i7']);
      expect([await found(damaged!, 'i3'), await waiting(damaged!)]).toEqual(['i3', 0]);
    });

    it('includes all changes when two processes index at the same time while others write', async () => {
      const organisation = newOrganisation();
      const numbers = Array.from({ length: 30 }, (_, index) => index);
      await put(ports, organisation, [widget('shared', 'penguin')]);
      await put(
        ports,
        organisation,
        numbers.map((index) => item(`i${index}`, { says: 'otter', holds: ['shared'] })),
      );
      await Promise.all([
        ports.search.fill(20),
        ports.search.fill(20),
        put(ports, organisation, [widget('shared', 'albatross')]),
        put(ports, organisation, [item('i3', { says: 'badger', holds: ['shared'] })]),
      ]);
      await fillAll();
      expect((await hits(organisation, 'albatross')).length).toBe(30);
      expect([await found(organisation, 'penguin'), (await hits(organisation, 'otter')).length]).toEqual(['', 29]);
      expect(await found(organisation, 'badger')).toBe('i3');
    });
  });

  describe('items that were stored before there was an index', () => {
    /** The state after the migration. */
    async function oldBank(): Promise<number> {
      const organisation = newOrganisation();
      await put(ports, organisation, [widget('q', 'penguin')]);
      await put(ports, organisation, [item('a', { says: 'otter', holds: ['q'] }), item('b', { holds: ['q'] })]);
      for (const table of ['record_text', 'search_text'])
        await ports.database.write(`DELETE FROM ${table} WHERE organisation_id = ?`, [organisation]);
      await ports.database.write(
        `INSERT INTO search_pending (organisation_id, record_id)
         SELECT organisation_id, id FROM bank_record WHERE kind = 'item' AND organisation_id = ?`,
        [organisation],
      );
      return organisation;
    }

    it('are found once they are indexed', async () => {
      const organisation = await oldBank();
      expect([await found(organisation, 'otter'), await waiting(organisation)]).toEqual(['', 2]);
      await fillAll();
      expect([await found(organisation, 'penguin'), await waiting(organisation)]).toEqual(['a b', 0]);
      expect(await found(organisation, 'otter')).toBe('a');
    });

    it('keep waiting when they are written while the text of a question is missing', async () => {
      const organisation = await oldBank();
      await put(ports, organisation, [item('a', { says: 'badger', holds: ['q'] }), item('c', { holds: ['q'] })]);
      expect(await waiting(organisation)).toBe(3);
      await fillAll();
      expect(await found(organisation, 'penguin')).toBe('a b c');
      expect(await found(organisation, 'badger')).toBe('a');
    });

    it('are found by the new words of a question that changed before', async () => {
      const organisation = await oldBank();
      await put(ports, organisation, [widget('q', 'albatross')]);
      await fillAll();
      expect([await found(organisation, 'penguin'), await found(organisation, 'albatross')]).toEqual(['', 'a b']);
    });

    it('are found by the new words of a question that changes meanwhile', async () => {
      for (let round = 0; round < 5; round++) {
        const organisation = await oldBank();
        await Promise.all([ports.search.fill(20), put(ports, organisation, [widget('q', 'albatross')])]);
        await fillAll();
        expect([await found(organisation, 'penguin'), await found(organisation, 'albatross')]).toEqual(['', 'a b']);
      }
    });
  });

  it('removes all texts in parts, and finds the right items once the texts are indexed again', async () => {
    const organisation = newOrganisation();
    await put(ports, organisation, [widget('q', 'penguin')]);
    await put(
      ports,
      organisation,
      ['a', 'b', 'c'].map((reference) => item(reference, { holds: ['q'] })),
    );
    // The state after an old version.
    await ports.database.write(`UPDATE record_text SET text = 'wrong' WHERE organisation_id = ?`, [organisation]);
    await ports.database.write(`UPDATE search_text SET words = 'zqwrong' WHERE organisation_id = ?`, [organisation]);
    expect(await found(organisation, 'wrong')).toBe('a b c');
    const first = (await ports.search.forget(organisation, '', 2))!;
    expect([await waiting(organisation), await found(organisation, 'wrong')]).toEqual([2, 'a b c']);
    const second = (await ports.search.forget(organisation, first, 2))!;
    expect(second > first).toBe(true);
    expect(await ports.search.forget(organisation, second, 2)).toBeUndefined();
    await fillAll();
    expect([await found(organisation, 'wrong'), await found(organisation, 'penguin')]).toEqual(['', 'a b c']);
  });

  it('finds words of random texts, whatever their letters', async () => {
    const organisation = newOrganisation();
    const letters = [
      'a',
      'b',
      'z',
      'q',
      '1',
      'é',
      'ß',
      'я',
      '東',
      'กา',
      '가',
      'ن',
      '😀',
      '𝒳',
      '_',
      "'",
      '-',
      '*',
      '+',
      '%',
      '\\',
      '"',
      ' ',
      ' ',
      '\n',
    ];
    const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 24 });
    const texts = fc.sample(text, { numRuns: 60, seed: 1 });
    await put(
      ports,
      organisation,
      texts.map((says, index) => item(`i${index}`, { says: `${says.replaceAll('"', '')} every` })),
    );
    await fillAll();
    expect(await hits(organisation, 'every')).toHaveLength(60);
    await fc.assert(
      fc.asyncProperty(fc.nat(59), fc.nat(20), fc.nat(8), fc.boolean(), async (index, from, length, quoted) => {
        const says = texts[index]!.replaceAll('"', '');
        const whole = says
          .split(/[\s]+/)
          .slice(from % 4, (from % 4) + 1 + (length % 3))
          .join(' ');
        const asked = quoted ? `every "${whole}"` : `every ${whole}`;
        expect([asked, (await found(organisation, asked)).split(' ')]).toEqual([
          asked,
          expect.arrayContaining([`i${index}`]),
        ]);
      }),
      { numRuns: 60, seed: 2 },
    );
  });
}
