import { createHash } from 'node:crypto';
import { type Asset, assetToken, MAX_FILE_BYTES, type Source, Unreadable } from '#interchange';
import { type Json, withoutEnd } from '#kernel';
import { RemoteError, type RemoteCalls, Unreachable } from './remote-calls';

/** Matches a key in an address. A full stop at its end belongs to the text around the address. */
const KEY = String.raw`[A-Za-z0-9%_~/-]+(?:\.+[A-Za-z0-9%_~/-]+)*`;

/** The files of the other bank, as a source with addresses for paths. */
export class RemoteFiles implements Source {
  readonly paths = [];
  private readonly address: RegExp;

  /** @param bases beginnings of the addresses of these files: `https://files.example.com/`. */
  constructor(
    private readonly calls: RemoteCalls,
    bases: readonly string[],
  ) {
    const beginnings = bases.map((base) => escaped(`${withoutEnd(base.replace(/^https?:/, ''), '/')}/`));
    this.address = new RegExp(`(?:https?:)?(?:${beginnings.join('|')})${KEY}`, 'g');
  }

  /** Replaces the addresses of files by tokens; returns the value and the files. */
  withTokens<T extends Json>(value: T): { value: T; assets: Asset[] } {
    const assets = new Map<string, Asset>();
    const replaced = mapTexts(value, (text) =>
      text.replace(this.address, (address) => {
        const asset = assetOf(address);
        assets.set(asset.name, asset);
        return assetToken(asset.name);
      }),
    );
    return { value: replaced as T, assets: [...assets.values()] };
  }

  async bytes(path: string): Promise<Buffer> {
    try {
      const content = await this.calls.file(this.absolute(path), MAX_FILE_BYTES);
      if (content) return content;
      throw new Unreadable('file-missing', `${path} is not there.`, path);
    } catch (error) {
      // Later pulls skip unchanged records, so a record that came without its file would never get it.
      if (!(error instanceof RemoteError) || error instanceof Unreachable) throw error;
      throw new Unreadable('file-missing', error.message, path);
    }
  }

  async *lines(path: string): AsyncGenerator<string> {
    throw new Unreadable('file-missing', `${path} is not read by lines.`, path);
  }

  private absolute(address: string): string {
    return new URL(address, this.calls.url).href;
  }
}

function assetOf(address: string): Asset {
  const hash = createHash('sha256')
    .update(address.replace(/^https?:/, ''))
    .digest('hex')
    .slice(0, 16);
  const file = address
    .split('/')
    .at(-1)!
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(-60);
  return { name: `${hash}/${file}`, from: { path: address } };
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
