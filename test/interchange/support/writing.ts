import { type ExportNote, type Format } from '#interchange';
import { type Json } from '#kernel';
import { type Outgoing, type StoredAsset } from '../../../libs/interchange/src/formats/format';

/** The base address of the bank's files in tests. */
export const BASE = 'https://bank.example/assets/';

/** The beginning of a picture of 400 by 200 pixels. */
export const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000190000000c80802000000', 'hex');

interface WrittenPackage {
  files: Record<string, string | Buffer>;
  notes: ExportNote[];
}

/** The files that a format writes. @param assets of the bank, by the end of their address. */
export async function writeWith(
  format: Format,
  records: readonly Outgoing[],
  assets: Readonly<Record<string, Buffer>> = {},
): Promise<WrittenPackage> {
  const notes: ExportNote[] = [];
  const stored = (name: string): StoredAsset | undefined =>
    assets[name] && { name, read: () => Promise.resolve(assets[name]!) };
  const replaced = (value: Json, replace: (asset: StoredAsset) => string): Json => {
    if (typeof value === 'string')
      return value.replace(/https:\/\/bank\.example\/assets\/([A-Za-z0-9._/-]+)/g, (address, name: string) => {
        const asset = stored(name);
        return asset ? replace(asset) : address;
      });
    if (Array.isArray(value)) return value.map((entry) => replaced(entry, replace));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, replace)]));
  };
  async function* all(): AsyncGenerator<Outgoing> {
    yield* records;
  }
  const files: WrittenPackage['files'] = {};
  const written = format.write!(all(), {
    withAssets: (value, replace) => Promise.resolve(replaced(value, replace) as typeof value),
    note: (note) => notes.push(note),
    setup: NO_SETUP,
  });
  for await (const { path, content } of written) {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(Buffer.from(part as string));
    const whole = Buffer.concat(parts);
    files[path] = /\.(xml|csv|ndjson)$/.test(path) ? whole.toString('utf8') : whole;
  }
  return { files, notes };
}

async function* nothing(): AsyncGenerator<never> {}
/** An export of chosen records has no tags, workflows or pools. */
export const NO_SETUP = { beforeItems: nothing(), afterItems: nothing() };

/** An item of one question. */
export const itemOf = (reference: string, data: { type: string } & Record<string, Json>): Outgoing => ({
  reference,
  record: { kind: 'item', widgets: [{ reference: `${reference}_1`, type: data.type, data }] },
});
