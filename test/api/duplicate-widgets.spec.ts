import { setTimeout as sleep } from 'node:timers/promises';
import { History, Widgets } from '#content';
import { type Content, referencesIn, write as writeTo } from '../support/bank';
import { feature, item, newReference, question, several, type WireItem, type WireWidget } from '../support/builders';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess, UUID } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { stateOf } from '../support/state';

type Copies = Record<string, Record<string, WireWidget>>;

interface Names {
  list: 'questions' | 'features';
  kind: 'question' | 'feature';
  widgetType: 'response' | 'feature';
  build: (values?: Partial<WireWidget>) => WireWidget;
  buildOther: (values?: Partial<WireWidget>) => WireWidget;
  other: 'questions' | 'features';
}

const calculator = (values: Partial<WireWidget> = {}) =>
  feature({ type: 'calculator', data: { type: 'calculator', mode: 'basic' }, ...values });

const kinds: Names[] = [
  {
    list: 'questions',
    kind: 'question',
    widgetType: 'response',
    build: question,
    buildOther: calculator,
    other: 'features',
  },
  {
    list: 'features',
    kind: 'feature',
    widgetType: 'feature',
    build: calculator,
    buildOther: question,
    other: 'questions',
  },
];

describe.each(anEngine(__filename))('on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  afterEach(() => service.clock.advance(1000));

  const write = (list: keyof Content, ...records: (WireWidget | WireItem)[]): Promise<void> =>
    writeTo(client, { [list]: records });

  describe.each(kinds)('duplicates of $list', ({ list, kind, widgetType, build, buildOther, other }) => {
    const path = `itembank/${list}/duplicate`;
    const all = async (): Promise<number> => (await client.all(`itembank/${list}`)).length;

    async function duplicate(item_references: string[], more: object = {}): Promise<Copies> {
      const answer = await client.set(path, { item_references, ...more });
      expectSuccess(answer);
      const copies = answer.data as Copies;
      expect(answer.meta.records).toBe(Object.values(copies).flatMap((each) => Object.keys(each)).length);
      return copies;
    }

    it('contain all widgets of each item, by item and source', async () => {
      const [a, b, c] = [build(), build({ type: 'imagetool', data: { z: 1, a: { '<b>': 'x<5' } } }), build()];
      const foreign = buildOther();
      b.metadata = { name: 'Name', template_reference: 't-1' };
      await write(list, a, b, c);
      await write(other, foreign);
      const [one, two] = [item([foreign.reference, b.reference, a.reference]), item([c.reference])];
      await write('items', one, two);
      service.clock.advance(5000);
      const before = await client.all('itembank/items', { include: { items: ['dt_updated'] } });

      const answer = await client.set(path, { item_references: [two.reference, one.reference] });
      expectSuccess(answer);
      expect(answer.meta.records).toBe(3);
      expect(Object.keys(answer.data as object)).toEqual([two.reference, one.reference]);
      const copies = answer.data as Copies;
      expect(Object.keys(copies[one.reference]!)).toEqual([b.reference, a.reference]);
      expect(Object.keys(copies[two.reference]!)).toEqual([c.reference]);
      const made = Object.values(copies).flatMap((each) => Object.values(each));
      expect(new Set(referencesIn(made)).size).toBe(3);
      for (const source of [a, b, c]) {
        const copy = { ...copies[one.reference], ...copies[two.reference] }[source.reference]!;
        expect(copy).toEqual({
          reference: expect.stringMatching(UUID),
          widget_type: widgetType,
          type: source.type,
          data: source.data,
          metadata: source.metadata ?? null,
        });
        const read = await client.get(`itembank/${list}`, {
          references: [copy.reference],
          include: { [list]: ['dt_created'] },
        });
        const dt_created = new Date(service.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
        expect(read.data).toEqual([{ ...copy, dt_created }]);
        // They belong to no item, and the item keeps its own widgets.
        expect((await client.get('itembank/items', { questions: { references: [copy.reference] } })).data).toEqual([]);
      }
      expect(await client.all('itembank/items', { include: { items: ['dt_updated'] } })).toEqual(before);
      // A copy can be used in an item and changed without changing its source.
      const copy = copies[two.reference]![c.reference]!;
      await write('items', item([copy.reference]));
      await write(list, { ...copy, data: { mine: true } });
      const { data } = await client.get(`itembank/${list}`, { references: [c.reference] });
      expect((data as WireWidget[])[0]!.data).toEqual(c.data);
    });

    it('are made once for a widget that several of the items hold, and shown under each', async () => {
      const [shared, own] = [build(), build()];
      await write(list, shared, own);
      const [one, two] = [item([shared.reference]), item([own.reference, shared.reference])];
      await write('items', one, two);
      const before = await all();
      const copies = await duplicate([one.reference, two.reference]);
      expect(copies[one.reference]![shared.reference]).toEqual(copies[two.reference]![shared.reference]);
      expect(Object.keys(copies[two.reference]!)).toEqual([own.reference, shared.reference]);
      expect(await all()).toBe(before + 2);
    });

    it('are empty for an item without widgets', async () => {
      const foreign = buildOther();
      await write(other, foreign);
      const without = item([foreign.reference]);
      await write('items', without);
      const before = await all();
      expect(await duplicate([without.reference])).toEqual({ [without.reference]: {} });
      expect(await duplicate([])).toEqual({});
      expect(await all()).toBe(before);
    });

    it('have a history that names the author, the operation and the source revision', async () => {
      const source = build();
      await write(list, { ...source, data: { old: true } });
      service.clock.advance(5000);
      await write(list, source);
      const at = service.clock.now();
      const holder = item([source.reference]);
      await write('items', holder);
      service.clock.advance(5000);
      const copies = await duplicate([holder.reference], { meta: { user: { id: 'ada' } } });
      const copy = copies[holder.reference]![source.reference]!;
      const history = service.service.app.get(History, { strict: false });
      expect(await history.of(1, 'widget', copy.reference)).toMatchObject([
        {
          author: 'ada',
          operation: `set ${path}`,
          beganAt: service.clock.now(),
          origin: { reference: source.reference, beganAt: at },
        },
      ]);
    });

    it('wait for a writer that has changed a source, and copy its result', async () => {
      const sources = several(2, () => build({ data: { version: 0 } }));
      await write(list, ...sources);
      const holder = item(referencesIn(sources));
      await write('items', holder);
      let changed!: () => void;
      const ready = new Promise<void>((resolve) => (changed = resolve));
      const writer = service.database.run(async () => {
        const scope = service.scope();
        const later = sources.map((source) => ({ ...source, data: { version: 1 } }));
        await service.service.app.get(Widgets, { strict: false }).set(kind, later, scope);
        changed();
        await sleep(100);
      });
      await ready;
      const [copies] = await Promise.all([duplicate([holder.reference]), writer]);
      for (const { data } of Object.values(copies[holder.reference]!)) expect(data).toEqual({ version: 1 });
    });

    it('are keyed by items and widgets, whatever their references', async () => {
      const names = ['constructor', '7', '__proto__', '1', 'length'].map((name) =>
        kind === 'feature' ? `${name}-f` : name,
      );
      const sources = names.map((reference) => build({ reference, data: { reference } }));
      await write(list, ...sources);
      const holders = ['b', '__proto__', '2', ' '].map((name) => item(names, { reference: `${name}${kind}` }));
      holders.push(item(names, { reference: '__proto__' }));
      await write('items', ...holders);
      const answer = await client.set(path, { item_references: referencesIn(holders) });
      expectSuccess(answer);
      const keys = [...answer.text.matchAll(/"([^"]*)":\{"reference":"[0-9a-f-]{36}"/g)].map(([, key]) => key);
      expect(keys).toEqual(holders.flatMap(() => names));
      for (const holder of referencesIn(holders)) {
        const copies = Object.getOwnPropertyDescriptor(answer.data, holder)!.value as Record<string, WireWidget>;
        for (const name of names)
          expect((Object.getOwnPropertyDescriptor(copies, name)!.value as WireWidget).data).toEqual({
            reference: name,
          });
      }
    });

    describe('requests', () => {
      let holder: WireItem;
      beforeAll(async () => {
        const widget = build();
        await write(list, widget);
        holder = item([widget.reference]);
        await write('items', holder);
      });

      async function pointersOfFailure(request: object, status: number, code: number, as = client) {
        const before = await stateOf(service.database);
        const answer = await as.set(path, request);
        expectFailure(answer, status, code);
        expect(await stateOf(service.database)).toBe(before);
        return answer.meta.errors!.map(({ pointer }) => pointer);
      }

      it('20013: are rejected for items that do not exist or belong to another organisation', async () => {
        expect(await pointersOfFailure({ item_references: ['nowhere', holder.reference, 'no'] }, 400, 20013)).toEqual([
          '/item_references/0',
          '/item_references/2',
        ]);
        const grants = [{ organisation: 2, access: 'write' as const, primary: true }];
        const neighbour = await service.consumer({ grants });
        expect(await pointersOfFailure({ item_references: [holder.reference] }, 400, 20013, neighbour)).toEqual([
          '/item_references/0',
        ]);
      });

      it('20004, 20001: are rejected for invalid references', async () => {
        expect(await pointersOfFailure({ item_references: [holder.reference, 'a"b'] }, 400, 20004)).toEqual([
          '/item_references/1',
        ]);
        expect(await pointersOfFailure({ item_references: [''] }, 400, 20001)).toEqual(['/item_references/0']);
        expect(await pointersOfFailure({ item_references: [{ reference: holder.reference }] }, 400, 20003)).toEqual([
          '/item_references/0',
        ]);
      });

      it('30000: are rejected for an item that is named twice', async () => {
        expect(await pointersOfFailure({ item_references: [holder.reference, holder.reference] }, 400, 30000)).toEqual([
          '/item_references/1',
        ]);
      });
    });
  });

  describe('shared passages', () => {
    it('are not copied with features by default', async () => {
      const [passage, other] = [feature(), calculator()];
      const widget = question();
      await write('features', passage, other);
      await write('questions', widget);
      const holder = item([passage.reference, widget.reference, other.reference]);
      await write('items', holder);
      const duplicated = async (list: string, more: object) => {
        const answer = await client.set(`itembank/${list}/duplicate`, { item_references: [holder.reference], ...more });
        expectSuccess(answer);
        return Object.keys((answer.data as Copies)[holder.reference]!);
      };
      expect(await duplicated('features', {})).toEqual([other.reference]);
      expect(await duplicated('features', { duplicate_shared_passages: false })).toEqual([other.reference]);
      expect(await duplicated('features', { duplicate_shared_passages: null })).toEqual([other.reference]);
      expect(await duplicated('features', { duplicate_shared_passages: true })).toEqual([
        passage.reference,
        other.reference,
      ]);
      for (const duplicate_shared_passages of [true, false])
        expect(await duplicated('questions', { duplicate_shared_passages })).toEqual([widget.reference]);
    });

    it('are recognised by the type of the feature alone', async () => {
      const [named, typedInData] = [newReference('sharedpassage'), newReference('f')];
      await write(
        'features',
        calculator({ reference: named }),
        feature({ reference: typedInData, type: 'SharedPassage', data: { type: 'sharedpassage' } }),
      );
      const holder = item([named, typedInData]);
      await write('items', holder);
      const answer = await client.set('itembank/features/duplicate', { item_references: [holder.reference] });
      expectSuccess(answer);
      expect(Object.keys((answer.data as Copies)[holder.reference]!)).toEqual([named, typedInData]);
    });
  });
});
