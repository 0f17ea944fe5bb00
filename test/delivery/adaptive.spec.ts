import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { anEngine } from '../support/engines';
import { errorOf, type PageAnswer, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';

const OPERATIONAL = { type: 'adaptive-lifecycle', name: 'operational' };
/** Difficulties in logits. */
const DIFFICULTIES = {
  'ad-zero': 0,
  'ad-half': 0.5,
  'ad-near': 0.1,
  'ad-far': 3,
  'ad-unknown': null,
  'ad-other': 0.08,
  'ad-low': -0.4,
  'ad-survey': 0,
};
const UNTAGGED = ['ad-other', 'ad-low', 'ad-survey'];
const RIGHT = ['1'];
const WRONG = ['0'];

describe.each(anEngine(__filename))('a test that chooses the next item on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    const names = [...Object.keys(DIFFICULTIES), 'br-1', 'br-2', 'br-3', 'br-4'];
    await write(service.client, { questions: names.map((name) => question({ reference: `q-${name}` })) });
    const survey = question({ reference: 'q-ad-survey' });
    await write(service.client, {
      questions: [{ ...survey, data: { ...survey.data, validation: { unscored: true } } }],
    });
    await write(service.client, {
      items: names.map((name) => ({
        ...item([`q-${name}`], { reference: name, status: 'published' }),
        ...(name in DIFFICULTIES ? { adaptive: { difficulty: DIFFICULTIES[name as keyof typeof DIFFICULTIES] } } : {}),
        tags: UNTAGGED.includes(name) || name.startsWith('br') ? {} : { 'adaptive-lifecycle': ['operational'] },
      })),
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const rules = (more: object = {}) => ({
    type: 'itemadaptive',
    initial_ability: 0,
    item_difficulty_tolerance: 0.1,
    eap: { mean: 0, standard_deviation: 1, theta_min: -4, theta_max: 4, num_points: 50 },
    termination_criteria: { max_items: 3 },
    required_tags: [OPERATIONAL],
    ...more,
  });
  const start = (adaptive: object = rules(), more: object = {}) =>
    TestPage.start(service, { items: undefined, adaptive, ...more });
  const currentItemOf = (page: TestPage) => page.started.items.at(-1);
  /** Answers the current item, and asks for the next. */
  const answer = async (page: TestPage, value: string[] | undefined): Promise<PageAnswer> => {
    const [id] = currentItemOf(page).response_ids;
    return page.next(value ? { [id]: value } : {});
  };
  const referencesOf = (page: TestPage): string[] =>
    page.started.items.map(({ reference }: { reference: string }) => reference);

  it('gives the item whose difficulty is nearest to the ability that the answers show', async () => {
    const page = await start();
    expect(referencesOf(page)).toEqual(['ad-zero']);
    expect(page.started.adaptive).toBe(true);
    // After a right answer at 0 the ability is 0.41. After a wrong one at 0.5 it is 0.07.
    await answer(page, RIGHT);
    expect(referencesOf(page)).toEqual(['ad-zero', 'ad-half']);
    await answer(page, WRONG);
    expect(referencesOf(page)).toEqual(['ad-zero', 'ad-half', 'ad-near']);
    const last = await answer(page, RIGHT);
    expect(last.body).toMatchObject({ items: [], done: true });
    expect((await page.submit()).status).toBe(200);
    const { data } = await service.client.get('sessions/reports/adaptive', { session_id: [page.sessionId] });
    expect(data[0]).toMatchObject({
      score: 2,
      num_questions: 3,
      adaptive: { items: ['ad-zero', 'ad-half', 'ad-near'] },
    });
  });

  it('ends once min_items were given and the standard error is below error_below', async () => {
    // The standard error is 0.91 after one answer, and 0.84 after the next.
    const bounded = (minItems: number) =>
      start(rules({ termination_criteria: { min_items: minItems, max_items: 10, error_below: 0.85 } }));
    const [two, three] = [await bounded(2), await bounded(3)];
    for (const page of [two, three]) {
      expect((await answer(page, RIGHT)).body.done).toBe(false);
      await answer(page, WRONG);
    }
    expect([referencesOf(two).length, referencesOf(three).length]).toEqual([2, 3]);
  });

  it('gives at least one item, even when the standard error is below error_below before any answer', async () => {
    const page = await start(rules({ termination_criteria: { error_below: 1 } }));
    expect((await answer(page, RIGHT)).body.done).toBe(true);
    expect(referencesOf(page)).toEqual(['ad-zero']);
  });

  it('changes the difficulty by at most max_difficulty_change while all answers are right', async () => {
    const page = await start(rules({ max_difficulty_change: 0.1 }));
    await answer(page, RIGHT);
    expect(referencesOf(page)).toEqual(['ad-zero', 'ad-near']);
  });

  it('chooses among the listed items only, and ends when none is left', async () => {
    const page = await start(rules({ required_tags: [] }), { items: ['ad-far', 'ad-other', 'ad-unknown'] });
    await answer(page, RIGHT);
    expect((await answer(page, RIGHT)).body.done).toBe(true);
    expect(referencesOf(page)).toEqual(['ad-other', 'ad-far']);
  });

  it('takes an answer to an item without points for neither right nor wrong', async () => {
    const page = await start(rules({ required_tags: [] }), { items: ['ad-survey', 'ad-near', 'ad-low'] });
    expect(referencesOf(page)).toEqual(['ad-survey']);
    await answer(page, RIGHT);
    expect(referencesOf(page)).toEqual(['ad-survey', 'ad-near']);
  });

  it('accepts required_tags as an object of names by type, and respects max_item_difficulty', async () => {
    const tags = { 'adaptive-lifecycle': ['operational'] };
    const page = await start(rules({ required_tags: tags, initial_ability: 3, max_item_difficulty: 0.4 }));
    // Without max_item_difficulty the item would be ad-far.
    expect(referencesOf(page)).toEqual(['ad-near']);
  });

  it('gives the same item when the same request is repeated', async () => {
    const page = await start();
    const body = page.saved({ [currentItemOf(page).response_ids[0]]: RIGHT }, { current_item: 'ad-zero' });
    const first = await page.call('sessions/current/items', body);
    const again = await page.call('sessions/current/items', body);
    expect(again.body.items).toEqual(first.body.items);
    expect(first.body.items).toHaveLength(1);
    const stored = await page.stored();
    expect(stored.items.map(({ reference }: { reference: string }) => reference)).toEqual(['ad-zero', 'ad-half']);
  });

  it('returns the chosen item again when its response got lost, even after another save', async () => {
    const page = await start();
    const [first] = currentItemOf(page).response_ids;
    const lost = await page.call('sessions/current/items', page.saved({ [first]: RIGHT }, { current_item: 'ad-zero' }));
    page.saveNumber = lost.body.save_number;
    await page.save({});
    const next = await answer(page, undefined);
    expect(next.body.items).toEqual(lost.body.items);
  });

  it('requires the name of the item that is finished', async () => {
    const page = await start();
    for (const more of [{}, { current_item: 'ad-near' }])
      expect(errorOf(await page.call('sessions/current/items', page.saved({}, more)))).toMatchObject({
        status: 400,
        pointer: '/current_item',
      });
  });

  it('chooses one item when two pages ask at the same time', async () => {
    const page = await start();
    const body = page.saved({ [currentItemOf(page).response_ids[0]]: RIGHT }, { current_item: 'ad-zero' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => page.call('sessions/current/items', body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await page.stored()).items).toHaveLength(2);
  });

  it('refuses an answer to a finished item', async () => {
    const page = await start();
    const [first] = currentItemOf(page).response_ids;
    await answer(page, WRONG);
    expect(errorOf(await page.save({ [first]: RIGHT }))).toMatchObject({
      status: 400,
      pointer: `/responses/${first}`,
      message: expect.stringContaining('is over') as string,
    });
  });

  it('continues at the same item after a reload, with the content of the start', async () => {
    const request = TestPage.request({ adaptive: rules() });
    const load = () => TestPage.start(service, request);
    const page = await load();
    await answer(page, RIGHT);
    const { data } = await service.client.get('itembank/items', { references: ['ad-near'] });
    await service.client.set('itembank/items', { items: [{ ...data[0], status: 'unpublished' }] });
    try {
      const reloaded = await load();
      expect(referencesOf(reloaded)).toEqual(['ad-zero', 'ad-half']);
      expect(Object.values(reloaded.started.responses)).toMatchObject([{ value: RIGHT }]);
      await answer(reloaded, WRONG);
      expect(referencesOf(reloaded)).toEqual(['ad-zero', 'ad-half', 'ad-near']);
    } finally {
      await service.client.set('itembank/items', { items: [data[0]] });
    }
  });

  it('reveals no item before its turn, no difficulty and no rule', async () => {
    const page = await start();
    const next = await answer(page, RIGHT);
    for (const text of [page.text, next.text]) {
      expect(text).not.toMatch(/difficulty|ability|eap|required_tags|termination|ad-near|ad-far|ad-other/);
      expect(text).not.toContain('validation');
    }
  });

  describe('with steps that an author set', () => {
    const steps = [
      { id: 'first', type: 'item', reference: 'br-1', next: { correct: 'second', incorrect: 'easy' } },
      { id: 'easy', type: 'item', reference: 'br-2', next: 'judge' },
      { id: 'second', type: 'item', reference: 'br-3', next: 'judge' },
      { id: 'judge', type: 'global-score', percentage: 50, next: { '>=': 'last', '<': null } },
      { id: 'last', type: 'item', reference: 'br-4', next: null },
    ];

    it.each([
      ['two right answers', [RIGHT, RIGHT, RIGHT], ['br-1', 'br-3', 'br-4']],
      ['a wrong answer, then a right one', [WRONG, RIGHT, RIGHT], ['br-1', 'br-2', 'br-4']],
      ['two wrong answers', [WRONG, WRONG], ['br-1', 'br-2']],
      ['no answers', [undefined, undefined], ['br-1', 'br-2']],
    ])('follows the branch for %s', async (_, values, expected) => {
      const page = await start({ type: 'itembranching', steps });
      let done = false;
      for (const value of values) done = (await answer(page, value)).body.done;
      expect(referencesOf(page)).toEqual(expected);
      expect(done).toBe(true);
    });

    it('takes 29 of 50 points as 58 percent', async () => {
      const of = (score: number) => {
        const { data } = question();
        return question({ data: { ...data, validation: { valid_response: { score, value: RIGHT } } } });
      };
      const questions = [of(29), of(21)];
      await write(service.client, { questions });
      const shares = item(questions.map(({ reference }) => reference));
      await write(service.client, { items: [shares] });
      const judge = { id: 'judge', type: 'global-score', percentage: 58, next: { '>=': 'last', '<': null } };
      const page = await start({
        type: 'itembranching',
        steps: [{ id: 'shares', reference: shares.reference, next: 'judge' }, judge, steps.at(-1)],
      });
      await answer(page, RIGHT);
      expect(referencesOf(page)).toEqual([shares.reference, 'br-4']);
    });
  });

  it.each([
    ['an unknown type', { type: 'guessing' }, {}, '/adaptive/type', 20004],
    [
      'a tolerance of text',
      rules({ item_difficulty_tolerance: 'wide' }),
      {},
      '/adaptive/item_difficulty_tolerance',
      20003,
    ],
    ['a tag without a name', rules({ required_tags: [{ type: 'x' }] }), {}, '/adaptive/required_tags/0', 20003],
    ['tags that no item has', rules({ required_tags: [{ type: 'x', name: 'y' }] }), {}, '/adaptive', 20013],
    ['tags by type that no item has', rules({ required_tags: { x: ['y'] } }), {}, '/adaptive', 20013],
    ['steps without an item', { type: 'itembranching', steps: [] }, {}, '/adaptive/steps', 20004],
    [
      'a step that leads nowhere',
      { type: 'itembranching', steps: [{ id: 'a', reference: 'br-1', next: 'b' }] },
      {},
      '/adaptive/steps/0/next',
      20004,
    ],
    [
      'an unknown item',
      { type: 'itembranching', steps: [{ id: 'a', reference: 'br-none', next: null }] },
      {},
      '/adaptive/steps/0',
      20013,
    ],
    ['a practice that is not stored', rules(), { type: 'local_practice' }, '/type', 20004],
    ['items placed into the page', rules(), { rendering_type: 'inline' }, '/rendering_type', 20004],
  ])('refuses %s, and points to the wrong member', async (_, adaptive, more, pointer, code) => {
    const refused = await TestPage.ask(service, { adaptive, ...more });
    expect(errorOf(refused)).toMatchObject({ pointer, code });
  });

  it('names the types that it supports when it refuses an unknown type', async () => {
    const refused = await TestPage.ask(service, { adaptive: { type: 'guessing' } });
    expect(errorOf(refused)).toMatchObject({
      message: expect.stringMatching(/^adaptive\.type must be itemadaptive, branching or itembranching;/) as string,
    });
  });

  it('refuses to give a next item of a test that sends all items at its start', async () => {
    const page = await TestPage.start(service, { items: ['br-1'] });
    expect(errorOf(await page.call('sessions/current/items', page.saved({})))).toMatchObject({
      status: 400,
      message: expect.stringContaining('sent at its start') as string,
    });
  });
});
