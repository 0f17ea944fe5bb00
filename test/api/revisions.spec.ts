import { anEngine } from '../support/engines';
import { activity, feature, item, question } from '../support/builders';
import { SUCCESS } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

describe.each(anEngine(__filename))('expected revisions of writers on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  const passage = feature();
  const multipleChoice = question();
  const anItem = item([multipleChoice.reference, passage.reference]);

  beforeAll(async () => {
    for (const [path, entries] of Object.entries({ questions: [multipleChoice], features: [passage], items: [anItem] }))
      expect(await client.set(`itembank/${path}`, { [path]: entries })).toMatchObject(SUCCESS);
  });

  /** Each list whose entries have revisions, with an entry that can be written repeatedly. */
  const LISTS = {
    items: (values: object) => item([multipleChoice.reference], values),
    questions: (values: object) => question(values),
    features: (values: object) => feature(values),
    activities: (values: object) => activity([anItem.reference], values),
  };
  const lists = Object.entries(LISTS).map(([list, build]) => ({ list, build }));

  const revision = async (list: string, reference: string): Promise<number> => {
    const { data } = await client.get(`itembank/${list}`, {
      references: [reference],
      include: { [list]: ['revision'] },
    });
    return data[0]?.revision;
  };

  describe.each(lists)('revisions of $list', ({ list, build }) => {
    const path = `itembank/${list}`;
    const write = (...entries: object[]) => client.set(path, { [list]: entries });
    const refusedAt = (index: number) => ({
      status: 409,
      meta: { code: 20011, errors: [{ code: 20011, pointer: `/${list}/${index}/if_revision` }] },
    });

    it('increase with every change, even when the clock stands still, and are returned only on request', async () => {
      const reference = `rising-${list}`;
      const seen: number[] = [];
      for (let round = 0; round < 4; round++) {
        expect(await write(build({ reference }))).toMatchObject(SUCCESS);
        seen.push(await revision(list, reference));
      }
      expect(seen.every(Number.isInteger)).toBe(true);
      expect(new Set(seen).size).toBe(4);
      expect([...seen].sort((a, b) => a - b)).toEqual(seen);
      const { data } = await client.get(path, { references: [reference] });
      expect(data[0]).not.toHaveProperty('revision');
    });

    it('allow only changes that were made from the present revision', async () => {
      const [reference, bystander] = [`expected-${list}`, `bystander-${list}`];
      await write(build({ reference }), build({ reference: bystander }));
      const first = await revision(list, reference);
      expect(await write(build({ reference, if_revision: first }))).toMatchObject(SUCCESS);
      const second = await revision(list, reference);
      const before = await revision(list, bystander);
      const answer = await write(build({ reference: bystander }), build({ reference, if_revision: first }));
      expect(answer).toMatchObject(refusedAt(1));
      expect(answer.meta.message).toContain(`${list}[1]`);
      expect(answer.meta.message).toContain(`"${reference}"`);
      expect(answer.meta.message).toContain(String(second));
      expect(await revision(list, reference)).toBe(second);
      expect(await revision(list, bystander)).toBe(before);
    });

    it('treat 0 as a record that does not exist yet', async () => {
      const reference = `unborn-${list}`;
      expect(await write(build({ reference, if_revision: 12345 }))).toMatchObject(refusedAt(0));
      expect(await write(build({ reference, if_revision: 0 }))).toMatchObject(SUCCESS);
      expect(await write(build({ reference, if_revision: 0 }))).toMatchObject(refusedAt(0));
    });

    it('allow only one of several concurrent changes', async () => {
      const reference = `raced-${list}`;
      await write(build({ reference }));
      const if_revision = await revision(list, reference);
      const answers = await Promise.all(Array.from({ length: 8 }, () => write(build({ reference, if_revision }))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    });

    it.each([
      ['text', 'now', 20003],
      ['a fraction', 1.5, 20003],
      ['a negative number', -1, 20004],
      ['a list', [1], 20003],
      ['true', true, 20003],
    ])('reject %s', async (_what, if_revision, code) => {
      expect(await write(build({ if_revision }))).toMatchObject({
        status: 400,
        meta: { code, errors: [{ pointer: `/${list}/0/if_revision` }] },
      });
    });
  });

  describe.each(['items', 'activities'] as const)('revisions of tagged %s', (list) => {
    it.each(['set', 'update'])('protect the tags of the record in %s', async (action) => {
      const reference = `tagged-${action}-${list}`;
      await client.set(`itembank/${list}`, { [list]: [LISTS[list]({ reference })] });
      const if_revision = await revision(list, reference);
      const tag = (tags: object) =>
        client.call(`itembank/${list}/tags`, action, { [list]: [{ reference, tags, if_revision }] });
      expect(await tag({ Subject: ['Art'] })).toMatchObject(SUCCESS);
      expect(await tag({ Subject: ['Maths'] })).toMatchObject({
        status: 409,
        meta: { code: 20011, errors: [{ pointer: `/${list}/0/if_revision` }] },
      });
      const { data } = await client.get(`itembank/${list}`, { references: [reference] });
      expect(data[0].tags).toEqual({ Subject: ['Art'] });
    });
  });

  it('protect the attributes of a tag', async () => {
    const TAGS = 'itembank/tagging/tags';
    const write = (values: object) => client.set(TAGS, { tags: [{ type: 'Genre', name: 'Prose', ...values }] });
    const read = async () => (await client.get(TAGS, { types: ['genre'], include: { tags: ['revision'] } })).data[0];
    expect(await write({ description: 'one', if_revision: 0 })).toMatchObject(SUCCESS);
    const { revision: first } = await read();
    expect(await write({ description: 'two', if_revision: first })).toMatchObject(SUCCESS);
    const refusal = await write({ description: 'three', if_revision: first });
    expect(refusal).toMatchObject({ status: 409, meta: { code: 20011, errors: [{ pointer: '/tags/0/if_revision' }] } });
    expect(refusal.meta.message).toContain('Genre: Prose');
    expect((await read()).description).toBe('two');
    expect((await client.get(TAGS, { types: ['genre'] })).data[0]).not.toHaveProperty('revision');
  });
});
