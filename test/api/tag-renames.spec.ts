import { activity, item, question, type WireTags } from '../support/builders';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { fillPool } from '../support/bank';

const TAGS = 'itembank/tagging/tags';

describe.each(anEngine(__filename))('renamed tags on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let widget: string;

  beforeAll(async () => {
    const questions = [question()];
    widget = questions[0]!.reference;
    expectSuccess(await client.set('itembank/questions', { questions }));
  });

  const setItems = async (entries: Record<string, WireTags>) =>
    expectSuccess(
      await client.set('itembank/items', {
        items: Object.entries(entries).map(([reference, tags]) => item([widget], { reference, tags })),
      }),
    );
  const tagsOf = async (...references: string[]) => {
    const { data } = await client.get('itembank/items', { references, sort_field: 'created', sort: 'asc' });
    return data.map(({ reference, tags }: { reference: string; tags: WireTags }) => [reference, tags]);
  };
  const namesOf = async (type: string) => {
    const { data } = await client.get(TAGS, { types: [type], sort_field: 'created', sort: 'asc' });
    return data.map(({ name }: { name: string }) => name).sort();
  };
  /** Renames, waits for the job, and returns its results. */
  const rename = async (type: string, name: string, newName: string) => {
    const answer = await client.update(TAGS, { type, name, new_name: newName });
    expectSuccess(answer);
    const job = await client.ended(answer.data.job_reference);
    expect(job.status).toBe('completed');
    return { answer: answer.data, results: job.results };
  };

  it('counts the effects in a dry run, and changes nothing', async () => {
    await setItems({ dry1: { Dry: ['old', 'else'] }, dry2: { dry: ['OLD'] }, dry3: { Dry: ['else'] } });
    expectSuccess(
      await client.set('itembank/activities', { activities: [activity(['dry1'], { tags: { Dry: ['old'] } })] }),
    );
    const levels = (name: string) => [{ name }];
    expectSuccess(
      await client.set('itembank/tagging/hierarchies', {
        tag_hierarchies: [
          { reference: 'with', tag_types: levels('DRY') },
          { reference: 'without', tag_types: levels('Wet') },
        ],
      }),
    );
    const answer = await client.update(TAGS, { type: 'dry', name: 'Old', new_name: 'Else', dry_run: true });
    expectSuccess(answer);
    expect(answer.data).toEqual({
      tag: { type: 'Dry', name: 'old' },
      successor: { type: 'Dry', name: 'else' },
      merges: true,
      items: 2,
      activities: 1,
      pools: 0,
      hierarchies: ['with'],
    });
    expect(await tagsOf('dry1', 'dry2')).toEqual([
      ['dry1', { Dry: ['old', 'else'] }],
      ['dry2', { Dry: ['old'] }],
    ]);
    expect(await namesOf('Dry')).toEqual(['else', 'old']);
  });

  it('gives content the new name in place of the old one, which is no longer listed', async () => {
    await setItems({ new1: { New: ['a', 'old', 'z'] }, new2: { New: ['a'] } });
    expectSuccess(
      await client.set(TAGS, { tags: [{ type: 'New', name: 'old', description: 'What it means', sort_key: 7 }] }),
    );
    const { answer, results } = await rename('New', 'old', 'Fresh');
    expect(answer).toMatchObject({ merges: false, items: 1, activities: 0 });
    expect(results).toEqual({ items: 1, activities: 0 });
    expect(await tagsOf('new1', 'new2')).toEqual([
      ['new1', { New: ['a', 'Fresh', 'z'] }],
      ['new2', { New: ['a'] }],
    ]);
    expect(await namesOf('New')).toEqual(['Fresh', 'a', 'z']);
    expect((await client.get('itembank/tags', { types: ['New'] })).data.New).not.toContain('old');
    const [fresh] = (await client.get(TAGS, { types: ['New'], names: ['Fresh'] })).data;
    expect(fresh).toEqual({ type: 'New', name: 'Fresh', description: 'What it means', sort_key: 7 });
  });

  it('merges two tags: content with both carries the remaining one once', async () => {
    await setItems({ m1: { M: ['x', 'y'] }, m2: { M: ['y', 'x'] }, m3: { M: ['x'] }, m4: { M: ['y'] } });
    const { answer, results } = await rename('M', 'x', 'Y');
    expect([answer.merges, answer.successor.name, results]).toEqual([true, 'y', { items: 3, activities: 0 }]);
    expect(await tagsOf('m1', 'm2', 'm3', 'm4')).toEqual(['m1', 'm2', 'm3', 'm4'].map((name) => [name, { M: ['y'] }]));
    const found = await client.get('itembank/items', { advanced_tags: { all: [{ type: 'M', name: 'y' }] } });
    expect(found.meta.records).toBe(4);
    expect((await client.get('itembank/items', { advanced_tags: { all: [{ type: 'M', name: 'x' }] } })).data).toEqual(
      [],
    );
  });

  it('has a job that names the tag by its new name', async () => {
    await setItems({ about: { About: ['old'] } });
    const { answer } = await rename('About', 'old', 'new');
    const { data } = await client.get('jobs', { references: [answer.job_reference] });
    expect(data).toMatchObject([{ type: 'rename-tag', subject: 'About:new' }]);
  });

  it('shows the old name and the author of the rename in the history of each record', async () => {
    await setItems({ past: { Past: ['old'] } });
    service.clock.advance(1_000);
    const user = { id: 'ada' };
    const { data } = await client.update(TAGS, { meta: { user }, type: 'Past', name: 'old', new_name: 'new' });
    await client.ended(data.job_reference);
    const { data: revisions } = await client.get('itembank/history', { kind: 'item', references: ['past'] });
    expect(
      revisions.map(({ tags, operation, created_by: by }: Record<string, unknown>) => [tags, operation, by]),
    ).toEqual([
      [{ Past: ['new'] }, 'update itembank/tagging/tags', 'ada'],
      [{ Past: ['old'] }, 'set itembank/items', 'manual-user'],
    ]);
    const rows = await service.database.rows<{ detail: string; operation: string }>(
      "SELECT operation, detail FROM audit WHERE organisation_id = 1 AND subject = 'tag' AND operation = 'update itembank/tagging/tags' ORDER BY id",
    );
    expect(rows.map(({ detail }) => JSON.parse(detail))).toContainEqual({
      before: { type: 'Past', name: 'old' },
      after: { type: 'Past', name: 'new' },
      merged: false,
    });
  });

  it('changes more content than fits into one batch', async () => {
    const references = Array.from({ length: 120 }, (_, index) => `many${index}`);
    for (let from = 0; from < 120; from += 50)
      await setItems(Object.fromEntries(references.slice(from, from + 50).map((name) => [name, { Many: ['old'] }])));
    const { results } = await rename('Many', 'old', 'new');
    expect(results).toEqual({ items: 120, activities: 0 });
    const left = await client.get('itembank/items', { advanced_tags: { all: [{ type: 'Many', name: 'old' }] } });
    expect(left.data).toEqual([]);
  });

  it('can be reverted, after which the old name is listed once content has it again', async () => {
    await setItems({ back: { Back: ['first'] } });
    await rename('Back', 'first', 'second');
    const { answer } = await rename('Back', 'second', 'first');
    expect(answer.merges).toBe(false);
    expect(await tagsOf('back')).toEqual([['back', { Back: ['first'] }]]);
    expect(await namesOf('Back')).toEqual(['first']);
    await setItems({ other: { Back: ['second'] } });
    expect(await namesOf('Back')).toEqual(['first', 'second']);
  });

  it('counts the content that carries each tag of a list', async () => {
    await setItems({ use1: { Use: ['a', 'b'] }, use2: { Use: ['a'] } });
    expectSuccess(await client.set(TAGS, { tags: [{ type: 'Use', name: 'none' }] }));
    const { data } = await client.get(TAGS, { types: ['Use'], include: { tags: ['uses'] } });
    const uses = (items: number) => ({ items, activities: 0, pools: 0 });
    expect(data.map(({ name, uses: found }: { name: string; uses: object }) => [name, found]).sort()).toEqual([
      ['a', uses(2)],
      ['b', uses(1)],
      ['none', uses(0)],
    ]);
  });

  it('leaves pools unchanged, and counts them', async () => {
    await setItems({ pooled: { Pooled: ['old'] } });
    await fillPool(service, 'autumn', ['pooled']);
    const { answer } = await rename('Pooled', 'old', 'new');
    expect(answer.pools).toBe(1);
    const inPool = await client.get('itembank/items', { item_pool_id: 'autumn', references: ['pooled'] });
    expect(inPool.data[0].tags).toEqual({ Pooled: ['old'] });
    expect(await namesOf('Pooled')).toEqual(['new']);
    const listed = await client.get(TAGS, { item_pool_id: 'autumn', types: ['Pooled'] });
    expect(listed.data.map(({ name }: { name: string }) => name)).toEqual(['old']);
  });

  it.each([
    ['a tag that does not exist', { type: 'Wrong', name: 'nowhere', new_name: 'b' }, 400, 20014, '/name'],
    ['a change of case alone', { type: 'Wrong', name: 'a', new_name: 'A' }, 400, 20004, '/new_name'],
    ['another revision', { type: 'Wrong', name: 'a', new_name: 'b', if_revision: 1 }, 409, 20011, '/if_revision'],
    ['an empty name', { type: 'Wrong', name: 'a', new_name: '' }, 400, 20001, '/new_name'],
  ])('rejects %s', async (_, request, status, code, pointer) => {
    await setItems({ wrong: { Wrong: ['a'] } });
    const answer = await client.update(TAGS, request);
    expectFailure(answer, status, code);
    expect(answer.meta.errors!.map(({ pointer: at }) => at)).toEqual([pointer]);
    expect(await namesOf('Wrong')).toEqual(['a']);
  });

  it('rejects a tag of another organisation', async () => {
    await setItems({ mine: { Mine: ['a'] } });
    const stranger = await service.consumerOf([2, 'write']);
    expectFailure(
      await stranger.update(TAGS, { type: 'Mine', name: 'a', new_name: 'b' }),
      400,
      20014,
      'name: there is no tag "a" of the type "Mine".',
    );
  });
});
