import { type BaseTemplate, type PlayerTemplate } from '#content';
import { type TemplateStore } from '../../libs/content/src/application/ports/template-store';
import { newOrganisation, type Ports } from './ports';

/** A JSON text that would change if it were parsed and serialised. */
const TEXT = '{ "b":1.0,"a":[12345678901234567890,"\\u00e9 \\/ \' é 😀"] ,"b2":"\\n"}';

/** Templates of an organisation. */
export function templateStoreContract(ports: Ports): void {
  let store: TemplateStore;
  let database: Ports['database'];

  beforeAll(() => {
    ({ templates: store, database } = ports);
  });

  const player = (reference: string, values: Partial<PlayerTemplate> = {}): PlayerTemplate => ({
    reference,
    name: `Náme of "${reference}" 😀`,
    json: TEXT,
    ...values,
  });
  const base = (reference: string, values: Partial<BaseTemplate> = {}): BaseTemplate => ({
    reference,
    description: `Description\nof "${reference}" 😀`,
    status: 'published',
    data: TEXT,
    ...values,
  });

  describe.each([
    {
      kind: 'player templates',
      make: player,
      other: { name: 'x', json: '{}' },
      all: (organisation: number) => store.playerTemplates(organisation),
      put: (organisation: number, templates: PlayerTemplate[]) => store.putPlayerTemplates(organisation, templates),
      remove: (organisation: number, names: string[]) => store.removePlayerTemplates(organisation, names),
    },
    {
      kind: 'base templates',
      make: base,
      other: { description: '', status: 'archived' as const, data: '{}' },
      all: (organisation: number) => store.baseTemplates(organisation),
      put: (organisation: number, templates: BaseTemplate[]) => store.putBaseTemplates(organisation, templates),
      remove: (organisation: number, names: string[]) => store.removeBaseTemplates(organisation, names),
    },
  ])('$kind', ({ make, other, all, ...writes }) => {
    // The two kinds differ only in their type.
    const put = writes.put as (organisation: number, templates: object[]) => Promise<void>;
    const { remove } = writes;

    it('are returned by reference, exactly as they were stored', async () => {
      const organisation = newOrganisation();
      const templates = ['b', 'B', 'a b', 'a'].map((reference) => make(reference));
      expect(await all(organisation)).toEqual([]);
      await put(organisation, templates);
      expect(await all(organisation)).toEqual(['B', 'a', 'a b', 'b'].map((reference) => make(reference)));
    });

    it('replace those with the same references, and keep the others', async () => {
      const organisation = newOrganisation();
      await put(organisation, [make('a'), make('b')]);
      await put(organisation, [make('c'), make('b', other)]);
      await put(organisation, []);
      expect(await all(organisation)).toEqual([make('a'), make('b', other), make('c')]);
    });

    it('are removed by reference, byte for byte; unknown ones are ignored', async () => {
      const organisation = newOrganisation();
      await put(organisation, [make('a'), make('A'), make('b')]);
      await remove(organisation, ['A', 'b ', '%', 'nowhere']);
      await remove(organisation, []);
      expect(await all(organisation)).toEqual([make('a'), make('b')]);
    });

    it('are removed in any number', async () => {
      const organisation = newOrganisation();
      const many = Array.from({ length: 12_000 }, (_, index) => make(`t${index}`, other));
      await put(organisation, many);
      await remove(
        organisation,
        many.slice(1).map(({ reference }) => reference),
      );
      expect(await all(organisation)).toEqual([make('t0', other)]);
    });

    it('separate organisations', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      await put(one, [make('a')]);
      await put(two, [make('a', other)]);
      await remove(one, ['a']);
      expect([await all(one), await all(two)]).toEqual([[], [make('a', other)]]);
    });

    it('are rolled back with their unit of work', async () => {
      const organisation = newOrganisation();
      await put(organisation, [make('a'), make('b')]);
      const failing = database.run(async () => {
        await put(organisation, [make('a', other), make('c')]);
        await remove(organisation, ['b']);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await all(organisation)).toEqual([make('a'), make('b')]);
    });
  });
}
