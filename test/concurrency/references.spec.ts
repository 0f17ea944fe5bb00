import { newQuestion } from '../support/bank';
import { activity, item, newReference, question, several } from '../support/builders';
import { engines } from '../support/engines';
import { EMPTY_SUCCESS, failure } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const ITEMS = 'itembank/items';
const ACTIVITIES = 'itembank/activities';
const QUESTIONS = 'itembank/questions';
const ROUNDS = 12;

describe.each(engines)('references between records on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let widget: string;

  beforeAll(async () => {
    widget = await newQuestion(client);
  });

  async function newItems(count: number): Promise<string[]> {
    const items = several(count, () => item([widget]));
    expect(await client.set(ITEMS, { items })).toMatchObject(EMPTY_SUCCESS);
    return items.map(({ reference }) => reference);
  }

  const rename = (reference: string, to: string) =>
    client.set(ITEMS, { items: [{ ...item([widget]), reference, new_reference: to }] });

  const referencesOf = (list: { reference: string }[]) => list.map(({ reference }) => reference);

  it('an activity never names an item by a reference that the item no longer has', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [first, renamed, last] = (await newItems(3)) as [string, string, string];
      const to = newReference('renamed');
      const made = activity([first, renamed, last]);
      const setActivity = () => client.set(ACTIVITIES, { activities: [made] });
      // Either call starts first in half of the rounds.
      const early = round % 2 ? setActivity() : undefined;
      const [renaming, setting] = await Promise.all([rename(renamed, to), early ?? setActivity()]);
      expect(renaming).toMatchObject(EMPTY_SUCCESS);
      const { data } = await client.get(ACTIVITIES, { references: [made.reference] });
      if (setting.status === 200) {
        expect(data).toMatchObject([{ data: { items: [first, to, last] } }]);
        const holding = await client.get(ACTIVITIES, { item_references: { all: [to] } });
        expect(referencesOf(holding.data)).toEqual([made.reference]);
      } else {
        // The rename came first, so the activity named a reference that no longer exists.
        expect(setting).toMatchObject(failure(20013));
        expect(data).toEqual([]);
      }
      expect((await client.get(ACTIVITIES, { item_references: { either: [renamed] } })).data).toEqual([]);
    }
  });

  it("an activity that is set while its item is renamed names the item's new reference", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [kept, renamed] = (await newItems(2)) as [string, string];
      const to = newReference('renamed');
      const made = activity([kept, renamed]);
      expect(await client.set(ACTIVITIES, { activities: [made] })).toMatchObject(EMPTY_SUCCESS);
      const again = { ...made, title: 'again' };
      const [renaming, setting] = await Promise.all([
        rename(renamed, to),
        client.set(ACTIVITIES, { activities: [again] }),
      ]);
      expect(renaming).toMatchObject(EMPTY_SUCCESS);
      expect([200, 400]).toContain(setting.status);
      const { data } = await client.get(ACTIVITIES, {
        references: [made.reference],
        include: { activities: ['title'] },
      });
      expect(data).toMatchObject([
        { title: setting.status === 200 ? 'again' : 'An activity', data: { items: [kept, to] } },
      ]);
    }
  });

  it('when two items are renamed to one reference, one succeeds and the other is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const items = (await newItems(2)) as [string, string];
      const to = newReference('wanted');
      const answers = await Promise.all(items.map((reference) => rename(reference, to)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)).toMatchObject(failure(30000));
      const { data } = await client.get(ITEMS, { references: [...items, to] });
      const loser = items[answers.findIndex(({ status }) => status === 400)]!;
      expect(referencesOf(data).sort()).toEqual([to, loser].sort());
    }
  });

  it('when an item is renamed while another one is created under the new name, one of the two calls is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [reference] = (await newItems(1)) as [string];
      const to = newReference('wanted');
      const [renaming, making] = await Promise.all([
        rename(reference, to),
        client.set(ITEMS, { items: [item([widget], { reference: to, title: 'made' })] }),
      ]);
      // A set of an existing item replaces it.
      expect(making).toMatchObject(EMPTY_SUCCESS);
      const { data } = await client.get(ITEMS, { references: [reference, to] });
      if (renaming.status === 200) expect(data).toMatchObject([{ reference: to, title: 'made' }]);
      else {
        expect(renaming).toMatchObject(failure(30000));
        expect(referencesOf(data).sort()).toEqual([to, reference].sort());
      }
    }
  });

  it('an item always shows the current type of its questions', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = [await newQuestion(client), await newQuestion(client)];
      const made = item([first, second]);
      if (round % 2) expect(await client.set(ITEMS, { items: [made] })).toMatchObject(EMPTY_SUCCESS);
      const calls = [
        () => client.set(QUESTIONS, { questions: [question({ reference: second, type: 'choicematrix' })] }),
        () => client.set(ITEMS, { items: [{ ...made, title: 'set meanwhile' }] }),
        () => client.set(QUESTIONS, { questions: [question({ reference: first, type: 'orderlist' })] }),
        () => client.set(ITEMS, { items: [{ ...made, title: 'set meanwhile, again' }] }),
      ];
      // Each of the calls is first and last in some rounds.
      const answers = await Promise.all(
        [...calls.slice(round % 4), ...calls.slice(0, round % 4)].map((call) => call()),
      );
      for (const answer of answers) expect(answer).toMatchObject(EMPTY_SUCCESS);
      const { data } = await client.get(ITEMS, { references: [made.reference] });
      expect(data).toMatchObject([
        {
          questions: [
            { reference: first, type: 'orderlist' },
            { reference: second, type: 'choicematrix' },
          ],
        },
      ]);
      expect(data[0].title).toMatch(/^set meanwhile/);
      const byType = await client.get(ITEMS, { questions: { types: ['choicematrix'] }, references: [made.reference] });
      expect(byType.data).toHaveLength(1);
    }
  });

  it('changes of questions, items, activities and tags at the same time all succeed, without a visible deadlock', async () => {
    const items = await newItems(8);
    const own = await Promise.all(several(4, () => newQuestion(client)));
    const activities = several(4, (index) => activity(items.slice(index, index + 4)));
    const work = several(24, (index) => {
      const reference = items[index % 8]!;
      switch (index % 4) {
        case 0:
          return client.set(QUESTIONS, {
            questions: own.map((entry) => question({ reference: entry, type: index % 8 ? 'mcq' : 'gridded' })),
          });
        case 1:
          return client.set(ITEMS, {
            items: items.map((entry, at) => item([own[at % 4]!, widget], { reference: entry })).reverse(),
          });
        case 2:
          return client.set(ACTIVITIES, { activities: index % 8 === 2 ? activities : [...activities].reverse() });
        default:
          return client.update('itembank/items/tags', { items: [{ reference, tags: { Chain: [`${index % 5}`] } }] });
      }
    });
    for (const answer of await Promise.all(work)) expect(answer).toMatchObject(EMPTY_SUCCESS);
    const { data } = await client.get(ITEMS, { references: items });
    const { data: questions } = await client.get(QUESTIONS, { references: own });
    const types = new Map(
      questions.map(({ reference, type }: { reference: string; type: string }) => [reference, type]),
    );
    for (const { questions: listed } of data)
      for (const { reference, type } of listed) if (reference !== widget) expect(type).toBe(types.get(reference));
  });
});
