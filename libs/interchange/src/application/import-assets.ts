import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Assets } from '#content';
import { type Json, type Scope } from '#kernel';
import { type Asset, ASSET_TOKEN, type Entry, type ImportRecord } from '../formats/entry';
import { type Note, note } from '../formats/note';
import { type Source, Unreadable } from '../formats/source';
import { mediaOf } from './media';

/** The address of each asset, by its name in the source; null for a missing or refused asset. */
export type Placed = Map<string, string | null>;

/**
 * Puts the files that entries use into the bank, and their addresses into the entries. The name of a file in the bank begins with
 * a hash of its content. So equal files are stored once, and no import changes the file of another one.
 */
@Injectable()
export class ImportAssets {
  constructor(private readonly assets: Assets) {}

  /** @param write whether to store the files; a plan needs only their addresses. */
  async place(entry: Entry, source: Source, placed: Placed, write: boolean, scope: Scope): Promise<Entry> {
    if (entry.assets.length === 0 || entry.record === null) return entry;
    const notes: Note[] = [];
    for (const asset of entry.assets)
      if (!placed.has(asset.name)) placed.set(asset.name, await this.put(asset, entry, source, notes, write, scope));
      else if (placed.get(asset.name) === null)
        notes.push(note('file-missing', entry.source, `${asset.name}, see the first entry that uses it`));
    const record = withAddresses(entry.record as unknown as Json, placed) as unknown as ImportRecord;
    return { ...entry, record, notes: [...entry.notes, ...notes] };
  }

  private async put(
    { name, from }: Asset,
    { reference }: Entry,
    source: Source,
    notes: Note[],
    write: boolean,
    scope: Scope,
  ): Promise<string | null> {
    const at = 'path' in from ? from.path : name;
    try {
      const content = 'path' in from ? await source.bytes(from.path) : Buffer.from(from.bytes);
      const media = mediaOf(content, name);
      if ('refused' in media) {
        notes.push(note('file-refused', at, `${at}: ${media.refused}`));
        return null;
      }
      const subkey = `imports/${createHash('sha256').update(media.content).digest('hex').slice(0, 16)}/${media.name}`;
      if (write) await this.assets.put(subkey, media.content, media.type, [reference], scope);
      return await this.assets.publicAddress(subkey, scope.shelf.organisation);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      notes.push(note(error.code === 'file-missing' ? 'file-missing' : 'file-refused', at, error.message));
      return null;
    }
  }
}

/** Replaces the tokens in all texts. The token of a missing file becomes the name of the file. */
function withAddresses(value: Json, placed: Placed): Json {
  if (typeof value === 'string') return value.replace(ASSET_TOKEN, (_, name: string) => placed.get(name) ?? name);
  if (Array.isArray(value)) return value.map((entry) => withAddresses(entry, placed));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withAddresses(member, placed)]));
  return value;
}
