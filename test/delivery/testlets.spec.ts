import { write, fillPool } from '../support/bank';
import { activity, item, question } from '../support/builders';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { callPage, errorOf, type PageAnswer, signedStart, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';

/** Testlets by their reference: the tag, the difficulty in logits, and the items. */
const TESTLETS: Record<string, [stage: string, difficulty: number | null, items: string[]]> = {
  'tl-start': ['first', 0, ['tl-s1', 'tl-s2']],
  'tl-easy': ['second', -1, ['tl-e1', 'tl-e2']],
  'tl-mid': ['second', 0, ['tl-m1', 'tl-m2']],
  'tl-hard': ['second', 1, ['tl-h1', 'tl-h2']],
  'tl-unrated': ['second', null, ['tl-u1']],
  'tl-one': ['single', 0, ['tl-a']],
  'tl-two': ['later', 0.5, ['tl-b']],
  'tl-common': ['common', 0, ['tl-s1', 'tl-c1', 'tl-s2']],
  'tl-far': ['far', 4, ['tl-f1']],
};
const RIGHT = ['1'];
const WRONG = ['0'];

describe.each(anEngine(__filename))('a test that chooses the next testlet on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    const names = [...new Set(Object.values(TESTLETS).flatMap(([, , items]) => items))];
    await write(service.client, { questions: names.map((name) => question({ reference: `q-${name}` })) });
    await write(service.client, {
      items: names.map((name) => item([`q-${name}`], { reference: name, status: 'published' })),
    });
    await write(service.client, {
      activities: [
        ...Object.entries(TESTLETS).map(([reference, [stage, difficulty, items]]) =>
          activity(items, { reference, adaptive: { difficulty }, tags: { Testlet: [stage] } }),
        ),
        activity(['tl-a'], {
          reference: 'tl-adaptive',
          adaptive: { difficulty: 0 },
          tags: { Testlet: ['adaptive'] },
          data: { items: ['tl-a'], adaptive: { type: 'itemadaptive' } },
        }),
        activity(['tl-a'], {
          reference: 'tl-draft',
          status: 'unpublished',
          adaptive: { difficulty: 0 },
          tags: { Testlet: ['draft'] },
        }),
      ],
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const stages = (...names: string[]) => names.map((name) => ({ required_tags: { Testlet: [name] } }));
  const rules = (more: object = {}) => ({
    type: 'branching',
    initial_ability: 0,
    item_difficulty_tolerance: 1,
    eap: { mean: 0, standard_deviation: 1, theta_min: -4, theta_max: 4, num_points: 50 },
    sequence: stages('first', 'second'),
    ...more,
  });
  const start = (adaptive: object = rules(), more: object = {}) =>
    TestPage.start(service, { items: undefined, adaptive, ...more });
  const referencesOf = (page: TestPage): string[] =>
    page.started.items.map(({ reference }: { reference: string }) => reference);
  const idOf = (page: TestPage, reference: string): string =>
    page.started.items.find((each: { reference: string }) => each.reference === reference).response_ids[0];
  /** Answers items by their references, and asks for the next testlet. */
  const answer = (page: TestPage, values: Record<string, string[]>): Promise<PageAnswer> =>
    page.next(Object.fromEntries(Object.entries(values).map(([name, value]) => [idOf(page, name), value])));

  it.each([
    ['right answers', { 'tl-s1': RIGHT, 'tl-s2': RIGHT }, ['tl-h1', 'tl-h2']],
    ['wrong answers', { 'tl-s1': WRONG, 'tl-s2': WRONG }, ['tl-e1', 'tl-e2']],
    ['one right and one wrong answer', { 'tl-s1': RIGHT, 'tl-s2': WRONG }, ['tl-m1', 'tl-m2']],
    ['no answers', {}, ['tl-m1', 'tl-m2']],
  ])('gives all items of the testlet that fits %s, and ends after the last stage', async (_, values, expected) => {
    const page = await start();
    expect(referencesOf(page)).toEqual(['tl-s1', 'tl-s2']);
    expect(page.started).toMatchObject({ adaptive: true, testlet: { number: 1, from: 0 } });
    const next = await answer(page, values);
    expect(next.body).toMatchObject({ done: false, items: expected.map((reference) => ({ reference })) });
    expect((await answer(page, {})).body).toMatchObject({ done: true, items: [] });
  });

  it('stores a session and reports the ability by the difficulties of the testlets', async () => {
    const page = await start(rules({ sequence: stages('single', 'later') }));
    await answer(page, { 'tl-a': RIGHT });
    await page.save({ [idOf(page, 'tl-b')]: WRONG });
    expect((await page.submit()).status).toBe(200);
    expect(await page.stored()).toMatchObject({
      status: 'Completed',
      items: [{ reference: 'tl-a' }, { reference: 'tl-b' }],
    });
    const { data } = await service.client.get('sessions/reports/adaptive', { session_id: [page.sessionId] });
    // A right answer at 0 and a wrong one at 0.5.
    expect(data[0]).toMatchObject({
      score: 1,
      num_questions: 2,
      adaptive: {
        items: ['tl-a', 'tl-b'],
        ability_estimate: {
          ability_estimate: expect.closeTo(0.0748, 4) as number,
          standard_error: expect.closeTo(0.8375, 4) as number,
        },
      },
    });
  });

  it('chooses testlets until the criteria are met when the rules have no sequence', async () => {
    const tags = [{ type: 'Testlet', name: 'second' }];
    const criteria = { max_items: 3 };
    const page = await start(rules({ sequence: undefined, required_tags: tags, termination_criteria: criteria }));
    expect(referencesOf(page)).toEqual(['tl-m1', 'tl-m2']);
    await answer(page, { 'tl-m1': RIGHT, 'tl-m2': RIGHT });
    expect(referencesOf(page)).toEqual(['tl-m1', 'tl-m2', 'tl-h1', 'tl-h2']);
    expect((await answer(page, {})).body.done).toBe(true);
  });

  it('begins with a testlet even when the standard error is below error_below before any answer', async () => {
    const page = await start(rules({ termination_criteria: { error_below: 1 } }));
    expect(referencesOf(page)).toEqual(['tl-s1', 'tl-s2']);
    expect((await answer(page, { 'tl-s1': RIGHT })).body.done).toBe(true);
  });

  it('accepts answers to the items of the current testlet in any order, and refuses answers to an earlier testlet', async () => {
    const page = await start();
    expect((await page.save({ [idOf(page, 'tl-s2')]: WRONG })).status).toBe(200);
    expect((await page.save({ [idOf(page, 'tl-s1')]: WRONG })).status).toBe(200);
    expect((await page.save({ [idOf(page, 'tl-s2')]: RIGHT })).status).toBe(200);
    await answer(page, {});
    expect(referencesOf(page).slice(2)).toEqual(['tl-m1', 'tl-m2']);
    expect((await page.save({ [idOf(page, 'tl-m2')]: RIGHT })).status).toBe(200);
    expect((await page.save({ [idOf(page, 'tl-m1')]: RIGHT })).status).toBe(200);
    expect(errorOf(await page.save({ [idOf(page, 'tl-s2')]: WRONG }))).toMatchObject({
      status: 400,
      pointer: `/responses/${idOf(page, 'tl-s2')}`,
      message: expect.stringContaining('is over') as string,
    });
  });

  it('gives the same testlet for a repeated request and after a lost response, from any item of the testlet', async () => {
    const page = await start();
    const body = page.saved({ [idOf(page, 'tl-s1')]: RIGHT }, { current_item: 'tl-s1' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => page.call('sessions/current/items', body)));
    const given = answers.map(({ body: { items } }) => items.map(({ reference }: { reference: string }) => reference));
    expect(new Set(given.map(String)).size).toBe(1);
    page.saveNumber = answers[0]!.body.save_number;
    await page.save({});
    expect((await answer(page, {})).body.items).toEqual(answers[0]!.body.items);
    expect((await page.stored()).items).toHaveLength(4);
  });

  it('continues in the same testlet after a reload, with the content of the start', async () => {
    const request = TestPage.request({ items: undefined, adaptive: rules() });
    const load = () => TestPage.start(service, request);
    const page = await load();
    await answer(page, { 'tl-s1': RIGHT, 'tl-s2': RIGHT });
    await page.save({ [idOf(page, 'tl-h2')]: WRONG }, { current_item: 'tl-h2' });
    const { data } = await service.client.get('itembank/activities', { references: ['tl-hard'] });
    await service.client.set('itembank/activities', { activities: [{ ...data[0], status: 'archived' }] });
    try {
      const reloaded = await load();
      expect(reloaded.started).toMatchObject({
        adaptive: true,
        testlet: { number: 2, from: 2 },
        session: { current_item: 'tl-h2', existing: true },
      });
      expect(referencesOf(reloaded)).toEqual(['tl-s1', 'tl-s2', 'tl-h1', 'tl-h2']);
      expect(reloaded.started.responses[idOf(reloaded, 'tl-h2')]).toMatchObject({ value: WRONG });
    } finally {
      await service.client.set('itembank/activities', { activities: data });
    }
  });

  it('shows an item once that belongs to two testlets', async () => {
    const page = await start(rules({ sequence: stages('first', 'common') }));
    await answer(page, {});
    expect(referencesOf(page)).toEqual(['tl-s1', 'tl-s2', 'tl-c1']);
  });

  it('can be reviewed as a whole once it is submitted', async () => {
    const page = await start();
    await answer(page, { 'tl-s1': RIGHT });
    await page.submit({ [idOf(page, 'tl-m1')]: RIGHT });
    const request = TestPage.request({ session_id: page.sessionId, state: 'review', items: undefined });
    const review = await callPage(
      service.url,
      'sessions',
      signedStart(service.client, service.clock.now(), { ...request, adaptive: rules() }),
    );
    expect(review.body.items.map(({ reference }: { reference: string }) => reference)).toEqual(referencesOf(page));
    expect(review.body.adaptive).toBeUndefined();
    expect(Object.values(review.body.reviews)).toHaveLength(4);
  });

  it('reveals no testlet before its turn, no difficulty, no rule and no key', async () => {
    const page = await start();
    const next = await answer(page, { 'tl-s1': RIGHT, 'tl-s2': RIGHT });
    for (const text of [page.text, next.text])
      expect(text).not.toMatch(
        /difficulty|ability|eap|required_tags|sequence|Testlet|tl-(start|hard|easy|mid|e1|m1)|validation/,
      );
  });

  it('refuses a testlet with an item of a bank that the consumer may not read', async () => {
    const both = await service.consumerOf([1, 'write'], [2, 'write']);
    expectSuccess(
      await both.set('itembank/questions', {
        questions: [question({ reference: 'q-tl-foreign' })],
        organisation_id: 2,
      }),
    );
    const foreign = item(['q-tl-foreign'], { reference: 'tl-foreign', status: 'published' });
    expectSuccess(await both.set('itembank/items', { items: [foreign], organisation_id: 2 }));
    const data = { items: ['tl-a', { reference: 'tl-foreign', organisation_id: 2 }] };
    const mixed = { reference: 'tl-mixed', data, adaptive: { difficulty: 0 }, tags: { Testlet: ['mixed'] } };
    expectSuccess(await both.set('itembank/activities', { activities: [mixed] }));
    const adaptive = rules({ sequence: stages('mixed') });
    const refused = await TestPage.ask(service, { items: undefined, adaptive });
    expect(errorOf(refused)).toMatchObject({ status: 403, code: 40003, pointer: '/adaptive' });
    const page = await TestPage.start(service, { items: undefined, adaptive }, both);
    expect(referencesOf(page)).toEqual(['tl-a', 'tl-foreign']);
  });

  it('chooses among the testlets of an item pool, as they were when it was filled', async () => {
    await fillPool(service, 'tl-pool', ['tl-a'], ['tl-one']);
    const { data } = await service.client.get('itembank/activities', { references: ['tl-one'] });
    expectSuccess(
      await service.client.set('itembank/activities', { activities: [{ ...data[0], adaptive: { difficulty: null } }] }),
    );
    try {
      const adaptive = rules({ sequence: stages('single') });
      expect(referencesOf(await start(adaptive, { item_pool_id: 'tl-pool' }))).toEqual(['tl-a']);
      await expect(start(adaptive)).rejects.toThrow('no testlet fits');
    } finally {
      await service.client.set('itembank/activities', { activities: data });
    }
  });

  it('ignores the listed items of the request', async () => {
    expect(referencesOf(await start(rules(), { items: ['tl-f1'] }))).toEqual(['tl-s1', 'tl-s2']);
  });

  it.each([
    ['neither a sequence nor criteria', rules({ sequence: undefined }), {}, '/adaptive', 20000],
    ['a stage without tags', rules({ sequence: [{}] }), {}, '/adaptive/sequence/0/required_tags', 20000],
    [
      'more than 50 stages',
      rules({ sequence: stages(...Array<string>(51).fill('first')) }),
      {},
      '/adaptive/sequence',
      20002,
    ],
    ['tags of text', rules({ required_tags: 'first' }), {}, '/adaptive/required_tags', 20003],
    ['a bound of text', rules({ max_item_difficulty: 'high' }), {}, '/adaptive/max_item_difficulty', 20003],
    ['tags that no activity has', rules({ sequence: stages('first', 'none') }), {}, '/adaptive/sequence/1', 20013],
    ['activities that are not published', rules({ sequence: stages('draft') }), {}, '/adaptive/sequence/0', 20013],
    [
      'testlets above the bound',
      rules({ sequence: stages('far'), max_item_difficulty: 2 }),
      {},
      '/adaptive/sequence/0',
      20013,
    ],
    ['a testlet that is adaptive itself', rules({ sequence: stages('adaptive') }), {}, '/adaptive/sequence/0', 20004],
    [
      'an engine of the customer',
      { type: 'selfhosted', engine_url: 'https://engine.example' },
      {},
      '/adaptive/type',
      20004,
    ],
    ['a practice that is not stored', rules(), { type: 'local_practice' }, '/type', 20004],
  ])('refuses %s, and points to the wrong member', async (_, adaptive, more, pointer, code) => {
    const refused = await TestPage.ask(service, { items: undefined, adaptive, ...more });
    expect(errorOf(refused)).toMatchObject({ pointer, code });
  });
});
