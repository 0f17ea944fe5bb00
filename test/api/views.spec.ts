import { People } from '#people';
import { engines } from '../support/engines';
import { failure, SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const PATH = 'itembank/views';

describe.each(engines)('saved views on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  beforeEach(() => service.database.write('DELETE FROM saved_view'));

  const view = (reference: string, values: object = {}) => ({
    reference,
    screen: 'items',
    name: `View ${reference}`,
    shared: false,
    address: { status: ['published'] },
    ...values,
  });
  const set = (views: object[], user?: string) =>
    client.set(PATH, { views, ...(user === undefined ? {} : { meta: { user: { id: user } } }) });
  const remove = (references: string[], user?: string) =>
    client.update(PATH, {
      references,
      action: 'delete',
      ...(user === undefined ? {} : { meta: { user: { id: user } } }),
    });
  const names = async (request: object = {}) =>
    ((await client.get(PATH, request)).data as { reference: string }[]).map(({ reference }) => reference);

  const owners = async () =>
    ((await client.get(PATH, {})).data as { reference: string; owner: string | null }[]).map(({ reference, owner }) => [
      reference,
      owner,
    ]);

  it('are returned as they were set', async () => {
    const address = { tags: ['Subject:Ünï "x"'], easiest: 0.5, nested: { list: [null, true] } };
    expect(await set([view('b'), view('a', { shared: true, address, name: 'Ä 😀' })])).toMatchObject({
      ...SUCCESS,
      data: [],
    });
    expect((await client.get(PATH, {})).data).toEqual([
      { ...view('a', { shared: true, address, name: 'Ä 😀' }), owner: 'manual-user', revision: expect.any(Number) },
      { ...view('b'), owner: 'manual-user', revision: expect.any(Number) },
    ]);
  });

  it('are read by screen and in pages', async () => {
    await set(['a', 'b', 'c', 'd', 'e'].map((reference) => view(reference)));
    await set([view('other', { screen: 'sessions' })]);
    expect(await names({ screen: 'items' })).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await names({ screen: 'Items' })).toEqual([]);
    const first = await client.get(PATH, { screen: 'items', limit: 2 });
    const second = await client.get(PATH, { screen: 'items', limit: 2, next: first.meta.next });
    const third = await client.get(PATH, { screen: 'items', limit: 2, next: second.meta.next });
    const seen = [first, second, third].flatMap(({ data }) =>
      (data as { reference: string }[]).map((each) => each.reference),
    );
    expect([seen, third.meta.next]).toEqual([['a', 'b', 'c', 'd', 'e'], undefined]);
  });

  it('are visible to others only when shared, and only their owner changes them', async () => {
    await set([view('own'), view('open', { shared: true })], 'ada');
    expect(await names()).toEqual(['open']);
    for (const reference of ['own', 'open'])
      expect(await set([view('mine'), view(reference, { name: 'Taken' })], 'ben')).toMatchObject(
        failure(20011, '/views/1'),
      );
    expect(await remove(['open'], 'ben')).toMatchObject(failure(20011, '/references/0'));
    expect(await remove(['own'], 'ben')).toMatchObject(failure(30001, '/references/0'));
    expect(await names()).toEqual(['open']);
    expect(await remove(['open', 'own'], 'ada')).toMatchObject(SUCCESS);
    expect(await names()).toEqual([]);
  });

  it('are replaced only at the expected revision', async () => {
    await set([view('a')]);
    const [{ revision }] = (await client.get(PATH, {})).data as [{ revision: number }];
    expect(await set([view('a', { if_revision: 0 })])).toMatchObject(failure(20011, '/views/0/if_revision'));
    expect(await set([view('a', { name: 'Second', if_revision: revision })])).toMatchObject(SUCCESS);
    expect(await set([view('a', { if_revision: revision })])).toMatchObject(failure(20011, '/views/0/if_revision'));
    expect((await client.get(PATH, {})).data).toMatchObject([{ name: 'Second' }]);
  });

  it('are limited to 200 for each author', async () => {
    for (let from = 0; from < 200; from += 50)
      expect(await set(Array.from({ length: 50 }, (_, index) => view(`v${from + index}`)))).toMatchObject(SUCCESS);
    expect(await set([view('v0', { name: 'Again' })])).toMatchObject(SUCCESS);
    expect(await set([view('one-more')])).toMatchObject(failure(20002, '/views'));
    expect(await set([view('one-more')], 'ada')).toMatchObject(SUCCESS);
  });

  it('are stored once when two calls write the same one concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => set([view('same', { name: `N${index}` })])),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await names()).toEqual(['same']);
  });

  it.each([
    ['a view without a name', [{ ...view('a'), name: undefined }], 20000, '/views/0/name'],
    ['an empty name', [view('a', { name: '' })], 20001, '/views/0/name'],
    ['a long name', [view('a', { name: 'x'.repeat(101) })], 20001, '/views/0/name'],
    ['an address that is a list', [view('a', { address: ['x'] })], 20003, '/views/0/address'],
    ['a large address', [view('a', { address: { x: 'x'.repeat(10_001) } })], 20001, '/views/0/address'],
    ['a reference twice', [view('a'), view('a')], 30000, '/views/1/reference'],
    ['shared that is text', [view('a', { shared: 'perhaps' })], 20003, '/views/0/shared'],
  ])('reject %s, and store nothing', async (_what, views, code, pointer) => {
    expect(await set(views)).toMatchObject(failure(code, pointer));
    expect(await names()).toEqual([]);
  });

  it('are removed with the account of their owner, except shared ones, which stay without an owner', async () => {
    const people = service.get(People);
    const email = `keeper-${engine}@example.org`;
    const { id } = await people.create({ email, roles: new Map([[1, ['author']]]) });
    await set([view('own'), view('open', { shared: true })], id);
    expect((await people.exported(email)).savedViews).toMatchObject([{ reference: 'open' }, { reference: 'own' }]);
    await people.remove(id);
    const left = await service.database.rows<object>('SELECT reference, owner FROM saved_view');
    expect(left.map((row) => ({ ...row }))).toEqual([{ reference: 'open', owner: null }]);
    expect(await set([view('open', { name: 'Taken over' })], 'ben')).toMatchObject(SUCCESS);
  });

  it('have no owner while the account of their owner is disabled, if they are shared', async () => {
    const people = service.get(People);
    const { id } = await people.create({
      email: `left-${engine}@example.org`,
      roles: new Map([[1, ['author']]]),
    });
    await set([view('own'), view('open', { shared: true }), view('other', { shared: true })], id);
    await people.change(id, { status: 'disabled' });
    expect(await owners()).toEqual([
      ['open', null],
      ['other', null],
    ]);
    expect(await set([view('own')], 'ben')).toMatchObject(failure(20011, '/views/0'));
    expect(await set([view('open', { shared: true })], 'ben')).toMatchObject(SUCCESS);
    await people.change(id, { status: 'active' });
    expect(await owners()).toEqual([
      ['open', 'ben'],
      ['other', id],
    ]);
    expect(await remove(['other'], 'ben')).toMatchObject(failure(20011, '/references/0'));
    await people.change(id, { status: 'disabled' });
    expect(await remove(['other'], 'ben')).toMatchObject(SUCCESS);
  });

  it('have no owner while their owner has no role in the organisation, if they are shared', async () => {
    const people = service.get(People);
    const { id } = await people.create({
      email: `moved-${engine}@example.org`,
      roles: new Map([
        [1, ['author']],
        [2, ['author']],
      ]),
    });
    await set([view('own'), view('open', { shared: true }), view('other', { shared: true })], id);
    await people.change(id, { roles: new Map([[1, []]]) });
    expect(await owners()).toEqual([
      ['open', null],
      ['other', null],
    ]);
    expect(await set([view('own')], 'ben')).toMatchObject(failure(20011, '/views/0'));
    expect(await set([view('open', { shared: true })], 'ben')).toMatchObject(SUCCESS);
    await people.change(id, { roles: new Map([[1, ['viewer']]]) });
    expect(await owners()).toEqual([
      ['open', 'ben'],
      ['other', id],
    ]);
    expect(await remove(['other'], 'ben')).toMatchObject(failure(20011, '/references/0'));
    await people.change(id, { roles: new Map([[1, []]]) });
    expect(await remove(['other'], 'ben')).toMatchObject(SUCCESS);
  });

  it('belong to one organisation', async () => {
    await set([view('a', { shared: true })]);
    const other = await service.consumerOf([2, 'write']);
    expect((await other.get(PATH, {})).data).toEqual([]);
    expect(await other.set(PATH, { views: [view('a')] })).toMatchObject(SUCCESS);
    expect(await other.update(PATH, { references: ['a'], action: 'delete' })).toMatchObject(SUCCESS);
    expect(await names()).toEqual(['a']);
  });
});
