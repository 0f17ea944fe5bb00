import { createHash } from 'node:crypto';
import { type JsonText, withoutEnd } from '#kernel';
import { isSubkey } from './asset-key';

/** An asset that packed content names. */
export interface PackedAsset {
  /** Organisation that it belongs to. */
  organisation: number;
  subkey: string;
  /** As the content has it. */
  address: string;
  /** Where it lies in the package, and below the base directory. */
  path: string;
}

/** Of addresses that lead elsewhere so many are remembered. */
const MAX_FOREIGN_ADDRESSES = 1_000;
const MAX_SHOWN_LENGTH = 500;

/** What an address of ours may hold after the organisation: as it is given out, and letters that a person left as they are. */
const SUBKEY = String.raw`[\p{L}\p{M}\p{N}_.~%@+/-]*[\p{L}\p{M}\p{N}_~%@+/-]`;

/** Any other address that a page would load from: with a scheme, or with the dot that a host has. */
const ANY = String.raw`(?:https?:\/\/[^\s"'<>\\()]+|\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s"'<>\\()]*)?)`;

/** Names of vocabularies, which nobody loads. */
const VOCABULARY = /^https?:\/\/www\.w3\.org\//;

/**
 * Brings the addresses of this installation's assets in packed content below a base directory, and remembers which
 * assets that are. Addresses that lead elsewhere stay.
 */
export class PackedAddresses {
  private readonly found = new Map<string, PackedAsset>();
  private readonly elsewhere = new Set<string>();
  private readonly pattern: RegExp;

  /**
   * @param publicBase what the public addresses of assets begin with, before the organisation: `//host/assets`.
   * @param baseDirectory where the package will lie, as a page names it: `/vendor/itembank`.
   */
  constructor(
    publicBase: string,
    private readonly baseDirectory: string,
  ) {
    const own = String.raw`(?:https?:)?${escaped(publicBase)}\/([1-9]\d{0,9})\/(${SUBKEY})`;
    this.pattern = new RegExp(`${own}|${ANY}`, 'giu');
  }

  /** The assets met so far, each once, in the order in which they were met. */
  get assets(): readonly PackedAsset[] {
    return [...this.found.values()];
  }

  /** Addresses that lead elsewhere: all, or the first thousand that were met. */
  get foreign(): readonly string[] {
    return [...this.elsewhere];
  }

  /** @param base where the package lies. */
  rewritten(text: JsonText, base = this.baseDirectory): JsonText {
    return text.replace(this.pattern, (address: string, organisation?: string, subkey?: string) => {
      const key = subkey === undefined ? undefined : decoded(subkey);
      if (key === undefined || !isSubkey(key)) {
        this.remember(address);
        return address;
      }
      const { path } = this.asset(Number(organisation), key, address);
      return base === '' ? path : `${base.replace(/\/$/, '')}/${path}`;
    });
  }

  private asset(organisation: number, subkey: string, address: string): PackedAsset {
    const name = `${organisation}/${subkey}`;
    const known = this.found.get(name);
    if (known) return known;
    const asset = { organisation, subkey, address, path: pathOf(name) };
    this.found.set(name, asset);
    return asset;
  }

  private remember(address: string): void {
    // Full stops and the like at the end belong to the sentence.
    const shown = withoutEnd(address, '.,;:!?').slice(0, MAX_SHOWN_LENGTH);
    if (this.elsewhere.size < MAX_FOREIGN_ADDRESSES && !VOCABULARY.test(shown)) this.elsewhere.add(shown);
  }
}

/**
 * A name that every file system takes, and takes for no other's, however long and foreign the subkey is. The extension
 * stays, by which servers tell the type.
 */
function pathOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const extension = /[^/.]\.([a-z0-9]{1,8})$/i.exec(name)?.[1];
  return `assets/${hash.slice(0, 2)}/${hash}${extension === undefined ? '' : `.${extension.toLowerCase()}`}`;
}

function decoded(subkey: string): string | undefined {
  try {
    return decodeURIComponent(subkey);
  } catch {
    return undefined;
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
