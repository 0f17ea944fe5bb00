import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type Assets } from '#content';
import { Fault, type Json } from '#kernel';
import { type StoredAsset } from '../formats/format';
import { decodedPath, referenceFrom } from '../formats/names';

/** The characters of an asset key in an address. A full stop at the end belongs to the text around it. */
const KEY = '([A-Za-z0-9%_~/-]+(?:\\.+[A-Za-z0-9%_~/-]+)*)';

/** How often a file is read until its content is complete. */
const MAX_READS = 3;

/** Finds the files of a bank in the texts of its records. */
export class ExportAssets {
  private readonly known = new Map<string, StoredAsset | undefined>();

  private constructor(
    private readonly assets: Assets,
    private readonly organisation: number,
    private readonly address: RegExp,
  ) {}

  static async of(assets: Assets, organisation: number): Promise<ExportAssets> {
    const base = (await assets.publicAddress('x', organisation)).slice(0, -1);
    return new ExportAssets(
      assets,
      organisation,
      new RegExp(`(?:https?:)?${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${KEY}`, 'g'),
    );
  }

  async replaced<T extends Json>(value: T, replace: (asset: StoredAsset) => string): Promise<T> {
    const text = JSON.stringify(value);
    for (const [, key] of text.matchAll(this.address))
      if (!this.known.has(key!)) this.known.set(key!, await this.find(key!));
    return this.known.size === 0 ? value : (this.withReplaced(value, replace) as T);
  }

  private withReplaced(value: Json, replace: (asset: StoredAsset) => string): Json {
    if (typeof value === 'string')
      return value.replace(this.address, (address, key: string) => {
        const asset = this.known.get(key);
        return asset ? replace(asset) : address;
      });
    if (Array.isArray(value)) return value.map((entry) => this.withReplaced(entry, replace));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.withReplaced(member, replace)]),
    );
  }

  private async find(key: string): Promise<StoredAsset | undefined> {
    const subkey = decodedPath(key);
    const content = await this.content(subkey);
    if (content === undefined) return undefined;
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const file = subkey.split('/').at(-1)!;
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(file)?.[0] ?? '';
    return {
      name: `${hash}/${referenceFrom(file.slice(0, file.length - extension.length))}${extension.toLowerCase()}`,
      read: async () => {
        const again = await this.content(subkey);
        if (again) return again;
        const what = `The file ${JSON.stringify(subkey)} was removed during the export.`;
        throw new Fault('unavailable', `${what} Run the export again.`);
      },
    };
  }

  /** Reads a file again when its content breaks off. Otherwise, one lost connection would end a long export. */
  private async content(subkey: string, attempts = MAX_READS): Promise<Buffer | undefined> {
    const content = await this.assets.read(subkey, this.organisation);
    try {
      return content && (await buffer(content));
    } catch (error) {
      if (attempts === 1) throw error;
      return this.content(subkey, attempts - 1);
    }
  }
}
