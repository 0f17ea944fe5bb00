import { createHash } from 'node:crypto';
import { type JsonText, withoutEnd } from '#kernel';
import { isSubkey } from './asset-key';

/** An asset to which content in a package refers. */
export interface PackedAsset {
  /** Its organisation. */
  organisation: number;
  subkey: string;
  /** Its address in the content. */
  address: string;
  /** Its path in the package and below the base directory. */
  path: string;
}

/** The largest number of stored addresses that lead elsewhere. */
const MAX_FOREIGN_ADDRESSES = 1_000;
const MAX_SHOWN_LENGTH = 500;

/** The part of an asset's address after the organisation. Authors may leave letters unescaped. */
const SUBKEY = String.raw`[\p{L}\p{M}\p{N}_.~%@+/-]*[\p{L}\p{M}\p{N}_~%@+/-]`;

/** Any other address that a page would load: with a scheme, or with a host that has a dot. */
const ANY = String.raw`(?:https?:\/\/[^\s"'<>\\()]+|\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s"'<>\\()]*)?)`;

/** Names of XML vocabularies. They look like addresses, but no page loads them. */
const VOCABULARY = /^https?:\/\/www\.w3\.org\//;

/**
 * Rewrites the addresses of this installation's assets in packed content to paths below a base directory, and collects
 * these assets. Addresses that lead elsewhere stay.
 */
export class PackedAddresses {
  private readonly found = new Map<string, PackedAsset>();
  private readonly elsewhere = new Set<string>();
  private readonly pattern: RegExp;

  /**
   * @param publicBase base of the public addresses of assets, before the organisation: `//host/assets`.
   * @param baseDirectory path of the package as pages name it: `/vendor/itembank`.
   */
  constructor(
    publicBase: string,
    private readonly baseDirectory: string,
  ) {
    const own = String.raw`(?:https?:)?${escaped(publicBase)}\/([1-9]\d{0,9})\/(${SUBKEY})`;
    this.pattern = new RegExp(`${own}|${ANY}`, 'giu');
  }

  /** The assets found so far, each once, in order. */
  get assets(): readonly PackedAsset[] {
    return [...this.found.values()];
  }

  /** The first thousand addresses that lead elsewhere. */
  get foreign(): readonly string[] {
    return [...this.elsewhere];
  }

  /** @param base directory of the package. */
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
    // Punctuation at the end belongs to the sentence around the address.
    const shown = withoutEnd(address, '.,;:!?').slice(0, MAX_SHOWN_LENGTH);
    if (this.elsewhere.size < MAX_FOREIGN_ADDRESSES && !VOCABULARY.test(shown)) this.elsewhere.add(shown);
  }
}

/**
 * A path that is valid and unique on every file system, whatever the subkey. It keeps the extension, because servers
 * derive the type from it.
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
