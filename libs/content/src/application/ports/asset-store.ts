/** For whom upload addresses were given out, and for which items: what is known of assets besides their files. */
export abstract class AssetStore {
  /**
   * Records the assets with the types that their newest addresses bind, and the items as users of each of them, in
   * addition to those recorded before. Known ones keep their ids. No two of the subkeys and no two of the references
   * are equal. Call inside a unit of work.
   */
  abstract put(
    organisation: number,
    assets: readonly { subkey: string; contentType: string }[],
    itemReferences: readonly string[],
    now: number,
  ): Promise<void>;
}
