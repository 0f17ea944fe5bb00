import { type Facet, FACETS, type FacetCount } from '../../libs/content/src/application/ports/facet-reader';
import { type SearchConditions } from '../../libs/content/src/application/ports/search-index';
import { termsOf } from '../../libs/content/src/domain/search-words';
import { newOrganisation, type Ports } from './ports';
import { put, tag, type Wanted } from './writing';

/** Counts of the items of a bank. */
export function facetReaderContract(ports: Ports): void {
  let organisation: number;
  const workflow = 'W'.padStart(26, '0');

  beforeAll(async () => {
    organisation = newOrganisation();
    const widgets: Wanted[] = [
      { kind: 'question', reference: 'q1', type: 'mcq' },
      { kind: 'question', reference: 'q2', type: 'mcq' },
      { kind: 'feature', reference: 'f1', type: 'audioplayer' },
    ];
    await put(ports, organisation, widgets);
    const items: Wanted[] = [
      {
        reference: 'i1',
        status: 'published',
        type: 'dichotomous',
        holds: ['q1', 'q2'],
        tags: [tag('Subject:Art'), tag('Subject:Maths')],
        body: { title: 'otter', definition: {} },
      },
      {
        reference: 'i2',
        status: 'published',
        type: 'dichotomous',
        holds: ['q1', 'f1'],
        tags: [tag('Subject:Art'), tag('Grade:1')],
        body: { title: 'otter', definition: {} },
      },
      {
        reference: 'i3',
        status: 'archived',
        type: 'dependent',
        tags: [tag('Grade:1')],
        workflow: { workflowId: workflow, state: 'draft' },
        body: { title: 'badger', definition: {} },
      },
      { reference: 'i4', status: 'unpublished', type: 'dependent', workflow: { workflowId: workflow, state: 'done' } },
    ];
    await put(ports, organisation, items.slice(0, 3), { author: { id: 'ada' } });
    await put(ports, organisation, items.slice(3));
    // No facet counts these records.
    const other = newOrganisation();
    await put(ports, other, widgets);
    await put(ports, other, items);
    await put(ports, organisation, [{ kind: 'activity', reference: 'a', tags: [tag('Grade:1')], status: 'published' }]);
  });

  const format = ({ owner, value, items }: FacetCount) =>
    `${owner === null ? '' : `${owner === workflow ? 'w' : owner}:`}${value ?? '–'} ${items}`;
  const counts = async (facet: Facet, conditions: SearchConditions = {}, text?: string, limit = 10) => {
    const terms = text === undefined ? undefined : termsOf(text, '/text');
    return (await ports.facets.count(organisation, facet, terms, conditions, limit)).map(format);
  };
  const total = async (conditions: SearchConditions = {}, text?: string) =>
    ports.facets.total(organisation, text === undefined ? undefined : termsOf(text, '/text'), conditions);

  it.each<[Facet, string[]]>([
    ['status', ['published 2', 'archived 1', 'unpublished 1']],
    ['scoring_type', ['dependent 2', 'dichotomous 2']],
    ['author', ['ada 3', '– 1']],
    ['workflow_state', ['– 2', 'w:done 1', 'w:draft 1']],
    ['question_type', ['mcq 2', 'audioplayer 1']],
    ['tag_type', ['Grade 2', 'Subject 2']],
    ['tag', ['Grade:1 2', 'Subject:Art 2', 'Subject:Maths 1']],
  ])(
    'counts items by %s, the most frequent value first, and each item once for each value',
    async (facet, expected) => {
      expect(await counts(facet)).toEqual(expected);
      expect(await counts(facet, {}, undefined, 1)).toEqual(expected.slice(0, 1));
    },
  );

  it.each<[string, SearchConditions, string | undefined, number, string[]]>([
    ['a status', { status: ['published'] }, undefined, 2, ['Subject:Art 2', 'Grade:1 1', 'Subject:Maths 1']],
    ['a tag', { tags: { all: [tag('Grade:1')], either: [], none: [] } }, undefined, 2, ['Grade:1 2', 'Subject:Art 1']],
    [
      'two tags',
      { tags: { all: [tag('Grade:1'), tag('Subject:Art')], either: [], none: [] } },
      undefined,
      1,
      ['Grade:1 1', 'Subject:Art 1'],
    ],
    [
      'an excluded tag',
      { tags: { all: [], either: [], none: [tag('Grade:1')] } },
      undefined,
      2,
      ['Subject:Art 1', 'Subject:Maths 1'],
    ],
    ['a tag that does not exist', { tags: { all: [tag('Grade:9')], either: [], none: [] } }, undefined, 0, []],
    ['references', { references: ['i1', 'i3'] }, undefined, 2, ['Grade:1 1', 'Subject:Art 1', 'Subject:Maths 1']],
    ['words', {}, 'otter', 2, ['Subject:Art 2', 'Grade:1 1', 'Subject:Maths 1']],
    [
      'words and a tag',
      { tags: { all: [tag('Grade:1')], either: [], none: [] } },
      'otter',
      1,
      ['Grade:1 1', 'Subject:Art 1'],
    ],
    ['words that no item has', {}, 'zebra', 0, []],
  ])('counts only items that meet %s', async (_, conditions, text, expected, tags) => {
    expect(await total(conditions, text)).toEqual({ total: expected, isComplete: true });
    expect((await counts('tag', conditions, text)).sort()).toEqual(tags.sort());
    for (const facet of FACETS)
      for (const { items } of await ports.facets.count(
        organisation,
        facet,
        text === undefined ? undefined : termsOf(text, '/text'),
        conditions,
        10,
      ))
        expect(items).toBeLessThanOrEqual(expected);
  });
}
