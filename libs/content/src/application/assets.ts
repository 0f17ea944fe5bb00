import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Fault, place, pointerPart, refuseRepeated, type Scope, UnitOfWork } from '#kernel';
import { type FileName, Files } from '#platform';
import { mediaTypeOf } from '../domain/asset-key';
import { AssetStore } from './ports/asset-store';

/** How long an upload address is valid. */
const UPLOAD_MS = 60 * 60 * 1000;

/** The assets to upload. */
interface UploadRequest {
  subkeys: readonly string[];
  /** Media types by subkey, for assets whose extension does not tell the type. */
  types: ReadonlyMap<string, string>;
  /** References of items that use the assets. The items need not exist yet. */
  items: readonly string[];
}

/** The upload address of an asset, and its public address. */
interface Upload {
  upload: string;
  public: string;
  contentType: string;
}

/** Images, sounds and other files that content uses through their public addresses. */
@Injectable()
export class Assets {
  constructor(
    private readonly files: Files,
    private readonly store: AssetStore,
    private readonly work: UnitOfWork,
  ) {}

  /** Upload addresses, valid for an hour, in the order requested. */
  async uploadAddresses({ subkeys, types, items }: UploadRequest, scope: Scope): Promise<Upload[]> {
    refuseRepeated(subkeys.map((subkey, index) => ({ reference: subkey, at: `/subkeys/${index}` })));
    for (const subkey of types.keys()) refuseUnasked(subkey, subkeys);
    const { organisation } = scope.shelf;
    const assets = subkeys.map((subkey) => ({ subkey, contentType: types.get(subkey) ?? mediaTypeOf(subkey) }));
    const uploads = await Promise.all(
      assets.map(async ({ subkey, contentType }): Promise<Upload> => {
        const name: FileName = { area: 'public', owner: organisation, key: subkey };
        const upload = await this.files.uploadAddress(name, contentType, scope.now + UPLOAD_MS);
        return { upload, public: await this.files.publicAddress(name), contentType };
      }),
    );
    await this.work.run(() => this.store.put(organisation, assets, [...new Set(items)], scope.now));
    return uploads;
  }

  publicAddress(subkey: string, organisation: number): Promise<string> {
    return this.files.publicAddress({ area: 'public', owner: organisation, key: subkey });
  }

  /** The content; undefined when there is no such file. */
  async read(subkey: string, organisation: number): Promise<Readable | undefined> {
    return (await this.files.read({ area: 'public', owner: organisation, key: subkey }))?.content;
  }

  /** Stores a file of the service itself. Writes nothing when an asset of this name and size exists. */
  async put(
    subkey: string,
    content: Buffer,
    contentType: string,
    items: readonly string[],
    scope: Scope,
  ): Promise<void> {
    const { organisation } = scope.shelf;
    const name: FileName = { area: 'public', owner: organisation, key: subkey };
    if ((await this.files.size(name)) !== content.length)
      await this.files.write(name, Readable.from([content]), contentType);
    await this.work.run(() => this.store.put(organisation, [{ subkey, contentType }], items, scope.now));
  }
}

function refuseUnasked(subkey: string, subkeys: readonly string[]): void {
  if (subkeys.includes(subkey)) return;
  const at = `/subkey_types/${pointerPart(subkey)}`;
  throw new Fault('value', `${place(at)} gives a type to a file that is not among subkeys.`, at);
}
