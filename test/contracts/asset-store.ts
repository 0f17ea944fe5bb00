import { type Database } from '#platform';
import { type AssetStore } from '../../libs/content/src/application/ports/asset-store';
import { newOrganisation, NOW, type Ports } from './ports';

/** Metadata of assets. */
export function assetStoreContract(ports: Ports): void {
  let store: AssetStore;
  let database: Database;
  beforeAll(() => {
    ({ assets: store, database } = ports);
  });

  const asset = (subkey: string, contentType = 'image/png') => ({ subkey, contentType });
  const put = (organisation: number, assets: ReturnType<typeof asset>[], references: string[] = [], now = NOW) =>
    database.run(() => store.put(organisation, assets, references, now));
  interface AssetRow {
    id: string;
    subkey: string;
    content_type: string;
    updated_at: number;
  }
  const rowsOf = (organisation: number) =>
    database.rows<AssetRow>(
      'SELECT id, subkey, content_type, updated_at FROM asset WHERE organisation_id = ? ORDER BY subkey',
      [organisation],
    );
  const usersOf = async (organisation: number) => {
    const rows = await database.rows<{ subkey: string; item_reference: string }>(
      `SELECT a.subkey, u.item_reference FROM asset_user u
       JOIN asset a ON a.organisation_id = u.organisation_id AND a.id = u.asset_id
       WHERE u.organisation_id = ? ORDER BY a.subkey, u.item_reference`,
      [organisation],
    );
    return rows.map(({ subkey, item_reference }) => `${subkey}: ${item_reference}`);
  };

  it('records assets with their types', async () => {
    const organisation = newOrganisation();
    await put(organisation, [asset('b/2.mp3', 'audio/mpeg'), asset('a/1.png')]);
    expect(await rowsOf(organisation)).toEqual([
      { id: expect.any(String), subkey: 'a/1.png', content_type: 'image/png', updated_at: NOW },
      { id: expect.any(String), subkey: 'b/2.mp3', content_type: 'audio/mpeg', updated_at: NOW },
    ]);
    expect(await usersOf(organisation)).toEqual([]);
  });

  it('keeps the id of a known asset, and stores its new type and time', async () => {
    const organisation = newOrganisation();
    await put(organisation, [asset('a'), asset('b')]);
    const before = await rowsOf(organisation);
    await put(organisation, [asset('c'), asset('b', 'image/gif')], [], NOW + 5);
    const after = await rowsOf(organisation);
    expect(after.map(({ subkey }) => subkey)).toEqual(['a', 'b', 'c']);
    expect(after.slice(0, 2)).toEqual([before[0], { ...before[1], content_type: 'image/gif', updated_at: NOW + 5 }]);
  });

  it('adds items to the users of each asset', async () => {
    const organisation = newOrganisation();
    await put(organisation, [asset('a'), asset('b')], ['item 2', 'item 1']);
    expect(await usersOf(organisation)).toEqual(['a: item 1', 'a: item 2', 'b: item 1', 'b: item 2']);
    await put(organisation, [asset('b'), asset('c')], ['item 2', 'Item 2']);
    expect((await usersOf(organisation)).sort()).toEqual(
      ['a: item 1', 'a: item 2', 'b: Item 2', 'b: item 1', 'b: item 2', 'c: Item 2', 'c: item 2'].sort(),
    );
    await put(organisation, [asset('a')]);
    expect(await usersOf(organisation)).toHaveLength(7);
  });

  it('accepts an empty list', async () => {
    const organisation = newOrganisation();
    await put(organisation, [], ['item 1']);
    expect(await rowsOf(organisation)).toEqual([]);
  });

  it('distinguishes subkeys by case, accents, composition and blanks', async () => {
    const organisation = newOrganisation();
    const subkeys = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a/b', 'ａ'];
    await put(
      organisation,
      subkeys.map((subkey) => asset(subkey)),
      ['item'],
    );
    expect((await rowsOf(organisation)).map(({ subkey }) => subkey).sort()).toEqual([...subkeys].sort());
    expect(await usersOf(organisation)).toHaveLength(subkeys.length);
  });

  it('accepts subkeys, types and references of the maximum length', async () => {
    const organisation = newOrganisation();
    const long = asset('x'.repeat(700), `image/${'y'.repeat(249)}`);
    const wide = asset('é'.repeat(450));
    await put(organisation, [long, wide], ['r'.repeat(150)]);
    expect((await rowsOf(organisation)).map(({ subkey }) => subkey)).toEqual([long.subkey, wide.subkey]);
    expect(await usersOf(organisation)).toHaveLength(2);
  });

  it('separates organisations', async () => {
    const [one, two] = [newOrganisation(), newOrganisation()];
    await put(one, [asset('a')], ['item']);
    await put(two, [asset('a', 'image/gif')]);
    expect((await rowsOf(one)).map(({ content_type }) => content_type)).toEqual(['image/png']);
    expect(await usersOf(two)).toEqual([]);
  });

  it('records each asset once when many writers record it at the same time', async () => {
    const organisation = newOrganisation();
    const subkeys = Array.from({ length: 20 }, (_, index) => `s${index}`);
    await Promise.all(
      Array.from({ length: 6 }, (_, writer) => {
        const rotated = [...subkeys.slice(writer * 3), ...subkeys.slice(0, writer * 3)];
        return put(
          organisation,
          rotated.map((subkey) => asset(subkey, `image/w${writer}`)),
          [`item ${writer}`],
        );
      }),
    );
    const rows = await rowsOf(organisation);
    expect(rows.map(({ subkey }) => subkey).sort()).toEqual([...subkeys].sort());
    // All assets have the values of one writer, the last one.
    expect(new Set(rows.map(({ content_type }) => content_type)).size).toBe(1);
    expect(await usersOf(organisation)).toHaveLength(6 * subkeys.length);
  });

  it('commits and rolls back with the unit of work', async () => {
    const organisation = newOrganisation();
    await expect(
      database.run(async () => {
        await store.put(organisation, [asset('a')], ['item'], NOW);
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    expect(await rowsOf(organisation)).toEqual([]);
  });
}
