import { SearchFilling } from '#content';
import { write } from '../support/bank';
import { feature, item, question, several } from '../support/builders';
import { commandHere } from '../support/command-line';
import { engines } from '../support/engines';
import { failure } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { until } from '../support/until';

const PATH = 'itembank/search';

interface Found {
  reference: string;
  highlights: { kind: string; reference: string; parts: { text: string; match: boolean }[] }[];
}

describe.each(engines)('search on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  beforeAll(async () => {
    await write(client, {
      questions: [
        question({
          reference: 'q-sea',
          data: {
            type: 'mcq',
            stimulus: '<p>How deep is the <em>Mariana</em> Trench in the Pacific&nbsp;Ocean?</p>',
            options: [
              { label: '11 km', value: '0' },
              { label: '3 km', value: '1' },
            ],
            validation: { valid_response: { score: 1, value: ['0'] }, rationale: 'Measured by sonar' },
            metadata: { distractor_rationale: 'Confused with a fjord' },
          },
        }),
        question({ reference: 'q-essay', type: 'longtextV2', data: { stimulus: 'Describe an octopus.' } }),
      ],
      features: [feature({ reference: 'f-sea', data: { type: 'sharedpassage', content: '<h2>Tides</h2>' } })],
    });
    await write(client, {
      items: [
        item(['q-sea', 'q-essay'], {
          reference: 'sea-1',
          title: 'Oceans',
          status: 'published',
          tags: { Subject: ['Geo'] },
        }),
        item(['q-essay', 'f-sea'], {
          reference: 'sea-2',
          title: 'Octopus & tides',
          note: 'For the ocean week',
          status: 'unpublished',
        }),
        item(['q-essay'], { reference: 'sea-3', title: null, status: 'archived' }),
      ],
    });
  });

  const search = async (request: object): Promise<Found[]> => {
    const { meta, data } = await client.get(PATH, request);
    expect([meta.message, meta.records]).toEqual([undefined, data.length]);
    return data as Found[];
  };
  const found = async (text: string, more: object = {}) =>
    (await search({ text, ...more })).map(({ reference }) => reference).sort();

  it('shows the facts by which an author chooses a hit, and where the words were found', async () => {
    const [hit, ...others] = await search({ text: 'mariana trench' });
    expect(others).toEqual([]);
    expect(hit).toEqual({
      reference: 'sea-1',
      title: 'Oceans',
      status: 'published',
      question_types: ['mcq', 'longtextV2'],
      score: expect.any(Number),
      highlights: [
        {
          kind: 'question',
          reference: 'q-sea',
          parts: [
            { text: 'How deep is the ', match: false },
            { text: 'Mariana', match: true },
            { text: ' ', match: false },
            { text: 'Trench', match: true },
            { text: ' in the Pacific Ocean? 11 km 3 km', match: false },
          ],
        },
      ],
    });
  });

  it('shows texts of items, questions and features, each only with words that no other text has', async () => {
    const [hit] = await search({ text: 'octo week tides describe' });
    expect(
      hit!.highlights.map(({ kind, reference, parts }) => [
        kind,
        reference,
        ...parts.flatMap(({ text, match }) => (match ? [text] : [])),
      ]),
    ).toEqual([
      ['item', 'sea-2', 'Octopus', 'tides', 'week'],
      ['question', 'q-essay', 'Describe', 'octopus'],
    ]);
  });

  it('has no highlights where only the reference holds the words', async () => {
    expect((await search({ text: 'sea-3' }))[0]).toMatchObject({ reference: 'sea-3', title: null, highlights: [] });
  });

  it.each<[string, string, object, string[]]>([
    ['several items', 'octopus', {}, ['sea-1', 'sea-2', 'sea-3']],
    ['the beginning of words', 'oct', {}, ['sea-1', 'sea-2', 'sea-3']],
    ['a phrase', '"pacific ocean"', {}, ['sea-1']],
    ['all words', 'ocean octopus', {}, ['sea-1', 'sea-2']],
    ['no rationales of distractors', 'fjord', {}, []],
    ['no keys', 'sonar', {}, []],
    ['no markup', 'em', {}, []],
    ['a status', 'octopus', { status: ['published', 'archived'] }, ['sea-1', 'sea-3']],
    ['tags', 'octopus', { tags: [{ type: 'Subject', name: 'Geo' }] }, ['sea-1']],
    ['advanced tags', 'octopus', { advanced_tags: { either: [{ type: 'Subject', name: 'Geo' }] } }, ['sea-1']],
    ['references', 'octopus', { references: ['sea-3', 'none'] }, ['sea-3']],
    ['types of questions', 'octopus', { questions: { types: ['mcq'] } }, ['sea-1']],
    ['questions', 'octopus', { questions: { references: ['f-sea'] } }, ['sea-2']],
    ['scoring types', 'octopus', { scoring_type: ['dependent'] }, []],
    ['authors', 'octopus', { created_by: ['manual-user'] }, ['sea-1', 'sea-2', 'sea-3']],
    ['times', 'octopus', { mintime: '2100-01-01' }, []],
  ])('finds %s', async (_, text, more, expected) => {
    expect(await found(text, more)).toEqual(expected);
  });

  it.each<[string, object, [number, string]]>([
    ['no text', {}, [20000, '/text']],
    ['an empty text', { text: '' }, [20001, '/text']],
    ['a text without words', { text: '?!' }, [20004, '/text']],
    ['a text that is too long', { text: 'x'.repeat(501) }, [20001, '/text']],
    ['too many words', { text: several(21, (index) => `w${index}`).join(' ') }, [20002, '/text']],
    ['a quotation mark that does not end', { text: 'deep "sea' }, [20004, '/text']],
    ['a text that is a number', { text: 5 }, [20003, '/text']],
    ['a wrong status', { text: 'x', status: ['gone'] }, [20004, '/status/0']],
    [
      'a workflow that does not exist',
      { text: 'x', authoring_workflow: { reference: 'none' } },
      [30001, '/authoring_workflow/reference'],
    ],
    ['a token that is none', { text: 'x', next: 'abc' }, [20004, '/next']],
  ])('refuses %s', async (_, request, fault) => {
    expect(await client.get(PATH, request)).toMatchObject(failure(...fault));
  });

  it('pages through all hits, each once, also when a page has one', async () => {
    await write(client, {
      items: several(7, (index) => item(['q-essay'], { reference: `page-${index}`, title: 'whale' })),
    });
    for (const limit of [1, 3, 7]) {
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const { meta, data } = await client.get(PATH, { text: 'whale', limit, next });
        expect(meta.records).toBe(data.length);
        seen.push(...(data as Found[]).map(({ reference }) => reference));
        ({ next } = meta);
      } while (next);
      expect([limit, seen.length, [...seen].sort()]).toEqual([limit, 7, several(7, (index) => `page-${index}`)]);
    }
    const { meta } = await client.get(PATH, { text: 'whale', limit: 3 });
    expect(await client.get(PATH, { text: 'octopus', limit: 3, next: meta.next })).toMatchObject(
      failure(20004, '/next'),
    );
  });

  it('finds records as soon as they are written, renamed, retagged, duplicated or restored', async () => {
    await write(client, { questions: [question({ reference: 'q-x', data: { stimulus: 'aardvark' } })] });
    await write(client, { items: [item(['q-x'], { reference: 'x-1', title: 'zebra' })] });
    expect(await found('aardvark zebra')).toEqual(['x-1']);
    const { data: before } = await client.get('itembank/history', { kind: 'item', references: ['x-1'] });

    await write(client, { questions: [question({ reference: 'q-x', data: { stimulus: 'buffalo' } })] });
    expect([await found('aardvark'), await found('buffalo')]).toEqual([[], ['x-1']]);

    service.clock.advance(1000);
    await write(client, { items: [item(['q-x'], { reference: 'x-1', new_reference: 'y-1', title: 'gnu' })] });
    expect([await found('zebra'), await found('gnu buffalo'), await found('x-1')]).toEqual([[], ['y-1'], []]);

    await client.set('itembank/items/tags', { items: [{ reference: 'y-1', tags: { Subject: ['Bio'] } }] });
    expect(await found('gnu', { tags: [{ type: 'Subject', name: 'Bio' }] })).toEqual(['y-1']);

    const { data: copies } = await client.set('itembank/items/duplicate', {
      items: [{ reference: 'y-1', new_reference: 'y-2' }],
    });
    expect(Object.keys(copies as object)).toHaveLength(1);
    expect(await found('gnu buffalo')).toEqual(['y-1', 'y-2']);

    service.clock.advance(1000);
    const [{ revision }] = before as [{ revision: number }];
    const restored = await client.set('itembank/history/restore', { items: [{ reference: 'y-1', revision }] });
    expect(restored.meta).toMatchObject({ status: true });
    expect([await found('gnu'), await found('zebra buffalo')]).toEqual([['y-2'], ['y-1']]);
  });

  it('finds many records that were written at once as soon as they are indexed, which takes a moment', async () => {
    await write(client, {
      items: several(50, (index) => item(['q-essay'], { reference: `bulk-${index}`, title: 'plankton' })),
    });
    expect((await client.get(PATH, { text: 'plankton' })).meta).toMatchObject({ records: 0, not_indexed: 50 });
    const filling = service.get(SearchFilling);
    filling.start();
    const { meta } = await until(async () => {
      const answer = await client.get(PATH, { text: 'plankton' });
      return 'not_indexed' in answer.meta ? undefined : answer;
    });
    await filling.stop();
    expect(meta.records).toBe(50);
  });

  it('shows nothing of other organisations', async () => {
    const other = await service.consumerOf([2, 'write']);
    const [made] = [question()];
    await write(other, { questions: [made] });
    await write(other, { items: [item([made.reference], { reference: 'theirs', title: 'octopus' })] });
    expect(await found('octopus', { references: ['theirs'] })).toEqual([]);
    expect((await other.get(PATH, { text: 'octopus' })).data).toMatchObject([{ reference: 'theirs' }]);
    expect(await other.get(PATH, { text: 'octopus', organisation_id: 1 })).toMatchObject({ meta: { status: false } });
  });

  it('says how many items wait to be indexed, and reindex indexes them', async () => {
    expect((await client.get(PATH, { text: 'octopus' })).meta).not.toHaveProperty('not_indexed');
    await service.database.write('DELETE FROM search_text WHERE organisation_id = 1');
    await service.database.write(
      `INSERT INTO search_pending (organisation_id, record_id)
       SELECT organisation_id, record_id FROM revision WHERE organisation_id = 1 AND reference = 'sea-3'`,
    );
    expect((await client.get(PATH, { text: 'octopus' })).meta).toMatchObject({ records: 0, not_indexed: 1 });
    const { settings } = service;
    const { code, stdout, stderr } = await commandHere(['reindex'], { settings });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Indexed \d+ items\.\n$/);
    expect((await client.get(PATH, { text: 'octopus' })).meta).not.toHaveProperty('not_indexed');
    expect(await found('octopus', { references: ['sea-1', 'sea-2', 'sea-3'] })).toEqual(['sea-1', 'sea-2', 'sea-3']);
    const unknown = await commandHere(['reindex', '--organisation', '77'], { settings });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no organisation 77.')]);
  });
});
