import { write } from '../support/bank';
import { item, question, workflow } from '../support/builders';
import { engines } from '../support/engines';
import { failure } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const PATH = 'itembank/facets';

describe.each(engines)('counts of items on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  beforeAll(async () => {
    await write(client, {
      workflows: [workflow('Review', { Draft: ['Done'], Done: [] })],
      questions: [
        question({ reference: 'q-1' }),
        question({ reference: 'q-2', type: 'shorttext', data: { type: 'shorttext', stimulus: 'Name a heron.' } }),
      ],
    });
    const authoring_workflow = { reference: 'Review', state: 'Draft' };
    await write(client, {
      items: [
        item(['q-1'], { reference: 'i-1', status: 'published', tags: { Subject: ['Art'], Level: ['Hard'] } }),
        item(['q-1', 'q-2'], { reference: 'i-2', status: 'archived', tags: { Subject: ['Art', 'Maths'] } }),
        item(['q-2'], { reference: 'i-3', status: 'unpublished', authoring_workflow }),
      ],
    });
    await client.set('itembank/items', {
      items: [item(['q-1'], { reference: 'i-4', status: 'published' })],
      meta: { user: { id: 'ana' } },
    });
  });

  it('cover status, workflow state and type by default', async () => {
    const { meta, data } = await client.get(PATH, {});
    expect(meta).toMatchObject({ status: true, records: 4 });
    expect(data).toEqual({
      total: 4,
      complete: true,
      status: [
        { value: 'published', count: 2 },
        { value: 'archived', count: 1 },
        { value: 'unpublished', count: 1 },
      ],
      workflow_state: [
        { workflow: null, state: null, count: 3 },
        { workflow: 'Review', state: 'Draft', count: 1 },
      ],
      question_type: [
        { value: expect.any(String), count: 3 },
        { value: 'shorttext', count: 2 },
      ],
    });
  });

  it('cover author, tag type and tag on request, and only the most frequent values of each', async () => {
    const facets = ['author', 'tag_type', 'tag', 'scoring_type'];
    expect((await client.get(PATH, { facets })).data).toEqual({
      total: 4,
      complete: true,
      author: [
        { value: null, count: 3 },
        { value: 'ana', count: 1 },
      ],
      tag_type: [
        { value: 'Subject', count: 2 },
        { value: 'Level', count: 1 },
      ],
      tag: [
        { type: 'Subject', name: 'Art', count: 2 },
        { type: 'Level', name: 'Hard', count: 1 },
        { type: 'Subject', name: 'Maths', count: 1 },
      ],
      scoring_type: [{ value: 'per-question', count: 4 }],
    });
    expect((await client.get(PATH, { facets: ['tag', 'tag'], values: 1 })).data).toEqual({
      total: 4,
      complete: true,
      tag: [{ type: 'Subject', name: 'Art', count: 2 }],
    });
    expect((await client.get(PATH, { facets: [] })).data).toEqual({ total: 4, complete: true });
  });

  it.each<[string, object, number]>([
    ['words', { text: 'heron' }, 2],
    ['a status', { status: ['published'] }, 2],
    ['no status', { status: [] }, 0],
    ['tags', { tags: [{ type: 'Subject', name: 'Art' }] }, 2],
    ['tags that are not there', { advanced_tags: { all: [{ type: 'Subject' }], none: [{ type: 'Level' }] } }, 1],
    ['a workflow', { authoring_workflow: { reference: 'review', states: ['Draft'] } }, 1],
    ['an author', { created_by: ['ana'] }, 1],
    ['no named author', { created_by: ['manual-user'] }, 3],
    ['a type', { questions: { types: ['shorttext'] } }, 2],
    ['references', { references: ['i-1', 'i-9'] }, 1],
    ['a time of creation', { mintime: '2099-01-01' }, 0],
    [
      'all at once',
      { text: 'heron', status: ['archived'], tags: [{ type: 'Subject', name: 'Maths' }], unused: true },
      1,
    ],
  ])('include only items with %s', async (_what, filter, total) => {
    expect((await client.get(PATH, { facets: ['status'], ...filter })).data).toMatchObject({ total, complete: true });
    const listed =
      'text' in filter ? await client.get('itembank/search', filter) : await client.get('itembank/items', filter);
    expect(listed.meta.records).toBe(total);
  });

  it.each([
    ['an unknown facet', { facets: ['colour'] }, 20004, '/facets/0'],
    ['facets that are text', { facets: 'status' }, 20003, '/facets'],
    ['too many values', { values: 101 }, 20004, '/values'],
    ['no values', { values: 0 }, 20004, '/values'],
    ['words without a letter', { text: '...' }, 20004, '/text'],
    ['an unknown workflow', { authoring_workflow: { reference: 'none' } }, 30001, '/authoring_workflow/reference'],
  ])('reject %s', async (_what, request, code, pointer) => {
    expect(await client.get(PATH, request)).toMatchObject(failure(code, pointer));
  });

  it('include only items of the organisation', async () => {
    const other = await service.consumerOf([2, 'write']);
    expect((await other.get(PATH, {})).data).toEqual({
      total: 0,
      complete: true,
      status: [],
      workflow_state: [],
      question_type: [],
    });
    expect(await other.get(PATH, { organisation_id: 1 })).toMatchObject({ meta: { status: false } });
  });
});
