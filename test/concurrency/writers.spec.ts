import { History } from '#content';
import { newQuestion } from '../support/bank';
import { activity, item, newReference, several } from '../support/builders';
import { type Answer } from '../support/client';
import { engines } from '../support/engines';
import { EMPTY_SUCCESS, failure } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const ITEMS = 'itembank/items';

describe.each(engines)('concurrent writers on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let widget: string;

  beforeAll(async () => {
    widget = await newQuestion(client);
  });

  const revisionsOf = (reference: string) =>
    service.service.app.get(History, { strict: false }).of(1, 'item', reference);
  const titleOf = ({ body }: { body: string }) => (JSON.parse(body) as { title: string }).title;

  async function read(references: string[]): Promise<Map<string, { title: string; tags: Record<string, string[]> }>> {
    const { data } = await client.get(ITEMS, { references });
    return new Map(data.map((entry: { reference: string }) => [entry.reference, entry]));
  }

  /** References of items that have a tag, sorted. */
  async function itemsWithTag(type: string, name: string): Promise<string[]> {
    const records = await client.all(ITEMS, { tags: [{ type, name }] });
    return records.map(({ reference }: { reference: string }) => reference).sort();
  }

  it.each(['is new', 'exists'])(
    'of one reference that %s all succeed, and a reader gets the last write',
    async (which) => {
      for (let round = 0; round < 4; round++) {
        const reference = newReference('contested');
        const set = (title: string) =>
          client.set(ITEMS, { items: [item([widget], { reference, title, tags: { Writer: [title] } })] });
        if (which === 'exists') expect(await set('first')).toMatchObject(EMPTY_SUCCESS);
        const writers = ['one', 'two', 'three'];
        for (const answer of await Promise.all(writers.map(set))) expect(answer).toMatchObject(EMPTY_SUCCESS);

        const revisions = await revisionsOf(reference);
        expect(revisions.slice(-3).map(titleOf).sort()).toEqual([...writers].sort());
        expect(revisions).toHaveLength(which === 'exists' ? 4 : 3);
        for (const [index, { beganAt }] of revisions.entries()) {
          if (index > 0) expect(beganAt).toBeGreaterThan(revisions[index - 1]!.beganAt);
        }
        // The record, its tags and the results of a search by tag come from the same writer.
        const last = titleOf(revisions.at(-1)!);
        expect((await read([reference])).get(reference)).toMatchObject({ title: last, tags: { Writer: [last] } });
        for (const writer of writers)
          expect((await itemsWithTag('Writer', writer)).includes(reference)).toBe(writer === last);
      }
    },
  );

  it("that each add a tag to one item keep each other's tags", async () => {
    const made = item([widget]);
    await client.set(ITEMS, { items: [made] });
    const names = several(10, (index) => `added ${index}`);
    const add = (name: string) =>
      client.update('itembank/items/tags', { items: [{ reference: made.reference, tags: { Added: [name] } }] });
    for (const answer of await Promise.all(names.map(add))) expect(answer).toMatchObject(EMPTY_SUCCESS);
    const { tags } = (await read([made.reference])).get(made.reference)!;
    expect([...tags.Added!].sort()).toEqual(names);
    expect(await revisionsOf(made.reference)).toHaveLength(11);
  });

  it('of overlapping items with the same new tags store whole batches, and create each tag once', async () => {
    const references = several(10, () => newReference('shared'));
    const type = newReference('Type');
    // Each batch has six of the ten items, and both items and tags in a different order.
    const batches = several(20, (writer) => {
      const mine = several(6, (index) => references[(writer * 3 + index * (writer % 2 ? 1 : 3)) % 10]!);
      const names = several(4, (index) => `name ${(writer * 5 + index * (writer % 3 ? 3 : 7)) % 10}`);
      return { author: newReference('writer'), mine: [...new Set(mine)], names: writer % 4 ? names : names.reverse() };
    });
    const answers = await Promise.all(
      batches.map(({ author, mine, names }) =>
        client.set(ITEMS, {
          meta: { user: { id: author } },
          items: mine.map((reference) => item([widget], { reference, title: author, tags: { [type]: names } })),
        }),
      ),
    );
    for (const answer of answers) expectDoneOrRefused(answer);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);

    const histories = new Map(
      await Promise.all(references.map(async (reference) => [reference, await revisionsOf(reference)] as const)),
    );
    for (const [index, { author, mine }] of batches.entries()) {
      const written = references.filter((reference) =>
        histories.get(reference)!.some((revision) => revision.author === author),
      );
      expect([author, written.sort()]).toEqual([author, answers[index]!.status === 200 ? [...mine].sort() : []]);
    }

    const { data: tags } = await client.get('itembank/tagging/tags', { types: [type] });
    const stored = tags.map(({ name }: { name: string }) => name).sort();
    expect(stored).toEqual(
      [...new Set(batches.filter((_, index) => answers[index]!.status === 200).flatMap(({ names }) => names))].sort(),
    );
    const current = await read(references);
    for (const name of stored) {
      const carrying = [...current]
        .filter(([, entry]) => entry.tags[type]!.includes(name))
        .map(([reference]) => reference);
      expect([name, await itemsWithTag(type, name)]).toEqual([name, carrying.sort()]);
    }
    for (const [reference, { title, tags: carried }] of current) {
      const last = histories.get(reference)!.at(-1)!;
      expect([title, carried]).toEqual([titleOf(last), { [type]: last.tags.map(({ name }) => name) }]);
    }
  });

  it('store nothing of a refused batch', async () => {
    const references = several(6, () => newReference('mixed'));
    const type = newReference('Type');
    const set = (title: string, held: string) =>
      client.set(ITEMS, {
        items: references.map((reference, index) =>
          item([index === 5 ? held : widget], { reference, title, tags: { [type]: [title] } }),
        ),
      });
    const answers = await Promise.all(
      several(8, (index) => set(`title ${index}`, index % 2 ? 'no-such-question' : widget)),
    );
    for (const [index, answer] of answers.entries())
      expect(answer).toMatchObject(index % 2 ? failure(30001) : EMPTY_SUCCESS);
    for (const reference of references)
      expect((await revisionsOf(reference)).map(titleOf).sort()).toEqual(['title 0', 'title 2', 'title 4', 'title 6']);
    const { data } = await client.get('itembank/tagging/tags', { types: [type] });
    expect(data.map(({ name }: { name: string }) => name).sort()).toEqual(['title 0', 'title 2', 'title 4', 'title 6']);
  });

  it('of the same items in opposite orders all succeed in the end', async () => {
    const references = several(50, () => newReference('opposite'));
    const set = (title: string, order: string[]) =>
      client.set(ITEMS, { items: order.map((reference) => item([widget], { reference, title })) });
    for (let round = 0; round < 2; round++) {
      const writers = several(6, (index) =>
        set(`${round} ${index}`, index % 2 ? references : [...references].reverse()),
      );
      for (const answer of await Promise.all(writers)) expect(answer).toMatchObject(EMPTY_SUCCESS);
    }
    const titles = [...(await read(references)).values()].map(({ title }) => title);
    expect(titles).toHaveLength(50);
    expect(new Set(titles).size).toBe(1);
  });

  it('that name the same new user create one user with all given names', async () => {
    const id = newReference('user');
    const names = [{ firstname: 'Ada' }, { lastname: 'Lovelace' }, { email: 'ada@example.com' }, {}];
    const made = several(12, () => activity([]));
    const answers = await Promise.all(
      made.map((entry, index) =>
        client.set('itembank/activities', { activities: [entry], meta: { user: { id, ...names[index % 4] } } }),
      ),
    );
    for (const answer of answers) expect(answer).toMatchObject(EMPTY_SUCCESS);
    const { data } = await client.get('itembank/activities', {
      references: made.map(({ reference }) => reference),
      include: { activities: ['created_by'] },
      populate_userdata: true,
    });
    expect(data).toHaveLength(12);
    for (const { created_by } of data)
      expect(created_by).toEqual({ id, firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' });
  });

  it('of tags, and of records with these tags, store the same upper and lower case', async () => {
    const type = newReference('Case');
    const made = several(4, () => item([widget]));
    const answers = await Promise.all(
      several(16, (index) => {
        const spell = (text: string) => (index % 3 ? text.toUpperCase() : text);
        return index % 2
          ? client.set('itembank/tagging/tags', { tags: [{ type: spell(type), name: spell('name'), sort_key: index }] })
          : client.set(ITEMS, { items: made.map((entry) => ({ ...entry, tags: { [spell(type)]: [spell('name')] } })) });
      }),
    );
    for (const answer of answers) expect(answer).toMatchObject(EMPTY_SUCCESS);
    const { data } = await client.get('itembank/tagging/tags', { types: [type] });
    expect(data).toHaveLength(1);
    const [tag] = data;
    for (const { tags } of (await read(made.map(({ reference }) => reference))).values())
      expect(tags).toEqual({ [tag.type]: [tag.name] });
  });

  it('of the same new tags in any order create each tag once', async () => {
    const type = newReference('Type');
    const names = several(40, (index) => `name ${index}`);
    const answers = await Promise.all(
      several(10, (index) => {
        const mine = [...names.slice(index * 3), ...names.slice(0, index * 3)].slice(0, 30);
        return client.set('itembank/tagging/tags', {
          tags: mine.map((name) => ({ type, name, description: `by ${index}` })),
        });
      }),
    );
    for (const answer of answers) expectDoneOrRefused(answer);
    const tags = await client.all('itembank/tagging/tags', { types: [type] });
    const stored = tags.map(({ name }: { name: string }) => name);
    expect(new Set(stored).size).toBe(stored.length);
    if (answers.every(({ status }) => status === 200)) expect(stored.sort()).toEqual([...names].sort());
  });
});

/** The service may refuse a writer with 503 after too many deadlocks. No other error is allowed. */
function expectDoneOrRefused(answer: Answer): void {
  if (answer.status === 200) expect(answer).toMatchObject(EMPTY_SUCCESS);
  else expect(answer).toMatchObject({ status: 503, meta: { status: false, code: 10000 } });
}
