import { setTimeout as sleep } from 'node:timers/promises';
import { Items, Widgets } from '#content';
import { referencesIn, write } from '../support/bank';
import { item, newReference, question, several, type WireItem, type WireWidget, workflow } from '../support/builders';
import { type Answer } from '../support/client';
import { engines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

type Json = Record<string, unknown>;
interface ReadItem extends Json {
  reference: string;
  questions: { reference: string; type: string }[];
  definition: WireItem['definition'];
}

const versionsOf = (widgets: WireWidget[]) => widgets.map(({ data }) => data.version);

describe.each(engines)('duplicating items that change at the same time on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const duplicate = (reference: string): Promise<Answer> =>
    client.set('itembank/items/duplicate', { items: [{ reference }] });

  /** The questions of an item, in the item's order. */
  async function questionsOf({ questions }: ReadItem): Promise<WireWidget[]> {
    const references = referencesIn(questions);
    const found = (await client.all('itembank/questions', { references })) as WireWidget[];
    return references.map((reference) => found.find((each) => each.reference === reference)!);
  }

  const scope = () => service.scope();
  const setItem = (...inputs: Parameters<Items['set']>[0]) =>
    service.service.app.get(Items, { strict: false }).set(inputs, scope());
  const setQuestions = (...inputs: Parameters<Widgets['set']>[1]) =>
    service.service.app.get(Widgets, { strict: false }).set('question', inputs, scope());

  /** Duplicates an item while a change of it is not yet committed. */
  async function duplicateDuring(reference: string, change: () => Promise<unknown>): Promise<Answer> {
    let changed!: () => void;
    const ready = new Promise<void>((resolve) => (changed = resolve));
    const writer = service.database.run(async () => {
      await change();
      changed();
      await sleep(150);
    });
    await ready;
    const [answer] = await Promise.all([duplicate(reference), writer]);
    return answer;
  }

  async function createItem() {
    const widgets = several(3, () => question({ data: { version: 0 } }));
    const source = item(referencesIn(widgets));
    await write(client, { questions: widgets, items: [source] });
    service.clock.advance(1000);
    return { widgets, source };
  }

  it('copies the widgets as they are when the other change commits', async () => {
    const { widgets, source } = await createItem();
    const later = widgets.slice(1).map(({ reference, type }) => ({ reference, type, data: { version: 1 } }));
    const copy = copyIn(await duplicateDuring(source.reference, () => setQuestions(...later)));
    expect(versionsOf(await questionsOf(copy))).toEqual([0, 1, 1]);
  });

  it('copies the widgets that the item has when the other change commits', async () => {
    const { widgets, source } = await createItem();
    const added = question({ data: { version: 'added' } });
    await write(client, { questions: [added] });
    const definition = { widgets: [{ reference: added.reference }, { reference: widgets[2]!.reference }] };
    const { reference } = source;
    const copy = copyIn(await duplicateDuring(reference, () => setItem({ reference, title: 'then', definition })));
    expect(copy.title).toBe('then');
    expect(versionsOf(await questionsOf(copy))).toEqual(['added', 0]);
    expect(referencesIn(copy.definition.widgets)).toEqual(referencesIn(copy.questions));
    expect(referencesIn(copy.questions)).not.toContain(added.reference);
    const held = await client.get('itembank/questions', { item_references: [copy.reference] });
    const { [copy.reference]: questions } = held.data as Record<string, WireWidget[]>;
    expect(referencesIn(questions!).sort()).toEqual(referencesIn(copy.questions).sort());
  });

  it('starts the workflow that the item is in when the other change commits', async () => {
    const { source } = await createItem();
    const at = { reference: newReference('Workflow'), state: 'done' };
    await write(client, { workflows: [workflow(at.reference, { draft: [], done: [] })] });
    const { reference, definition } = source;
    await setItem({ reference, definition, status: 'archived' });
    const copy = copyIn(await duplicateDuring(reference, () => setItem({ reference, definition, workflow: at })));
    const { data } = await client.get('itembank/items', {
      references: [copy.reference],
      include: { items: ['authoring_workflow'] },
    });
    expect(data).toMatchObject([
      { status: 'unpublished', authoring_workflow: { reference: at.reference, state: 'draft' } },
    ]);
  });

  it('fails with 20013 when the other change renames the item', async () => {
    const { source } = await createItem();
    const { reference, definition } = source;
    const newName = newReference('renamed');
    const answer = await duplicateDuring(reference, () => setItem({ reference, newReference: newName, definition }));
    expectFailure(answer, 400, 20013);
    expectSuccess(await duplicate(newName));
  });

  it('copies each item in one consistent state while others change it', async () => {
    const { widgets, source } = await createItem();
    const shown = [widgets.slice(0, 2), widgets.slice(1)].map(referencesIn);
    const copies: ReadItem[] = [];
    const versions = async () => {
      for (let version = 1; version <= 12; version++) {
        const type = version % 2 ? 'mcq' : 'shorttext';
        await write(client, { questions: widgets.map((widget) => ({ ...widget, type, data: { version } })).reverse() });
      }
    };
    const definitions = async () => {
      for (let round = 0; round < 12; round++)
        await write(client, { items: [{ ...item(shown[round % 2]!), reference: source.reference }] });
    };
    const duplicates = async () => {
      for (let round = 0; round < 8; round++) copies.push(copyIn(await duplicate(source.reference)));
    };
    await Promise.all([versions(), definitions(), duplicates(), duplicates()]);
    for (const copy of copies) {
      const made = await questionsOf(copy);
      expect(new Set(versionsOf(made)).size).toBe(1);
      expect(copy.questions).toEqual(made.map(({ reference, type }) => ({ reference, type })));
      expect(referencesIn(copy.definition.widgets)).toEqual(referencesIn(made));
    }
  });
});

/** The copy in the answer to a request that duplicated one item. */
function copyIn(answer: Answer): ReadItem {
  expectSuccess(answer);
  const [copy] = Object.values(answer.data as Record<string, ReadItem>);
  return copy!;
}
