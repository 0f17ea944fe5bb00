import { join } from 'node:path';
import { History, Widgets } from '#content';
import { checkFolder } from '../examples/check';
import { referencesIn, write } from '../support/bank';
import { feature, item, newReference, question, several, type WireItem, type WireWidget } from '../support/builders';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess, UUID } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { stateOf } from '../support/state';

const ITEMS = 'itembank/items';
const DUPLICATE = 'itembank/items/duplicate';
const NO_ADAPTIVE = { difficulty: null, operational_exposure: null, seeding_exposure: null };
const ALL_INCLUDES = ['adaptive', 'authoring_workflow', 'dynamic_content_data', 'max_score'];

type Json = Record<string, unknown>;
interface ReadItem extends Json {
  reference: string;
  status: string;
  questions: { reference: string; type: string }[];
  features: { reference: string; type: string }[];
}

describe.each(anEngine(__filename))('duplicates of items on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  afterEach(() => service.clock.advance(1000));

  const duplicate = (request: object, as = client): Promise<Answer> => as.set(DUPLICATE, request);

  /** The new items by the references of their sources. */
  async function copies(items: object[], more: object = {}): Promise<Record<string, ReadItem>> {
    const answer = await duplicate({ items, ...more });
    expectSuccess(answer);
    expect(answer.meta.records).toBe(items.length);
    return answer.data as Record<string, ReadItem>;
  }

  async function copyOf(reference: string, more: object = {}): Promise<ReadItem> {
    return (await copies([{ reference }], more))[reference]!;
  }

  async function read(list: 'items' | 'questions' | 'features', references: string[], include: string[] = []) {
    const records = await client.all(`itembank/${list}`, { references, include: { [list]: include } });
    const byReference = new Map((records as ReadItem[]).map((record) => [record.reference, record]));
    return references.map((reference) => byReference.get(reference)!);
  }

  const readItem = async (reference: string, include = ALL_INCLUDES) => (await read('items', [reference], include))[0]!;
  const history = (family: 'item' | 'widget', reference: string) =>
    service.service.app.get(History, { strict: false }).of(1, family, reference);

  /** A record without members that contain references. */
  const anonymous = ({ reference: _, ...rest }: Json) => rest;

  describe('copies', () => {
    it('have everything that belongs to the item, under new references', async () => {
      const [shown, listed] = [question(), question({ type: 'shorttext', data: { type: 'shorttext', is_math: true } })];
      const [calculator, passage] = [feature({ type: 'calculator', data: { mode: 'basic' } }), feature()];
      shown.metadata = { name: 'Name', template_reference: 't-1' };
      await write(client, { questions: [shown, listed], features: [calculator, passage] });
      const source: WireItem = {
        reference: newReference('Whole item / '),
        title: 'Brüche 😀 <b>',
        description: `<p>See ${shown.reference}</p>`,
        note: 'a note',
        source: 'Book 3',
        status: 'archived',
        definition: {
          template: 'dynamic',
          regions: [
            { type: 'column', width: 6, widgets: [{ reference: calculator.reference, widget_type: 'feature' }] },
            { type: 'column', width: 6, widgets: [{ reference: shown.reference, own: [1] }] },
          ],
          widgets: [{ reference: passage.reference }],
        } as unknown as WireItem['definition'],
        questions: [listed.reference, shown.reference],
        features: [passage.reference, calculator.reference],
        metadata: { acknowledgements: '<i>thanks</i>', scoring_type: 'dependent', own: { 2: 'b', 1: 'a' } },
        tags: { Subject: ['Maths', 'Art'], Grade: ['7'] },
        dynamic_content_data: { rows: [1.5e3, null] },
        adaptive: { difficulty: -0.25, operational_exposure: null, seeding_exposure: null },
      };
      await write(client, { items: [source] });
      const before = await readItem(source.reference);
      service.clock.advance(60_000);

      const answer = await duplicate({ items: [{ reference: source.reference }] });
      expectSuccess(answer);
      expect(Object.keys(answer.data as object)).toEqual([source.reference]);
      const copy = answer.data[source.reference] as ReadItem;
      const [newListed, newShown] = referencesIn(copy.questions) as [string, string];
      const [, newCalculator] = referencesIn(copy.features) as [string, string];
      const made = [copy.reference, newListed, newShown, newCalculator];
      for (const reference of made) expect(reference).toMatch(UUID);
      expect(new Set(made).size).toBe(4);
      const expected = {
        reference: copy.reference,
        status: 'archived',
        title: source.title,
        description: source.description,
        note: source.note,
        source: source.source,
        definition: {
          template: 'dynamic',
          regions: [
            { type: 'column', width: 6, widgets: [{ reference: newCalculator, widget_type: 'feature' }] },
            { type: 'column', width: 6, widgets: [{ reference: newShown, own: [1] }] },
          ],
          widgets: [{ reference: passage.reference }],
        },
        questions: [
          { reference: newListed, type: 'shorttext' },
          { reference: newShown, type: 'mcq' },
        ],
        features: [
          { reference: passage.reference, type: 'sharedpassage' },
          { reference: newCalculator, type: 'calculator' },
        ],
        metadata: source.metadata,
        tags: source.tags,
        workflow: null,
        adaptive: source.adaptive,
      };
      expect(copy).toEqual({
        ...expected,
        content:
          `<span class="learnosity-feature feature-${passage.reference}"></span>` +
          `<span class="learnosity-feature feature-${newCalculator}"></span>` +
          `<span class="learnosity-response question-${newShown}"></span>`,
      });
      // Members have the same order as in reads.
      expect(Object.keys(copy).slice(0, 11)).toEqual(Object.keys(before).slice(0, 11));

      const found = await readItem(copy.reference, [...ALL_INCLUDES, 'dt_created', 'created_by']);
      expect(found).toEqual({
        ...expected,
        authoring_workflow: null,
        dynamic_content_data: source.dynamic_content_data,
        max_score: 1,
        created_by: 'manual-user',
        dt_created: new Date(service.clock.now()).toISOString().slice(0, 19).replace('T', ' '),
      });
      const pairs = [
        ['questions', shown, newShown],
        ['questions', listed, newListed],
        ['features', calculator, newCalculator],
      ] as const;
      for (const [list, { reference }, name] of pairs) {
        const [was, is] = await read(list, [reference, name]);
        expect(is).toEqual({ ...was, reference: name });
      }
      expect(await readItem(source.reference)).toEqual(before);
      expect(await history('item', source.reference)).toHaveLength(1);
      expect(await history('widget', shown.reference)).toHaveLength(1);
    });

    it("have the item's defaults", async () => {
      const [widget, source] = [question(), item([], { status: 'unpublished' })];
      source.definition = { widgets: [{ reference: widget.reference }] };
      delete source.title;
      await write(client, { questions: [widget], items: [source] });
      const copy = await copyOf(source.reference);
      const [made] = referencesIn(copy.questions);
      expect(copy).toEqual({
        ...anonymous(await readItem(source.reference, [])),
        reference: copy.reference,
        definition: { widgets: [{ reference: made }] },
        questions: [{ reference: made, type: 'mcq' }],
        adaptive: NO_ADAPTIVE,
        content: `<span class="learnosity-response question-${made}"></span>`,
      });
    });

    it('are found by searches like any item', async () => {
      const [widget, source] = [question({ type: 'gridded' }), item([])];
      const type = newReference('Type');
      Object.assign(source, item([widget.reference], { title: `zzz ${type}`, tags: { [type]: ['x', 'y'] } }));
      source.metadata = { scoring_type: 'dichotomous' };
      const first = item([widget.reference], { title: 'aaa', tags: { [type]: ['z'] } });
      await write(client, { questions: [widget], items: [source, first] });
      const copy = await copyOf(source.reference);
      const [made] = referencesIn(copy.questions);
      const found = async (request: object) => referencesIn(await client.all(ITEMS, request));
      const both = [copy.reference, source.reference];
      expect((await found({ tags: [{ type, name: 'y' }] })).sort()).toEqual([...both].sort());
      expect(await found({ questions: { references: [made] } })).toEqual([copy.reference]);
      expect(await found({ questions: { references: [widget.reference] } })).toEqual([
        first.reference,
        source.reference,
      ]);
      const byTitle = await found({ tags: [{ type }], sort_field: 'title', sort: 'asc' });
      expect([byTitle[0], byTitle.slice(1).sort()]).toEqual([first.reference, [...both].sort()]);
      expect((await found({ tags: [{ type }], scoring_type: ['dichotomous'] })).sort()).toEqual([...both].sort());
      expect((await found({ references: both, questions: { types: ['gridded'] } })).sort()).toEqual([...both].sort());
      const keyed = await client.get('itembank/questions', { item_references: both });
      expect(
        Object.entries(keyed.data as Record<string, WireWidget[]>).map(([key, list]) => [key, referencesIn(list)]),
      ).toEqual(
        expect.arrayContaining([
          [source.reference, [widget.reference]],
          [copy.reference, [made]],
        ]),
      );
    });

    it('are independent of their sources', async () => {
      const [widget, source] = [question(), item([])];
      source.definition.widgets = [{ reference: widget.reference }];
      await write(client, { questions: [widget], items: [source] });
      const copy = await copyOf(source.reference);
      const [made] = referencesIn(copy.questions);
      await write(client, { questions: [{ ...widget, type: 'shorttext', data: { type: 'shorttext' } }] });
      expect((await readItem(copy.reference)).questions).toEqual([{ reference: made, type: 'mcq' }]);
      expect((await read('questions', [made!]))[0]).toMatchObject({ type: 'mcq', data: widget.data });
      // A copy can be read and written back like any item.
      const { content: _, ...rest } = copy;
      await write(client, { items: [{ ...(rest as unknown as WireItem), title: 'mine' }] });
      expect(await readItem(source.reference)).toMatchObject({ title: 'An item' });
      expect(await readItem(copy.reference)).toMatchObject({ title: 'mine' });
      // A copy of a copy is a third item.
      const again = await copyOf(copy.reference);
      expect(again).toMatchObject({ title: 'mine', questions: [{ type: 'mcq' }] });
      expect(new Set([widget.reference, made, again.questions[0]!.reference]).size).toBe(3);
    });

    it('have a first revision that names the author, the operation and the source revision', async () => {
      const [widget, source] = [question(), item([])];
      source.definition.widgets = [{ reference: widget.reference }];
      await write(client, { questions: [widget], items: [source] });
      service.clock.advance(5000);
      await write(client, { items: [{ ...source, title: 'second' }] });
      const at = service.clock.now();
      service.clock.advance(5000);
      const copy = await copyOf(source.reference, { meta: { user: { id: 'ada' } } });
      expect(await history('item', copy.reference)).toMatchObject([
        {
          author: 'ada',
          operation: 'set itembank/items/duplicate',
          origin: { reference: source.reference, beganAt: at },
          beganAt: service.clock.now(),
        },
      ]);
      expect(await history('widget', copy.questions[0]!.reference)).toMatchObject([
        {
          author: 'ada',
          operation: 'set itembank/items/duplicate',
          origin: { reference: widget.reference, beganAt: at - 5000 },
        },
      ]);
      // Equal content has an equal hash.
      const [made] = await history('widget', copy.questions[0]!.reference);
      expect(made!.documentHash).toBe((await history('widget', widget.reference))[0]!.documentHash);
      expect(await readItem(copy.reference, ['created_by', 'last_updated_by'])).toMatchObject({
        created_by: 'ada',
        last_updated_by: 'ada',
      });
    });

    it('are made of content as varied as the examples', async () => {
      const { failed } = await checkFolder(join(__dirname, '../examples/fixtures'), client);
      expect(failed).toBe(0);
      const sources = (await client.all(ITEMS, {})) as ReadItem[];
      const widgets = [...(await client.all('itembank/questions')), ...(await client.all('itembank/features'))];
      const known = new Map((widgets as WireWidget[]).map((widget) => [widget.reference, widget]));
      const made = await copies(
        sources.slice(0, 50).map(({ reference }) => ({ reference })),
        { duplicate_shared_passages: true },
      );
      for (const source of sources.slice(0, 50)) {
        const copy = made[source.reference]!;
        const [was, is] = [source, copy].map(({ questions, features }) => referencesIn([...questions, ...features]));
        const names = new Map(was!.map((name, index) => [name, is![index]!]));
        for (const list of ['questions', 'features'] as const) {
          const records = await read(list, referencesIn(copy[list]));
          for (const [index, { reference }] of source[list].entries())
            expect(records[index]).toEqual({ ...known.get(reference), reference: names.get(reference) });
        }
        // The definition names the copies instead of the widgets, and is otherwise unchanged.
        const renamed = JSON.stringify(source.definition).replace(
          /"reference":"([^"]*)"/g,
          (_, name: string) => `"reference":"${names.get(name)}"`,
        );
        const { content: _content, adaptive: _adaptive, ...rest } = copy;
        expect(rest).toEqual({
          ...source,
          reference: copy.reference,
          definition: JSON.parse(renamed) as unknown,
          questions: source.questions.map((entry) => ({ ...entry, reference: names.get(entry.reference) })),
          features: source.features.map((entry) => ({ ...entry, reference: names.get(entry.reference) })),
        });
      }
    });
  });

  describe('references of copies', () => {
    let widget: WireWidget;
    beforeAll(async () => {
      widget = question();
      await write(client, { questions: [widget] });
    });

    it('are the requested or new ones', async () => {
      const sources = several(3, () => item([widget.reference]));
      await write(client, { items: sources });
      const [a, b, c] = referencesIn(sources) as [string, string, string];
      const name = newReference('New name / ');
      const made = await copies([
        { reference: a, new_reference: name },
        { reference: b, new_reference: null },
        { reference: c },
      ]);
      expect(made[a]!.reference).toBe(name);
      expect([made[b]!.reference, made[c]!.reference]).toEqual([
        expect.stringMatching(UUID),
        expect.stringMatching(UUID),
      ]);
      expect(await readItem(name)).toMatchObject({ title: 'An item' });
    });

    it('are listed under the references of the sources, in the order of the request', async () => {
      const keys = ['b', '2', '__proto__', 'a/b~c', 'constructor', '1', 'x\\y', '<b>&', 'length', ' ', '10'];
      await write(client, {
        items: keys.map((reference) => item([widget.reference], { reference, title: reference })),
      });
      const answer = await duplicate({ items: keys.map((reference) => ({ reference })) });
      expectSuccess(answer);
      const found = [...answer.text.matchAll(/("(?:[^"\\]|\\.)*"):\{"reference":"[0-9a-f-]{36}","status"/g)];
      expect(found.map(([, key]) => JSON.parse(key!) as string)).toEqual(keys);
      for (const key of keys)
        expect((Object.getOwnPropertyDescriptor(answer.data, key)!.value as Json).title).toBe(key);
    });

    it('30000: must be free, and different from each other', async () => {
      const [a, b] = several(2, () => item([widget.reference]));
      const taken = item([widget.reference]);
      await write(client, { items: [a!, b!, taken] });
      const name = newReference('free');
      const before = await stateOf(service.database);
      const refusals: [items: object[], pointers: string[]][] = [
        [[{ reference: a!.reference, new_reference: taken.reference }], ['/items/0/new_reference']],
        [[{ reference: a!.reference, new_reference: a!.reference }], ['/items/0/new_reference']],
        [
          [
            { reference: a!.reference, new_reference: b!.reference },
            { reference: b!.reference, new_reference: taken.reference },
          ],
          ['/items/0/new_reference', '/items/1/new_reference'],
        ],
        [
          [
            { reference: a!.reference, new_reference: name },
            { reference: b!.reference, new_reference: name },
          ],
          ['/items/1/new_reference'],
        ],
        [
          [
            { reference: a!.reference, new_reference: name },
            { reference: a!.reference, new_reference: `${name} too` },
          ],
          ['/items/1/reference'],
        ],
      ];
      for (const [items, pointers] of refusals) {
        const answer = await duplicate({ items });
        expectFailure(answer, 400, 30000);
        expect(answer.meta.errors!.map(({ pointer }) => pointer)).toEqual(pointers);
      }
      expect(await stateOf(service.database)).toBe(before);
      // References are case-sensitive.
      expectSuccess(
        await duplicate({ items: [{ reference: a!.reference, new_reference: a!.reference.toUpperCase() }] }),
      );
    });

    it('30000: go to only one of several concurrent callers', async () => {
      const source = item([widget.reference]);
      await write(client, { items: [source] });
      const name = newReference('contested');
      const request = { items: [{ reference: source.reference, new_reference: name }] };
      const answers = await Promise.all(several(4, () => duplicate(request)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      for (const answer of answers) if (answer.status !== 200) expectFailure(answer, 400, 30000, name);
      expect(await history('item', name)).toHaveLength(1);
      const { questions } = await readItem(name);
      const [kept] = answers.filter(({ status }) => status === 200);
      expect((kept!.data as Record<string, ReadItem>)[source.reference]!.questions).toEqual(questions);
    });
  });

  describe('widgets of copies', () => {
    it('are the shared passages of the sources by default', async () => {
      const [widget, passage, scroll] = [question(), feature(), feature({ type: 'scrollablepassage' })];
      const source = item([passage.reference, widget.reference, scroll.reference]);
      await write(client, { questions: [widget], features: [passage, scroll], items: [source] });
      const kept = await copyOf(source.reference);
      expect(kept.features).toEqual([
        { reference: passage.reference, type: 'sharedpassage' },
        { reference: expect.stringMatching(UUID), type: 'scrollablepassage' },
      ]);
      expect(kept.definition).toMatchObject({ widgets: [{ reference: passage.reference }, {}, {}] });
      expect(kept.content).toContain(`feature-${passage.reference}"`);
      expect(await copyOf(source.reference, { duplicate_shared_passages: false })).toMatchObject({
        features: [{ reference: passage.reference }, {}],
      });
      const copied = await copyOf(source.reference, { duplicate_shared_passages: true });
      const [made] = referencesIn(copied.features);
      expect(made).toMatch(UUID);
      expect(copied.definition).toMatchObject({ widgets: [{ reference: made }, {}, {}] });
      expect((await read('features', [made!]))[0]).toMatchObject({ type: 'sharedpassage', data: passage.data });
      const holders = await client.all(ITEMS, { questions: { references: [passage.reference] } });
      expect(holders).toHaveLength(3);
    });

    it('are shared when those of the sources are shared', async () => {
      const [shared, ...own] = several(3, () => question());
      const passage = feature();
      const sources = own.map(({ reference }) => item([shared!.reference, reference, passage.reference]));
      await write(client, { questions: [shared!, ...own], features: [passage], items: sources });
      const made = await copies(
        sources.map(({ reference }) => ({ reference })),
        { duplicate_shared_passages: true },
      );
      const [one, two] = sources.map(({ reference }) => made[reference]!);
      expect(one!.questions[0]).toEqual(two!.questions[0]);
      expect(one!.questions[1]).not.toEqual(two!.questions[1]);
      expect(one!.features).toEqual(two!.features);
      const references = new Set([one!, two!].flatMap(({ questions }) => referencesIn(questions)));
      expect(references.size).toBe(3);
      // Another request copies them again.
      const later = await copyOf(sources[0]!.reference);
      expect(referencesIn(later.questions).filter((reference) => references.has(reference))).toEqual([]);
    });
  });

  describe('copies in a workflow', () => {
    const states = (...references: string[]) =>
      references.map((reference) => ({ reference, label: reference, workflow_transitions: [] }));

    async function workflow(initial: string, final: string): Promise<string> {
      const reference = newReference('Workflow');
      const answer = await client.set('itembank/workflows', {
        workflows: [
          {
            reference,
            initial_state_reference: initial,
            final_state_reference: final,
            workflow_states: states(...new Set([initial, 'middle', final])),
          },
        ],
      });
      expectSuccess(answer);
      return reference;
    }

    it('begin in the initial state, and unpublished unless that is also the final state', async () => {
      const widget = question();
      const [long, short] = [await workflow('draft', 'done'), await workflow('only', 'only')];
      const sources = several(4, () => item([widget.reference]));
      const moved = (index: number, reference: string, state: string, status = 'unpublished') => ({
        ...sources[index]!,
        status,
        authoring_workflow: { reference, state },
      });
      const outside = { ...sources[3]!, status: 'archived' };
      await write(client, {
        questions: [widget],
        items: [moved(0, long, 'draft'), moved(1, long, 'draft'), moved(2, short, 'only'), outside],
      });
      await write(client, {
        items: [moved(0, long, 'done'), moved(1, long, 'middle', 'archived'), moved(2, short, 'middle', 'archived')],
      });
      const before = await Promise.all(sources.map(({ reference }) => readItem(reference)));
      expect(before.map(({ status }) => status)).toEqual(['published', 'archived', 'archived', 'archived']);

      const made = await copies(sources.map(({ reference }) => ({ reference })));
      const shown = await Promise.all(sources.map(({ reference }) => readItem(made[reference]!.reference)));
      expect(shown.map(({ status, authoring_workflow }) => [status, authoring_workflow])).toEqual([
        ['unpublished', { reference: long, state: 'draft' }],
        ['unpublished', { reference: long, state: 'draft' }],
        ['published', { reference: short, state: 'only' }],
        ['archived', null],
      ]);
      expect(sources.map(({ reference }) => made[reference]!.status)).toEqual(shown.map(({ status }) => status));
      expect(await Promise.all(sources.map(({ reference }) => readItem(reference)))).toEqual(before);
      const found = await client.all(ITEMS, { authoring_workflow: { reference: long, states: ['draft'] } });
      expect(referencesIn(found).sort()).toEqual([shown[0]!.reference, shown[1]!.reference].sort());
    });
  });

  describe('requests', () => {
    let source: WireItem;
    beforeAll(async () => {
      const widget = question();
      source = item([widget.reference]);
      await write(client, { questions: [widget], items: [source] });
    });

    async function pointersOfFailure(request: object, status: number, code: number, as = client) {
      const before = await stateOf(service.database);
      const answer = await duplicate(request, as);
      expectFailure(answer, status, code);
      expect(await stateOf(service.database)).toBe(before);
      return answer.meta.errors!.map(({ pointer }) => pointer);
    }

    it('20013: are rejected for items that do not exist, each of which is named', async () => {
      const items = [
        { reference: 'nowhere' },
        { reference: source.reference },
        { reference: source.reference.toUpperCase() },
      ];
      expect(await pointersOfFailure({ items }, 400, 20013)).toEqual(['/items/0/reference', '/items/2/reference']);
      const { meta } = await duplicate({ items });
      expect(meta.message).toBe('items[0].reference: there is no item "nowhere" to copy.');
    });

    it('20013: are rejected for items of another organisation', async () => {
      const grants = [{ organisation: 2, access: 'write' as const, primary: true }];
      const neighbour = await service.consumer({ grants });
      expect(await pointersOfFailure({ items: [{ reference: source.reference }] }, 400, 20013, neighbour)).toEqual([
        '/items/0/reference',
      ]);
      // Every bank has its own references.
      const widget = question();
      expectSuccess(await neighbour.set('itembank/questions', { questions: [widget] }));
      const theirs = item([widget.reference], { reference: source.reference, title: 'theirs' });
      expectSuccess(await neighbour.set(ITEMS, { items: [theirs] }));
      const answer = await duplicate({ items: [{ reference: source.reference }] }, neighbour);
      expectSuccess(answer);
      const copy = (answer.data as Record<string, ReadItem>)[source.reference]!;
      expect(copy.title).toBe('theirs');
      expect((await client.get(ITEMS, { references: [copy.reference] })).data).toEqual([]);
    });

    it('20011: are rejected for items that changed since they were read', async () => {
      const { revision } = await readItem(source.reference, ['revision']);
      await write(client, { items: [{ ...source, title: 'later' }] });
      const entry = (if_revision: unknown) => ({ items: [{ reference: source.reference, if_revision }] });
      expect(await pointersOfFailure(entry(revision), 409, 20011)).toEqual(['/items/0/if_revision']);
      expect(await pointersOfFailure(entry(0), 409, 20011)).toEqual(['/items/0/if_revision']);
      const now = (await readItem(source.reference, ['revision'])).revision;
      const answer = await duplicate(entry(now));
      expectSuccess(answer);
      expect(answer.data).toMatchObject({ [source.reference]: { title: 'later' } });
    });

    it('20002: are rejected for more than 5,000 widgets', async () => {
      const questions = several(5001, () => question({ data: {} }));
      const references = referencesIn(questions);
      // More than a request may contain.
      await service.service.app.get(Widgets, { strict: false }).set('question', questions as never, service.scope());
      const [some, rest] = [item(references.slice(0, 2501)), item(references.slice(2501))];
      const overlapping = item(references.slice(0, 2500));
      await write(client, { items: [some, rest, overlapping] });
      const requestFor = (...items: WireItem[]) => ({ items: items.map(({ reference }) => ({ reference })) });
      expect(await pointersOfFailure(requestFor(some, rest), 400, 20002)).toEqual(['/items']);
      expect((await duplicate(requestFor(some, rest))).meta.message).toMatch(
        /^items hold 5001 widgets .* at most 5000/,
      );
      // Each is copied once.
      const answer = await duplicate(requestFor(overlapping, rest));
      expectSuccess(answer);
      const { [rest.reference]: copy } = answer.data as Record<string, ReadItem>;
      expect(new Set(referencesIn(copy!.questions)).size).toBe(2500);
    });
  });

  it('can copy 50 items with 10 widgets of 20 KB each', async () => {
    const stimulus = (index: number) => `${index} é"\\ ${'x'.repeat(20_000)}`;
    const widgets = several(500, (index) => question({ data: { type: 'mcq', stimulus: stimulus(index) } }));
    const sources = several(50, (index) => item(referencesIn(widgets.slice(index * 10, index * 10 + 10))));
    for (let from = 0; from < 500; from += 50) await write(client, { questions: widgets.slice(from, from + 50) });
    await write(client, { items: sources });
    const made = await copies(sources.map(({ reference }) => ({ reference })));
    for (const index of [0, 49]) {
      const references = referencesIn(made[sources[index]!.reference]!.questions);
      const copied = (await read('questions', references)) as unknown as WireWidget[];
      expect(copied.map(({ data }) => data)).toEqual(
        widgets.slice(index * 10, index * 10 + 10).map(({ data }) => data),
      );
    }
  });
});
