import { createHash } from 'node:crypto';
import { write } from '../support/bank';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess, literally } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { itemOf } from '../support/session-bank';
import { until } from '../support/until';

const PATH = 'sessions/templates';

// Templates have different contents by type, and tests access them freely.
/* eslint-disable @typescript-eslint/no-explicit-any */

describe.each(anEngine(__filename))('session templates on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  beforeAll(async () => {
    await write(client, {
      questions: [choice('q-1', ['a']), choice('q-2', ['a', 'b'])],
      features: [{ reference: 'passage', type: 'sharedpassage', data: { content: '<p>Read</p>' } }],
      items: [
        {
          ...itemOf('i-1', 'q-2', 'passage', 'q-1'),
          metadata: { acknowledgements: '<em>Ada</em>', scoring_type: 'dependent', level: 3 },
        },
        itemOf('i-2', 'q-1'),
      ],
      activities: [
        {
          reference: 'a-1',
          data: {
            items: ['i-2', { reference: 'i-1' }],
            subscores: [
              { id: 's-1', title: 'One', items: ['i-1', 'gone'] },
              { id: 's-1', title: 'Again', items: [] },
            ],
          },
        },
        { reference: 'empty', data: { items: [] } },
      ],
    });
  });

  const choice = (reference: string, value: string[]) => ({
    reference,
    type: 'mcq',
    data: {
      type: 'mcq',
      stimulus: `Stimulus of ${reference}`,
      options: ['a', 'b', 'c'].map((each) => ({ label: each, value: each })),
      multiple_responses: true,
      metadata: { distractor_rationale: 'Because' },
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value } },
    },
  });
  const template = async (request: object, as = client): Promise<any> => {
    const answer = await as.get(PATH, request);
    expectSuccess(answer);
    return answer.data;
  };
  const referencesOf = ({ items }: any): string[] => items.map(({ reference }: any) => reference);

  it('shows items in the order of the request, and their questions in the order of the layout', async () => {
    const shown = await template({ items: ['i-2', { reference: 'i-1', organisation_id: 1, id: 'x' }] });
    expect(shown).toMatchObject({ metadata: { items_api_version: 'v1', activity_template_id: null }, subscores: [] });
    expect(shown.items).toEqual([
      {
        reference: 'i-2',
        source: { reference: 'i-2', organisation_id: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        content: '<span class="learnosity-response question-q-1"></span>',
        metadata: { acknowledgements: null, scoring_type: 'per-question' },
        workflow: null,
        feature_ids: [],
        question_ids: [expect.stringMatching(/^[0-9a-f]{32}$/)],
      },
      {
        reference: 'i-1',
        source: { reference: 'i-1', organisation_id: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        content:
          '<span class="learnosity-response question-q-2"></span><span class="learnosity-feature feature-passage"></span><span class="learnosity-response question-q-1"></span>',
        metadata: { acknowledgements: '<em>Ada</em>', scoring_type: 'dependent' },
        workflow: null,
        feature_ids: ['passage'],
        question_ids: [expect.any(String), expect.any(String)],
      },
    ]);
    const { data } = choice('q-2', ['a', 'b']);
    const ids = shown.items.flatMap((each: any) => each.question_ids);
    expect(new Set(ids).size).toBe(3);
    expect(shown.questions.map(({ id }: any) => id)).toEqual(ids);
    expect(shown.questions[1]).toEqual({
      ...data,
      id: ids[1],
      metadata: {
        distractor_rationale: 'Because',
        valid_response_count: 2,
        sheet_reference: 'i-1',
        widget_reference: 'q-2',
        source: { organisation_id: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    expect(shown.questions.map(({ metadata }: any) => [metadata.sheet_reference, metadata.widget_reference])).toEqual([
      ['i-2', 'q-1'],
      ['i-1', 'q-2'],
      ['i-1', 'q-1'],
    ]);
  });

  it('makes the id of a question only from the item, its place and its content', async () => {
    const [first, second] = [await template({ items: ['i-1'] }), await template({ items: ['i-2', 'i-1'] })];
    expect(second.items[1]).toEqual(first.items[0]);
    const { id, metadata } = first.questions[1];
    const parts = JSON.stringify([1, 'i-1', 1, metadata.source.hash]);
    expect(id).toBe(createHash('sha256').update(parts).digest('hex').slice(0, 32));
  });

  it('supports an activity with more than 300 items', async () => {
    const references = Array.from({ length: 301 }, (_, index) => `many-${index}`);
    for (let from = 0; from < references.length; from += 50)
      await write(client, { items: references.slice(from, from + 50).map((reference) => itemOf(reference, 'q-1')) });
    await write(client, { activities: [{ reference: 'many', data: { items: references } }] });
    const answer = await client.get(PATH, { activity_template_id: 'many' });
    expectSuccess(answer);
    expect(answer.data.items.map((each: any) => each.reference)).toEqual(references);
  });

  it('uses the items and subscores of an activity, unless others are named', async () => {
    const shown = await template({ activity_template_id: 'a-1' });
    expect(referencesOf(shown)).toEqual(['i-2', 'i-1']);
    expect(shown.metadata).toEqual({
      items_api_version: 'v1',
      activity_template_id: 'a-1',
      source: { organisation_id: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    // Subscores without matching items are left out.
    expect(shown.subscores).toEqual([{ id: 's-1', title: 'One', items: ['i-1'] }]);
    const others = await template({
      activity_template_id: 'a-1',
      items: ['i-1'],
      subscores: [{ id: 'mine', title: 'Mine', items: ['i-1'] }],
    });
    expect(referencesOf(others)).toEqual(['i-1']);
    expect(others.subscores).toEqual([{ id: 'mine', title: 'Mine', items: ['i-1'] }]);
    expect(await template({ activity_template_id: 'a-1', items: [] })).toEqual(shown);
  });

  it('uses the subscores of an activity with items that were renamed, and then restored', async () => {
    const subscores = [{ id: 's', title: 'S', items: ['r-1', { reference: 'r-2' }] }];
    const activities = [
      { reference: 'renamed', data: { items: ['r-1', 'r-2'], subscores } },
      { reference: 'renamed-config', data: { items: ['r-1', 'r-2'], config: { title: 'C', subscores } } },
    ];
    await write(client, { items: [itemOf('r-1', 'q-1'), itemOf('r-2', 'q-2')], activities });
    const history = await client.get('itembank/history', { kind: 'activity', references: ['renamed'] });
    const [{ revision }] = history.data as [{ revision: number }];
    const shown = async () =>
      Promise.all(
        ['renamed', 'renamed-config'].map(async (id) => (await template({ activity_template_id: id })).subscores),
      );
    const wanted = (...items: string[]) => Array(2).fill([{ id: 's', title: 'S', items }]);
    expect(await shown()).toEqual(wanted('r-1', 'r-2'));
    await write(client, {
      items: ['r-1', 'r-2'].map((reference, at) => ({
        ...itemOf(reference, `q-${at + 1}`),
        new_reference: `${reference}-new`,
      })),
    });
    expect(await shown()).toEqual(wanted('r-1-new', 'r-2-new'));
    expectSuccess(await client.set('itembank/history/restore', { activities: [{ reference: 'renamed', revision }] }));
    expect(await shown()).toEqual(wanted('r-1-new', 'r-2-new'));
  });

  it.each([
    ['per-question', 'per-question'],
    ['dichotomous', 'dichotomous'],
    ['dependent', 'dependent'],
    ['per-dichotomous', 'dichotomous'],
  ])('prefers the scoring type %s to those of the items', async (sent, shown) => {
    const { items } = await template({ items: ['i-1', 'i-2'], scoring_type: sent });
    expect(items.map(({ metadata }: any) => metadata.scoring_type)).toEqual([shown, shown]);
  });

  it('reads from a pool, in which content stays unchanged', async () => {
    await write(client, { questions: [choice('pooled-q', ['a'])], items: [itemOf('pooled', 'pooled-q')] });
    const before = await template({ items: ['pooled'] });
    expectSuccess(
      await client.set('itembank/pools', {
        pools: [{ reference: 'p', name: 'P', content: { item_references: ['pooled'] } }],
      }),
    );
    await until(
      async () =>
        (await client.get('itembank/pools', { references: ['p'] })).data[0]?.status === 'published' || undefined,
    );
    await write(client, { questions: [choice('pooled-q', ['c'])] });
    expect(await template({ items: ['pooled'], item_pool_id: 'p' })).toEqual(before);
    expect(await template({ items: ['pooled'] })).not.toEqual(before);
    const missing = await client.get(PATH, { items: ['i-1'], item_pool_id: 'p' });
    expectFailure(missing, 400, 20013, literally('there is no item "i-1" in the item pool'));
    const activity = await client.get(PATH, { activity_template_id: 'a-1', item_pool_id: 'p' });
    expectFailure(activity, 400, 30001, literally('no activity "a-1" in the item pool'));
  });

  it('names every item that does not exist', async () => {
    const answer = await client.get(PATH, { items: ['nowhere', 'i-1', { reference: 'I-1' }] });
    expectFailure(answer, 400, 20013, literally('items[0]: there is no item "nowhere" in organisation 1'));
    expect(answer.meta.errors?.map(({ pointer }) => pointer)).toEqual(['/items/0', '/items/2']);
  });

  it('reads items of other organisations that the caller may read', async () => {
    const writer = await service.consumerOf([2, 'write']);
    await write(writer, { questions: [choice('q-1', ['c'])], items: [itemOf('theirs', 'q-1'), itemOf('i-1', 'q-1')] });
    const both = await service.consumerOf([1, 'read'], [2, 'read']);
    const theirs = { reference: 'theirs', organisation_id: '2' };
    const shown = await template({ items: ['i-1', theirs] }, both);
    expect(shown.items.map(({ source }: any) => source.organisation_id)).toEqual([1, 2]);
    expect(shown.questions[2].validation.valid_response.value).toEqual(['c']);
    expect(referencesOf(await template({ items: ['theirs'], organisation_id: 2 }, both))).toEqual(['theirs']);
    const refused = await client.get(PATH, { items: ['i-1', theirs] });
    expectFailure(refused, 403, 40003, literally('items[1] is of organisation 2, which you may not read'));
    const same = await both.get(PATH, { items: ['i-1', { reference: 'i-1', organisation_id: 2 }] });
    expectFailure(
      same,
      400,
      30003,
      literally('items[1] names the item "i-1" again; a session has one item of each reference'),
    );
  });

  it.each(['user_id', 'activity_id', 'session_id', 'adaptive'])('rejects %s', async (name) => {
    for (const value of ['x', { type: 'itemadaptive' }, 0, false]) {
      const answer = await client.get(PATH, { items: ['i-1'], [name]: value });
      expectFailure(answer, 400, 20004, literally(`${name} may not be sent here`));
      expect(answer.meta.errors).toMatchObject([{ pointer: `/${name}` }]);
    }
    expectSuccess(await client.get(PATH, { items: ['i-1'], [name]: null }));
  });

  it('rejects subscores with the same id, and of items outside the template', async () => {
    const subscores = [
      { id: 's', title: 'S', items: ['i-1', 'i-2'] },
      { id: 's', title: 'T', items: ['i-1'] },
    ];
    const answer = await client.get(PATH, { items: ['i-1'], subscores });
    expectFailure(answer, 400, 20013, literally('subscores[0].items[1]: "i-2" is none of the items of the session'));
    expect(answer.meta.errors?.map(({ code, pointer }) => [code, pointer])).toEqual([
      [20013, '/subscores/0/items/1'],
      [30000, '/subscores/1/id'],
    ]);
  });

  it.each([
    ['neither items nor an activity', {}, 20000, 'items is required, unless activity_template_id'],
    ['an empty list of items', { items: [] }, 20000, 'items is required'],
    ['an unknown activity', { activity_template_id: 'nowhere' }, 30001, 'there is no activity "nowhere"'],
    ['an unknown activity beside items', { items: ['i-1'], activity_template_id: 'A-1' }, 30001, 'no activity "A-1"'],
    ['an activity without items', { activity_template_id: 'empty' }, 20001, 'names an activity without items'],
    ['1,001 items', { items: Array.from({ length: 1001 }, (_, index) => `x${index}`) }, 20002, 'at most 1000 entries'],
    ['an item twice', { items: ['i-1', { reference: 'i-1' }] }, 30003, 'items[1] names the item "i-1" again'],
    ['an unknown scoring type', { items: ['i-1'], scoring_type: 'Dependent' }, 20004, 'must be one of per-question'],
    ['an item without reference', { items: [{ id: 'i-1' }] }, 20000, 'items[0].reference is required'],
    ['an item of a wrong type', { items: [['i-1']] }, 20003, 'items[0] must be a reference or an object with one'],
    ['a wrong organisation', { items: [{ reference: 'i-1', organisation_id: 'x' }] }, 20003, 'must be a whole number'],
    ['a pool that does not exist', { items: ['i-1'], item_pool_id: 'nowhere' }, 30001, 'nowhere'],
  ])('rejects %s', async (_, request, code, message) => {
    expectFailure(await client.get(PATH, request), 400, code, literally(message));
  });
});
