import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const PATH = 'itembank/activities/duplicate';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Json = Record<string, unknown>;

describe.each(anEngine(__filename))('duplicates of activities on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  beforeAll(async () => {
    const questions = ['q-1', 'q-2'].map((reference) => ({ reference, type: 'mcq', data: { reference } }));
    const features = [{ reference: 'passage', type: 'sharedpassage', data: { content: 'x' } }];
    await put(client, 'questions', ...questions);
    await put(client, 'features', ...features);
    await put(client, 'items', item('i-1', 'q-1', 'passage'), item('i-2', 'q-2', 'passage'), item('i-3', 'q-1'));
  });

  const item = (reference: string, ...widgets: string[]): Json => ({
    reference,
    title: `Title of ${reference}`,
    status: 'published',
    definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
    tags: { Of: [reference] },
  });

  async function put(by: Client, list: string, ...entries: Json[]): Promise<void> {
    expect(await by.set(`itembank/${list}`, { [list]: entries })).toMatchObject(SUCCESS);
  }

  const read = async (list: string, reference: string): Promise<Json> => {
    const wide = { status: ['published', 'unpublished', 'archived'], include: { activities: ['title'] } };
    const { data } = await client.get(`itembank/${list}`, {
      references: [reference],
      ...(list === 'activities' ? wide : {}),
    });
    return (data as Json[])[0]!;
  };

  const ended = (reference: string): Promise<Json> => client.ended(reference);

  async function duplicate(request: Json): Promise<Json> {
    const answer = await client.set(PATH, request);
    expect(answer).toMatchObject(SUCCESS);
    expect(Object.keys(answer.data as object)).toEqual(['job_reference']);
    return ended(answer.data.job_reference);
  }

  it('copies an activity with its items and their questions, and the copy names the copies', async () => {
    await put(client, 'activities', {
      reference: 'source',
      title: 'The title',
      description: 'D',
      status: 'archived',
      tags: { Subject: ['Maths'] },
      data: {
        items: ['i-1', { reference: 'i-2', note: 'kept' }],
        sections: [{ items: [{ reference: 'i-3' }], config: { subtitle: 'S' } }],
        config: { title: 'C' },
        subscores: [{ id: 's', title: 'S', items: ['i-3', { reference: 'i-1' }, 'unknown'] }, 'no subscore'],
      },
      metadata: { level: 1 },
    });
    const before = await read('activities', 'source');
    const job = await duplicate({ activities: [{ reference: 'source', new_reference: 'copy' }] });
    expect(job).toMatchObject({
      type: 'duplicate-activities',
      status: 'completed',
      progress: { done: 1, total: 1 },
      results: { activities: [{ reference: 'source', new_reference: 'copy' }] },
    });
    const copies = new Map(
      (job.results as { items: { reference: string; new_reference: string }[] }).items.map((entry) => [
        entry.reference,
        entry.new_reference,
      ]),
    );
    expect([...copies.keys()].sort()).toEqual(['i-1', 'i-2', 'i-3']);
    for (const copy of copies.values()) expect(copy).toMatch(UUID);
    const copy = await read('activities', 'copy');
    const data = copy.data as { items: [string, Json]; sections: [{ items: [Json] }] };
    expect(copy).toMatchObject({
      title: 'The title',
      description: 'D',
      status: 'archived',
      tags: { Subject: ['Maths'] },
      data: {
        activity_id: 'copy',
        name: 'The title',
        config: { title: 'C' },
        subscores: [
          { id: 's', title: 'S', items: [copies.get('i-3'), { reference: copies.get('i-1') }, 'unknown'] },
          'no subscore',
        ],
        items: [copies.get('i-1'), { reference: copies.get('i-2'), organisation_id: 1, note: 'kept' }],
        sections: [{ items: [{ reference: copies.get('i-3') }], config: { subtitle: 'S' } }],
      },
    });
    // The id in an object belongs to the copied item, not to the source.
    const sourceIds = (before.data as typeof data).items[1].id;
    expect(data.items[1].id).not.toBe(sourceIds);
    const first = await read('items', copies.get('i-1')!);
    expect(first).toMatchObject({ title: 'Title of i-1', status: 'published', tags: { Of: ['i-1'] } });
    const [question] = first.questions as [{ reference: string }];
    expect(question.reference).toMatch(UUID);
    expect(await read('questions', question.reference)).toMatchObject({ type: 'mcq', data: { reference: 'q-1' } });
    // The copies share the passages.
    expect(first.features).toEqual([{ reference: 'passage', type: 'sharedpassage' }]);
    expect(await read('activities', 'source')).toEqual(before);
    const { data: held } = await client.get('itembank/activities', {
      item_references: { all: [copies.get('i-1'), copies.get('i-3')] },
      status: ['archived'],
    });
    expect(held).toMatchObject([{ reference: 'copy' }]);
    const { data: history } = await client.get('itembank/history', { kind: 'activity', references: ['copy'] });
    expect(history).toMatchObject([{ operation: `set ${PATH}`, origin: { reference: 'source' } }]);
  });

  it('copies shared passages on request, creates a UUID as default reference, and shares items among copies', async () => {
    await put(
      client,
      'activities',
      { reference: 'a', data: { items: ['i-1'] } },
      { reference: 'b', data: { items: ['i-1', 'i-2'] } },
    );
    const job = await duplicate({
      activities: [{ reference: 'a' }, { reference: 'b' }],
      duplicate_shared_passages: true,
      meta: { user: { id: 'copier' } },
    });
    const { activities, items } = job.results as Record<
      'activities' | 'items',
      { reference: string; new_reference: string }[]
    >;
    expect(activities.map(({ reference }) => reference)).toEqual(['a', 'b']);
    expect(items).toHaveLength(2);
    const itemsOf = async (index: number) =>
      ((await read('activities', activities[index]!.new_reference)).data as Json).items;
    const [one, two] = [await itemsOf(0), await itemsOf(1)] as [string[], string[]];
    expect(two).toEqual([one[0], items.find(({ reference }) => reference === 'i-2')!.new_reference]);
    const [first] = (await read('items', one[0]!)).features as { reference: string }[];
    expect(first!.reference).toMatch(UUID);
    const { data } = await client.get('itembank/history', { kind: 'item', references: one });
    expect(data).toMatchObject([{ created_by: 'copier', origin: { reference: 'i-1' } }]);
  });

  it('names the copies in all parts of the data, and copies items that are in no list', async () => {
    const dataWith = (listed: string, step: string, intro: string) => {
      const subscores = [{ id: 's', title: 'S', items: [listed, { reference: listed }, 'unknown'] }, 'no subscore'];
      return {
        items: [listed],
        subscores,
        adaptive: {
          steps: [
            { id: 'first', reference: step, next: 'second' },
            { id: 'second', reference: 'no item' },
          ],
        },
        config: { subscores, navigation: { intro_item: intro, outro_item: false } },
      };
    };
    await put(client, 'activities', { reference: 'branching', data: dataWith('i-1', 'i-2', 'i-3') });
    const job = await duplicate({ activities: [{ reference: 'branching', new_reference: 'branching-copy' }] });
    const items = job.results as { items: { reference: string; new_reference: string }[] };
    const copies = new Map(items.items.map(({ reference, new_reference }) => [reference, new_reference]));
    expect([...copies.keys()].sort()).toEqual(['i-1', 'i-2', 'i-3']);
    const [one, two, three] = ['i-1', 'i-2', 'i-3'].map((reference) => copies.get(reference)!);
    expect((await read('activities', 'branching-copy')).data).toMatchObject(dataWith(one!, two!, three!));
    const { data } = await client.get('itembank/activities', { item_references: { all: [two, three] } });
    expect(data).toMatchObject([{ reference: 'branching-copy' }]);
  });

  it('copies hundreds of items in batches', async () => {
    const references = Array.from({ length: 130 }, (_, n) => `many-${n}`);
    for (let from = 0; from < references.length; from += 50)
      await put(client, 'items', ...references.slice(from, from + 50).map((reference) => item(reference, 'q-1')));
    await put(client, 'activities', { reference: 'long', data: { items: references } });
    const job = await duplicate({ activities: [{ reference: 'long', new_reference: 'long-copy' }] });
    expect(job.status).toBe('completed');
    const copies = ((await read('activities', 'long-copy')).data as { items: string[] }).items;
    expect(copies).toHaveLength(130);
    const titles: string[] = [];
    for (let from = 0; from < copies.length; from += 50) {
      const { data } = await client.get('itembank/items', { references: copies.slice(from, from + 50) });
      titles.push(...(data as { title: string }[]).map(({ title }) => title));
    }
    expect(titles.sort()).toEqual(references.map((reference) => `Title of ${reference}`).sort());
  });

  it('keeps the names of items of another bank', async () => {
    const both = await service.consumerOf([1, 'write'], [2, 'write']);
    const question = { reference: 'q', type: 'mcq', data: {} };
    expect(await both.set('itembank/questions', { organisation_id: 2, questions: [question] })).toMatchObject(SUCCESS);
    expect(await both.set('itembank/items', { organisation_id: 2, items: [item('foreign', 'q')] })).toMatchObject(
      SUCCESS,
    );
    const items = ['i-1', { reference: 'foreign', organisation_id: 2 }];
    await put(both, 'activities', { reference: 'mixed', data: { items } });
    const source = (await read('activities', 'mixed')).data as { items: Json[] };
    expect(await duplicate({ activities: [{ reference: 'mixed', new_reference: 'mixed-copy' }] })).toMatchObject({
      status: 'completed',
    });
    const copy = (await read('activities', 'mixed-copy')).data as { items: Json[] };
    expect(copy.items[1]).toEqual(source.items[1]);
    expect(copy.items[0]).not.toEqual(source.items[0]);
  });

  it('rejects invalid requests at once, and starts no job', async () => {
    await put(client, 'activities', { reference: 'here', data: {} }, { reference: 'there', data: {} });
    const jobs = async () => ((await client.get('jobs')).data as Json[]).map(({ reference }) => reference);
    const before = await jobs();
    const cases: [Json[], ReturnType<typeof failure>][] = [
      [[{ reference: 'here' }, { reference: 'nowhere' }], failure(30001, '/activities/1/reference')],
      [[{ reference: 'here', new_reference: 'there' }], failure(30000, '/activities/0/new_reference')],
      [[{ reference: 'here' }, { reference: 'here' }], failure(30000, '/activities/1/reference')],
      [
        ['here', 'there'].map((reference) => ({ reference, new_reference: 'same' })),
        failure(30000, '/activities/1/new_reference'),
      ],
      [[{ reference: 'here', if_revision: 1 }], failure(20011, '/activities/0/if_revision')],
    ];
    for (const [activities, refusal] of cases) expect(await client.set(PATH, { activities })).toMatchObject(refusal);
    const many = Array.from({ length: 11 }, () => ({ reference: 'here' }));
    expect(await client.set(PATH, { activities: many })).toMatchObject({ status: 400, meta: { code: 20002 } });
    expect(await jobs()).toEqual(before);
  });

  it('names all activities that do not exist, and all new references that are taken', async () => {
    await put(client, 'activities', { reference: 'old', data: {} }, { reference: 'older', data: {} });
    const activities = [
      { reference: 'missing' },
      { reference: 'lost', new_reference: 'old' },
      { reference: 'old', new_reference: 'older' },
    ];
    expect(await client.set(PATH, { activities })).toMatchObject({
      status: 400,
      meta: {
        errors: [
          { code: 30001, pointer: '/activities/0/reference' },
          { code: 30001, pointer: '/activities/1/reference' },
          { code: 30000, pointer: '/activities/1/new_reference' },
          { code: 30000, pointer: '/activities/2/new_reference' },
        ],
      },
    });
  });

  it('halts with the reason when the reference was taken meanwhile, and copies no activity', async () => {
    await put(client, 'activities', { reference: 'late', data: { items: ['i-1'] } });
    const answers = await Promise.all(
      [1, 2].map(() => client.set(PATH, { activities: [{ reference: 'late', new_reference: 'late-copy' }] })),
    );
    const references = answers.filter(({ status }) => status === 200).map(({ data }) => (data as Json).job_reference);
    const jobs = await Promise.all((references as string[]).map(ended));
    expect(jobs.filter(({ status }) => status === 'completed')).toHaveLength(1);
    for (const job of jobs.filter(({ status }) => status === 'halted'))
      expect(job.error).toMatchObject({ code: 30000, message: expect.stringContaining('"late-copy"') });
  });
});
