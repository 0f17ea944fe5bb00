import { engines } from '../support/engines';
import { startService, type TestService } from '../support/service';

describe.each(engines)('items on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service?.close());

  it('writes and reads back', async () => {
    const { client } = service;
    const q = await client.set('itembank/questions', {
      questions: [{ type: 'mcq', reference: 'q1', data: { type: 'mcq', stimulus: '<p>1 < 2?</p>', options: [{ label: 'yes', value: '0' }] } }],
    });
    expect(q.meta).toMatchObject({ status: true });
    const i = await client.set('itembank/items', {
      items: [{ reference: 'i1', definition: { widgets: [{ reference: 'q1' }] }, tags: { Subject: ['Maths', 'Art'], Grade: ['1'] } }],
    });
    expect(i.meta).toMatchObject({ status: true });
    const read = await client.get('itembank/items', { references: ['i1'] });
    expect(read).toMatchObject({ status: 200, data: [{ reference: 'i1', status: 'unpublished', tags: { Subject: ['Maths', 'Art'], Grade: ['1'] } }] });
    for (const request of [
      { tags: [{ type: 'subject', name: 'art' }], advanced_tags: { either: [{ type: 'grade' }], none: [{ type: 'x' }] } },
      { sort_field: 'updated' }, { sort_field: 'title' }, { sort_field: 'reference', sort: 'asc' }, { include: { items: ['max_score', 'created_by', 'adaptive'] } },
      { questions: { references: ['q1'], types: ['mcq'] } },
    ]) {
      const answer = await client.get('itembank/items', request);
      expect([request, answer.meta.message, answer.data?.length]).toEqual([request, undefined, 1]);
    }
    const keyed = await client.get('itembank/questions', { item_references: ['i1'] });
    expect(keyed.data).toMatchObject({ i1: [{ reference: 'q1' }] });
    const a = await client.set('itembank/activities', { activities: [{ reference: 'a1', title: 'T', data: { items: ['i1'] } }, { reference: 'a2', data: { items: [{ reference: 'i1' }] } }] });
    expect(a.meta).toMatchObject({ status: true });
    const r = await client.set('itembank/items', { items: [{ reference: 'i1', new_reference: 'i2', definition: { widgets: [{ reference: 'q1' }] } }] });
    expect(r.meta).toMatchObject({ status: true });
    const acts = await client.get('itembank/activities', { item_references: { all: ['i2'] } });
    expect(acts.data).toEqual(1);
  });
});
